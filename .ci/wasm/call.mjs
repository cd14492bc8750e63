// A door for the test of all doors: reads a request a line, `{verb, request, files: {name: path}, wanted}`, and prints an answer a
// line: `{code, rows, body}` with the bytes of `wanted`, where that was written, behind those that were handed out, in hexadecimal.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Session } = createRequire(import.meta.url)(process.argv[2]);

const answer = ({ verb, request, files, wanted }) => {
  const session = new Session();
  for (const [name, path] of Object.entries(files)) session.put(name, readFileSync(path));
  const given = session.call(verb, JSON.stringify(request));
  const rows = given.rows.split("\n").filter(Boolean).map((row) => JSON.parse(row));
  const written = session.get(wanted) ?? new Uint8Array();
  const body = Buffer.concat([given.body, written]).toString("hex");
  const { code } = given;
  session.free();
  return { code, rows, body };
};

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + "\n");
}
