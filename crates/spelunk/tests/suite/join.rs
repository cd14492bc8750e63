//! Several files as one.

use crate::common::{
    errors,
    facts::{self, Fact, Tables, facts},
    linted::counted,
    open, sample, written,
};
use spelunk::{
    Bytes, Collect, Opened, Options, Task, WriteOptions,
    edit::join::{Join, JoinCounts, Mode, Modes},
    edit::subset::{Depth, SubsetSelection, subset},
    tables::languages::{Asked, profile},
};
use spelunk_fixtures::{
    chunk::Chunk,
    corpus,
    virtools::{ObjectEntry, VirtoolsFile},
};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use test_support::task::unlimited;
use virtools::{
    File,
    class::attribute_manager::Attribute,
    runtime::{Context, Load, Quiet, Save, SaveTarget},
};

/// Unites files; gives the bytes, and what became of the objects of each.
fn joined(files: &[&[u8]], modes: Modes) -> (Vec<u8>, Vec<JoinCounts>) {
    let mut join = Join::new(modes.into());
    let counts = files.iter().map(|bytes| join.add(&mut open("a file", bytes)).unwrap()).collect();
    let mut made = join.end(false, &Options::default()).unwrap();
    (written(&mut made, &WriteOptions::default()), counts)
}

/// What the page of the runtime says of the names of classes, in sections 3 and 7.
const NOT_COMPARED: &[u32] = &[2, 3, 4, 6, 8, 9, 13, 15, 21, 45, 46, 48, 51];
const USED: &[u32] = &[5, 20, 49];
const SPRITES: &[u32] = &[28, 53];

/// Where the objects of files have to be in the file that unites them.
struct Expected {
    /// For each object of it: whose it is, file and position.
    owners: Vec<(usize, usize)>,
    /// For each object of each file, where it is.
    places: Vec<Vec<usize>>,
    counts: Vec<JoinCounts>,
}

fn expected(files: &[Vec<Fact>], mode: Mode) -> Expected {
    let mut first: HashMap<(u32, Vec<u8>), usize> = HashMap::new();
    let mut all = Expected { owners: vec![], places: vec![], counts: vec![] };
    for (file, facts) in files.iter().enumerate() {
        let (mut places, mut counts, before) = (vec![], JoinCounts::default(), all.owners.len());
        for (at, fact) in facts.iter().enumerate() {
            assert!(!fact.is_reference);
            let key = (fact.class_id, fact.name.clone());
            let there = first.get(&key).copied().filter(|there| *there < before);
            let there =
                there.filter(|_| !fact.name.is_empty() && !NOT_COMPARED.contains(&fact.class_id));
            let mode = match fact.class_id {
                id if USED.contains(&id) => Mode::UseCurrent,
                id if SPRITES.contains(&id) => Mode::Keep,
                _ => mode,
            };
            let (place, count) = match (there, mode) {
                (Some(there), Mode::UseCurrent) => (there, &mut counts.used),
                (Some(there), Mode::Replace) => {
                    all.owners[there] = (file, at);
                    (there, &mut counts.replaced)
                }
                (Some(_), Mode::Rename) => {
                    counts.renamed_groups += usize::from(fact.class_id == 23);
                    (all.owners.len(), &mut counts.renamed)
                }
                _ => (all.owners.len(), &mut counts.created),
            };
            *count += 1;
            if place == all.owners.len() {
                all.owners.push((file, at));
                first.entry(key).or_insert(place);
            }
            places.push(place);
        }
        all.places.push(places);
        all.counts.push(counts);
    }
    all
}

/// Compares every object of a united file with the one that it comes from.
fn compare(sources: &[Vec<Fact>], united: &[Fact], expected: &Expected, mode: Mode) -> [usize; 3] {
    let mut compared = [0; 3];
    assert_eq!(united.len(), expected.owners.len());
    for (new, (file, at)) in united.iter().zip(&expected.owners) {
        let old = &sources[*file][*at];
        let who = format!("{mode:?}, file {file}, #{at} {}", old.name.escape_ascii());
        assert_eq!(new.class_id, old.class_id, "{who}");
        assert!(!new.is_reference);
        if new.name != old.name {
            assert_eq!(mode, Mode::Rename, "{who}");
            let digits = new.name.strip_prefix(&*old.name).unwrap();
            assert!(digits.len() >= 3 && digits.iter().all(u8::is_ascii_digit), "{who}");
        }
        assert_eq!(new.content, old.content, "{who}");
        assert_eq!(new.numbers, old.numbers, "{who}");
        let references = old.references.iter();
        let references: Vec<_> = references
            .map(|(field, target)| (*field, target.map(|target| expected.places[*file][target])))
            .collect();
        assert_eq!(new.references, references, "{who}");
        // The same once more by what people see.
        for ((_, new), (_, old)) in new.references.iter().zip(&old.references) {
            let [new, old] = [new.map(|at| &united[at]), old.map(|at| &sources[*file][at])];
            assert_eq!(new.map(|it| it.class_id), old.map(|it| it.class_id), "{who}");
            let [new, old] = [new, old].map(|it| it.map_or(&b""[..], |it| &it.name));
            assert!(new == old || mode == Mode::Rename && new.starts_with(old), "{who}");
        }
        compared[0] += 1;
        compared[1] += new.references.len();
        compared[2] += new.numbers.len();
    }
    compared
}

