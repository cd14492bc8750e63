//! What games would not like of files that are sound, and mending it (`docs/lint.md`).

use crate::{
    Code, Container, Error, Opened, Result, Severity, codes,
    export::textures::{Search, folders_called},
    maps::World,
};
use spellforce::{cff::Chunks, gamedata, map, pak};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};
use virtools::File;

pub use spelunk_core::lint::{Rule, Selection};

/// The rules of each format, with the heading of their table.
const RULES: [(&str, &[Rule]); 5] = [
    ("Virtools files", virtools::lint::RULES),
    ("SnPAK packs", snpak::lint::RULES),
    ("GameData of SpellForce", gamedata::lint::RULES),
    ("Maps of SpellForce", map::lint::RULES),
    ("SpellForce archives", pak::lint::RULES),
];

fn rules() -> impl Iterator<Item = &'static Rule> {
    RULES.iter().flat_map(|(_, rules)| *rules)
}

/// How often rules were applied when a file was mended.
pub type Fixed = Vec<(&'static Code, u64)>;

/// Files that were not found, with the files that need them.
pub type Missing = BTreeMap<String, BTreeSet<String>>;

/// The code of a rule.
///
/// # Errors
/// [`NO_RULE`](codes::NO_RULE).
pub fn rule(id: &str) -> Result<&'static Code> {
    let known = rules().find(|rule| rule.code.id.eq_ignore_ascii_case(id));
    known.map(|rule| rule.code).ok_or_else(|| Error::new(&codes::NO_RULE).found(format!("`{id}`")))
}

/// The folders in which files that objects need are looked for: those that were named, then where the file lies, and
/// `Textures` and `Sounds` there and in the folder above.
pub fn folders(file: Option<&Path>, named: &[PathBuf]) -> Vec<PathBuf> {
    folders_called(&["textures", "sounds"], file, named)
}

/// Applies the rules to the file that is called `name`; findings are kept by `opened`. What is not found in `folders` is
/// added to `missing`. Ids of maps are looked up in `world`, where there is one.
///
/// # Errors
/// [`NO_RULES`](codes::NO_RULES) for files of formats without rules; reading errors; limits.
pub fn lint(
    opened: &mut Opened,
    name: &str,
    selection: &Selection,
    folders: &[PathBuf],
    world: Option<&World>,
    missing: &mut Missing,
) -> Result<()> {
    let world = world.map(World::gamedata).transpose()?;
    let pages = opened.code_pages();
    let mut search = Search::new(folders);
    let mut is_there = |file: &[u8]| {
        let shown = pages.show(file);
        let found = search.find(&shown).is_some();
        if !found {
            missing.entry(shown.into_owned()).or_default().insert(name.to_owned());
        }
        found
    };
    opened.run(|container, task| {
        let any = container.as_any();
        if let Some(file) = any.downcast_ref::<File>() {
            return virtools::lint::lint(file, selection, &pages, Some(&mut is_there), task);
        }
        if let Some(gamedata) = any.downcast_ref().and_then(Chunks::gamedata) {
            return gamedata::lint::lint(gamedata, selection, task);
        }
        if let Some(chunks) = any.downcast_ref::<Chunks>()
            && let Some(map) = chunks.map(task)?
        {
            let world = world.map(|gamedata| (gamedata, name));
            return map::lint::lint(chunks.file(), &map, world, selection, task);
        }
        if let Some(members) = any.downcast_ref::<pak::Members>() {
            return pak::lint::lint(members.archive(), selection, task);
        }
        let pack = any.downcast_ref::<snpak::Pack>();
        let pack = pack.ok_or_else(|| Error::new(&codes::NO_RULES).found(container.format()))?;
        snpak::lint::lint(pack, selection, &pages, task)
    })
}

/// Whether files of this format are mended.
///
/// # Errors
/// [`NO_FIX`](codes::NO_FIX) for formats whose rules are only told, [`NO_RULES`](codes::NO_RULES) for those without.
pub fn can_fix(container: &dyn Container) -> Result<()> {
    let any = container.as_any();
    if any.is::<File>() {
        return Ok(());
    }
    let is_told = |chunks: &Chunks| chunks.gamedata().is_some() || chunks.is_map();
    let told = any.is::<snpak::Pack>()
        || any.is::<pak::Members>()
        || any.downcast_ref().is_some_and(is_told);
    let code = if told { &codes::NO_FIX } else { &codes::NO_RULES };
    Err(Error::new(code).found(container.format()))
}

