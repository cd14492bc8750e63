import { useEffect, useRef, useState } from "preact/hooks";
import { CopyButton } from "../copy";
import { csvText } from "../csv";
import { download } from "../download";
import { valueText, wordText } from "../format";
import { Grid } from "../grid";
import { useCall } from "../query";
import { Chart } from "../sql/chart";
import { result, run, running, statement, statements, wrong } from "../sql/console";
import { MOST_BARS, barsOf, pathColumns } from "../sql/results";
import { lineOf } from "../sql/statements";
import { Tables } from "../sql/tables";
import { address, call, current, files, opened, openFile, verbs } from "../state";

/** Numbers of rows that one can ask for. */
const LIMITS = [1_000, 100_000, 1_000_000];

/** A console for SQL on the tables of what is open. */
export function SqlPane() {
  return verbs().place === "browser" ? <Elsewhere /> : <Console />;
}

/** Where SQL works, for the page without the command. */
function Elsewhere() {
  const file = current.value?.name ?? "FILE";
  const lines = [`spelunk view ${wordText(file)}`, `spelunk query ${wordText(file)} "SELECT kind, count(*) FROM entries GROUP BY kind"`];
  return (
    <section class="pane" data-role="sql" data-rows={0} aria-label="SQL">
      <header>
        <h2>SQL</h2>
      </header>
      <div class="sql-elsewhere">
        <p>SQL needs the command: this page runs in the browser alone, and has no database in it.</p>
        <p>The first line below opens this page over the file on your machine, with SQL; the second one asks without a page.</p>
        {lines.map((line) => (
          <p key={line} class="sql-line">
            <code>{line}</code> <CopyButton label="Copy" text={() => line} />
          </p>
        ))}
      </div>
    </section>
  );
}

