//! Findings that games would not like in sound files, and their mending (`docs/lint.md`).

use crate::{
    Collect, Container, Error, Opened, Result,
    check::registry,
    entries::search::Search,
    models::maps::World,
    open::{
        Model, codes,
        files::{FileName, Files},
        model,
    },
};
use spellforce::{gamedata, map, map2, pak, pakdata};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

pub use super::rules::{is_lost, rule, rules};
pub use spelunk_core::lint::{Rule, Rules, Selection};
pub use virtools::lint::fix::{Left, Mended, Mending, Reason};

/// Number of findings whose codes stand for what [is lost](is_lost) for whoever loads the file.
pub fn lost(findings: &Collect) -> u64 {
    let counts = findings.counts().iter().filter(|(code, ..)| is_lost(code));
    counts.map(|(_, _, count)| count).sum()
}

/// Files that were not found, with the files that need them.
pub type Missing = BTreeMap<String, BTreeSet<String>>;

/// The folders in which files that objects need are looked for: those that were named, then where the file lies, and
/// `Textures` and `Sounds` there and in the folder above.
pub fn folders(files: Arc<dyn Files>, file: Option<&FileName>, named: &[FileName]) -> Search {
    Search::beside(files, file, &["textures", "sounds"], named)
}

/// Applies the rules to the file that is called `name`; findings are kept by `opened`. What `search` does not find is
/// added to `missing`. Ids of maps are looked up in `world`, where there is one.
///
/// # Errors
/// [`NO_RULES`](codes::NO_RULES) for files of formats without rules; reading errors; limits.
pub fn lint(
    opened: &mut Opened,
    name: &str,
    selection: &Selection,
    search: &Search,
    world: Option<&World>,
    missing: &mut Missing,
) -> Result<()> {
    let world = world.map(World::gamedata).transpose()?;
    let pages = opened.code_pages();
    let mut is_there = |file: &[u8]| {
        let shown = pages.show(file);
        let found = search.find(&shown).is_some();
        if !found {
            missing.entry(shown.into_owned()).or_default().insert(name.to_owned());
        }
        found
    };
    opened.run(|container, task| {
        let model = Model::of(container);
        if let (Model::Chunks(chunks), Some(world)) = (model, world) {
            let (schema, own) = (world.schema(), chunks.file().form().schema());
            let is_map = model.map().is_some() || model.spec_map().is_some();
            if is_map && schema != own {
                return Err(model::mixed(own, schema));
            }
        }
        let none = || Err(model::other(container, &codes::NO_RULES));
        match model {
            Model::Virtools(file) => {
                virtools::lint::lint(file, selection, &pages, Some(&mut is_there), task)
            }
            Model::Pack(pack) => snpak::lint::lint(pack, selection, &pages, task),
            Model::Chunks(chunks) => match (chunks.gamedata(), chunks.map(task)?) {
                (Some(tables), _) => gamedata::lint::lint(tables, selection, task),
                (None, Some(map)) => {
                    let world = world.map(|gamedata| (gamedata, name));
                    map::lint::lint(chunks.file(), &map, world, selection, task)
                }
                (None, None) if chunks.is_map2() => {
                    map2::lint::lint(chunks.file(), selection, task)
                }
                (None, None) if model.spec_map().is_some() => {
                    chunks.lint_spec_map(world, selection, task)
                }
                (None, None) => none(),
            },
            Model::Archive(members) => pak::lint::lint(members.archive(), selection, task),
            Model::Cache(paks) => pakdata::lint::lint(paks.cache(), selection, task),
            _ => none(),
        }
    })
}

/// Whether there are rules for what a container holds.
fn has_rules(model: Model<'_>) -> bool {
    match model {
        Model::Virtools(_) | Model::Pack(_) | Model::Archive(_) | Model::Cache(_) => true,
        Model::Chunks(chunks) => {
            let is_map = model.map().is_some() || model.spec_map().is_some();
            is_map || model.gamedata().is_some() || chunks.is_map2()
        }
        Model::Archives(_) | Model::Other => false,
    }
}

