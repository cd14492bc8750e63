import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { filesCalled, foldersOf } from "../names";
import { countOf, type Entity, type Model, parseModel, readModel } from "../scene/model";
import { type Look, Stage } from "../scene/stage";
import { address, current, files, go, make, work } from "../state";
import { Clips } from "./clips";
import { SceneFacts } from "./scene-facts";
import { SceneList } from "./scene-list";

/** Names of missing files that are shown. */
const NAMED = 3;

/** A scene, a part of one, or a map, as a model that one can walk around. */
export function ScenePane() {
  const file = current.value;
  const { entry } = address.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  const [shown, setShown] = useState<{ part: string | undefined; model: Model } | undefined>(undefined);
  /** The entries that stand in the whole scene. */
  const [inWhole, setInWhole] = useState<ReadonlySet<string> | undefined>(undefined);
  const [hidden, setHidden] = useState<ReadonlySet<Entity>>(new Set());
  /** Files of the page that were missing beside this one. */
  const [found, setFound] = useState<string[]>([]);
  /** What the model that is shown was made of. */
  const source = useRef("");
  const [alone, setAlone] = useState(false);
  const [look, setLook] = useState<Look>({ wireframe: false, boxes: false, points: false });
  const [beside, setBeside] = useState<"entities" | "facts" | undefined>(undefined);
  const [flying, setFlying] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const made = new Stage(element);
    setStage(made);
    const watch = new ResizeObserver(([it]) => it && made.resize(it.contentRect.width, it.contentRect.height));
    if (element.parentElement) watch.observe(element.parentElement);
    return () => {
      watch.disconnect();
      made.end();
    };
  }, []);
  // What stands in the scene is shown alone by hiding the rest; a mesh or a group is exported by itself.
  const part = alone && entry !== undefined && inWhole !== undefined && !inWhole.has(entry) ? entry : undefined;
  useEffect(() => {
    setInWhole(undefined);
    setFound([]);
  }, [file?.handle, file?.version]);
  useEffect(() => {
    if (file === undefined || stage === undefined) return;
    const abort = new AbortController();
    const key = JSON.stringify([file.handle, part]);
    void work(async () => {
      const paths = part === undefined ? {} : { paths: [part] };
      try {
        const bytes = await make("export", { file: file.handle, to: "glb", textures: foldersOf(found), ...paths }, "glb", abort.signal);
        const model = readModel(await parseModel(bytes));
        if (abort.signal.aborted) return;
        stage.show(model, source.current === key);
        source.current = key;
        await stage.drawn();
        performance.mark("drawn");
        if (abort.signal.aborted) return;
        setShown({ part, model });
        setHidden(new Set());
        const shapeless = model.entities.filter((it) => it.drawn.length === 0).length;
        if (part === undefined) setLook((it) => ({ ...it, points: shapeless * 2 > model.entities.length }));
        if (part === undefined) setInWhole(new Set(model.entities.flatMap((it) => it.path ?? [])));
      } catch (error) {
        if (part === undefined && !abort.signal.aborted) setInWhole(new Set());
        throw error;
      }
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, part, stage, found.join("\n")]);
  const model = shown?.model;
  // Pictures may come later than what they are for.
  useEffect(() => {
    const names = files.value.map((it) => it.name);
    const more = filesCalled(model?.missing ?? [], names).filter((it) => !found.includes(it));
    if (more.length > 0) setFound([...found, ...more]);
  }, [model, files.value]);
  const chosen = useMemo(() => (entry === undefined ? undefined : model?.entities.find((it) => it.path === entry)), [model, entry]);
  const visible = useMemo(() => {
    const isAlone = alone && chosen !== undefined && shown?.part === undefined;
    return (model?.entities ?? []).filter((it) => (isAlone ? isWithin(it, chosen) : !hidden.has(it)));
  }, [model, hidden, alone, chosen]);
  useEffect(() => stage?.reveal(visible, look), [stage, visible, look]);
  useEffect(() => stage?.mark(chosen), [stage, chosen]);
  useEffect(() => {
    if (alone && chosen) stage?.fitTo(visible);
  }, [alone, chosen]);
  const counts = useMemo(() => countOf(visible), [visible]);
  const choose = (it: Entity) => it.path !== undefined && go({ ...address.value, entry: it.path });
  const hide = (list: Entity[], off: boolean) => {
    const next = new Set(hidden);
    for (const it of list) off ? next.add(it) : next.delete(it);
    setHidden(next);
  };
  const option = (key: keyof Look, label: string) => (
    <label>
      <input type="checkbox" checked={look[key]} onChange={(event) => setLook({ ...look, [key]: event.currentTarget.checked })} /> {label}
    </label>
  );
  const fold = (which: "entities" | "facts", label: string) => (
    <button type="button" aria-pressed={beside === which} class={beside === which ? "chosen" : ""} onClick={() => setBeside(beside === which ? undefined : which)}>
      {label}
    </button>
  );
  const missing = model?.missing ?? [];
  return (
    <section class="pane" data-role="scene" data-triangles={counts.triangles} data-objects={counts.objects} data-missing={missing.length} aria-label="Scene">
      <header>
        {fold("entities", "Entities")}
        {fold("facts", "Statistics")}
        <label>
          <input type="checkbox" checked={alone} onChange={(event) => setAlone(event.currentTarget.checked)} /> chosen entry alone
        </label>
        {option("wireframe", "wireframe")}
        {option("boxes", "boxes")}
        {option("points", "points")}
        <button type="button" onClick={() => stage?.fitTo(chosen ? [chosen] : visible)}>
          Fit
        </button>
        <button
          type="button"
          aria-pressed={flying}
          title="W A S D Q E move, the pointer and the arrows turn, the wheel sets the speed, Escape ends it"
          onClick={() => {
            if (flying) stage?.land();
            else {
              setFlying(true);
              stage?.fly(() => setFlying(false));
            }
          }}
        >
          {flying ? "Stop flying (Escape)" : "Fly"}
        </button>
        {chosen?.mesh !== undefined && chosen.mesh !== entry && (
          <button
            type="button"
            onClick={() => {
              setAlone(true);
              go({ ...address.value, entry: chosen.mesh as string });
            }}
          >
            Its mesh
          </button>
        )}
        <span class="quiet">{model ? `${counts.triangles} triangles, ${counts.objects} objects` : ""}</span>
      </header>
      {missing.length > 0 && (
        <p class="note" data-role="missing">
          {missing.length === 1 ? "A texture was not found: " : `${missing.length} textures were not found: `}
          {missing.slice(0, NAMED).join(", ")}
          {missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ""}. {missing.length === 1 ? "Open its file too, and it is used." : "Open their files too, and they are used."}
        </p>
      )}
      {model && stage && model.clips.length > 0 && <Clips stage={stage} model={model} />}
      <div class="seen">
        <div class="stage">
          <canvas
            ref={canvas}
            tabIndex={0}
            aria-label="Model; drag to turn, scroll to come closer, double click to choose"
            onDblClick={(event) => {
              const found = stage?.pick(event);
              if (found) choose(found);
            }}
          />
        </div>
        {beside === "entities" && model && <SceneList entities={model.entities} hidden={hidden} chosen={chosen} onHide={hide} onChoose={choose} />}
        {beside === "facts" && model && <SceneFacts model={model} counts={counts} />}
      </div>
    </section>
  );
}

/** Whether an entity is another one, or stands in it. */
function isWithin(entity: Entity, outer: Entity | undefined): boolean {
  for (let it: Entity["object"] | null = entity.object; it !== null; it = it.parent) if (it === outer?.object) return true;
  return false;
}
