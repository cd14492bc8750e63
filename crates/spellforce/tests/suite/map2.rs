//! Maps of SpellForce 2: the fixture, and real ones.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, exercise, format, opened};
use spellforce::{cff::Chunks, map2};
use spelunk_core::{
    Collect, Container, Field, Node, Of, Severity, Span, Val, Walk, Walked,
    field::Role,
    lint::Selection,
    walk::{Flat, FlatField, Group, Halt, Shape, Step, finish},
};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, blob},
    corpus::{self, RealFile},
    mutate::mutate,
    samples,
};
use std::collections::BTreeMap;
use test_support::{
    entries::{bytes_of, find, list, verify},
    fields::{Fields, info},
    findings::{assert_none, graded},
    laws::{assert_covered, assert_paths_lead_back},
    task::{with_sound_task, with_task},
};

/// The chunks that are lists of records.
const LISTS: [i16; 13] =
    [1001, 1003, 1004, 1006, 1007, 1008, 1010, 1011, 1012, 1018, 1020, 1021, 1024];

/// What another reader of these chunks found in real maps: the records of each list, then teams, players, kinds of weather and
/// computer players.
const FACTS: [(&str, [usize; 13], [usize; 4]); 15] = [
    (
        "addon1_campaign_p401_winterlight_peak",
        [645, 38, 6, 8, 144, 0, 3, 4, 3, 6, 0, 0, 0],
        [5, 4, 2, 5],
    ),
    (
        "addon1_campaign_p404_ghostwatch",
        [2540, 111, 8, 56, 314, 0, 26, 6, 2, 0, 0, 0, 1],
        [8, 6, 1, 5],
    ),
    (
        "addon1_campaign_p406_the_citadel",
        [5771, 249, 9, 57, 341, 0, 0, 7, 1, 0, 9, 7, 1],
        [12, 5, 1, 11],
    ),
    (
        "addon1_coop_p350_ironheart_foothills",
        [924, 324, 3, 3, 129, 4, 3, 0, 3, 6, 0, 0, 0],
        [5, 3, 1, 2],
    ),
    (
        "base_coop_p350_ironheart_foothills",
        [924, 324, 3, 3, 129, 4, 3, 0, 3, 6, 0, 0, 0],
        [5, 3, 1, 2],
    ),
    (
        "base_coop_p361_the_sunken_city",
        [664, 219, 12, 29, 243, 1, 10, 0, 3, 10, 0, 0, 0],
        [5, 6, 1, 10],
    ),
    (
        "base_pvp_p321_ironheart_foothills",
        [1381, 419, 2, 2, 11, 1, 1, 0, 0, 0, 0, 0, 0],
        [5, 2, 1, 2],
    ),
    ("base_pvp_p328_the_sunken_city", [330, 220, 4, 4, 24, 0, 3, 0, 0, 0, 0, 0, 0], [5, 4, 1, 4]),
    ("dotp_dom_howler_pass", [619, 806, 4, 4, 0, 0, 0, 0, 0, 0, 20, 0, 0], [5, 4, 1, 4]),
    ("dotp_p342_the_icefangs", [749, 686, 8, 20, 69, 3, 4, 0, 3, 5, 0, 0, 0], [5, 4, 1, 4]),
    ("dotp_p349_underhall", [2311, 367, 4, 3, 176, 7, 6, 0, 3, 9, 0, 0, 0], [5, 4, 1, 6]),
    ("dotp_p351_windtalker_gash", [396, 318, 6, 5, 96, 0, 5, 0, 3, 5, 0, 0, 0], [5, 5, 1, 6]),
    ("dotp_p356_the_needle", [2612, 738, 9, 42, 24, 1, 9, 0, 3, 6, 0, 0, 0], [5, 6, 1, 9]),
    ("dotp_p362_crystal_forest", [2007, 608, 8, 5, 38, 68, 20, 0, 3, 9, 0, 0, 0], [5, 5, 1, 4]),
    ("dotp_p465_arena", [542, 217, 6, 0, 145, 0, 0, 1, 1, 0, 0, 0, 0], [5, 1, 1, 0]),
];

