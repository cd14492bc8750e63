//! The tables of the page on performance, which are made from a run of the benchmarks that is kept.

use serde_json::Value;
use std::{fs, io, path::Path};

/// The page.
pub(crate) const FILE: &str = "docs/performance.md";
/// The run.
pub(crate) const RUN: &str = "docs/performance.json";

const BEGIN: &str = "<!-- figures: ";
const MACHINE: &str = "<!-- machine -->\n";
const END_MACHINE: &str = "<!-- /machine -->";
const END: &str = "<!-- /figures -->";

/// Path and text of the page, with the tables as they should be; `None` where no run is kept.
///
/// # Errors
/// Where it or the run cannot be read, or where it lacks a place for what is in the run.
pub fn page(root: &Path) -> io::Result<Option<(String, String)>> {
    if !root.join(RUN).exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(root.join(FILE))?.replace("\r\n", "\n");
    let run: Value = serde_json::from_slice(&fs::read(root.join(RUN))?)?;
    Ok(Some((FILE.to_owned(), filled(&text, &run)?)))
}

/// Keeps a run that was saved.
///
/// # Errors
/// Where it is none, or cannot be kept.
pub fn keep(root: &Path, run: &Path) -> io::Result<()> {
    let bytes = fs::read(run)?;
    let value: Value = serde_json::from_slice(&bytes)?;
    lines(&value)?;
    fs::write(root.join(RUN), bytes)
}

fn lines(run: &Value) -> io::Result<&Vec<Value>> {
    run["lines"].as_array().ok_or_else(|| io::Error::other("it is no run of the benchmarks"))
}

/// The page with what a run says.
fn filled(text: &str, run: &Value) -> io::Result<String> {
    let missing = |what: &str| io::Error::other(format!("{FILE} has no place for {what}"));
    let parts = text.split_once(MACHINE);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(END_MACHINE)?.1)));
    let (before, mut rest) = parts.ok_or_else(|| missing("the machine"))?;
    let mut page = format!("{before}{MACHINE}\n{}\n\n{END_MACHINE}", machine(run));
    let mut filled = 0;
    while let Some((before, behind)) = rest.split_once(BEGIN) {
        let parts = behind.split_once(" -->\n");
        let parts = parts.and_then(|(name, behind)| Some((name, behind.split_once(END)?.1)));
        let (section, behind) = parts.ok_or_else(|| missing("the end of a table"))?;
        let of_section = lines(run)?.iter().filter(|line| line["section"] == section);
        let rows: Vec<&Value> = of_section.collect();
        filled += rows.len();
        page += &format!("{before}{BEGIN}{section} -->\n\n{}\n{END}", table(&rows));
        rest = behind;
    }
    if filled != lines(run)?.len() {
        return Err(missing("a section of the run"));
    }
    Ok(page + rest)
}

/// A text of a value.
fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// A sentence about where, of what and when the run was.
fn machine(run: &Value) -> String {
    let machine = &run["machine"];
    let quick = if run["quick"] == true { ", a quick run over an eighth of the files" } else { "" };
    let made = if run["real_files"] == true { "" } else { ", made files in place of real ones" };
    // What else ran shows in the figures.
    let load = machine["load"].as_f64().filter(|load| *load > 0.3);
    let load = load.map(|load| {
        format!(" Other programs worked beside it (load {load}): the figures are provisional.")
    });
    format!(
        "Measured on {}, {} cores, {}, {}, files on {}; commit {}, {}; medians of {} rounds{quick}{made}.{}",
        text(machine, "cpu"),
        machine["cores"],
        text(machine, "kernel"),
        text(machine, "rustc"),
        text(machine, "file_system"),
        text(machine, "commit").trim_end_matches('+'),
        text(machine, "date"),
        run["rounds"],
        load.unwrap_or_default(),
    )
}

