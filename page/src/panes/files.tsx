import { useRef } from "preact/hooks";
import { dismiss } from "../edit/watch";
import { bytesText } from "../format";
import { address, files, opened, openFile, takeFiles } from "../state";

/** The files that can be opened, and in the browser the ways to take more in. */
export function FilesPane() {
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (event: Event) => {
    const list = (event.currentTarget as HTMLInputElement).files ?? [];
    void takeFiles([...list].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
  };
  return (
    <section class="pane" data-role="files" data-rows={files.value.length} aria-label="Files">
      <header>
        <h2>Files</h2>
        <span class="actions">
          <button type="button" onClick={() => input.current?.click()}>
            Open files
          </button>
          <button type="button" onClick={() => folder.current?.click()}>
            Open folder
          </button>
          <input ref={input} type="file" multiple hidden onChange={take} aria-label="Open files" />
          <input ref={folder} type="file" hidden onChange={take} aria-label="Open folder" {...{ webkitdirectory: true }} />
        </span>
      </header>
      <ul class="list">
        {files.value.map(({ name, label, size }) => {
          const file = opened.value.get(name);
          return (
            <li key={name}>
              <button
                type="button"
                class={name === address.value.file ? "chosen" : ""}
                aria-current={name === address.value.file}
                onClick={() => void openFile(name)}
              >
                <span class="name">{label ?? name}</span>
                <span class="quiet">{file?.format ?? ""}</span>
                <span class="quiet">{bytesText(size)}</span>
              </button>
              {file !== undefined && (
                <button type="button" class="close" aria-label={`Close ${label ?? name}`} title="Close" onClick={() => void dismiss(file)}>
                  ×
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
