import { signal } from "@preact/signals";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { valueText } from "../format";
import { call, current } from "../state";
import { change } from "./journal";

/** The field that is being changed. */
export const edited = signal<{ entry: string; path: string } | undefined>(undefined);

/** A field with its description, as `show` gives it to whoever changes it. */
export interface Field {
  path: string;
  type?: string;
  value?: unknown;
  meaning?: string;
  parts?: Part[];
  unit?: string;
  space?: string;
  offset?: number;
  size?: number;
  doc?: string;
  choices?: string[];
  part_choices?: { name: string; choices: string[] }[];
  refers?: boolean;
}
interface Part {
  name: string;
  value: unknown;
  meaning?: string;
}

/** Fields of an entry that say what it is and do not stand in it. */
const OUTSIDE = /^(class|kind|path|type)$/;

/** Whether a field has a place in the file, so that another value can take it. */
export const isEditable = (field: Field): boolean => field.offset !== undefined && !OUTSIDE.test(field.path);

/** A colour of four bytes as pickers have it, and its alpha. */
export function colorOf(field: Field): { rgb: string; alpha: string } | undefined {
  const word = /^0x([0-9a-f]{2})([0-9a-f]{6})$/.exec(String(field.value));
  return field.unit === "argb" && word ? { rgb: `#${word[2]}`, alpha: word[1] ?? "ff" } : undefined;
}

/** A value as it is typed. */
export function typedText(value: unknown, meaning?: string, refers?: boolean): string {
  if (refers && meaning !== undefined) return meaning;
  return Array.isArray(value) ? value.map(valueText).join(", ") : valueText(value);
}

/** The editor of a field's value: a picker of colours, names of what it may be, a box for each flag, or a text. */
export function FieldEditor({ entry, field, close }: { entry: string; field: Field; close(): void }) {
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const first = box.current?.querySelector<HTMLInputElement>("input, select");
    first?.focus();
    // What is typed takes the place of the value.
    if (first instanceof HTMLInputElement) first.select();
  }, []);
  const set = (path: string, value: string) => {
    const file = current.value;
    if (file === undefined) return;
    void change(file, "set", { changes: [{ entry, field: path, value }] }).then((done) => done && close());
  };
  const color = colorOf(field);
  return (
    <form
      ref={box}
      class="field-editor"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
      }}
    >
      {color !== undefined ? (
        <input
          type="color"
          aria-label={`${field.path}, colour`}
          value={color.rgb}
          onChange={(event) => set(field.path, `#${color.alpha}${event.currentTarget.value.slice(1)}`)}
        />
      ) : null}
      {field.parts === undefined || field.parts.length === 0 ? (
        <Value label={field.path} field={field} initial={color ? `#${color.alpha}${color.rgb.slice(1)}` : typedText(field.value, field.meaning, field.refers)} set={(value) => set(field.path, value)} />
      ) : (
        <ul>
          {field.parts.map((part) => (
            <li key={part.name}>
              <PartEditor
                label={`${field.path} ${part.name}`}
                part={part}
                choices={field.part_choices?.find((it) => it.name === part.name)?.choices}
                set={(value) => set(`${field.path}.${part.name}`, value)}
              />
            </li>
          ))}
        </ul>
      )}
      <button type="button" onClick={close}>
        Close
      </button>
    </form>
  );
}

/** A value as a text, with the names that it may have; for a reference those of entries of the same kind. */
function Value({ label, field, initial, set }: { label: string; field: Field; initial: string; set(value: string): void }) {
  const [text, setText] = useState(initial);
  const [entries, setEntries] = useState<string[]>([]);
  const list = useId();
  useEffect(() => setText(initial), [initial]);
  const kind = field.refers ? /^([^/]+)\//.exec(field.meaning ?? "")?.[1] : undefined;
  useEffect(() => {
    const file = current.value;
    if (kind === undefined || file === undefined) return;
    const abort = new AbortController();
    void call("ls", { file: file.handle, globs: [`${kind}/*`], limit: 1000 }, abort.signal).then(
      (answer) => setEntries(answer.rows.map((row) => `${kind}/${String(row.name)}`)),
      () => undefined,
    );
    return () => abort.abort();
  }, [kind]);
  const names = kind === undefined ? (field.choices ?? []) : entries;
  if (field.type === "bool") {
    return <input type="checkbox" aria-label={label} checked={field.value === true} onChange={(event) => set(String(event.currentTarget.checked))} />;
  }
  return (
    <>
      <input
        aria-label={label}
        value={text}
        list={names.length > 0 ? list : undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && set(text)}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <button type="button" disabled={text === initial} onClick={() => set(text)}>
        Set
      </button>
    </>
  );
}

/** A part of a packed word: a flag, a choice among names, or a number. */
function PartEditor({ label, part, choices, set }: { label: string; part: Part; choices: string[] | undefined; set(value: string): void }) {
  if (typeof part.value === "boolean") {
    return (
      <label>
        <input type="checkbox" aria-label={label} checked={part.value} onChange={(event) => set(String(event.currentTarget.checked))} /> {part.name}
      </label>
    );
  }
  const value = part.meaning ?? String(part.value);
  if (choices !== undefined && choices.length > 0) {
    return (
      <label>
        {part.name}{" "}
        <select aria-label={label} value={value} onChange={(event) => set(event.currentTarget.value)}>
          {[...new Set([value, ...choices])].map((it) => (
            <option key={it}>{it}</option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <label>
      {part.name} <input aria-label={label} type="number" value={value} onChange={(event) => set(event.currentTarget.value)} />
    </label>
  );
}
