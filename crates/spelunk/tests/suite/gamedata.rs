//! GameData, compared, patched and merged.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{
    open,
    patches::{apply, between, makes_each_of_the_other, source, try_between},
    sample, written,
};
use proptest::prelude::*;
use spellforce::{
    cff::{Chunks, Draft},
    gamedata::{GameData, RowBuf, TableDraft, category_named},
};
use spelunk::{
    Options, WriteOptions,
    compare::merge::{Merged, OnConflict, Report, merge, part},
    compare::patch::AnyPatch,
    containers::pack::Origin,
    open::codes,
};
use spelunk_core::{Budget, Collect, Limits, Task, text::CodePages};
use spelunk_fixtures::{corpus, mutate::mutate};

/// The file after changes of rows.
fn edited(bytes: &[u8], edit: impl Fn(GameData<'_>, &mut Edits<'_, '_>)) -> Vec<u8> {
    let opened = open("base", bytes);
    let gamedata = opened.container().model().and_then(Chunks::gamedata).unwrap();
    let mut budget = Budget::new(Limits::unlimited());
    let tables: Vec<_> = gamedata
        .categories()
        .map(|(n, _)| (n, TableDraft::of(gamedata.table(n, &mut budget).unwrap())))
        .collect();
    let mut edits = Edits { gamedata, tables: tables.into_iter().collect() };
    edit(gamedata, &mut edits);
    let mut draft = Draft::of(gamedata.file());
    for (n, table) in edits.tables {
        draft.set(n as usize, table.finish()).unwrap();
    }
    let mut sink = Collect::default();
    let source = draft.source(&mut Task::new(budget, &mut sink)).unwrap();
    let mut made = vec![0; source.len() as usize];
    source.read_at(0, &mut made).unwrap();
    made
}

struct Edits<'f, 't> {
    gamedata: GameData<'f>,
    tables: std::collections::BTreeMap<u32, TableDraft<'t>>,
}

impl Edits<'_, '_> {
    fn place(&self, table: &str, key: &[u32]) -> (u32, Vec<usize>) {
        let category = category_named(table).unwrap();
        let chunk = self.gamedata.chunks_of(category.id).next().unwrap();
        let mut budget = Budget::new(Limits::unlimited());
        (chunk, self.gamedata.find(chunk, key, &mut budget).unwrap())
    }

    fn number(&mut self, table: &str, key: &[u32], field: &str, value: i64) {
        let (chunk, rows) = self.place(table, key);
        let draft = self.tables.get_mut(&chunk).unwrap();
        let mut row = RowBuf::of(&draft.row(rows[0]).unwrap());
        row.set_number(category_named(table).unwrap().field(field).unwrap(), value).unwrap();
        draft.set(rows[0], row);
    }

    fn text(&mut self, key: &[u32], text: &str) {
        let (chunk, rows) = self.place("texts", key);
        let draft = self.tables.get_mut(&chunk).unwrap();
        let mut row = RowBuf::of(&draft.row(rows[0]).unwrap());
        row.set_text(4, text, &CodePages::cp1252(), false).unwrap();
        draft.set(rows[0], row);
    }

    fn remove(&mut self, table: &str, key: &[u32]) {
        let (chunk, rows) = self.place(table, key);
        self.tables.get_mut(&chunk).unwrap().remove(rows[0]);
    }

    fn add(&mut self, table: &str, values: &[i64]) {
        let category = category_named(table).unwrap();
        let mut row = RowBuf::new(category);
        for (field, value) in values.iter().enumerate() {
            row.set_number(field, *value).unwrap();
        }
        let (chunk, _) = self.place(table, &[]);
        self.tables.get_mut(&chunk).unwrap().add(row);
    }
}

#[test]
fn editions_become_each_other_byte_for_byte() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let edition = |part: &str| &files.iter().find(|file| file.name.contains(part)).unwrap().bytes;
    let text = makes_each_of_the_other("editions", edition("-en"), edition("-ru"));
    assert!(text.contains(r#"{"key":[1496],"set":{"mana_cost":[30,15]"#));
    assert!(text.len() < 6 << 20, "{} bytes", text.len());
}

#[test]
fn parts_of_editions_packed_or_not_become_each_other() {
    let Some(mut files) = corpus::files("spellforce/reduced", &["cff"]) else { return };
    files.extend(corpus::files("spellforce/container", &["cff"]).unwrap());
    for (nth, old) in files.iter().enumerate() {
        // Not every pair, but each file with some others, in both roles.
        for step in [1, 4, 7] {
            let new = &files[(nth + step) % files.len()];
            let name = format!("{} {}", old.name, new.name);
            makes_each_of_the_other(&name, &old.bytes, &new.bytes);
        }
    }
}

#[test]
fn damaged_files_become_each_other_or_are_refused() {
    let plain = sample("GameData.cff");
    let packed = sample("GameData-packed.cff");
    let mut made = 0;
    for seed in 0..150 {
        for bytes in [&plain, &packed] {
            let other = mutate(bytes, seed);
            let Ok(patch) = try_between(bytes, &other) else { continue };
            let (result, _) = apply(&patch, bytes);
            assert!(result == other, "seed {seed}");
            made += 1;
        }
    }
    assert!(made > 60, "{made}");
}

#[test]
fn a_patch_changes_what_fits_in_another_file() {
    let base = sample("GameData.cff");
    let mod_a = edited(&base, |_, edits| {
        edits.number("items", &[1], "buy_value", 7777);
        edits.text(&[1, 1], "Better sword");
        edits.add("weapon_materials", &[900, 1]);
    });
    let other = edited(&base, |_, edits| {
        edits.number("items", &[1], "sell_value", 5);
        edits.number("items", &[2], "sell_value", 6);
    });
    let patch = between(&base, &mod_a);
    let (made, applied) = apply(&patch, &other);
    assert!(!applied.same_file && applied.conflicts.is_empty());
    assert_eq!((applied.made, applied.made_before), (3, 0));
    let wanted = edited(&mod_a, |_, edits| {
        edits.number("items", &[1], "sell_value", 5);
        edits.number("items", &[2], "sell_value", 6);
    });
    assert!(made == wanted);
    let (again, applied) = apply(&patch, &made);
    assert_eq!((applied.made, applied.made_before), (0, 3));
    assert!(again == made);
    let (back, applied) = apply(&patch.clone().reversed(), &made);
    assert!(applied.conflicts.is_empty() && back == other);

    let third = edited(&base, |_, edits| edits.number("items", &[1], "buy_value", 1));
    let (made, applied) = apply(&patch, &third);
    assert_eq!((applied.made, applied.conflicts.len()), (2, 1));
    let told = applied.conflicts[0].to_string();
    assert!(told.contains("2003/1") && told.contains("buy_value"), "{told}");
    let kept = edited(&mod_a, |_, edits| edits.number("items", &[1], "buy_value", 1));
    assert!(made == kept);
}

#[test]
fn patches_that_are_none_are_refused() {
    let base = sample("GameData.cff");
    let other = edited(&base, |_, edits| edits.number("items", &[1], "buy_value", 7777));
    let text = between(&base, &other).text().unwrap();
    for (from, to) in [
        ("7777", "\"much\""),
        ("7777", "77777777777"),
        ("\"key\":[1]", "\"key\":[4000]"),
        ("buy_value", "no_such_field"),
        ("\"spelunk_patch\": 1", "\"spelunk_patch\": 2"),
        ("\"2003\"", "\"2004.5\""),
    ] {
        let wrong = text.replace(from, to);
        assert_ne!(wrong, text, "{from}");
        let Ok(patch) = AnyPatch::parse(wrong.as_bytes()) else { continue };
        let options = Options::default();
        let applied = patch.apply(&Origin { source: &source(&base), options: &options });
        assert!(applied.is_err() || !applied.unwrap().conflicts.is_empty(), "{from} -> {to}");
    }
}

fn merged(sides: [&[u8]; 3], on_conflict: OnConflict) -> (Option<Vec<u8>>, Report) {
    let opened = sides.map(|bytes| open("side", bytes));
    let merged = merge([&opened[0], &opened[1], &opened[2]], on_conflict, &Options::default());
    let Merged { opened, report } = merged.unwrap_or_else(|error| panic!("{error}"));
    (opened.map(|mut opened| written(&mut opened, &WriteOptions::default())), report)
}

fn paths(list: &[spelunk::compare::merge::Merging]) -> Vec<&str> {
    list.iter().map(|row| row.path.as_str()).collect()
}

#[test]
fn different_fields_of_one_row_combine_and_the_same_field_conflicts() {
    let base = sample("GameData.cff");
    let ours = edited(&base, |_, edits| {
        edits.number("items", &[1], "buy_value", 500);
        edits.number("items", &[2], "buy_value", 1);
        edits.remove("texts", &[2, 0]);
        edits.add("weapon_materials", &[901, 1]);
    });
    let theirs = edited(&base, |_, edits| {
        edits.number("items", &[1], "sell_value", 50);
        edits.text(&[1, 2], "Glaive");
        edits.add("weapon_materials", &[900, 1]);
        edits.add("weapon_materials", &[901, 1]);
    });
    let (made, report) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    let wanted = edited(&ours, |_, edits| {
        edits.number("items", &[1], "sell_value", 50);
        edits.text(&[1, 2], "Glaive");
        edits.add("weapon_materials", &[900, 1]);
    });
    assert!(made.unwrap() == wanted);
    assert_eq!(paths(&report.merged), ["2003/1"]);
    assert_eq!(paths(&report.from_ours), ["2003/2", "2016/2/0"]);
    assert_eq!(paths(&report.from_theirs), ["2016/1/2", "2064/900"]);
    assert_eq!(paths(&report.both), ["2064/901"]);

    let theirs = edited(&base, |_, edits| {
        edits.number("items", &[1], "buy_value", 600);
        edits.number("items", &[1], "sell_value", 60);
        edits.text(&[2, 0], "Rampart");
    });
    let (made, report) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert!(made.is_none());
    let conflicts: Vec<_> = report
        .conflicts
        .iter()
        .map(|it| (it.entry.path.as_str(), it.field.as_deref(), &*it.ours, &*it.theirs))
        .collect();
    let wanted =
        [("2003/1", Some("buy_value"), "500", "600"), ("2016/2/0", None, "removed", "changed")];
    assert_eq!(conflicts, wanted);
    let (made, _) = merged([&base, &ours, &theirs], OnConflict::Ours);
    let kept = edited(&ours, |_, edits| edits.number("items", &[1], "sell_value", 60));
    assert!(made.unwrap() == kept);
    let (made, _) = merged([&base, &ours, &theirs], OnConflict::Theirs);
    let taken = edited(&theirs, |_, edits| {
        edits.number("items", &[2], "buy_value", 1);
        edits.add("weapon_materials", &[901, 1]);
    });
    assert!(made.unwrap() == taken);
}

#[test]
fn a_translation_and_a_balance_mod_merge_without_a_conflict() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let edition = |part: &str| &files.iter().find(|file| file.name.contains(part)).unwrap().bytes;
    let (base, translation) = (edition("-en"), edition("-ru"));
    let balance = edited(base, |_, edits| {
        for id in [22, 25, 123, 500, 979] {
            edits.number("items", &[id], "buy_value", 4321);
        }
        edits.number("spells", &[1], "mana_cost", 9);
        edits.number("levels", &[7], "experience_required", 7);
        edits.remove("merchant_items", &[]);
    });
    let (made, report) = merged([base, translation, &balance], OnConflict::Refuse);
    assert!(report.conflicts.is_empty(), "{:?}", report.conflicts);
    assert_eq!((report.from_theirs.len(), report.merged.len()), (8, 0));
    assert_eq!(report.from_ours.len(), 24_613);
    let wanted = edited(translation, |_, edits| {
        for id in [22, 25, 123, 500, 979] {
            edits.number("items", &[id], "buy_value", 4321);
        }
        edits.number("spells", &[1], "mana_cost", 9);
        edits.number("levels", &[7], "experience_required", 7);
        edits.remove("merchant_items", &[]);
    });
    assert!(made.unwrap() == wanted);
}

#[test]
fn parts_are_what_differs_and_put_it_back() {
    let base = sample("GameData.cff");
    let changed = edited(&base, |_, edits| {
        edits.number("items", &[1], "buy_value", 500);
        edits.text(&[1, 2], "Glaive");
        edits.add("weapon_materials", &[900, 1]);
    });
    let (old, new) = (open("old", &base), open("new", &changed));
    let mut small = part(&old, &new, &Options::default()).unwrap();
    let bytes = written(&mut small, &WriteOptions::default());
    let rows = |bytes: &[u8]| {
        let opened = open("part", bytes);
        let file = opened.container().model().and_then(Chunks::gamedata).unwrap();
        let mut budget = Budget::new(Limits::unlimited());
        let tables = file.categories();
        tables
            .map(|(n, category)| (category.id, file.table(n, &mut budget).unwrap().len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&bytes), [(2003, 1), (2016, 1), (2064, 1)]);
    let (made, report) = merged([&base, &base, &bytes], OnConflict::Refuse);
    assert!(report.is_part && made.unwrap() == changed);
    // Without differences there is nothing.
    let mut none = part(&old, &open("again", &base), &Options::default()).unwrap();
    assert_eq!(written(&mut none, &WriteOptions::default()), base[..20]);
}

#[test]
fn other_files_are_not_merged_with_tables() {
    let (plain, level) = (sample("GameData.cff"), sample("level.nmo"));
    let [a, b, c] = [&plain, &level, &plain].map(|bytes| open("side", bytes));
    let refused = merge([&a, &b, &c], OnConflict::Refuse, &Options::default());
    assert_eq!(refused.unwrap_err().code().id, codes::OTHER_FORMAT.id);
}

#[derive(Clone, Debug)]
enum Step {
    Set(usize, usize, usize, i64),
    Remove(usize, usize),
    Add(usize, u8),
}

fn step() -> impl Strategy<Value = Step> {
    let nth = any::<usize>;
    prop_oneof![
        (nth(), nth(), nth(), 0..100_i64).prop_map(|(t, r, f, v)| Step::Set(t, r, f, v)),
        (nth(), nth()).prop_map(|(t, r)| Step::Remove(t, r)),
        (nth(), any::<u8>()).prop_map(|(t, v)| Step::Add(t, v)),
    ]
}

/// The file after these steps.
fn stepped(bytes: &[u8], steps: &[Step]) -> Vec<u8> {
    edited(bytes, |_, edits| {
        let tables: Vec<u32> = edits.tables.keys().copied().collect();
        for step in steps {
            let (Step::Set(table, ..) | Step::Remove(table, _) | Step::Add(table, _)) = step;
            let draft = edits.tables.get_mut(&tables[table % tables.len()]).unwrap();
            let (old, category) = (draft.table(), draft.table().category());
            match step {
                Step::Set(_, row, field, value) => {
                    let row = row % old.len().max(1);
                    let Some(now) = draft.row(row) else { continue };
                    let mut new = RowBuf::of(&now);
                    let field = field % category.fields().len();
                    // The number of corners belongs to the corners.
                    if category.is_polygons() && field == 4 {
                        continue;
                    }
                    let text = format!("{value}");
                    if new.set_number(field, *value).is_err() {
                        new.set_text(field, &text, &CodePages::cp1252(), false).unwrap();
                    }
                    draft.set(row, new);
                }
                Step::Remove(_, row) => draft.remove(row % old.len().max(1)),
                Step::Add(_, value) => {
                    let mut row = RowBuf::new(category);
                    row.set_number(0, i64::from(*value)).unwrap();
                    if category.is_polygons() {
                        row.set_corners(&[[1, 2], [3, i16::from(*value)]]).unwrap();
                    }
                    draft.add(row);
                }
            }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_edits_are_patched_both_ways(
        a in prop::collection::vec(step(), 0..12),
        b in prop::collection::vec(step(), 0..12),
    ) {
        let base = sample("GameData.cff");
        let (old, new) = (stepped(&base, &a), stepped(&base, &b));
        makes_each_of_the_other("edits", &old, &new);
    }

    #[test]
    fn merging_with_one_side_alone_gives_that_side(
        a in prop::collection::vec(step(), 0..12),
    ) {
        let base = sample("GameData.cff");
        let side = stepped(&base, &a);
        let (ours, _) = merged([&base, &side, &base], OnConflict::Refuse);
        prop_assert!(ours.unwrap() == side);
        let (both, report) = merged([&base, &side, &side], OnConflict::Refuse);
        prop_assert!(both.unwrap() == side && report.conflicts.is_empty());
    }
}