/// Bytes of the plain data of chunks by what is known of them.
#[derive(Default)]
struct Roles {
    understood: u64,
    all: u64,
    /// Bytes that do not have the known layout.
    strange: u64,
}

impl Walk for Roles {
    fn enter(&mut self, _: &Group<'_>) -> Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        if let Some(at) = at.filter(|at| at.space != spelunk_core::Space::FILE) {
            self.all += at.len;
            self.understood += if field.role == Role::Understood { at.len } else { 0 };
            self.strange += if field.name == "unknown_layout" { at.len } else { 0 };
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

fn walk(container: &dyn Container, node: Node) -> Fields {
    let mut flat = Flat::default();
    with_sound_task(|task| finish(container.walk(node, task, &mut flat))).unwrap();
    Fields(flat.fields)
}

fn chunk(container: &dyn Container, id: i16) -> Option<Node> {
    find(container, &id.to_string()).first().copied()
}

fn fields(container: &dyn Container, id: i16) -> Fields {
    walk(container, chunk(container, id).unwrap_or_else(|| panic!("no chunk {id}")))
}

fn count(container: &dyn Container, id: i16) -> usize {
    let node = chunk(container, id);
    node.map_or(0, |node| list(container, Of::Node(node)).len())
}

fn number(field: &FlatField) -> u64 {
    match field.value {
        Val::U(number) => number,
        ref other => panic!("{}: {other:?}", field.path),
    }
}

fn float(fields: &Fields, path: &str) -> f32 {
    match fields.get(path) {
        Val::F(value) => *value,
        other => panic!("{path}: {other:?}"),
    }
}

fn sum(fields: &Fields, last: &str) -> usize {
    let counts = fields.iter().filter(|field| field.path.ends_with(last));
    counts.map(|field| number(field) as usize).sum()
}

/// Heights of a height field.
struct Heights {
    width: usize,
    all: Vec<f32>,
}

impl Heights {
    fn of(terrain: &Fields, name: &str) -> Heights {
        let width = terrain.number(&format!("plain.{name}.width")) as usize;
        let rows = format!("plain.{name}.rows[");
        let rows = terrain.iter().filter(|field| field.path.starts_with(&rows));
        let mut all = Vec::new();
        for row in rows {
            let Val::Bytes(bytes) = &row.value else { panic!("{}", row.path) };
            all.extend(bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())));
        }
        Heights { width, all }
    }

    /// The height of the surface: cells are cut into two triangles, by turns along one diagonal and the other.
    fn surface(&self, x: f32, z: f32) -> f32 {
        let height = self.all.len() / self.width;
        let (column, row) = ((x / 1.4).floor(), (z / 1.4).floor());
        let (a, b) = (x / 1.4 - column, z / 1.4 - row);
        let (column, row) = (column as usize, row as usize);
        let at = |c: usize, r: usize| self.all[r % height * self.width + c % self.width];
        let [sw, se, nw, ne] =
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(c, r)| at(column + c, row + r));
        if (column + row) % 2 == 0 {
            let bend = if a > b { (se - sw, ne - se) } else { (ne - nw, nw - sw) };
            sw + a * bend.0 + b * bend.1
        } else if a + b < 1.0 {
            sw + a * (se - sw) + b * (nw - sw)
        } else {
            ne + (1.0 - a) * (nw - ne) + (1.0 - b) * (se - ne)
        }
    }
}

/// Units, and those among them that stand on the ground or fly seven above the ground of flyers.
fn units_in_place(container: &dyn Container) -> (usize, usize) {
    let terrain = fields(container, 1000);
    let ground = Heights::of(&terrain, "ground");
    let flight = Heights::of(&terrain, "flight");
    let units = list(container, Of::Node(chunk(container, 1007).unwrap()));
    let is_in_place = |unit: &test_support::entries::Row| {
        let unit = walk(container, unit.node);
        let [x, y, z] = [0, 1, 2].map(|axis| float(&unit, &format!("place.position[{axis}]")));
        let near = |surface: f32| (y - surface).abs() < 0.1;
        near(ground.surface(x, z)) || near(flight.surface(x, z) + 7.0)
    };
    (units.len(), units.iter().filter(|unit| is_in_place(unit)).count())
}