/// Rules about what objects refer to and need.
const ABOUT_REFERENCES: &[&str] = &["VL012", "VL013", "VL021", "VL060", "VL071"];

/// Unites files under every policy, and compares; gives how many objects, references and numbers were compared.
fn unite(names: &[&str], files: &[&[u8]]) -> [usize; 3] {
    let opened: Vec<_> = files.iter().map(|bytes| facts::open(bytes)).collect();
    let sources: Vec<_> = opened.iter().map(facts).collect();
    let rules: Vec<_> = files.iter().map(|bytes| counted(bytes)).collect();
    let mut compared = [0; 3];
    for mode in [Mode::Keep, Mode::Rename, Mode::Replace, Mode::UseCurrent] {
        let who = format!("{names:?}, {mode:?}");
        let (bytes, counts) = joined(files, Modes::all(mode));
        let expected = expected(&sources, mode);
        assert_eq!(counts, expected.counts, "{who}");
        let file = facts::open(&bytes);
        let united = facts(&file);
        let now = compare(&sources, &united, &expected, mode);
        (0..3).for_each(|at| compared[at] += now[at]);
        if matches!(mode, Mode::Keep | Mode::Rename) {
            let total: usize = sources.iter().map(Vec::len).sum();
            assert_eq!(now[0], total, "{who}: all objects are there");
            let clashes = counts.iter().any(|counts| counts.renamed > 0);
            let mut names = HashMap::new();
            let named = united.iter().filter(|it| !it.name.is_empty());
            named.for_each(|it| *names.entry((it.class_id, &it.name)).or_insert(0) += 1);
            let mut doubles = sources.iter().map(|facts| {
                let mut names = HashSet::new();
                let named = facts.iter().filter(|it| !it.name.is_empty());
                let is_compared = |it: &&Fact| {
                    !NOT_COMPARED.contains(&it.class_id) && !SPRITES.contains(&it.class_id)
                };
                named.filter(is_compared).any(|it| !names.insert((it.class_id, &it.name)))
            });
            if clashes && !doubles.any(|is_double| is_double) {
                let is_compared = |(class, _): &(u32, &Vec<u8>)| {
                    !NOT_COMPARED.contains(class) && !SPRITES.contains(class)
                };
                let double = names.iter().find(|(it, count)| is_compared(it) && **count > 1);
                assert_eq!(double, None, "{who}");
            }
        }
        tables_are_united(&opened, &file);
        // Sound, packed as the first one, and nothing broken that was not broken before.
        assert_eq!(errors(&mut open(&who, &bytes)), Vec::<&str>::new(), "{who}");
        assert_eq!(file.head().data_packed(), opened[0].head().data_packed(), "{who}");
        let now = counted(&bytes);
        assert_eq!(now.keys().find(|code| !code.starts_with("VL")), None, "{who}");
        for code in ABOUT_REFERENCES {
            let before: usize = rules.iter().filter_map(|rules| rules.get(code)).sum();
            assert!(now.get(code).copied().unwrap_or_default() <= before, "{who}: {code}");
        }
    }
    compared
}

/// What files say of attributes, messages, other managers and plugins is all there.
fn tables_are_united(sources: &[File], united: &File) {
    let all = facts::tables(united);
    let told = |file: &File| {
        let plugins = file.plugin_dependencies(&mut unlimited()).unwrap().into_owned();
        let groups = plugins.groups.iter();
        let plugins: HashSet<_> = groups
            .flat_map(|group| group.guids().map(|it| (group.category, it.d1.get(), it.d2.get())))
            .collect();
        let managers = &file.records(&mut unlimited()).unwrap().managers;
        let managers: HashSet<_> =
            managers.iter().map(|it| (it.guid.d1.get(), it.guid.d2.get())).collect();
        (plugins, managers)
    };
    let (plugins, managers) = told(united);
    for file in sources {
        let tables = facts::tables(file);
        for theirs in tables.attributes.iter().flatten() {
            let ours = all.attributes.iter().flatten();
            let ours = ours.filter(|it| it.name.text() == theirs.name.text()).collect::<Vec<_>>();
            let [ours] = ours[..] else { panic!("{} of one name", ours.len()) };
            // Bit 7 has no known meaning, and differs from file to file; that of the first one stays.
            let said = |it: &Attribute| (it.parameter_type, it.compatible_class, it.flags & 0x7F);
            assert_eq!(said(ours), said(theirs));
            let category = |tables: &Tables, it: &Attribute| {
                usize::try_from(it.category).ok().map(|at| tables.categories[at].clone())
            };
            assert_eq!(category(&all, ours), category(&tables, theirs));
        }
        assert!(tables.messages.iter().all(|message| all.messages.contains(message)));
        let (their_plugins, their_managers) = told(file);
        assert!(their_managers.is_subset(&managers));
        assert!(their_plugins.is_subset(&plugins));
    }
}

