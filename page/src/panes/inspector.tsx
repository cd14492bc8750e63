import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { CopyButtons } from "../edit/copy";
import { EntryActions, nameOf } from "../edit/entry";
import { type Field, FieldEditor, edited, isEditable } from "../edit/field";
import { bytesText, hexText, valueText } from "../format";
import { useCall } from "../query";
import { address, current, go, marked } from "../state";

/** Characters of a value that are shown: the bytes are there for the rest. */
const LONGEST = 160;

/** Fields that are shown at once; more come when they are asked for. */
const PAGE = 400;

/** The fields of the chosen entry, or of the file, with what they mean and where they stand, and references both ways. */
export function InspectorPane() {
  const file = current.value;
  const { entry } = address.value;
  const [limit, setLimit] = useState(PAGE);
  const chosen = edited.value?.entry === entry ? edited.value?.path : undefined;
  const shown = useCall(
    file && entry !== undefined ? "show" : undefined,
    { file: file?.handle ?? 0, path: entry ?? "", limit, described: true },
    file?.version,
  );
  const info = useCall(file && entry === undefined ? "info" : undefined, { files: [file?.handle ?? 0] }, file?.version);
  const row = (shown ?? info)?.rows[0];
  const fields = (row?.fields as Field[] | undefined) ?? detailsOf(row);
  return (
    <section class="pane" data-role="inspector" data-rows={fields.length} aria-label="Inspector" tabIndex={0}>
      <header>
        <h2>
          {entry ?? file?.name ?? "Nothing is open"} <span class="meaning">{entry === undefined ? "" : nameOf(fields)}</span>
        </h2>
        <span class="quiet">
          {String(row?.type ?? row?.format ?? "")} {row?.size === undefined ? "" : bytesText(Number(row.size))}
        </span>
      </header>
      {file !== undefined && <CopyButtons to={address.value} />}
      {entry !== undefined && <EntryActions entry={entry} row={row} />}
      <table class="fields">
        <tbody>
          {fields.map((field) => (
            <FieldRow
              key={field.path}
              field={field}
              entry={entry}
              isEdited={field.path === chosen}
              edit={() => {
                if (entry !== undefined) edited.value = { entry, path: field.path };
              }}
              close={() => {
                edited.value = undefined;
              }}
            />
          ))}
        </tbody>
      </table>
      {fields.length >= limit && (
        <button type="button" onClick={() => setLimit(limit * 4)}>
          More fields
        </button>
      )}
      {entry !== undefined && <References />}
    </section>
  );
}

/** A summary as fields: what lies in lists and objects by its path. */
export function detailsOf(row: Row | undefined): Field[] {
  const fields: Field[] = [];
  const walk = (path: string, value: unknown) => {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [key, inner] of Object.entries(value)) walk(path === "" ? key : `${path}.${key}`, inner);
    } else fields.push({ path, value });
  };
  for (const [key, value] of Object.entries(row ?? {})) {
    if (key !== "file" && key !== "diagnostics") walk(key === "details" ? "" : key, value);
  }
  return fields;
}

/** A field: its value, which becomes an editor when it is chosen, what it means, and where it stands. */
function FieldRow({ field, entry, isEdited, edit, close }: { field: Field; entry: string | undefined; isEdited: boolean; edit(): void; close(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  const { space, offset, size } = field;
  const place = space !== undefined && offset !== undefined ? { space, offset, size: size ?? 0 } : undefined;
  const mark = marked.value;
  const isMarked = place !== undefined && mark !== undefined && mark.space === place.space && mark.offset < place.offset + place.size && place.offset < mark.offset + mark.size;
  const color = /^#[0-9a-f]{6,8}$/i.exec(valueText(field.meaning ?? field.value))?.[0];
  return (
    <tr
      class={isMarked ? "marked" : ""}
      onPointerEnter={() => {
        if (place) marked.value = place;
      }}
      title={field.doc ?? `${field.path} (${field.type ?? ""})`}
    >
      <th scope="row">{field.path}</th>
      <td>
        {isEdited && entry !== undefined ? (
          <FieldEditor
            entry={entry}
            field={field}
            close={() => {
              close();
              // Whoever works with the keyboard goes on from here.
              requestAnimationFrame(() => button.current?.focus());
            }}
          />
        ) : (
          <Shown field={field} color={color} edit={entry !== undefined && isEditable(field) ? edit : undefined} button={button} />
        )}
      </td>
      <td>
        {place && (
          <button type="button" class="place" onClick={() => go({ ...address.value, view: "hex", at: { space: place.space, offset: place.offset } })}>
            {place.space === "file" ? "" : `${place.space}:`}
            {hexText(place.offset)}
          </button>
        )}
      </td>
    </tr>
  );
}

/** The value of a field and what it means. A click changes it, where that is possible. */
function Shown({ field, color, edit, button }: { field: Field; color: string | undefined; edit: (() => void) | undefined; button: RefObject<HTMLButtonElement | null> }) {
  const text = valueText(field.value);
  const value = (
    <>
      {color && <span class="color" style={{ background: color }} />}
      {text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}
    </>
  );
  return (
    <>
      {edit === undefined ? (
        value
      ) : (
        <button ref={button} type="button" class="value" title="Change it" onClick={edit}>
          {value}
        </button>
      )}
      {field.unit && <span class="quiet"> {field.unit}</span>}
      {field.meaning !== undefined && <span class="meaning"> {valueText(field.meaning)}</span>}
    </>
  );
}

/** References of the chosen entry and references to it, as links. */
function References() {
  const file = current.value;
  const { entry } = address.value;
  const answer = useCall(file && entry ? "refs" : undefined, { file: file?.handle ?? 0, path: entry ?? "", for_people: true }, file?.version);
  const rows = answer?.rows ?? [];
  const link = (path: unknown, text: string) => (
    <button type="button" class="link" onClick={() => go({ ...address.value, entry: String(path) })}>
      {text}
    </button>
  );
  const from = rows.filter((row) => row.relation === "refers_to");
  const to = rows.filter((row) => row.relation === "referred_by");
  return (
    <div class="references" data-from={from.length} data-to={to.length}>
      {from.length > 0 && <h3>Refers to</h3>}
      <ul>
        {from.map((row, nth) => (
          <li key={nth}>
            <span class="quiet">{String(row.field)}</span>{" "}
            {row.target === null || row.target === undefined
              ? String(row.target_name ?? row.key)
              : link(row.target, String(row.target_label ?? row.target))}
          </li>
        ))}
      </ul>
      {to.length > 0 && <h3>Referred to by</h3>}
      <ul>
        {to.map((row, nth) => (
          <li key={nth}>
            {link(row.path, String(row.label ?? row.path))} <span class="quiet">{String(row.field)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
