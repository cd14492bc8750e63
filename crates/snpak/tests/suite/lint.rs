//! `lint`: a pack that trips each rule, one that trips none, and the real ones.

use crate::common::{open, open_sound};
use snpak::{
    Pack,
    lint::{self, RULES, Selection, codes},
};
use spelunk_core::{Class, Collect, Container, Finding, Severity};
use spelunk_fixtures::{
    Fixture, corpus, samples,
    snpak::{self as made, Append, Asset, Bulk, Codec, Dependency, Generation, hash64},
};
use test_support::task::with_task;

/// What the rules say of a pack.
fn lint_with(bytes: &[u8], selection: &Selection) -> Vec<Finding> {
    let pack = open_sound(bytes);
    let (result, sink): (_, Collect) =
        with_task(bytes.len(), |task| lint::lint(&pack, selection, &pack.code_pages(), task));
    result.expect("a pack that the rules can be applied to");
    sink.findings
}

fn lint(bytes: &[u8]) -> Vec<Finding> {
    lint_with(bytes, &Selection::default())
}

fn ids(findings: &[Finding]) -> Vec<&'static str> {
    let mut ids: Vec<_> = findings.iter().map(|finding| finding.error.code().id).collect();
    ids.sort_unstable();
    ids
}

/// What all but the rules about old readers say, as `CODE severity start path: message`.
fn told(file: &Fixture) -> Vec<String> {
    let seed = |finding: &Finding| finding.error.code().id >= "SL040";
    let all = lint(&file.bytes);
    all.iter().filter(|finding| !seed(finding)).map(text).collect()
}

fn text(finding: &Finding) -> String {
    let error = &finding.error;
    let (_, facts) = error.message().split_once(": ").map_or_else(
        || (String::new(), String::new()),
        |(title, facts)| (title.to_owned(), facts.to_owned()),
    );
    let (code, severity) = (error.code().id, finding.severity.name());
    let start = error.place().expect("a place").start;
    format!("{code} {severity} {start} {}: {facts}", error.path())
}

fn asset(n: u8, name: &str) -> Asset {
    let data = format!("the payload of asset {n}").into_bytes();
    Asset { id: [n; 16], name: name.into(), data, ..Asset::default() }
}

fn needs(n: u8, name: Option<&str>, kind: u8) -> Dependency {
    Dependency { asset: [n; 16], name: name.map(Into::into), kind }
}

fn pack(assets: Vec<Asset>) -> made::Pack {
    made::Pack { assets, ..made::Pack::default() }
}

/// Assets with everything that is fine: bulk in order, dependencies that are there, a variant.
fn clean() -> made::Pack {
    let mut tree = asset(1, "models/tree");
    tree.dependencies = vec![needs(2, Some("textures/bark"), 0), needs(3, None, 1)];
    let mut bark = asset(2, "textures/bark");
    let bulk =
        |sub| Bulk { semantic: 1, sub_index: sub, codec: Codec::LZ4, data: vec![sub as u8; 900] };
    bark.bulk = vec![bulk(0), bulk(1)];
    let mut mobile = asset(3, "textures/bark");
    mobile.variant = Some(b"mobile".to_vec());
    (mobile.codec, mobile.data) = (Codec::ZSTD, b"moss ".repeat(100));
    pack(vec![tree, bark, mobile])
}

#[test]
fn a_clean_pack_passes() {
    let told_of = |pack: made::Pack| ids(&lint(&pack.build().bytes));
    assert_eq!(told_of(clean()), ["SL040"], "dependency tables alone");
    let mut without = clean();
    without.assets[0].dependencies.clear();
    assert_eq!(told_of(without), [""; 0]);
    assert_eq!(told_of(made::Pack::default()), [""; 0]);
}

#[test]
fn later_entries_hide_earlier_ones() {
    let file = pack(vec![asset(1, "a"), asset(2, "b"), asset(1, "c"), asset(1, "c")]).build();
    let id = "01010101-0101-0101-0101-010101010101";
    let expected = [0, 2].map(|row: usize| {
        let at = file.offset_of(&format!("index[0].tables.entries[{row}]"));
        format!("SL001 warning {at} #{row}.asset_id: expected an asset id of its own, found {id}, which #3 has too")
    });
    let payloads = {
        let at = file.offset_of("index[0].tables.entries[0]");
        format!("SL015 info {at} #0: found 204 more bytes for `#2`, `c`")
    };
    assert_eq!(told(&file), [&expected[..], &[payloads]].concat());
}

