// A door for the test of all doors: reads a request a line, `{verb, request, files: {name: path}, wanted}`, and prints an answer a
// line: `{code, rows, body, is_built}` with rows in JSON, and in hexadecimal the bytes that were handed out and behind them those of
// `wanted`, where that was written.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { Session } = createRequire(import.meta.url)(process.argv[2]);

/** Every second request reads its files where they are, range by range: nobody is to see a difference. */
let isRanged = false;

const put = (session, name, bytes) => {
  const read = (offset, buffer) => void buffer.set(bytes.subarray(offset, offset + buffer.length));
  if (isRanged) session.put_ranges(name, bytes.length, { read });
  else session.put(name, bytes);
};

const answer = ({ verb, request, files, wanted }) => {
  const session = new Session();
  isRanged = !isRanged;
  for (const [name, path] of Object.entries(files)) put(session, name, readFileSync(path));
  const given = session.call(verb, JSON.stringify(request));
  // As text: JavaScript knows no difference between 1 and 1.0.
  const rows = given.rows.split("\n").filter(Boolean);
  const written = session.get(wanted) ?? (wanted in files ? readFileSync(files[wanted]) : new Uint8Array());
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
