//! A part of a file as a file of its own.

use crate::common::{
    errors,
    facts::{self, Fact, facts},
    open, rows, sample,
};
use spelunk::{
    Collect, Options,
    containers::sets::Layer,
    edit::subset::{Depth, Subset, SubsetSelection, subset},
    entries::refs::Needs,
};
use spelunk_fixtures::corpus;
use std::collections::{BTreeMap, BTreeSet};
use virtools::class;

/// References in what only the editor knows of a script. They ask for nothing.
const SHOWN: &str = "listed";

/// The bytes of a part.
fn written(made: Subset) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let size = made.write(&mut out, &mut Collect::default()).unwrap();
    assert_eq!(size, out.get_ref().len() as u64);
    out.into_inner()
}

/// A part of a file, as bytes.
fn part(bytes: &[u8], paths: &[&str], depth: Depth, children: bool) -> (Vec<u8>, [usize; 3]) {
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    let part = SubsetSelection { paths, depth, children, ..SubsetSelection::default() };
    let mut findings = Collect::default();
    let whole = open("whole", bytes);
    let made = subset("whole", whole, part, &Options::default(), &mut findings);
    // The data of some plugins' managers holds numbers of which nobody knows whether they are positions. Objects that
    // cannot be followed are refused.
    let untracked = findings.findings.iter().filter(|it| it.error.code().id == "VT084");
    untracked.for_each(|it| assert!(it.error.path().starts_with("managers["), "{}", it.error));
    let made = made.unwrap();
    let counts = [made.asked, made.needed, made.referred];
    (written(made), counts)
}

/// Fields that are null where what they refer to is not wanted for something else
/// (`docs/formats/virtools-runtime.md`).
const NOT_NEEDED: &[&str] = &["parent", "character", "owner", "curve", "grid", "level", "place"];

/// Class, name and type of a parameter, by which loaders look for it; the type is what stands under identifier 0x40.
fn key(fact: &Fact) -> Option<(u32, &[u8], [u8; 8])> {
    let words = |at: usize| fact.content.get(at..at + 4).map(|it| it.try_into().unwrap());
    let word = |at: usize| words(at).map(u32::from_le_bytes);
    if ![3, 45, 46].contains(&fact.class_id) || fact.name.is_empty() {
        return None;
    }
    let mut at = 8;
    while word(at)? != 0x40 {
        at = 8 + 4 * word(at + 4).filter(|next| *next != 0)? as usize;
    }
    let parameter_type = fact.content.get(at + 8..at + 16)?.try_into().unwrap();
    Some((fact.class_id, &fact.name, parameter_type))
}

/// Which objects loaders find: parameters whose key no other has.
fn findable(all: &[Fact]) -> BTreeSet<usize> {
    let mut keys = BTreeMap::<_, Vec<usize>>::new();
    for (at, fact) in all.iter().enumerate() {
        keys.entry(key(fact)).or_default().push(at);
    }
    keys.remove(&None);
    keys.into_values().filter(|all| all.len() == 1).flatten().collect()
}

/// What objects need: whole, and only to be referred to. What loaders find is never needed whole where it is `referring`.
fn needed(all: &[Fact], asked: &[usize], children: bool, referring: bool) -> [BTreeSet<usize>; 2] {
    let found = findable(all);
    let (mut whole, mut referred) = (BTreeSet::new(), BTreeSet::new());
    let mut work = asked.to_vec();
    while let Some(at) = work.pop() {
        if !whole.insert(at) {
            continue;
        }
        for (field, target) in &all[at].references {
            let Some(target) = *target else { continue };
            let is_graph = all[at].class_id == class::PARAMETER_IN;
            match *field {
                SHOWN => {}
                field if NOT_NEEDED.contains(&field) => {}
                "source" | "shared" if is_graph => drop(referred.insert(target)),
                "destinations" => drop(referred.insert(target)),
                _ if referring && found.contains(&target) => drop(referred.insert(target)),
                _ => work.push(target),
            }
        }
        if children && class::is_a(all[at].class_id, class::ENTITY_3D) {
            let below = |fact: &Fact| {
                class::is_a(fact.class_id, class::ENTITY_3D)
                    && fact.references.contains(&("parent", Some(at)))
            };
            work.extend((0..all.len()).filter(|at| below(&all[*at])));
        }
    }
    referred.retain(|at| !whole.contains(at) && found.contains(at));
    [whole, referred]
}

