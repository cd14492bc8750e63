import type { Answer, Bytes } from "./client";

const NEWLINE = 10;

/** Reads what the server answers: a line of JSON for each row, diagnostic and note, bodies behind a line with their length, the code last. */
export function parseLines(bytes: Bytes): Answer {
  const text = new TextDecoder();
  const answer: Answer = { code: 4, rows: [], diagnostics: [], notes: [], body: new Uint8Array() };
  const bodies: Bytes[] = [];
  let at = 0;
  while (at < bytes.length) {
    const found = bytes.indexOf(NEWLINE, at);
    const end = found < 0 ? bytes.length : found;
    const line = JSON.parse(text.decode(bytes.subarray(at, end)));
    at = end + 1;
    if ("row" in line) answer.rows.push(line.row);
    else if ("diagnostic" in line) answer.diagnostics.push(line);
    else if ("note" in line) answer.notes.push(line.note);
    else if ("body" in line) {
      bodies.push(bytes.subarray(at, at + line.body));
      at += line.body;
    } else if ("code" in line) answer.code = line.code;
  }
  const [only] = bodies;
  if (bodies.length === 1 && only !== undefined) answer.body = only;
  else if (bodies.length > 1) {
    answer.body = new Uint8Array(bodies.reduce((sum, it) => sum + it.length, 0));
    let to = 0;
    for (const body of bodies) {
      answer.body.set(body, to);
      to += body.length;
    }
  }
  return answer;
}
