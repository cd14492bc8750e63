import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { address, current, go, verbs, work } from "../state";
import type { Field } from "./field";
import { change } from "./journal";

/** The name among the fields of an entry, where it has one. */
export function nameOf(fields: Field[]): string {
  const { value } = fields.find((it) => /(^|\.)name$/.test(it.path)) ?? {};
  return typeof value === "string" ? value : "";
}

/** What can be done to the chosen entry: another name, other content, its end. */
export function EntryActions({ entry, row }: { entry: string; row: Row | undefined }) {
  const file = current.value;
  const [name, setName] = useState<string | undefined>(undefined);
  const [leaving, setLeaving] = useState<string | undefined>(undefined);
  const content = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    setName(undefined);
    setLeaving(undefined);
  }, [entry, file?.handle]);
  useEffect(() => box.current?.focus(), [name !== undefined]);
  if (file === undefined) return null;
  // What would be left pointing at nothing is asked about before.
  const ask = () =>
    work(async () => {
      const answer = await verbs().call("rm", { file: file.handle, paths: [entry], dry_run: true });
      const count = Number(answer.rows[0]?.referrer_count ?? 0);
      const first = ((answer.rows[0]?.referrers as Row[] | undefined) ?? []).slice(0, 3).map((it) => String(it.name || it.path));
      const failed = answer.diagnostics.map((it) => it.diagnostic.message).join("; ");
      if (failed) throw new Error(failed);
      setLeaving(count === 0 ? "Nothing refers to it." : `${count} ${count === 1 ? "entry refers" : "entries refer"} to it: ${first.join(", ")}${count > 3 ? " …" : ""}`);
    });
  const remove = async () => {
    if (await change(file, "rm", { paths: [entry] })) go({ file: file.name, ...(address.value.view ? { view: address.value.view } : {}) });
  };
  const rename = async (to: string) => {
    setName(undefined);
    if (await change(file, "mv", { path: entry, name: to })) {
      const isPosition = /^#\d+$/.test(entry);
      if (!isPosition) go({ ...address.value, entry: entry.includes("/") ? entry.replace(/[^/]*$/, to) : to }, "replace");
    }
  };
  const replace = async (picked: File) => {
    const isPicture = /^image\//.test(picked.type) || /\.(tga|dds|bmp|png|jpe?g|glb|gltf|obj)$/i.test(picked.name);
    const source = await work(() => verbs().put(`.content/${picked.name}`, picked));
    if (source === undefined) return;
    if (isPicture) await change(file, "import", { source, replace: entry }, "into");
    else await change(file, "replace", { path: entry, source });
  };
  return (
    <div class="entry-actions">
      <button type="button" aria-expanded={name !== undefined} onClick={() => setName(name === undefined ? nameOf((row?.fields as Field[] | undefined) ?? []) || (entry.split("/").at(-1) ?? entry) : undefined)}>
        Rename
      </button>
      <button type="button" title="A picture or a model takes the place of this one; any other file that of its bytes" onClick={() => content.current?.click()}>
        Replace…
      </button>
      <button type="button" aria-expanded={leaving !== undefined} onClick={() => (leaving === undefined ? void ask() : setLeaving(undefined))}>
        Remove
      </button>
      <input
        ref={content}
        type="file"
        hidden
        aria-label="New content"
        onChange={(event) => {
          const [picked] = event.currentTarget.files ?? [];
          event.currentTarget.value = "";
          if (picked) void replace(picked);
        }}
      />
      {name !== undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void rename(name);
          }}
        >
          <input ref={box} aria-label="New name" value={name} onInput={(event) => setName(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && setName(undefined)} />
          <button type="submit">Rename</button>
        </form>
      )}
      {leaving !== undefined && (
        <p role="alert">
          {leaving}{" "}
          <button type="button" onClick={() => void remove()}>
            Remove it
          </button>
        </p>
      )}
    </div>
  );
}