fn share(part: u64, all: u64) -> f64 {
    part as f64 / all as f64
}

/// The chunks with other plain data for one of them, nothing packed.
fn with_plain(container: &dyn Container, id: i16, plain: &[u8]) -> Vec<u8> {
    let chunks = list(container, Of::Listing).into_iter().map(|row| {
        let own: i16 = row.path.parse().unwrap();
        let bytes = bytes_of(container, row.node).unwrap();
        let Val::I(data_type) = row.get("data_type") else { panic!("{}", row.path) };
        let payload = if own == id { blob(plain) } else { blob(&bytes) };
        CffChunk::raw(own, i16::try_from(*data_type).unwrap(), payload)
    });
    CffFile { chunks: chunks.collect(), ..samples::spellforce2_map() }.build().bytes
}

/// The same without all chunks but this one and the teams, by which the map is known.
fn alone(container: &dyn Container, id: i16, plain: &[u8]) -> Vec<u8> {
    let data_type =
        samples::spellforce2_map().chunks.iter().find(|it| it.id == id).unwrap().data_type;
    let teams = bytes_of(container, chunk(container, 9000).unwrap()).unwrap();
    let mut chunks = vec![CffChunk::raw(id, data_type, blob(plain))];
    if !(1000..=1024).contains(&id) {
        chunks.push(CffChunk::raw(1014, 1, blob(&[4, 0, 0, 0, 0])));
    } else {
        chunks.push(CffChunk::raw(9000, 3, blob(&teams)));
    }
    CffFile { chunks, ..samples::spellforce2_map() }.build().bytes
}

#[test]
fn the_fixture_is_known_to_the_last_byte() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, sink) = opened(&bytes);
    let container = container.as_ref();
    assert_none(&sink);
    assert_none(&verify(container));
    assert_covered(container, &bytes);
    assert_round_trip(container, &bytes);
    assert_paths_lead_back(container);
    let counts = LISTS.map(|id| count(container, id));
    assert_eq!(counts, [3, 1, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1]);
    assert_eq!(units_in_place(container), (3, 3));
    let mut roles = Roles::default();
    with_sound_task(|task| finish(container.layout(task, &mut roles))).unwrap();
    assert_eq!(roles.strange, 0);
    assert!(share(roles.understood, roles.all) > 0.9, "{} of {}", roles.understood, roles.all);
}

#[test]
fn values_of_the_fixture_have_names() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    let container = container.as_ref();
    let about = info(container);
    for (path, value) in
        [("kind", "campaign"), ("map_width", "16"), ("map_height", "16"), ("units", "3")]
    {
        assert_eq!(about.text(&format!("map.{path}")), value, "{path}");
    }
    let [unit] = find(container, "units[0]")[..] else { panic!("one unit") };
    assert_eq!(find(container, "1007[0]"), [unit]);
    assert_eq!(find(container, "units/0"), [unit]);
    assert_eq!(find(container, "units[3]"), []);
    let unit = walk(container, unit);
    for (path, value) in [
        ("components[6].kind", "1"),
        ("components[6].tag.tag", "\"hero\""),
        ("components[7].merchant.wares[0].amount", "3"),
        ("place.position[0]", "4.2"),
        ("kind", "70"),
        ("role", "1"),
        ("team", "4"),
        ("level", "9"),
    ] {
        assert_eq!(unit.text(path), value, "{path}");
    }
    let lake = walk(container, find(container, "lakes[0]")[0]);
    assert_eq!((lake.text("look"), lake.text("lake")), ("\"default\"".into(), "1".into()));
    let terrain = fields(container, 1000);
    assert_eq!(terrain.text("plain.textures[1].path"), "\"rock.dds\"");
    assert_eq!(terrain.text("plain.blocked.rows[0]"), "ffff");
    assert_eq!(terrain.text("plain.blocked.rows[4]"), "3000");
    assert_eq!(terrain.number("plain.ground.count"), 256 + 341);
    let teams = fields(container, 9000);
    assert_eq!(teams.text("plain.setups[0].teams[3].players[0].kit"), "\"kit_Human\"");
    assert_eq!(teams.text("plain.relations[24].relation"), "1");
    let computer = fields(container, 3000);
    assert_eq!(computer.text("plain.players[1].list_2[1]"), "72");
    let rows = list(container, Of::Node(chunk(container, 1001).unwrap()));
    assert_eq!((rows[0].kind.as_str(), rows[0].path.as_str()), ("object", "1001[0]"));
}

