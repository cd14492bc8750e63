import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { address, go, make, work } from "../state";
import { VirtualList } from "../virtual";
import type { Change } from "./changes";
import { type ModelDifference, type ModelNode, type NodeChange, changeText, compareModels, nodesOf } from "./models";
import { type Side, requestOf } from "./sides";
import { OverlayStage } from "./stage";
import type { Bytes } from "../client/client";

/** Both models as they were exported, and their nodes. */
interface Exported {
  old: { bytes: Bytes; nodes: ModelNode[] };
  new: { bytes: Bytes; nodes: ModelNode[] };
}

/** Both scenes laid over each other, and a list of what moved or changed in them. */
export function SceneOverlay({ sides, changes, version }: { sides: { old: Side; new: Side }; changes: Change[]; version: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<OverlayStage | undefined>(undefined);
  const [exported, setExported] = useState<Exported | undefined>(undefined);
  const [error, setError] = useState<string | undefined>(undefined);
  const [isDrawn, setDrawn] = useState(false);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [part, setPart] = useState(0.5);
  const [isTinted, setTinted] = useState(true);
  const [hasEqual, setEqual] = useState(true);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const made = new OverlayStage(element);
    stage.current = made;
    const watch = new ResizeObserver(([it]) => it && made.resize(it.contentRect.width, it.contentRect.height));
    if (element.parentElement) watch.observe(element.parentElement);
    return () => {
      watch.disconnect();
      made.end();
      stage.current = undefined;
    };
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    const model = async (side: Side) => {
      const bytes = await make("export", { ...requestOf(side), to: "glb" }, "glb", abort.signal);
      return { bytes, nodes: nodesOf(bytes) };
    };
    void work(async () => {
      try {
        const both = { old: await model(sides.old), new: await model(sides.new) };
        if (abort.signal.aborted) return;
        setError(undefined);
        setExported(both);
      } catch (it) {
        if (!abort.signal.aborted) setError(it instanceof Error ? it.message : String(it));
      }
    });
    return () => abort.abort();
  }, [JSON.stringify(sides), version]);
  const difference = useMemo<ModelDifference | undefined>(() => {
    const renamed = new Map(changes.flatMap(({ old, new: now }) => (old && now ? [[old.path, now.path]] : [])));
    return exported && compareModels(exported.old.nodes, exported.new.nodes, renamed);
  }, [exported, changes]);
  useEffect(() => {
    if (difference === undefined || exported === undefined) return;
    let isWanted = true;
    setDrawn(false);
    void work(async () => {
      await stage.current?.show(exported.old.bytes, exported.new.bytes, difference, () => isWanted);
      if (isWanted) setDrawn(true);
    });
    return () => {
      isWanted = false;
    };
  }, [difference]);
  useEffect(() => stage.current?.blend(part, isTinted), [part, isTinted, isDrawn]);
  useEffect(() => stage.current?.showEqual(hasEqual), [hasEqual, isDrawn]);
  const rows = difference?.changes ?? [];
  const choose = (nth: number) => {
    const change = rows[nth];
    if (change === undefined) return;
    setChosen(nth);
    stage.current?.hop(change);
    const path = change.new?.path;
    if (path !== undefined && address.value.generations?.own === undefined) go({ ...address.value, entry: path }, "replace");
  };
  return (
    <div class="diff-scene" data-role="diff-scene" data-rows={rows.length} data-moved={rows.filter((it) => it.isMoved).length} data-equal={difference?.equal.length ?? 0} data-drawn={isDrawn}>
      <p class="diff-legend">
        <span>
          <span class="color diff-old-swatch" /> old
        </span>
        <label>
          <input type="range" min={0} max={1} step={0.05} value={part} aria-label="From old to new" onInput={(event) => setPart(Number(event.currentTarget.value))} />
        </label>
        <span>
          <span class="color diff-new-swatch" /> new
        </span>
        <label title="Old and new in their colours, what is equal grey; else all as it is">
          <input type="checkbox" checked={isTinted} onChange={(event) => setTinted(event.currentTarget.checked)} /> tinted
        </label>
        <label>
          <input type="checkbox" checked={hasEqual} onChange={(event) => setEqual(event.currentTarget.checked)} /> what is equal
        </label>
        {chosen !== undefined && (
          <button
            type="button"
            onClick={() => {
              setChosen(undefined);
              stage.current?.overview();
            }}
          >
            Whole scene
          </button>
        )}
      </p>
      {error !== undefined && <p class="diff-note">There is no scene on both sides to lay over each other: {error}</p>}
      <div class="stage">
        <canvas ref={canvas} tabIndex={0} role="img" aria-label="Both models laid over each other; drag to turn, scroll to come closer" />
      </div>
      <div class="diff-nodes">
        {difference === undefined ? (
          <p class="diff-note quiet">{error === undefined ? "Reading both scenes" : ""}</p>
        ) : rows.length === 0 ? (
          <p class="diff-note">Both scenes look the same: nothing in them moved or changed.</p>
        ) : (
          <NodeList rows={rows} chosen={chosen} onChoose={choose} />
        )}
      </div>
    </div>
  );
}

function NodeList({ rows, chosen, onChoose }: { rows: NodeChange[]; chosen: number | undefined; onChoose(nth: number): void }) {
  return (
    <VirtualList
      count={rows.length}
      rowHeight={42}
      label="What moved or changed in the scene"
      shown={chosen}
      onStep={onChoose}
      render={(nth) => {
        const change = rows[nth];
        if (change === undefined) return null;
        const [before, after] = [change.old?.name, change.new?.name];
        return (
          <div class={`entry${nth === chosen ? " chosen" : ""}`} role="option" aria-selected={nth === chosen} onClick={() => onChoose(nth)}>
            <span class="name">{before !== undefined && after !== undefined && before !== after ? `${before} → ${after}` : (after ?? before)}</span>
            <span class="quiet">{changeText(change)}</span>
          </div>
        );
      }}
    />
  );
}