/// Whether files of this format are mended.
///
/// # Errors
/// [`NO_FIX`](codes::NO_FIX) for formats whose rules only report, [`NO_RULES`](codes::NO_RULES) for those without.
pub fn can_fix(container: &dyn Container) -> Result<()> {
    let code = match Model::of(container) {
        Model::Virtools(_) => return Ok(()),
        model if has_rules(model) => &codes::NO_FIX,
        _ => &codes::NO_RULES,
    };
    Err(model::other(container, code))
}

/// Mends what is safe to mend, and gives what was mended and what was left on purpose.
///
/// # Errors
/// As [`can_fix`] and [`lint()`].
pub fn fix(opened: &mut Opened, mending: &Mending) -> Result<Mended> {
    can_fix(opened.container())?;
    let mended = opened.edit(|edit, task| {
        let file = model::virtools_mut(edit)?;
        Some(virtools::lint::fix::fix(file, mending, task))
    });
    mended.flatten().unwrap_or_else(|| Err(Error::new(&codes::NO_FIX)))
}

/// The documentation page of all rules, in Markdown.
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for Rules { about, rules, .. } in rules() {
        page.push_str(&format!("\n## {about}\n\n{TABLE}"));
        for Rule { code, severity, fix } in *rules {
            page.push_str(&format!(
                "| [{}]({}) | {} | {} | {} |\n",
                code.id,
                registry::link(code, "docs/"),
                severity.name(),
                code.title,
                fix.unwrap_or("")
            ));
        }
    }
    page
}

const TABLE: &str = "| code | at most | what is reported | `--fix` |\n|---|---|---|---|\n";