#[test]
fn nothing_of_real_files_is_lost() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let of = |name: &&str| &*files.iter().find(|file| file.name == *name).unwrap().bytes;
    let mut compared = [0; 3];
    // The first ones, which the game loads together, share no names; the others do.
    for names in [
        &["gameplay.nmo", "menu.nmo", "balls.nmo"][..],
        &["level_level_01.nmo", "level_level_05.nmo", "ph_p_box.nmo", "level_level_05.nmo"],
        &["levelinit_a_v3.5.cmo", "levelinit_b_v3.5.cmo"],
        &["balls.nmo", "balls_v3.5.nmo", "gameplay.nmo"],
    ] {
        let files: Vec<&[u8]> = names.iter().map(of).collect();
        let now = unite(names, &files);
        (0..3).for_each(|at| compared[at] += now[at]);
    }
    println!("objects, references and numbers: {compared:?}");
    assert!(compared.iter().zip([100_000, 200_000, 500]).all(|(now, least)| *now > least));
}

#[test]
fn modes_are_for_families() {
    let level = sample("level.nmo");
    // A texture, a material, a mesh, an object, four parameters, which have no clashes, and a group.
    let one = |modes| joined(&[&level, &level], modes).1[1];
    let modes = Modes::all(Mode::Rename);
    let group = JoinCounts { renamed_groups: 1, ..JoinCounts::default() };
    assert_eq!(one(modes), JoinCounts { created: 4, renamed: 5, ..group });
    let materials = Some(Mode::UseCurrent);
    let some = JoinCounts { created: 4, renamed: 3, used: 2, ..group };
    assert_eq!(one(Modes { materials, ..modes }), some);
    let meshes = Some(Mode::Replace);
    let some = JoinCounts { created: 4, renamed: 4, replaced: 1, ..group };
    assert_eq!(one(Modes { meshes, ..modes }), some);
    let (entities_3d, general) = (Some(Mode::Replace), Some(Mode::Keep));
    let some = JoinCounts { created: 5, renamed: 3, replaced: 1, ..JoinCounts::default() };
    assert_eq!(one(Modes { entities_3d, general, ..modes }), some);
}

#[test]
fn files_of_every_generation_become_a_current_one() {
    let names = ["version0.nmo", "version4.nmo", "version7.nmo", "level.nmo", "version9.nmo"];
    let files: Vec<_> = names.iter().map(|name| sample(name)).collect();
    let files: Vec<&[u8]> = files.iter().map(|bytes| &**bytes).collect();
    let (bytes, counts) = joined(&files, Modes::all(Mode::Keep));
    let file = facts::open(&bytes);
    assert_eq!(file.head().version(), 8);
    let total: usize = counts.iter().map(|counts| counts.created).sum();
    assert_eq!(file.table().objects.len(), total);
    assert_eq!(errors(&mut open("united", &bytes)), Vec::<&str>::new());
}

#[test]
fn other_formats_are_refused() {
    let [level, pack] = ["level.nmo", "forest.snpak"].map(sample);
    let mut join = Join::new(Modes::all(Mode::Rename).into());
    let refused = |join: &mut Join| join.add(&mut open("a pack", &pack)).unwrap_err().code().id;
    assert_eq!(refused(&mut join), "SP087");
    join.add(&mut open("a level", &level)).unwrap();
    assert_eq!(refused(&mut join), "SP061");
    let one = join.end(false, &Options::default()).unwrap();
    assert_eq!(one.container().format(), "virtools", "what was added is there");
}

