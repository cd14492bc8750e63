import { useEffect, useMemo, useState } from "preact/hooks";
import { type Scripts, layOut } from "../scripts";
import { address, current, go, make, work } from "../state";

/** The scripts of a file as graphs, one inside of another; every box and every link is an entry. */
export function ScriptPane() {
  const file = current.value;
  const { entry } = address.value;
  const [scripts, setScripts] = useState<Scripts | undefined>(undefined);
  const [index, setIndex] = useState<number | undefined>(undefined);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    setScripts(undefined);
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const bytes = await make("export", { file: file.handle, to: "json", scripts: true }, "json", abort.signal);
      if (!abort.signal.aborted) setScripts(JSON.parse(new TextDecoder().decode(bytes)) as Scripts);
    });
    return () => abort.abort();
  }, [file?.handle, file?.version]);
  const behaviors = scripts?.behaviors ?? [];
  const named = Number(/^#(\d+)$/.exec(entry ?? "")?.[1] ?? Number.NaN);
  const inside = behaviors.find((it) => it.index === named && it.behaviors.length > 0);
  const roots = behaviors.filter((it) => it.kind === "script");
  const shown = behaviors.find((it) => it.index === index) ?? inside ?? roots[0];
  const graph = useMemo(() => (scripts && shown ? layOut(scripts, shown.index) : undefined), [scripts, shown]);
  const way = useMemo(() => {
    const all = [];
    for (let it = shown; it !== undefined && all.length < 100; it = behaviors.find((outer) => outer.index === it?.graph)) all.unshift(it);
    return all;
  }, [scripts, shown]);
  return (
    <section class="pane" data-role="script" data-nodes={graph?.boxes.length ?? 0} data-links={graph?.lines.length ?? 0} aria-label="Script">
      <header>
        <select aria-label="Script" value={way[0]?.index ?? ""} onChange={(event) => setIndex(Number(event.currentTarget.value))}>
          {roots.map((it) => (
            <option key={it.index} value={it.index}>
              {it.owner_name === null ? it.name : `${it.owner_name}: ${it.name}`}
            </option>
          ))}
        </select>
        {way.map((it) => (
          <button key={it.index} type="button" class="link" onClick={() => setIndex(it.index)}>
            {it.name}
          </button>
        ))}
        <label>
          zoom{" "}
          <input type="range" min={0.2} max={2} step={0.1} value={zoom} aria-label="Zoom" onInput={(event) => setZoom(Number(event.currentTarget.value))} />
        </label>
        <span class="quiet">{graph ? `${graph.boxes.length} boxes, ${graph.lines.length} links` : ""}</span>
      </header>
      <div class="picture" tabIndex={0} role="group" aria-label="Graph">
        {scripts !== undefined && roots.length === 0 && <p class="quiet">This file has no scripts.</p>}
        {graph && (
          <svg width={graph.width * zoom} height={graph.height * zoom} viewBox={`0 0 ${graph.width} ${graph.height}`}>
            <title>{shown?.name}</title>
            <defs>
              <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
                <path d="M0 0 8 4 0 8z" class="arrow" />
              </marker>
            </defs>
            {graph.lines.map((line) => (
              <g key={line.index} class={entry === `#${line.index}` ? "line chosen" : "line"} onClick={() => go({ ...address.value, entry: `#${line.index}` })}>
                <polyline points={line.points.map(({ x, y }) => `${x},${y}`).join(" ")} markerEnd="url(#arrow)" />
                {line.delay > 0 && (
                  <text x={line.points[Math.floor(line.points.length / 2)]?.x} y={(line.points[Math.floor(line.points.length / 2)]?.y ?? 0) - 4}>
                    {line.delay}
                  </text>
                )}
              </g>
            ))}
            {graph.boxes.map((box) => (
              <g
                key={box.index}
                class={`box ${box.kind}${entry === `#${box.index}` ? " chosen" : ""}`}
                transform={`translate(${box.x - box.width / 2} ${box.y - box.height / 2})`}
                onClick={() => go({ ...address.value, entry: `#${box.index}` })}
                onDblClick={() => setIndex(box.index)}
              >
                <rect width={box.width} height={box.height} rx="5" />
                <text x="10" y="19" class="title">
                  {box.title}
                  {box.kind === "graph" ? " ▸" : ""}
                </text>
                {box.lines.map((line, nth) => (
                  <text key={nth} x="10" y={35 + nth * 16}>
                    {line}
                  </text>
                ))}
              </g>
            ))}
          </svg>
        )}
      </div>
    </section>
  );
}