const INTRODUCTION: &str = "# Lint\n
`spelunk lint FILE...` reports what a game would not like of a file whose bytes are sound; whether they are is for \
`spelunk verify` to find. There are rules for Virtools files, SnPAK packs, GameData, maps of SpellForce, SpellForce archives and pakdata.dat. Generated by `cargo xtask docs`.\n
Errors are what breaks the game, and give exit code 1. Warnings are what it shows or does otherwise than was probably \
meant. Notes, which `-v` shows and `--json` always has, are what only takes room, or matters to some programs only.\n
* Findings are what was asked for: they go to standard output, errors first and those of one code together, 20 of each unless \
`--max N` says otherwise; the line of the file has the numbers of all. With `--json` and `--format` they are in what \
is printed there, and as text on standard error.\n\
* `--list-rules` lists the rules, and `spelunk explain CODE` says what one means, why it matters and what to do.\n\
* `--rule CODE` applies these rules alone, `--allow CODE` leaves some out; both may be repeated.\n\
* `--suppressions FILE` passes over findings that are known (below); `--write-suppressions FILE` writes such a file of \
what is found now.\n\
* `--since BASE` passes over what an older version has as well: what is left is new. BASE is a file, or a folder of older \
versions under the same names; the position of an object does not count, as with suppressions.\n\
* `--format sarif` writes one SARIF 2.1.0 document for all files instead (below); `verify` has it too.\n\
* Files that textures and sounds name are looked for beside the file, in `Textures` and `Sounds` there and in the \
folder above, whatever the case of their letters, and first where `--search DIR` says.\n\
* `--missing-report` adds a list behind the files: each file that was not found, with the files that need it. With \
`--json` these are lines of the form `{\"missing\": NAME, \"needed_by\": [FILE, ...]}`.\n\
* `--fix -o OUT` or `--fix --in-place --backup` mends what is safe to mend, and lists what is left. No name is lost, and \
what a cell of a data array, a parameter or a script refers to is never touched, whatever else is asked for. \
Equal objects become one where their names are equal too; `--merge-names` merges those whose names differ, and \
`--remove-unused` removes what nothing uses. A mended file passes the rules that were mended, but for what was left on \
purpose, and `verify`; all else in it is as it was, and a file without findings does not change at all. What another \
part of the file goes by in an unknown way is left as it is. Only Virtools files are mended.\n
Rules about what any engine makes of a file (axes, parents, groups, references, pictures) hold for all Virtools files; \
[virtools.md](formats/virtools.md#14-what-engines-do-not-load) lists which of them `verify` has.\n
Rules about sectors, modules, textures, lights and cameras are for the maps of Ballance alone, which are recognized by \
their groups. Unused and equal objects are looked for among meshes, materials and textures. What anything refers to, \
and what has its name in any text of the file, is used; a file of nothing else is there for others to take from. \
Scripts that put names together from parts, and other files that look for objects by name, cannot be seen: look at the \
list before you fix a file that others load.\n
Rules about packs go by the current assets. Bytes, strings, and what readers of the first generation cannot load are \
reported in one finding each, at the first place, with their number. Dependencies are looked for in the pack alone.\n
Rules about maps rest on what the community's editor does; no real map was there to try them on. `--gamedata FILE` adds \
those that need the tables: whether units, objects, buildings, races, portals and texts are there, and whether the map has \
a row of its own. Rules about maps of SpellForce 2 hold in all real ones that are known.\n
Rules about pakdata.dat go by the cache alone; `spelunk verify --against DIR` compares it with the archives.\n
## Suppressions\n
Findings that are known need not fail a build. A file of suppressions has a line for each: the code, a glob of files, and \
the path that the finding shows (`path` in `--json`). Without a path all findings of the code in those files are meant, \
without a glob those in all files. A glob goes by the name as it was typed, or by what of it stands behind any `/`; it \
crosses folders and ignores case, and `?` stands for a space. A path means all below it too, and the \
position of an object does not count beside its class and name. Comments are lines of their \
own that begin with `#`; one right above a suppression says why it is there, and SARIF has it as the justification.\n
```text\n# The menu makes this texture at run time.\nVL003 level.nmo #0 CKTexture/Wood_Texture\nVL001 menus/*\nSL014\n```\n
The file is looked for nowhere but where `--suppressions` says, so what a build reports does not hang on the folder that it \
runs in. Suppressed findings are counted, and no exit code comes of them; suppressions that match nothing are reported. Files \
that cannot be opened are never passed over. To begin with an old tree: `spelunk lint -r maps --write-suppressions \
known.txt` once, then `spelunk lint -r maps --suppressions known.txt` in each build, which reports what is new. What was \
written of a single file has `*` for its name, so that it holds for the next version under another name too.\n
## SARIF\n
The document has one run, with a rule for each code of `lint` and each other code that was found, and one result for each \
finding: level (`error`, `warning`, `note`), message, the file, the region in bytes where the place lies in the file itself, \
and the path of fields as a logical location. Places in inflated sections are given in `properties` (`space`, `offset`), \
since a region can only speak of the file. Rules have no `helpUri`, which would have to be absolute: their help is \
in the document, and `properties.page` names the page of this documentation. \
[schemas/sarif.json](schemas/sarif.json) is the schema of what is written, a part of SARIF 2.1.0. Exit codes are those \
of the plain form.\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_registry_is_listed_once() {
        for (of, letters) in rules().zip(["VL", "SL"]) {
            let ids = of.rules.iter().map(|rule| rule.code.id);
            // A rule whose code other verbs report too stands behind those of `lint` alone.
            let listed: Vec<&str> = ids.filter(|id| id.starts_with(letters)).collect();
            let ids = registry::codes().map(|code| code.id);
            let known: Vec<&str> = ids.filter(|id| id.starts_with(letters)).collect();
            assert_eq!(listed, known);
            assert!(listed.is_sorted());
        }
        assert_eq!(rule("vl001").unwrap().id, "VL001");
        assert_eq!(rule("SL001").unwrap().id, "SL001");
        assert_eq!(rule("VT001").unwrap_err().code().id, "SP081");
    }
}
