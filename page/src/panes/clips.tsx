import { useEffect, useRef, useState } from "preact/hooks";
import type { Model } from "../scene/model";
import type { Stage } from "../scene/stage";

/** Chooses an animation of a model and a time of it, and plays it. */
export function Clips({ stage, model }: { stage: Stage; model: Model }) {
  const [nth, setNth] = useState<number | undefined>(undefined);
  const [length, setLength] = useState(0);
  const [playing, setPlaying] = useState(false);
  const slider = useRef<HTMLInputElement>(null);
  const shown = useRef<HTMLSpanElement>(null);
  const say = (seconds: number) => {
    if (slider.current) slider.current.value = String(seconds);
    if (shown.current) shown.current.textContent = `${seconds.toFixed(2)} s`;
  };
  useEffect(() => {
    setLength(stage.clip(nth));
    say(0);
  }, [model, nth]);
  useEffect(() => {
    stage.play(playing, say);
    return () => stage.play(false, say);
  }, [model, nth, playing]);
  return (
    <div class="clips" data-role="clips" data-rows={model.clips.length}>
      <button type="button" aria-pressed={playing} onClick={() => setPlaying(!playing)}>
        {playing ? "Stop" : "Play"}
      </button>
      <select aria-label="Animation" value={nth ?? ""} onChange={(event) => setNth(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}>
        <option value="">all animations</option>
        {model.clips.map((it, at) => (
          <option key={at} value={at}>
            {it.name || `animation ${at}`}
          </option>
        ))}
      </select>
      <input
        ref={slider}
        type="range"
        min={0}
        max={length}
        step={length / 1000 || 1}
        aria-label="Time"
        onInput={(event) => {
          setPlaying(false);
          const seconds = Number(event.currentTarget.value);
          stage.time(seconds);
          say(seconds);
        }}
      />
      <span class="quiet" ref={shown} />
      <span class="quiet">of {length.toFixed(2)} s</span>
    </div>
  );
}