function Console() {
  const file = current.value;
  const [everywhere, setEverywhere] = useState(false);
  const [most, setMost] = useState(LIMITS[1] as number);
  const text = useRef<HTMLTextAreaElement>(null);
  /** How many statements back the one is that is shown. */
  const back = useRef(-1);
  const among = everywhere ? files.value.map(({ name }) => opened.value.get(name)?.handle ?? name) : file === undefined ? [] : [file.handle];
  const tables = useCall(among.length > 0 ? "query" : undefined, { files: among, tables: true }, file?.version);
  const error = wrong.value;
  const start = () => void run(statement.value, among, most);
  const write = (words: string) => {
    statement.value = words;
    back.current = -1;
  };
  const insert = (name: string) => {
    const area = text.current;
    if (area === null) return;
    if (statement.value.trim() === "") write(`SELECT * FROM ${name}`);
    else {
      const before = statement.value.slice(0, area.selectionStart);
      const gap = before === "" || /[\s(,.]$/.test(before) ? "" : " ";
      write(`${before}${gap}${name}${statement.value.slice(area.selectionEnd)}`);
    }
    area.focus();
  };
  const recall = (step: number) => {
    const nth = Math.min(statements.value.length - 1, Math.max(-1, back.current + step));
    statement.value = statements.value[nth] ?? "";
    back.current = nth;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start();
    else if (event.altKey && event.key === "ArrowUp") recall(1);
    else if (event.altKey && event.key === "ArrowDown") recall(-1);
    else return;
    event.preventDefault();
  };
  // The cursor goes where the statement is wrong.
  useEffect(() => {
    if (error?.at === undefined || error.statement !== statement.value) return;
    text.current?.focus();
    text.current?.setSelectionRange(error.at, error.at);
  }, [error]);
  const place = error?.at === undefined ? undefined : lineOf(error.statement, error.at);
  return (
    <section class="pane" data-role="sql" data-rows={result.value?.rows.length ?? 0} aria-label="SQL">
      <div class="sql">
        <div class="sql-ask">
          <textarea
            ref={text}
            rows={4}
            spellcheck={false}
            aria-label="Statement"
            aria-invalid={error !== undefined}
            aria-describedby="sql-error"
            placeholder="SELECT kind, count(*) FROM entries GROUP BY kind"
            value={statement.value}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={onKey}
          />
          <div class="sql-actions">
            <button type="button" class="main" title="Ctrl Enter" onClick={start}>
              Run
            </button>
            {running.value !== undefined && (
              <button type="button" onClick={() => running.value?.abort()}>
                Stop
              </button>
            )}
            <select class="earlier" aria-label="Earlier statements" value="" title="Alt ↑, Alt ↓" onChange={(event) => write(event.currentTarget.value)}>
              <option value="">Earlier ({statements.value.length})</option>
              {statements.value.map((it) => (
                <option key={it} value={it}>
                  {it.length > 80 ? `${it.slice(0, 79)}…` : it}
                </option>
              ))}
            </select>
            <select aria-label="Rows at the most" value={most} onChange={(event) => setMost(Number(event.currentTarget.value))}>
              {LIMITS.map((it) => (
                <option key={it} value={it}>
                  at most {it.toLocaleString("en")} rows
                </option>
              ))}
            </select>
            <label>
              <input type="checkbox" checked={everywhere} onChange={(event) => setEverywhere(event.currentTarget.checked)} /> all files
            </label>
          </div>
          <p class="sql-error" id="sql-error" role="alert">
            {error && (
              <>
                {place && <strong>{`Line ${place.line}, column ${place.column}: `}</strong>}
                {error.message}
              </>
            )}
          </p>
        </div>
        <Tables rows={tables?.rows ?? []} onChoose={insert} />
        <Answer />
      </div>
    </section>
  );
}

/** What the statement gave: rows, and bars where they can be drawn. */
function Answer() {
  const answer = result.value;
  const [isChart, setChart] = useState(false);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const [said, setSaid] = useState("");
  useEffect(() => {
    setChosen(undefined);
    setSaid("");
  }, [answer]);
  if (answer === undefined) return <div class="sql-answer" />;
  const { rows, columns } = answer;
  const paths = pathColumns(columns);
  const chart = barsOf(rows, columns);
  const names = columns.map((it) => it.name);
  /** Goes to the entry that a cell names. */
  const follow = async (nth: number, column = paths.find((it) => typeof rows[nth]?.[it] === "string")) => {
    const row = rows[nth];
    const [name, entry] = [row?.file ?? address.value.file, column && row?.[column]];
    if (typeof name !== "string" || typeof entry !== "string") return;
    try {
      await call("show", { file: opened.value.get(name)?.handle ?? name, path: entry, limit: 1 });
    } catch {
      setSaid(`${name} has no entry ${entry}.`);
      return;
    }
    const { view } = address.value;
    await openFile(name, { file: name, entry, ...(view === undefined ? {} : { view }) });
  };
  const cell = (nth: number, column: string) => {
    const words = valueText(rows[nth]?.[column]);
    if (!paths.includes(column) || words === "") return words;
    return (
      <span class="link" onClick={() => void follow(nth, column)}>
        {words}
      </span>
    );
  };
  return (
    <div class="sql-answer">
      <div class="sql-actions">
        <span role="status" data-role="sql-count">
          {`${rows.length.toLocaleString("en")} rows${answer.isCut ? ", perhaps more" : ""}, ${Math.round(answer.time)} ms`}
        </span>
        {said !== "" && <span class="sql-error">{said}</span>}
        <span class="actions">
          {chart && (
            <button type="button" aria-pressed={isChart} class={isChart ? "chosen" : ""} onClick={() => setChart(!isChart)}>
              Chart
            </button>
          )}
          <CopyButton label="Copy CSV" text={() => csvText(names, rows)} />
          <button type="button" onClick={() => download("query.csv", csvText(names, rows), "text/csv")}>
            Save CSV
          </button>
        </span>
      </div>
      {answer.said.slice(0, 20).map(({ file, diagnostic }, nth) => (
        <p key={nth} class={`quiet said ${diagnostic.severity}`}>
          {file}: {diagnostic.message}
        </p>
      ))}
      {isChart && chart ? (
        <div class="picture" tabIndex={0} role="group" aria-label="Chart">
          {rows.length > MOST_BARS && <p class="quiet">{`The first ${MOST_BARS} of ${rows.length.toLocaleString("en")} rows`}</p>}
          <Chart title={`${chart.value} for each ${chart.label}`} bars={chart.bars} />
        </div>
      ) : (
        rows.length > 0 && (
          <Grid label="Rows" columns={columns} count={rows.length} cell={cell} chosen={chosen} onChoose={setChosen} onEnter={(nth) => void follow(nth)} />
        )
      )}
    </div>
  );
}