/// Compares a part with the file that it is of: the objects that it holds, and what they say. Gives how many objects were
/// compared, and how many of their references became null: of those that are not needed, and those that are only shown.
fn compare(all: &[Fact], part: &[u8], [whole, referred]: &[BTreeSet<usize>; 2]) -> [usize; 3] {
    let file = facts::open(part);
    let facts = facts(&file);
    // A file that is loaded first gives its objects the ids from 1 on.
    let ids = file.table().objects.iter().map(|it| it.id.cast_unsigned() & 0x7FFF_FFFF);
    let origins: Vec<usize> = ids.map(|id| id as usize - 1).collect();
    let places: BTreeMap<usize, usize> = origins.iter().copied().zip(0..).collect();
    assert_eq!(places.len(), origins.len());
    let [mut compared, mut cut, mut shown] = [0; 3];
    let (mut held, mut told) = (BTreeSet::new(), BTreeSet::new());
    for (new, origin) in facts.iter().zip(&origins) {
        let old = &all[*origin];
        assert_eq!((new.class_id, &new.name), (old.class_id, &old.name));
        if new.is_reference {
            told.insert(*origin);
            assert!(new.references.is_empty());
            continue;
        }
        held.insert(*origin);
        compared += 1;
        assert_eq!((&new.content, &new.numbers), (&old.content, &old.numbers));
        assert_eq!(new.references.len(), old.references.len());
        for ((field, new), (_, old)) in new.references.iter().zip(&old.references) {
            let expected = old.and_then(|old| places.get(&old).copied());
            assert_eq!(*new, expected, "{field}");
            if new.is_none() && old.is_some() {
                let is_shown = *field == SHOWN;
                let is_far = ["source", "shared", "destinations"].contains(field);
                assert!(is_shown || is_far || NOT_NEEDED.contains(field), "{field} became null");
                if is_shown { shown += 1 } else { cut += 1 }
            }
        }
    }
    assert_eq!(&held, whole);
    assert_eq!(&told, referred);
    [compared, cut, shown]
}

#[test]
fn parts_of_real_files_hold_what_they_need() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let [mut parts, mut scripts, mut compared, mut cut] = [0; 4];
    for file in &files {
        let all = facts(&facts::open(&file.bytes));
        let refers = |fact: &Fact, id: u32| {
            let mut targets = fact.references.iter().filter_map(|(_, target)| *target);
            targets.any(|target| all[target].class_id == id)
        };
        // A 3D entity with a mesh, one with a script, a group, a script; the first and the last one of each.
        let kinds: [&dyn Fn(&Fact) -> bool; 4] = [
            &|it| class::is_a(it.class_id, class::ENTITY_3D) && refers(it, class::MESH),
            &|it| class::is_a(it.class_id, class::ENTITY_3D) && refers(it, class::BEHAVIOR),
            &|it| it.class_id == class::GROUP,
            &|it| it.class_id == class::BEHAVIOR,
        ];
        for is_wanted in kinds {
            let mut wanted = (0..all.len()).filter(|at| is_wanted(&all[*at]));
            for at in [wanted.next(), wanted.next_back()].into_iter().flatten() {
                let path = format!("#{at}");
                for children in [false, true] {
                    let who = format!("{}, {path}, {children}", file.name);
                    let expected = needed(&all, &[at], children, false);
                    let (bytes, counts) = part(&file.bytes, &[&path], Depth::All, children);
                    let [whole, referred] = expected.each_ref().map(BTreeSet::len);
                    assert_eq!(counts, [1, whole - 1, referred], "{who}");
                    let now = compare(&all, &bytes, &expected);
                    assert_eq!(errors(&mut open(&who, &bytes)), Vec::<&str>::new(), "{who}");
                    parts += 1;
                    compared += now[0];
                    cut += now[1];
                    assert_eq!(now[2], 0, "{who}: all that is shown of a script belongs to it");
                    let is_script = |at: &usize| all[*at].class_id == class::BEHAVIOR;
                    scripts += usize::from(expected[0].iter().any(is_script));
                }
                // With references to what loaders find.
                let (bytes, counts) = part(&file.bytes, &[&path], Depth::References, false);
                let expected = needed(&all, &[at], false, true);
                let [whole, referred] = expected.each_ref().map(BTreeSet::len);
                assert_eq!(counts, [1, whole - 1, referred], "{}, {path}", file.name);
                compare(&all, &bytes, &expected);
                assert_eq!(errors(&mut open(&path, &bytes)), Vec::<&str>::new());
            }
        }
    }
    println!(
        "{parts} parts, {scripts} with scripts; {compared} objects; {cut} references became null"
    );
    assert!(parts > 200 && compared > 10_000 && cut > 0 && scripts > 50);
}