/// The table of a section, below the command that measures it.
fn table(lines: &[&Value]) -> String {
    let mut groups: Vec<&str> = lines.iter().map(|line| text(line, "group")).collect();
    groups.dedup();
    let command = format!("cargo run --release -p benches --bin ratios -- {}", groups.join(" "));
    let head = "| line | measured | CPU | wall | spread | goal | |\n|---|---|---|---|---|---|---|";
    let rows: Vec<String> = lines.iter().map(|line| row(line)).collect();
    format!("```sh\n{command}\n```\n\n{head}\n{}\n", rows.join("\n"))
}

fn row(line: &Value) -> String {
    let unit = text(line, "unit");
    let shown = |value: &Value| match value.as_f64() {
        Some(number) => format!("{} {unit}", figures(number)).trim_end().to_owned(),
        None => String::new(),
    };
    let number = &line["number"];
    let by = text(line, "by");
    let counted = if by == "wall" { &line["wall"] } else { &line["cpu"] };
    let spread = counted["spread"].as_f64();
    let spread = spread.map(|spread| format!("{:.0} %", spread * 100.0)).unwrap_or_default();
    let over = text(line, "over");
    let what = match over {
        "" => text(line, "what").to_owned(),
        over => format!("{} / {over}", text(line, "what")),
    };
    let goal = match (text(line, "goal"), by) {
        ("", _) => String::new(),
        (goal, "wall") => format!("{goal} (wall)"),
        (goal, _) => goal.to_owned(),
    };
    let verdict = match text(line, "verdict") {
        "missed" => "**missed**",
        "met" => "met",
        "unsure" => "unsure",
        "absent" => "not measured",
        _ => "",
    };
    let [cpu, wall] = ["cpu", "wall"].map(|clock| shown(&line[clock]["median"]));
    let cpu = if number.is_null() { cpu } else { shown(number) };
    format!(
        "| `{}` | {what} | {cpu} | {wall} | {spread} | {goal} | {verdict} |",
        text(line, "name")
    )
}

/// A number with three figures that say something.
fn figures(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        _ => 4,
    };
    format!("{number:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run() -> Value {
        let stat = json!({ "median": 0.974, "spread": 0.021 });
        json!({
            "machine": { "cpu": "A Processor", "cores": 2, "commit": "abc+", "load": 0.0 },
            "rounds": 11, "quick": false, "real_files": true,
            "lines": [
                {
                    "name": "packs-open", "group": "packs", "section": "Packs", "what": "open", "over": "hash",
                    "goal": "at most 1.5", "unit": "", "by": "wall", "verdict": "missed", "cpu": stat, "wall": stat,
                },
                {
                    "name": "packs-heap", "group": "packs", "section": "Packs", "what": "heap", "over": "",
                    "goal": "", "unit": "MiB", "by": "count", "verdict": "none", "number": 12.34,
                },
            ],
        })
    }

    #[test]
    fn tables_take_the_place_of_those_before() {
        let old = "# P\n<!-- machine -->\nold\n<!-- /machine -->\n<!-- figures: Packs -->\nold\n<!-- /figures -->\nend\n";
        let page = filled(old, &run()).unwrap();
        assert!(page.contains("A Processor, 2 cores") && page.contains("commit abc,"), "{page}");
        assert!(page.contains("ratios -- packs\n"), "{page}");
        let row = "| `packs-open` | open / hash | 0.974 | 0.974 | 2 % | at most 1.5 (wall) | **missed** |";
        assert!(page.contains(row), "{page}");
        assert!(page.contains("| `packs-heap` | heap | 12.3 MiB |  |  |  |  |"), "{page}");
        assert!(!page.contains("old") && page.ends_with("<!-- /figures -->\nend\n"), "{page}");
        assert_eq!(filled(&page, &run()).unwrap(), page);
    }

    #[test]
    fn a_page_without_a_place_for_a_section_is_refused() {
        let page = "<!-- machine -->\n<!-- /machine -->\n";
        assert!(filled(page, &run()).is_err());
        assert!(filled("", &run()).is_err());
    }
}