#[test]
fn unknown_kinds_and_versions_are_kept_as_bytes_and_noted() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    let plain = |id| bytes_of(container.as_ref(), chunk(container.as_ref(), id).unwrap()).unwrap();
    let noted = |id, plain: &[u8]| {
        let bytes = with_plain(container.as_ref(), id, plain);
        let (container, sink) = opened(&bytes);
        assert_none(&sink);
        assert_covered(container.as_ref(), &bytes);
        assert_eq!(graded(&verify(container.as_ref())), [("MP050", Severity::Info)], "{id}");
        container
    };
    // A component of the second unit is of a kind that nobody knows.
    let mut units = plain(1007).to_vec();
    let second = walk(container.as_ref(), find(container.as_ref(), "units[1]")[0]);
    let kind = second.iter().find(|field| field.path == "components[6].kind").unwrap();
    units[kind.at.unwrap().start as usize] = 99;
    let found = noted(1007, &units);
    let rows = list(found.as_ref(), Of::Node(chunk(found.as_ref(), 1007).unwrap()));
    assert_eq!(rows.len(), 3, "the next record is found");
    let torn = walk(found.as_ref(), rows[1].node);
    assert_eq!(torn.text("components[5].kind"), "15", "what precedes it is read");
    assert!(torn.find("unknown_layout").is_some(), "it stays bytes");
    assert_eq!((torn.text("place.position[0]"), torn.text("team")), ("9.8".into(), "3".into()));
    assert_eq!(walk(found.as_ref(), rows[2].node).text("team"), "5");
    // A unit of another version is known up to there.
    let mut units = plain(1007).to_vec();
    let first = walk(container.as_ref(), find(container.as_ref(), "units[0]")[0]);
    let version = first.iter().find(|field| field.path == "version").unwrap();
    units[version.at.unwrap().start as usize] = 3;
    let found = noted(1007, &units);
    let torn = walk(found.as_ref(), find(found.as_ref(), "units[0]")[0]);
    assert_eq!(torn.text("components[6].tag.tag"), "\"hero\"");
    assert_eq!(torn.text("place.position[0]"), "4.2");
    assert_eq!(torn.iter().next_back().unwrap().field.name, "unknown_layout");
    // A height field of another version: what precedes it is read.
    let mut terrain = plain(1000).to_vec();
    let fields = fields(container.as_ref(), 1000);
    let version = fields.iter().find(|field| field.path == "plain.flight.version").unwrap();
    terrain[version.at.unwrap().start as usize] = 9;
    let found = noted(1000, &terrain);
    let fields = walk(found.as_ref(), find(found.as_ref(), "terrain")[0]);
    assert!(fields.find("ground.count").is_some() && fields.find("flight.version").is_none());
    assert_eq!(fields.iter().next_back().unwrap().field.name, "unknown_layout");
    // Bytes behind the end.
    for id in [9000, 1014, 1013] {
        noted(id, &[&*plain(id), &[7]].concat());
    }
}

#[test]
fn chunks_of_another_data_type_stay_bytes() {
    let mut file = samples::spellforce2_map();
    file.chunks.iter_mut().find(|chunk| chunk.id == 1007).unwrap().data_type = 9;
    let bytes = file.build().bytes;
    let (container, _) = opened(&bytes);
    assert_covered(container.as_ref(), &bytes);
    assert_eq!(graded(&verify(container.as_ref())), [("MP051", Severity::Info)]);
    assert_eq!(count(container.as_ref(), 1007), 0);
}