/// Bit 31, a negated id and bit 23 mark the same; bit 23 of an entry without the type of a parameter only where the
/// reading of the written specification is asked for.
#[test]
fn references_are_resolved_whatever_bit_marks_them() {
    let int = (0x5A57_16FD, 0x44E2_76D7);
    let parameter = Chunk::object(45).identifier(0x40).guid(int);
    let speed = ObjectEntry::new(7, 45, b"Speed", parameter.clone().word(1).word(4).word(20));
    let ball = ObjectEntry::new(8, 33, b"Ball", Chunk::object(33));
    let there =
        VirtoolsFile { objects: vec![speed, ball], ..VirtoolsFile::default() }.build().bytes;
    let marked = |speed: u32, ball: u32| {
        let users = Chunk::object(23).identifier(0x000F_FFFF);
        let users = users.object_sequence(&[Some(0), Some(1)]);
        let objects = vec![
            ObjectEntry::new(speed, 45, b"Speed", parameter.clone()),
            ObjectEntry::null(ball, 33, b"Ball"),
            ObjectEntry::new(9, 23, b"Users", users),
        ];
        let max_id = Some(0x00FF_FFFF);
        VirtoolsFile { objects, max_id, ..VirtoolsFile::default() }.build().bytes
    };
    let spec = Options {
        languages: Asked { profile: profile("spec"), ..Asked::default() },
        ..Options::default()
    };
    let joined = |bytes: &[u8], options: &Options| {
        let mut join = Join::new(Modes::all(Mode::Rename).into());
        join.add(&mut open("there", &there)).unwrap();
        let source = Arc::new(Bytes::copy_from_slice(bytes));
        let counts = join.add(&mut Opened::open(source, options).unwrap()).unwrap();
        let mut made = join.end(false, options).unwrap();
        (written(&mut made, &WriteOptions::default()), counts)
    };
    let usual = Options::default();
    let expected = joined(&marked(0x8000_0005, 0x8000_0006), &usual);
    assert_eq!(expected.1, JoinCounts { created: 1, resolved: 2, ..JoinCounts::default() });
    assert_eq!(joined(&marked(5_u32.wrapping_neg(), 6_u32.wrapping_neg()), &usual), expected);
    assert_eq!(joined(&marked(0x0080_0005, 0x8000_0006), &usual), expected);
    assert_eq!(joined(&marked(0x0080_0005, 0x0080_0006), &spec), expected);
    let (_, counts) = joined(&marked(0x0080_0005, 0x0080_0006), &usual);
    assert_eq!(counts, JoinCounts { created: 1, renamed: 1, resolved: 1, ..JoinCounts::default() });
}

/// A file of one object, which only refers to all that it needs.
fn referring(file: &File, name: &[u8]) -> Vec<u8> {
    let mut sink = Collect::default();
    let mut task = Task::new(unlimited(), &mut sink);
    let mut context = Context::new();
    context.load(file, &Load::default(), &mut Quiet, &mut task).unwrap();
    let id = context.ids().find(|id| context.object(*id).unwrap().name() == Some(name)).unwrap();
    let references = context.references(id, &mut task.budget).unwrap();
    let save = Save { depth: Depth::Given, ..Save::default() };
    let (mut quiet, mut out) = (Quiet, Vec::new());
    let mut saving = context.start_save(save, SaveTarget::Writer(&mut out), &mut quiet).unwrap();
    let needed = references.iter().filter(|(field, _)| *field != "parent");
    needed.for_each(|(_, other)| saving.reference(*other));
    saving.object(id, &mut task).unwrap();
    saving.end(&mut task).unwrap();
    out
}

#[test]
fn what_one_file_refers_to_is_that_of_another_in_any_order() {
    let level = sample("level.nmo");
    let part = |path: &str| {
        let part = SubsetSelection { paths: vec![path.to_owned()], ..SubsetSelection::default() };
        let (opened, mut findings) = (open("a level", &level), Collect::default());
        let made = subset("", opened, part, &Options::default(), &mut findings).unwrap();
        let mut out = std::io::Cursor::new(Vec::new());
        made.write(&mut out, &mut findings).unwrap();
        out.into_inner()
    };
    let alone = referring(&facts::open(&level), b"Cube");
    let [mesh, value] = ["CKMesh/Cube_Mesh", "CKParameterLocal/Floor"].map(part);
    let targets = |facts: &[Fact]| {
        let cube = facts.iter().find(|it| it.name == b"Cube").unwrap().clone();
        let named = |at: usize| (facts[at].name.clone(), facts[at].content.clone());
        let targets = cube.references.iter().map(|(field, at)| (*field, at.map(named)));
        targets.collect::<Vec<_>>()
    };
    let whole = targets(&facts(&facts::open(&level)));
    assert!(whole.iter().filter(|(_, target)| target.is_some()).count() >= 3);
    for files in [[&alone, &mesh, &value], [&mesh, &value, &alone], [&value, &alone, &mesh]] {
        for mode in [Mode::Keep, Mode::Rename, Mode::Replace, Mode::UseCurrent] {
            let (bytes, _) = joined(&files.map(|bytes| &bytes[..]), Modes::all(mode));
            let united = facts(&facts::open(&bytes));
            assert_eq!(united.len(), 5, "{mode:?}");
            assert!(united.iter().all(|it| !it.is_reference), "{mode:?}");
            assert_eq!(targets(&united), whole, "{mode:?}");
        }
    }
}
