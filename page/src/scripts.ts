import dagre from "@dagrejs/dagre";

/** The scripts of a file, as `export --scripts --to json` writes them. */
export interface Scripts {
  behaviors: Behavior[];
  ios: { index: number; name: string; behavior: number; kind: "input" | "output"; position: number }[];
  links: { index: number; source: number; destination: number; delay: number }[];
  parameters: Parameter[];
  operations: { index: number; name?: string; operation_name?: string | null }[];
}
export interface Behavior {
  index: number;
  name: string;
  kind: "script" | "graph" | "block";
  owner: number | null;
  owner_name: string | null;
  graph: number | null;
  prototype_name: string | null;
  behaviors: number[];
  links: number[];
  inputs: number[];
  outputs: number[];
  input_parameters: number[];
  output_parameters: number[];
  local_parameters: number[];
}
export interface Parameter {
  index: number;
  name: string;
  kind: string;
  type_name: string | null;
  source: number | null;
  value: string | null;
}

/** A box of a drawn graph: a behaviour, or an entry or exit of the graph itself. */
export interface Box {
  index: number;
  title: string;
  kind: "script" | "graph" | "block" | "input" | "output";
  lines: string[];
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Line {
  index: number;
  delay: number;
  points: { x: number; y: number }[];
}
export interface Graph {
  boxes: Box[];
  lines: Line[];
  width: number;
  height: number;
}

const LINE = 16;

/** What a parameter has, through those that it is fed by. */
export function valueOf(parameters: Map<number, Parameter>, parameter: Parameter): string {
  const seen = new Set<number>();
  let it: Parameter | undefined = parameter;
  while (it !== undefined && !seen.has(it.index)) {
    seen.add(it.index);
    if (it.value !== null && it.value !== undefined) return it.value;
    if (it.source === null) break;
    it = parameters.get(it.source);
  }
  return it === undefined || it === parameter ? "" : it.name;
}

/** Lays out what a behaviour consists of. */
export function layOut(scripts: Scripts, index: number): Graph {
  const behaviors = new Map(scripts.behaviors.map((it) => [it.index, it]));
  const parameters = new Map(scripts.parameters.map((it) => [it.index, it]));
  const ios = new Map(scripts.ios.map((it) => [it.index, it]));
  const links = new Map(scripts.links.map((it) => [it.index, it]));
  const whole = behaviors.get(index);
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 60, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  const boxes: Omit<Box, "x" | "y">[] = [];
  const add = (box: Omit<Box, "x" | "y" | "width" | "height">) => {
    const letters = Math.max(box.title.length + 2, ...box.lines.map((line) => line.length));
    const sized = { ...box, width: Math.min(320, 24 + letters * 7), height: 28 + box.lines.length * LINE };
    boxes.push(sized);
    graph.setNode(String(box.index), { width: sized.width, height: sized.height });
  };
  for (const io of [...(whole?.inputs ?? []), ...(whole?.outputs ?? [])]) {
    const it = ios.get(io);
    if (it) add({ index: io, title: it.name || it.kind, kind: it.kind, lines: [] });
  }
  for (const inner of whole?.behaviors ?? []) {
    const it = behaviors.get(inner);
    if (it === undefined) continue;
    const lines = it.input_parameters.flatMap((at) => {
      const parameter = parameters.get(at);
      if (parameter === undefined) return [];
      const value = valueOf(parameters, parameter);
      return [value === "" ? parameter.name : `${parameter.name}: ${value}`.slice(0, 42)];
    });
    add({ index: inner, title: it.name || it.prototype_name || `#${inner}`, kind: it.kind, lines });
  }
  // A link leads from an exit to an entry: to the box that has it, or to the entry of the graph itself.
  const boxOf = (io: number) => (boxes.some((box) => box.index === io) ? io : ios.get(io)?.behavior);
  for (const at of whole?.links ?? []) {
    const link = links.get(at);
    const [from, to] = [boxOf(link?.source ?? -1), boxOf(link?.destination ?? -1)];
    if (link === undefined || from === undefined || to === undefined || !graph.hasNode(String(from)) || !graph.hasNode(String(to))) continue;
    graph.setEdge(String(from), String(to), {}, String(at));
  }
  dagre.layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  return {
    boxes: boxes.map((box) => {
      const { x, y } = graph.node(String(box.index)) as unknown as { x: number; y: number };
      return { ...box, x, y };
    }),
    lines: graph.edges().map((edge) => ({
      index: Number(edge.name),
      delay: links.get(Number(edge.name))?.delay ?? 0,
      points: (graph.edge(edge) as unknown as { points: { x: number; y: number }[] }).points,
    })),
    width: size.width ?? 0,
    height: size.height ?? 0,
  };
}
