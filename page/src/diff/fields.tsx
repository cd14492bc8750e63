import { useState } from "preact/hooks";
import type { Row } from "../client/client";
import { valueText } from "../format";
import { useCall } from "../query";
import { type Change, type FieldLine, fieldLines, hasMore } from "./changes";
import { type Side, requestOf } from "./sides";

/** Lines that are shown at once; more come when they are asked for. */
const PAGE = 400;

/** The fields of a change, the old value beside the new one; of an entry that one side alone has, all of its fields. */
export function DiffFields({ change, sides, onMore }: { change: Change; sides: { old: Side; new: Side }; onMore(): void }) {
  const [limit, setLimit] = useState(PAGE);
  const alone = change.old === undefined ? change.new && { name: "new" as const, entry: change.new } : change.new === undefined ? { name: "old" as const, entry: change.old } : undefined;
  const request: Row = alone === undefined ? {} : { ...requestOf(sides[alone.name]), path: alone.entry.path, limit, for_people: true };
  const answer = useCall(alone === undefined ? undefined : "show", request);
  const own = (answer?.rows[0]?.fields as Row[] | undefined) ?? [];
  const lines: FieldLine[] =
    alone === undefined
      ? fieldLines(change.fields ?? [])
      : own.map((field) => ({ path: String(field.path), depth: 0, [alone.name]: valueText(field.shown ?? field.value) }));
  if (lines.length === 0) {
    const isRead = alone === undefined || answer !== undefined;
    return <p class="diff-note quiet">{isRead ? (change.change === "renamed" ? "It has another name, and is the same otherwise." : "There are no fields to show.") : "Reading"}</p>;
  }
  return (
    <div class="diff-fields" tabIndex={0} role="group" aria-label="Changed fields" data-lines={lines.length}>
      <table>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">old</th>
            <th scope="col">new</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, limit).map((line, nth) => (
            <FieldRow key={nth} line={line} />
          ))}
        </tbody>
      </table>
      {(lines.length > limit || own.length >= limit) && (
        <button type="button" onClick={() => setLimit(limit * 4)}>
          More fields
        </button>
      )}
      {hasMore(change.fields ?? []) && (
        <button type="button" onClick={onMore}>
          More items of each list
        </button>
      )}
    </div>
  );
}

function FieldRow({ line }: { line: FieldLine }) {
  return (
    <tr>
      <th scope="row" style={{ paddingLeft: 10 + line.depth * 14 }}>
        {line.path}
        {line.note !== undefined && <span class="diff-words"> {line.note}</span>}
      </th>
      <Value text={line.old} name="old" />
      <Value text={line.new} name="new" />
    </tr>
  );
}

/** A value, with its colour where it is one. */
function Value({ text, name }: { text: string | undefined; name: "old" | "new" }) {
  const color = /#[0-9a-f]{6}(?:[0-9a-f]{2})?\b/i.exec(text ?? "")?.[0];
  return (
    <td class={text === undefined ? "" : `diff-${name}`}>
      {color && <span class="color" style={{ background: color }} />}
      {text ?? ""}
    </td>
  );
}
