import type { Generations } from "../address";
import { useCall } from "../query";
import { type OpenFile, address, files, go } from "../state";
import { generationsOf, labelOf } from "./sides";

/** Chooses the old side, the generations of both, and turns them round. */
export function SidesChooser({ file, other }: { file: OpenFile | undefined; other: OpenFile | undefined }) {
  const { with: otherName, generations = {} } = address.value;
  const own = useCall(file ? "info" : undefined, { files: [file?.handle ?? 0] }, file?.version);
  const old = useCall(other ? "info" : undefined, { files: [other?.handle ?? 0] }, other?.version);
  const change = (to: { with?: string; generations?: Generations }) => {
    const { with: _, generations: __, ...rest } = address.value;
    const left = Object.fromEntries(Object.entries(to.generations ?? {}).filter(([, value]) => value !== undefined && value !== "")) as Generations;
    go({ ...rest, ...(to.with === undefined ? {} : { with: to.with }), ...(Object.keys(left).length === 0 ? {} : { generations: left }) });
  };
  const turn = () => {
    if (file === undefined || other === undefined) return;
    const turned: Generations = {};
    if (generations.with !== undefined) turned.own = generations.with;
    if (generations.own !== undefined) turned.with = generations.own;
    const { entry: _, at: __, generations: ___, ...rest } = address.value;
    go({ ...rest, file: other.name, with: file.name, ...(Object.keys(turned).length === 0 ? {} : { generations: turned }) });
  };
  const isOwn = file !== undefined && otherName === file.name;
  const known = files.value.some((it) => it.name === otherName);
  return (
    <>
      <label class="diff-side">
        <span class="quiet">old</span>
        <select
          aria-label="Old file"
          value={otherName ?? ""}
          onChange={(event) => {
            const name = event.currentTarget.value;
            change(name === "" ? {} : { with: name, generations: generations.own === undefined ? {} : { own: generations.own } });
          }}
        >
          <option value="">choose a file</option>
          {otherName !== undefined && !known && <option value={otherName}>{otherName} (not here)</option>}
          {files.value.map(({ name, label }) => (
            <option key={name} value={name}>
              {name === file?.name ? "itself, as it was saved" : (label ?? name)}
            </option>
          ))}
        </select>
      </label>
      <GenerationSelect
        label="Generation of the old file"
        numbers={generationsOf(old?.rows[0])}
        value={generations.with}
        onChange={(value) => otherName !== undefined && change({ with: otherName, generations: { ...generations, with: value } })}
      />
      <span class="diff-side">
        <span class="quiet">new</span>{" "}
        <span class="name" title={file?.name}>
          {file && labelOf(file.name, files.value)}
        </span>
      </span>
      <GenerationSelect
        label="Generation of the new file"
        numbers={generationsOf(own?.rows[0])}
        value={generations.own}
        onChange={(value) => change({ ...(otherName === undefined ? {} : { with: otherName }), generations: { ...generations, own: value } })}
      />
      <button type="button" onClick={turn} disabled={other === undefined || (isOwn && generations.own === undefined && generations.with === undefined)} title="The old one becomes the new one">
        Swap
      </button>
    </>
  );
}

/** Chooses a generation, where there are several. */
function GenerationSelect(props: { label: string; numbers: string[]; value: string | undefined; onChange(value: string): void }) {
  const { label, numbers, value, onChange } = props;
  if (numbers.length === 0 && value === undefined) return null;
  return (
    <select aria-label={label} value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">as it is</option>
      {numbers.map((number) => (
        <option key={number} value={number}>
          generation {number}
        </option>
      ))}
      <option value="merged">all generations</option>
    </select>
  );
}