/// Mends what is safe to mend; gives how often each rule was applied.
///
/// # Errors
/// As [`can_fix`] and [`lint()`].
pub fn fix(opened: &mut Opened, selection: &Selection) -> Result<Fixed> {
    can_fix(opened.container())?;
    let fixed = opened.edit(|edit, task| {
        let file = edit.as_any_mut().downcast_mut::<File>()?;
        Some(virtools::lint::fix::fix(file, selection, task))
    });
    fixed.flatten().unwrap_or_else(|| Err(Error::new(&codes::NO_FIX)))
}

/// The documentation page of all rules, in Markdown.
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for (format, rules) in RULES {
        page.push_str(&format!("\n## {format}\n\n{TABLE}"));
        for Rule { code, severity, fix } in rules {
            let id = code.id;
            page.push_str(&format!(
                "| [{id}](#{}) | {} | {} | {} |\n",
                id.to_ascii_lowercase(),
                severity.name(),
                code.title,
                fix.unwrap_or("")
            ));
        }
    }
    for Rule { code, severity, fix } in rules() {
        let most = match severity {
            Severity::Error => "an error: the game breaks",
            Severity::Warning => "a warning",
            Severity::Info => "a note",
        };
        page.push_str(&format!("\n## {}\n\n**{}**, {most}.", code.id, capital(code.title)));
        if let Some(fix) = fix {
            page.push_str(&format!(" `--fix` {fix}."));
        }
        page.push_str(&format!("\n\n{}\n", code.help));
    }
    page
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

const TABLE: &str = "| code | at most | what is told | `--fix` |\n|---|---|---|---|\n";

const INTRODUCTION: &str = "# Lint\n
`spelunk lint FILE...` tells what a game would not like of a file whose bytes are sound; whether they are is for \
`spelunk verify` to tell. There are rules for Virtools files, SnPAK packs, GameData, maps of SpellForce and SpellForce archives. Generated by `cargo xtask docs`.\n
Errors are what breaks the game, and give exit code 1. Warnings are what it shows or does otherwise than was probably \
meant. Notes, which `-v` shows and `--json` always has, are what only takes room, or matters to some programs only.\n
* `--rule CODE` applies these rules alone, `--allow CODE` leaves some out; both may be repeated.\n\
* Files that textures and sounds name are looked for beside the file, in `Textures` and `Sounds` there and in the \
folder above, whatever the case of their letters, and first where `--search DIR` says.\n\
* `--missing-report` adds a list behind the files: each file that was not found, with the files that need it. With \
`--json` these are lines of the form `{\"missing\": NAME, \"needed_by\": [FILE, ...]}`.\n\
* `--fix -o OUT` or `--fix --in-place --backup` mends what is safe to mend, and tells what is left. A mended file \
passes the rules that were mended, and `verify`; all else in it is as it was, and a file without findings does not \
change at all. What another part of the file goes by in an unknown way is left as it is. Only Virtools files are \
mended.\n
Rules about sectors, modules, textures, lights and cameras are for the maps of Ballance alone, which are recognized by \
their groups. Unused and equal objects are looked for among meshes, materials and textures. What anything refers to, \
and what has its name in any text of the file, is used; a file of nothing else is there for others to take from. \
Scripts that put names together from parts, and other files that look for objects by name, cannot be seen: look at the \
list before you fix a file that others load.\n
Rules about packs go by the current assets. Bytes, strings, and what readers of the first generation cannot load are \
told in one finding each, at the first place, with their number. Dependencies are looked for in the pack alone.\n
Rules about maps rest on what the community's editor does; no real map was there to try them on. `--gamedata FILE` adds \
those that need the tables: whether units, objects, buildings, races, portals and texts are there, and whether the map has \
a row of its own.\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_registry_is_listed_once() {
        for ((_, rules), letters) in RULES.iter().zip(["VL", "SL"]) {
            let listed: Vec<&str> = rules.iter().map(|rule| rule.code.id).collect();
            let ids = codes::all().map(|code| code.id);
            let known: Vec<&str> = ids.filter(|id| id.starts_with(letters)).collect();
            assert_eq!(listed, known);
            assert!(listed.is_sorted());
        }
        assert_eq!(rule("vl001").unwrap().id, "VL001");
        assert_eq!(rule("SL001").unwrap().id, "SL001");
        assert_eq!(rule("VT001").unwrap_err().code().id, "SP081");
    }
}