/// Every count of every chunk is changed among other bytes; nothing is packed, so that the layouts see it.
#[test]
fn mutated_chunks_are_walked_to_the_last_byte() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    for row in list(container.as_ref(), Of::Listing) {
        let id: i16 = row.path.parse().unwrap();
        let plain = bytes_of(container.as_ref(), row.node).unwrap();
        for seed in 0..60 {
            let bytes = alone(container.as_ref(), id, &mutate(&plain, seed));
            let (container, _) = opened(&bytes);
            assert_covered(container.as_ref(), &bytes);
            assert!(exercise(format(&bytes).unwrap(), &bytes));
        }
    }
}

/// A list of nothing but starts of records is given up soon, and so is a count that is beyond all bytes.
#[test]
fn hostile_chunks_take_no_time() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    let start = [&1_u32.to_le_bytes()[..], &[0; 4], &[2, 0xff, 0xff]].concat();
    let (starts, zeros) = (start.repeat(100_000), vec![0; 1 << 20]);
    let ones = vec![0xff; 1 << 20];
    for (id, plain) in
        [(1007, &starts), (1007, &zeros), (1000, &ones), (9000, &ones), (3000, &ones)]
    {
        let bytes = alone(container.as_ref(), id, plain);
        let (container, _) = opened(&bytes);
        assert_covered(container.as_ref(), &bytes);
        verify(container.as_ref());
    }
}

fn check(file: &RealFile, coverage: &mut BTreeMap<i16, Roles>) {
    let (name, bytes) = (file.name.trim_end_matches(".map"), &file.bytes);
    let (container, sink) = opened(bytes);
    let container = container.as_ref();
    assert_none(&sink);
    assert_none(&verify(container));
    assert_covered(container, bytes);
    assert_round_trip(container, bytes);
    let (_, counts, others) = FACTS.iter().find(|(known, ..)| *known == name).unwrap();
    assert_eq!(LISTS.map(|id| count(container, id)), *counts, "{name}");
    let teams = fields(container, 9000);
    let found = [
        sum(&teams, ".team_count"),
        sum(&teams, ".player_count"),
        sum(&fields(container, 1019), ".kind_count"),
        sum(&fields(container, 3000), ".player_count"),
    ];
    assert_eq!(found, *others, "{name}");
    let (units, in_place) = units_in_place(container);
    assert!(in_place * 100 >= units * 98, "{name}: {in_place} of {units} units");
    for row in list(container, Of::Listing) {
        let roles = coverage.entry(row.path.parse().unwrap()).or_default();
        let before = roles.all;
        with_sound_task(|task| finish(container.walk(row.node, task, roles))).unwrap();
        assert_eq!(roles.all - before, row.size, "{name} {}", row.path);
        assert_eq!(roles.strange, 0, "{name} {}", row.path);
    }
}

#[test]
fn real_maps_are_known_as_another_reader_knows_them() {
    let Some(files) = corpus::maps2() else { return };
    let mut coverage = BTreeMap::new();
    let known = files
        .iter()
        .filter(|file| FACTS.iter().any(|(name, ..)| file.name.trim_end_matches(".map") == *name));
    let mut checked = 0;
    for file in known {
        check(file, &mut coverage);
        checked += 1;
    }
    assert_eq!(checked, FACTS.len());
    let (mut all, mut small) = (Roles::default(), Roles::default());
    for (id, roles) in &coverage {
        println!("{id}: {} of {} bytes understood", roles.understood, roles.all);
        for sum in [Some(&mut all), Some(&mut small).filter(|_| ![1000, 9010].contains(id))] {
            let Some(sum) = sum else { continue };
            sum.all += roles.all;
            sum.understood += roles.understood;
        }
    }
    let shares = [&all, &small].map(|roles| share(roles.understood, roles.all));
    println!(
        "all: {:.2} %, outside of 1000 and 9010: {:.2} %",
        shares[0] * 100.0,
        shares[1] * 100.0
    );
    assert!(shares[0] >= 0.97 && shares[1] >= 0.9, "{shares:?}");
}

