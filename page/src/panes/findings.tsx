import { useMemo, useState } from "preact/hooks";
import type { Diagnostic } from "../client/client";
import { useCall } from "../query";
import { address, current, go } from "../state";

const RANK = { error: 0, warning: 1, info: 2 };

/** Findings of `verify` and `lint`, the worst first; each leads to its place. */
export function FindingsPane() {
  const file = current.value;
  const [code, setCode] = useState("");
  const request = { files: [file?.handle ?? 0] };
  const verified = useCall(file ? "verify" : undefined, request, file?.version);
  const linted = useCall(file ? "lint" : undefined, request, file?.version);
  const all = useMemo(() => {
    const findings = [verified, linted].flatMap((it) => [
      ...((it?.rows[0]?.findings as Diagnostic[] | undefined) ?? []),
      ...(it?.rows.length === 0 ? it.diagnostics.map(({ diagnostic }) => diagnostic) : []),
    ]);
    const known = new Map(findings.map((it) => [JSON.stringify(it), it]));
    return [...known.values()].filter((it) => it.code !== "SP054").sort((a, b) => RANK[a.severity] - RANK[b.severity]);
  }, [verified, linted]);
  const codes = [...new Set(all.map((it) => it.code))].sort();
  const shown = code === "" ? all : all.filter((it) => it.code === code);
  const go_to = (finding: Diagnostic) => {
    const entry = /^(#\d+)\b/.exec(finding.path ?? "")?.[1];
    const at = finding.offset === undefined ? undefined : { space: finding.space ?? "file", offset: finding.offset };
    const next = { ...address.value };
    if (entry) next.entry = entry;
    if (at) {
      next.at = at;
      next.view = "hex";
    }
    go(next);
  };
  return (
    <section class="pane" data-role="findings" data-rows={shown.length} aria-label="Findings">
      <header>
        <h2>Findings</h2>
        <select aria-label="Code" value={code} onChange={(event) => setCode(event.currentTarget.value)}>
          <option value="">all codes</option>
          {codes.map((it) => (
            <option key={it}>{it}</option>
          ))}
        </select>
        <span class="quiet">{verified === undefined || linted === undefined ? "checking" : `${all.length}`}</span>
      </header>
      {verified !== undefined && linted !== undefined && all.length === 0 && <p>Nothing is wrong with this file.</p>}
      <ul class="list">
        {shown.map((finding, nth) => (
          <li key={nth}>
            <button type="button" class={`finding ${finding.severity}`} onClick={() => go_to(finding)}>
              <span class="code">{finding.code}</span> <span class="message">{finding.message}</span>
              {finding.path && <span class="quiet">{finding.path}</span>}
              {finding.help && <span class="help">{finding.help}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