#[test]
fn delta_appends_hide_assets() {
    let run = |n, name| Append {
        generation: Generation::Seed,
        assets: vec![asset(n, name)],
        junk_before: Vec::new(),
    };
    let mut made = pack(vec![asset(1, "a"), asset(2, "b")]);
    made.generation = Generation::Seed;
    made.appends = vec![run(1, "a"), run(3, "c")];
    let file = made.build();
    let at = file.offset_of("index[2]");
    let hidden = format!(
        "SL002 warning {at} index: expected every older asset in the appended index, found 2 that are not there"
    );
    let all = told(&file);
    assert_eq!(all[0], hidden);
    assert!(all[1].starts_with("SL012 info 180 "), "{all:?}");
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn unreferenced_bytes_are_told_once_for_each_kind() {
    let mut made = clean();
    let run = |name| Append {
        generation: Generation::Newest,
        assets: vec![asset(9, name)],
        junk_before: b"junk".to_vec(),
    };
    made.appends = vec![run("models/old"), run("models/new")];
    made.trailing = vec![7; 10];
    let file = made.build();
    // Everything but the header, the last tables and the chunks of current assets.
    let mut used = [180, 0, 0, 0];
    used[1] = file.range_of("strings[2]").len();
    used[2] = file.range_of("index[2]").len();
    // The first version of asset 9 is chunk 5, its second one chunk 6.
    let chunks = [0, 1, 2, 3, 4, 6].map(|n| file.range_of(&format!("chunks[{n}]")).len());
    used[3] = chunks.iter().sum();
    let outdated = file.bytes.len() - used.iter().sum::<usize>() - 8 - 10;
    let unused = "models/old\0".len() + 4;
    assert_eq!(
        told(&file),
        [
            format!(
                "SL010 info {} blocks: found 8 bytes in 2 stretches",
                file.offset_of("junk[1]")
            ),
            format!("SL011 info {} blocks: found 10 bytes", file.offset_of("trailing")),
            format!("SL012 info 180 blocks: found {outdated} bytes in 5 blocks"),
            format!(
                "SL013 info {} strings: found 1 of 5, {unused} bytes",
                file.offset_of("strings[2].data") + "models/tree\0textures/bark\0mobile\0".len()
            ),
        ]
    );
}

#[test]
fn strings_that_overlap_save_what_nothing_else_covers() {
    // The name of the second asset becomes the end of the first one's.
    let mut file = pack(vec![asset(1, "a/tree"), asset(2, "tree"), asset(3, "x")]).build();
    file.poke("strings[0].offsets[1]", &2_u32.to_le_bytes());
    file.poke("index[0].tables.entries[2].name_id", &u32::MAX.to_le_bytes());
    made::rehash(&mut file);
    let all = told(&file);
    // `x` with its NUL and its offset, and the `tree` that no offset names.
    let at = file.offset_of("strings[0].data") + 12;
    assert_eq!(all, [format!("SL013 info {at} strings: found 1 of 3, 11 bytes")]);
}

#[test]
fn data_that_does_not_shrink_is_told() {
    let noise = |n: u64| {
        let mix = |i: u64| (hash64(&(i ^ n << 32).to_le_bytes()) >> 24) as u8;
        (0..300).map(mix).collect::<Vec<u8>>()
    };
    let mut tree = asset(1, "tree");
    tree.bulk = [Codec::NONE, Codec::LZ4, Codec::ZSTD]
        .into_iter()
        .zip(0..)
        .map(|(codec, n)| Bulk { semantic: 1, sub_index: n, codec, data: noise(n.into()) })
        .collect();
    let file = pack(vec![tree]).build();
    let stored = |n| file.u64_of(&format!("chunks[{n}].size_compressed"));
    let more = stored(2) + stored(3) - 600;
    assert!(more > 0);
    let at = file.offset_of("index[0].tables.bulk[1]");
    assert_eq!(
        told(&file),
        [format!(
            "SL014 info {at} tree.bulk[1]: expected stored bytes up to the plain size, found {more} bytes \
             more; 2 of 4 chunks"
        )]
    );
}

#[test]
fn equal_payloads_are_told_once_for_each() {
    let mut made = clean();
    made.assets[0].data = made.assets[1].bulk[1].data.clone();
    made.assets[2].data = made.assets[0].data.clone();
    let file = made.build();
    let sizes = [2, 3, 4].map(|n| file.range_of(&format!("chunks[{n}]")).len());
    let more = sizes[1] + sizes[2];
    let at = file.offset_of("index[0].tables.entries[0]");
    assert_eq!(
        told(&file),
        [format!(
            "SL015 info {at} models/tree: found {more} more bytes for bulk 1 of `textures/bark`, `textures/bark@mobile`"
        )]
    );
}

#[test]
fn missing_and_own_dependencies_are_told() {
    let mut made = clean();
    made.assets[1].dependencies = vec![
        needs(7, Some("shaders/leaf"), 0),
        needs(3, None, 0),
        needs(8, None, 2),
        needs(2, None, 1),
    ];
    let file = made.build();
    let at = |n| file.offset_of(&format!("index[0].tables.dependencies[{n}]"));
    let id = |n: u8| {
        let d = format!("{n:02x}");
        [4, 2, 2, 2, 6].map(|len| d.repeat(len)).join("-")
    };
    assert_eq!(
        told(&file),
        [
            format!(
                "SL020 warning {} textures/bark.dependencies[0]: expected `shaders/leaf` ({}), required",
                at(2),
                id(7)
            ),
            format!(
                "SL020 info {} textures/bark.dependencies[2]: expected {}, auxiliary",
                at(4),
                id(8)
            ),
            format!("SL021 warning {} textures/bark.dependencies[3]: ", at(5)),
        ]
    );
}

#[test]
fn each_circle_is_told_once() {
    let mut assets: Vec<_> = (0..9).map(|n| asset(n, &format!("a{n}"))).collect();
    // 0 leads into the circle 1 2 3, from which 4 leads out into the circle 5 6; 7 leads to itself.
    for (from, to) in [
        (0, 1),
        (1, 8),
        (1, 2),
        (2, 3),
        (3, 1),
        (3, 2),
        (3, 4),
        (4, 5),
        (5, 6),
        (6, 5),
        (7, 7),
        (0, 6),
    ] {
        assets[from].dependencies.push(needs(to, None, 0));
    }
    let file = pack(assets).build();
    let only = Selection { only: vec![&codes::CYCLE], allowed: vec![] };
    let mut found: Vec<_> = lint_with(&file.bytes, &only).iter().map(text).collect();
    found.sort_unstable();
    let at = |n| file.offset_of(&format!("index[0].tables.dependencies[{n}]"));
    assert_eq!(
        found,
        [
            format!("SL022 info {} a1.dependencies[1]: found 3 assets: `a1`, `a2`, `a3`", at(3)),
            format!("SL022 info {} a5.dependencies[0]: found 2 assets: `a5`, `a6`", at(9)),
        ]
    );
}

#[test]
fn long_chains_of_dependencies_need_no_stack() {
    let mut assets = Vec::new();
    for n in 0..20_000_u32 {
        let id = |n: u32| {
            let mut id = [0; 16];
            id[..4].copy_from_slice(&n.to_be_bytes());
            id
        };
        let next = Dependency { asset: id((n + 1) % 20_000), name: None, kind: 0 };
        assets.push(Asset { id: id(n), dependencies: vec![next], ..Asset::default() });
    }
    let bytes = pack(assets).build().bytes;
    let only = Selection { only: vec![&codes::CYCLE], allowed: vec![] };
    let found = lint_with(&bytes, &only);
    assert_eq!(found.len(), 1);
    assert!(text(&found[0]).contains("found 20000 assets: "), "{}", text(&found[0]));
}

#[test]
fn names_that_collide_are_told_by_how_they_differ() {
    let names = ["wood", "Wood", "wood", "t\u{fc}r", "tu\u{308}r", "T\u{dc}R", "stone", "stone"];
    let mut assets: Vec<_> = (1..).zip(names).map(|(n, name)| asset(n, name)).collect();
    assets[7].variant = Some(b"wet".to_vec());
    let mut wet = asset(20, "Stone");
    wet.variant = Some(b"WET".to_vec());
    assets.push(wet);
    let file = pack(assets).build();
    let mut found: Vec<_> = lint(&file.bytes)
        .iter()
        .map(|finding| {
            let path = finding.error.path();
            let row = path.split('.').next().unwrap_or_default().to_owned();
            assert_eq!(finding.severity, Severity::Warning);
            (finding.error.code().id, row, finding.error.found_value().to_string())
        })
        .collect();
    found.sort();
    let of = |code: &str| {
        found
            .iter()
            .filter(|(id, ..)| *id == code)
            .map(|(_, row, _)| row.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("SL030"), ["wood"]);
    // Which one is told against the other goes by their hashes.
    assert_eq!(of("SL031").len() + of("SL032").len(), 4, "{found:?}");
    assert!(!of("SL032").is_empty() || of("SL031").len() == 4, "{found:?}");
    let alone = |names: [&str; 2]| {
        let assets = (1..).zip(names).map(|(n, name)| asset(n, name)).collect();
        ids(&lint(&pack(assets).build().bytes))
    };
    assert_eq!(alone(["t\u{fc}r", "tu\u{308}r"]), ["SL032"]);
    assert_eq!(alone(["t\u{fc}r", "T\u{dc}r"]), ["SL031"]);
    assert_eq!(alone(["t\u{fc}r", "TU\u{308}R"]), ["SL031"]);
    assert_eq!(alone(["wood", "wool"]), [""; 0]);
}

#[test]
fn names_that_are_no_text_or_no_path_are_told() {
    let mut assets: Vec<_> = ["../a", "/etc/b", "c:d", "con/e", "fine/f"]
        .into_iter()
        .zip(1..)
        .map(|(name, n)| asset(n, name))
        .collect();
    let mut bytes = asset(6, "");
    bytes.name = b"caf\xe9".to_vec();
    let mut cut = asset(7, "");
    cut.name = b"short\0long".to_vec();
    let mut variant = asset(8, "g");
    variant.variant = Some(b"..".to_vec());
    assets.extend([bytes, cut, variant]);
    let file = pack(assets).build();
    let all = told(&file);
    let place = |row: usize, field: &str| {
        file.offset_of(&format!("index[0].tables.entries[{row}].{field}"))
    };
    let expected: Vec<String> = [
        (0, "`..`"),
        (1, "an empty step"),
        (2, "`c:d`"),
        (3, "`con`"),
    ]
    .iter()
    .map(|(row, step)| {
        let name = ["../a", "/etc/b", "c:d", "con/e"][*row];
        let at = place(*row, "name_id");
        format!("SL034 info {at} {name}.name_string_id: expected steps that are safe everywhere, found {step}")
    })
    .chain([
        format!(
            "SL033 info {} caf%E9.name_string_id: expected UTF-8, found `caf\\xe9`",
            place(5, "name_id")
        ),
        format!(
            "SL033 info {} short.name_string_id: expected no NUL, found `short`, a NUL and 4 more bytes",
            place(6, "name_id")
        ),
        format!(
            "SL034 info {} g@...variant_string_id: expected steps that are safe everywhere, found `..`",
            place(7, "variant_id")
        ),
    ])
    .collect();
    assert_eq!(all, expected);
}

#[test]
fn what_old_readers_cannot_load_is_told_once_for_each_rule() {
    let mut made = clean();
    made.assets[0].codec = Codec { id: 4, level: 3 };
    made.assets[0].data = vec![1; 500];
    made.assets[1].bulk[0].codec = Codec::LZ4_HC;
    made.assets[1].bulk[0].sub_index = 5;
    let mut file = made.build();
    // No test has so large a payload; the index says that this one is.
    file.poke("index[0].tables.entries[2].plain_size", &1_000_000_001_u64.to_le_bytes());
    made::rehash(&mut file);
    let all: Vec<_> = lint(&file.bytes).iter().map(text).collect();
    let at = |part: &str| file.offset_of(&format!("index[0].tables.{part}"));
    assert_eq!(
        all,
        [
            format!("SL040 info {} index: found 1 owners, 2 dependencies", at("owners[0]")),
            format!(
                "SL041 info {} models/tree: expected compression 0, 1 or 2, found zstd-fast; 2 of 5 chunks",
                at("entries[0]")
            ),
            format!(
                "SL042 info {} textures/bark.bulk[0]: expected sub-indexes that are positions, found 1 of 2 bulk chunks",
                at("bulk[0]")
            ),
            format!(
                "SL043 info {} textures/bark@mobile: expected at most 1000000000 bytes, found 1 of 5 chunks",
                at("entries[2]")
            ),
        ]
    );
}

#[test]
fn rules_are_chosen_and_left_out() {
    let bytes = samples::trailing_pack().build().bytes;
    let all = ids(&lint(&bytes));
    for rule in RULES {
        let only = Selection { only: vec![rule.code], allowed: vec![] };
        let allowed = Selection { only: vec![], allowed: vec![rule.code] };
        let id = rule.code.id;
        assert!(lint_with(&bytes, &only).iter().all(|finding| finding.error.code().id == id));
        let left = ids(&lint_with(&bytes, &allowed));
        assert!(!left.contains(&id));
        assert_eq!(left.len() + lint_with(&bytes, &only).len(), all.len(), "{id}");
    }
    assert!(all.contains(&"SL011") && all.contains(&"SL041"), "{all:?}");
}

#[test]
fn findings_are_no_worse_than_their_rules_say() {
    for sample in samples::all().into_iter().filter(|sample| sample.format == "snpak") {
        for finding in lint(&sample.fixture.bytes) {
            let code = finding.error.code();
            let rule = RULES.iter().find(|rule| rule.code.id == code.id).expect("a rule");
            assert!(finding.severity <= rule.severity, "{}: {}", sample.name, code.id);
        }
    }
}

/// Assets that share everything that entries can share.
fn hostile(count: u32, name: usize) -> Vec<u8> {
    let bulk = |_| Bulk { semantic: 1, sub_index: 3, codec: Codec::NONE, data: Vec::new() };
    let mut assets = Vec::new();
    for n in 0..count {
        let mut id = [0; 16];
        id[..4].copy_from_slice(&n.to_be_bytes());
        assets.push(Asset {
            id,
            name: vec![b'n'; name],
            bulk: (0..1).map(bulk).collect(),
            dependencies: vec![needs(255, None, 0)],
            ..Asset::default()
        });
    }
    let mut file = pack(assets).build();
    for n in 0..count {
        for (part, value) in [
            (format!("entries[{n}].bulk_first"), 0),
            (format!("entries[{n}].bulk_count"), count),
            (format!("owners[{n}].first"), 0),
            (format!("owners[{n}].count"), count),
        ] {
            file.poke(&format!("index[0].tables.{part}"), &value.to_le_bytes());
        }
    }
    made::rehash(&mut file);
    file.bytes
}

#[test]
fn shared_ranges_and_names_end_at_the_limits() {
    let bytes = hostile(3000, 10);
    let (pack, _) = open(&bytes);
    let pack = pack.expect("a pack that opens");
    let (result, sink) = with_task(bytes.len(), |task| {
        lint::lint(&pack, &Selection::default(), &pack.code_pages(), task)
    });
    assert_eq!(result.unwrap_err().code().class, Class::Limit);
    assert!(sink.findings.len() as u64 <= Collect::PER_CODE * RULES.len() as u64);
    // A long name that all share is looked at once, and told by positions.
    let bytes = hostile(300, 100_000);
    let only = Selection { only: vec![&codes::SAME_NAME], allowed: vec![] };
    let found = lint_with(&bytes, &only);
    assert_eq!(found.len(), 299, "all but the first");
    assert!(found.iter().all(|finding| finding.error.path().len() < 50));
}

#[test]
fn what_the_rules_take_is_given_back() {
    let bytes = samples::appended_pack().build().bytes;
    let pack: Pack = open_sound(&bytes);
    let (left, _) = with_task(bytes.len(), |task| {
        let selection = Selection::default();
        lint::lint(&pack, &selection, &pack.code_pages(), task).expect("findings");
        let before = task.budget.left().memory;
        lint::lint(&pack, &selection, &pack.code_pages(), task).expect("findings");
        (before, task.budget.left().memory)
    });
    assert_eq!(left.0, left.1);
}

#[test]
fn real_packs_have_the_findings_that_are_known_of_them() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    let found = |file: &corpus::RealFile| {
        let mut found = ids(&lint(&file.bytes));
        found.dedup();
        (file.name.trim_end_matches(".snpak").to_owned(), found)
    };
    let found: Vec<_> = files.iter().map(found).collect();
    let found: Vec<_> =
        found.iter().map(|(name, codes)| (name.as_str(), codes.as_slice())).collect();
    assert_eq!(found, REAL);
}

/// What is known of the real packs: two of them have dependency tables, some have compressions and sub-indexes of later
/// generations, two were appended to by the first writers. Short payloads that were packed grew in most of them.
const REAL: &[(&str, &[&str])] = &[
    ("01_empty", &[]),
    ("02_one_none", &[]),
    ("03_all_compressions_levels", &["SL041"]),
    ("04_writer_defaults", &["SL014", "SL041"]),
    ("06_variants", &["SL014"]),
    ("08_bulk", &["SL014", "SL034", "SL041", "SL042"]),
    ("10_zero_and_edge_sizes", &["SL014", "SL015", "SL041"]),
    ("11_append2", &["SL012", "SL013", "SL014", "SL041", "SL042"]),
    ("13_deps", &["SL020", "SL022", "SL040"]),
    ("15_old_then_new_append", &["SL012", "SL014", "SL040", "SL041"]),
    ("16_old_delta_then_new_append", &["SL002", "SL012", "SL014"]),
    ("18_trailing_bytes_only", &["SL011"]),
    ("20_textures", &["SL014"]),
    ("old_01_lz4", &["SL014"]),
    ("old_01_none", &[]),
    ("old_01_zstd", &["SL014"]),
    ("old_04_empty", &[]),
    ("old_05_append2_delta", &["SL002", "SL012", "SL014"]),
];