#[test]
fn paths_are_paths_and_globs() {
    let level = sample("level.nmo");
    let of = |paths: &[&str], depth| part(&level, paths, depth, false).1;
    // The object needs its mesh, that its material, and that its texture; and the value of an attribute.
    assert_eq!(of(&["CK3dObject/Cube"], Depth::All), [1, 4, 0]);
    assert_eq!(of(&["CK3dObject/Cube"], Depth::References), [1, 3, 1], "only to the value");
    assert_eq!(of(&["cube*"], Depth::References), [2, 2, 1], "the object and its mesh");
    assert_eq!(of(&["#3", "CK3dObject/Cube", "cube"], Depth::All), [1, 4, 0], "asked for once");
    assert_eq!(of(&["CKParameterLocal"], Depth::Given)[0], 4, "a class");
}

#[test]
fn what_is_no_object_and_other_formats_are_refused() {
    let refused = |name, path: &str| {
        let part = SubsetSelection { paths: vec![path.to_owned()], ..SubsetSelection::default() };
        refusal(name, part)
    };
    assert_eq!(refused("level.nmo", "CKLight/*"), "SP022");
    assert_eq!(refused("level.nmo", "included"), "SP022");
    assert_eq!(refused("level.nmo", "[a"), "SP027");
    assert_eq!(refused("forest.snpak", "tools/*"), "SP022");
    assert_eq!(refused("forest.snpak", "[a"), "SP027");
    assert_eq!(refused("sf22.pak", "*"), "SP088");
    let all = || SubsetSelection { paths: vec!["*".to_owned()], ..SubsetSelection::default() };
    let needs = Needs { optional: false, auxiliary: true };
    let with = Layer::new("", open("", &sample("forest.snpak")));
    for part in [SubsetSelection { needs, ..all() }, SubsetSelection { with: vec![with], ..all() }]
    {
        assert_eq!(refusal("level.nmo", part), "SP121");
    }
    for part in
        [SubsetSelection { children: true, ..all() }, SubsetSelection { lossy: true, ..all() }]
    {
        assert_eq!(refusal("forest.snpak", part), "SP121");
    }
    let with = vec![Layer::new("level.nmo", open("", &sample("level.nmo")))];
    assert_eq!(refusal("forest.snpak", SubsetSelection { with, ..all() }), "SP090");
}

fn refusal(name: &str, part: SubsetSelection) -> &'static str {
    let mut findings = Collect::default();
    let opened = open(name, &sample(name));
    let error = subset(name, opened, part, &Options::default(), &mut findings);
    error.unwrap_err().code().id
}

#[test]
fn parts_of_packs_hold_what_their_assets_need() {
    let of = |paths: &[&str], needs| {
        let paths = paths.iter().map(|path| (*path).to_owned()).collect();
        let part = SubsetSelection { paths, needs, ..SubsetSelection::default() };
        let whole = open("forest.snpak", &sample("forest.snpak"));
        let mut findings = Collect::default();
        let made = subset("forest", whole, part, &Options::default(), &mut findings).unwrap();
        let counts = (made.asked, made.needed, findings.findings.len());
        let mut opened = open("part", &written(made));
        assert_eq!(errors(&mut opened), Vec::<&str>::new());
        let paths =
            rows(&mut opened).into_iter().map(|row| row["path"].as_str().unwrap().to_owned());
        (counts, paths.collect::<Vec<_>>())
    };
    let all: Vec<String> = rows(&mut open("", &sample("forest.snpak")))
        .into_iter()
        .map(|row| row["path"].as_str().unwrap().to_owned())
        .collect();
    let (counts, paths) = of(&["LEVELS/*"], Needs::default());
    // The moss is in another pack.
    assert_eq!(counts, (1, 3, 1));
    let kept: Vec<_> = all.iter().filter(|path| paths.contains(path)).cloned().collect();
    assert_eq!(paths, kept, "the order of the pack");
    assert!(paths.contains(&"levels/forest".to_owned()));
    assert_eq!(of(&["*"], Needs::default()).1, all);
    let few = of(&["levels/forest"], Needs { optional: false, auxiliary: false });
    assert!(few.1.len() < paths.len());
}