#[test]
fn mutated_chunks_of_real_maps_never_panic() {
    let Some(files) = corpus::maps2() else { return };
    let smallest = files.iter().min_by_key(|file| file.bytes.len()).unwrap();
    let (container, _) = opened(&smallest.bytes);
    for row in list(container.as_ref(), Of::Listing) {
        let id: i16 = row.path.parse().unwrap();
        let plain = bytes_of(container.as_ref(), row.node).unwrap();
        for seed in 0..if plain.len() > 1 << 16 { 2 } else { 12 } {
            let bytes = alone(container.as_ref(), id, &mutate(&plain, seed));
            exercise(format(&bytes).unwrap(), &bytes);
        }
    }
    for seed in 0..4 {
        exercise(format(&smallest.bytes).unwrap(), &mutate(&smallest.bytes, seed));
    }
}

fn linted(container: &dyn Container, selection: &Selection) -> Collect {
    let chunks: &Chunks = container.model().unwrap();
    let size = container.size() as usize;
    let (done, sink) = with_task(size, |task| map2::lint::lint(chunks.file(), selection, task));
    done.unwrap();
    sink
}

#[test]
fn each_rule_is_broken_by_what_it_forbids_alone() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    let container = container.as_ref();
    assert_none(&linted(container, &Selection::default()));
    let plain = |id| bytes_of(container, chunk(container, id).unwrap()).unwrap().to_vec();
    let with = |id, path: &str, value: &[u8]| {
        let node = find(container, if id == 1007 { "units[0]" } else { "terrain" })[0];
        let fields = walk(container, node);
        let at = fields.iter().find(|field| field.path == path).and_then(|field| field.at);
        let start = at.unwrap_or_else(|| panic!("no {path}")).start as usize;
        let mut plain = plain(id);
        plain[start..start + value.len()].copy_from_slice(value);
        plain
    };
    let replaced = |id, old: &[u8], new: &[u8]| {
        let mut plain = plain(id);
        let start = plain.windows(old.len()).position(|bytes| bytes == old).unwrap();
        plain[start..start + new.len()].copy_from_slice(new);
        plain
    };
    let far = 1000_f32.to_le_bytes();
    for (code, id, plain, path) in [
        ("MP060", 1007, with(1007, "team", &[77]), "units[0]"),
        ("MP061", 1006, replaced(1006, b"kit_Human", b"kit_Horse"), "buildings[0]"),
        ("MP062", 1018, replaced(1018, b"HERO", b"HARE"), "groups[0]"),
        ("MP063", 1007, with(1007, "place.position[2]", &far), "units[0]"),
        ("MP064", 1000, with(1000, "plain.ground.rows[3]", &far), "terrain"),
        ("MP065", 1000, with(1000, "plain.marks.rows[8]", &[4]), "terrain"),
    ] {
        let bytes = with_plain(container, id, &plain);
        let (broken, _) = opened(&bytes);
        let found = linted(broken.as_ref(), &Selection::default());
        let [finding] = &found.findings[..] else { panic!("{code}: {:?}", found.findings) };
        assert_eq!((finding.error.code().id, finding.error.path().as_str()), (code, path));
        let allowed = vec![finding.error.code()];
        assert_none(&linted(broken.as_ref(), &Selection { allowed, only: Vec::new() }));
        let rule = map2::lint::RULES.iter().find(|rule| rule.code.id == code).unwrap();
        assert_eq!(finding.severity, rule.severity);
    }
}

#[test]
fn real_maps_keep_the_rules() {
    let Some(files) = corpus::maps2() else { return };
    for file in &files {
        let (container, _) = opened(&file.bytes);
        let found = linted(container.as_ref(), &Selection::default());
        let is_known = file.name == "dotp_p342_the_icefangs.map";
        let expected = if is_known { vec![("MP065", Severity::Info)] } else { Vec::new() };
        assert_eq!(graded(&found), expected, "{}: {:?}", file.name, found.findings);
    }
}
