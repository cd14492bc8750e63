import { expect, test } from "vitest";
import { type Behavior, type Scripts, layOut, valueOf } from "../src/scripts";

const behavior = (index: number, more: Partial<Behavior>): Behavior => ({
  index,
  name: `b${index}`,
  kind: "block",
  owner: null,
  owner_name: null,
  graph: null,
  prototype_name: null,
  behaviors: [],
  links: [],
  inputs: [],
  outputs: [],
  input_parameters: [],
  output_parameters: [],
  local_parameters: [],
  ...more,
});

const scripts: Scripts = {
  behaviors: [
    behavior(1, { kind: "script", behaviors: [2, 3, 99], links: [20, 21, 22], inputs: [10] }),
    behavior(2, { inputs: [11], outputs: [12], input_parameters: [30] }),
    behavior(3, { inputs: [13] }),
  ],
  ios: [
    { index: 10, name: "Start", behavior: 1, kind: "input", position: 0 },
    { index: 11, name: "In", behavior: 2, kind: "input", position: 0 },
    { index: 12, name: "Out", behavior: 2, kind: "output", position: 0 },
    { index: 13, name: "In", behavior: 3, kind: "input", position: 0 },
  ],
  links: [
    { index: 20, source: 10, destination: 11, delay: 0 },
    { index: 21, source: 12, destination: 13, delay: 2 },
    { index: 22, source: 12, destination: 98, delay: 0 },
  ],
  parameters: [
    { index: 30, name: "Time", kind: "input", type_name: null, source: 31, value: null },
    { index: 31, name: "Shared", kind: "input", type_name: null, source: 32, value: null },
    { index: 32, name: "Seconds", kind: "local", type_name: null, source: null, value: "2.5" },
    { index: 33, name: "a", kind: "input", type_name: null, source: 34, value: null },
    { index: 34, name: "b", kind: "input", type_name: null, source: 33, value: null },
  ],
  operations: [],
};

test("a graph has its entry, its blocks and the links between them; what is not there is left out", () => {
  const graph = layOut(scripts, 1);
  expect(graph.boxes.map((box) => box.index)).toEqual([10, 2, 3]);
  expect(graph.lines.map((line) => [line.index, line.delay])).toEqual([[20, 0], [21, 2]]);
  expect(graph.boxes[1]?.lines).toEqual(["Time: 2.5"]);
  const [start, first, second] = graph.boxes.map((box) => box.x);
  expect(start).toBeLessThan(first as number);
  expect(first).toBeLessThan(second as number);
});

test("values come through sources, and circles of sources end", () => {
  const parameters = new Map(scripts.parameters.map((it) => [it.index, it]));
  const of = (index: number) => valueOf(parameters, parameters.get(index) as (typeof scripts.parameters)[number]);
  expect(of(30)).toBe("2.5");
  expect(of(33)).toBe("");
});
