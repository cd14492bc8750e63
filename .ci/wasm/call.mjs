// A door for the test of all doors: reads a request a line, `{verb, request, files: {name: path}, wanted}`, and prints an answer a
// line: `{code, rows, body, is_built}` with rows in JSON, and in hexadecimal the bytes that were handed out and behind them those of
// `wanted`, where that was written.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Session } = createRequire(import.meta.url)(process.argv[2]);

const answer = ({ verb, request, files, wanted }) => {
  const session = new Session();
  for (const [name, path] of Object.entries(files)) session.put(name, readFileSync(path));
  const given = session.call(verb, JSON.stringify(request));
  // As text: JavaScript knows no difference between 1 and 1.0.
  const rows = given.rows.split("\n").filter(Boolean);
  const written = session.get(wanted) ?? new Uint8Array();
  const body = Buffer.concat([given.body, written]).toString("hex");
  const { code } = given;
  // Some compressions are C code, which is not built for this door.
  const is_built = !given.diagnostics.includes('"SN081"');
  session.free();
  return { code, rows, body, is_built };
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
}
