//! What engines do with objects of each class when they are loaded: owners of scripts, what is refused, flags of new attributes.

use crate::common::runtime;

use runtime::*;
use spelunk_fixtures::{
    chunk::Chunk,
    corpus,
    virtools::{ATTRIBUTE_MANAGER, ObjectEntry, VirtoolsFile},
};
use std::collections::BTreeMap;
use test_support::findings::codes;
use virtools::{
    class,
    runtime::{AttributeTypes, Context, FileForm, Load, hooks::Pass, load::Outcome},
    script::Scripts,
};

/// A graph of these behaviours, from data version 5 on: no links and operations, five lists that are not stored.
fn graph(flags: u32, parts: &[Option<u32>]) -> Chunk {
    Chunk::object(8).identifier(0x20).words(&[flags, 0x100]).object_sequence(parts)
}

fn scripts(class_id: u32, list: &[Option<u32>]) -> Chunk {
    Chunk::object(class_id).identifier(0x800).object_sequence(list)
}

/// A ball with a script of a graph in a graph, a level with one that stands alone, and a behaviour of nobody.
fn owned() -> VirtoolsFile {
    let objects = vec![
        ObjectEntry::new(50, 41, b"Ball", scripts(33, &[Some(1), None, Some(5)])),
        ObjectEntry::new(51, 8, b"Script", graph(2, &[Some(2), Some(3)])),
        ObjectEntry::new(52, 8, b"Graph", graph(0, &[Some(4)])),
        ObjectEntry::new(53, 8, b"Block", graph(0, &[])),
        ObjectEntry::new(54, 8, b"Inner", graph(0, &[])),
        // No behaviour, whatever the list says.
        ObjectEntry::new(55, 32, b"Mesh", Chunk::object(32)),
        ObjectEntry::new(56, 21, b"Level", scripts(21, &[Some(7)])),
        ObjectEntry::new(57, 8, b"Level Script", graph(2, &[])),
        ObjectEntry::new(58, 8, b"Nobody's", graph(2, &[])),
        // Each in the other.
        ObjectEntry::new(59, 8, b"Round", graph(0, &[Some(10)])),
        ObjectEntry::new(60, 8, b"And round", graph(0, &[Some(9)])),
    ];
    VirtoolsFile { objects, ..VirtoolsFile::default() }
}

#[test]
fn scripts_and_what_is_in_them_belong_to_an_object() {
    let mut context = Context::new();
    // Ids of the file are not those of the context.
    context.create(33, Some(b"there"), virtools::runtime::Creation::Plain);
    load(&mut context, &built(&owned()), &Load::default());
    let find = |class_id, name: &str| context.find(class_id, name.as_bytes()).unwrap();
    let (ball, level) = (find(41, "Ball"), find(21, "Level"));
    let owners = context.owners(&mut budget()).unwrap();
    let told = |name: &str| (owners.owner_of(find(8, name)), owners.graph_of(find(8, name)));
    let [script, graph] = ["Script", "Graph"].map(|name| find(8, name));
    assert_eq!(told("Script"), (Some(ball), None));
    assert_eq!(told("Graph"), (Some(ball), Some(script)));
    assert_eq!(told("Block"), (Some(ball), Some(script)));
    assert_eq!(told("Inner"), (Some(ball), Some(graph)));
    assert_eq!(told("Level Script"), (Some(level), None));
    assert_eq!(told("Nobody's"), (None, None));
    assert_eq!(told("Round"), (None, Some(find(8, "And round"))));
    assert_eq!(owners.owner_of(find(32, "Mesh")), None);
    let all: Vec<_> = owners.scripts().collect();
    assert_eq!(all, [(script, ball), (find(8, "Level Script"), level)]);
    // What is gone owns nothing.
    context.destroy(&[ball]);
    let owners = context.owners(&mut budget()).unwrap();
    assert_eq!((owners.owner_of(script), owners.graph_of(graph)), (None, Some(script)));
}

/// When objects take hold of their scripts, whom these belong to is known.
#[test]
fn owners_are_known_when_objects_are_told() {
    #[derive(Default)]
    struct Asks(BTreeMap<u32, usize>);
    impl virtools::runtime::Hooks for Asks {
        fn pass(&mut self, context: &mut Context, pass: Pass, id: u32) -> spelunk_core::Result<()> {
            if pass == Pass::Owner {
                let owners = context.owners(&mut budget())?;
                let own = context.of_class(8).filter(|it| owners.owner_of(*it) == Some(id));
                self.0.insert(context.object(id).unwrap().class_id(), own.count());
            }
            Ok(())
        }
    }
    let mut asks = Asks::default();
    load_with(&mut Context::new(), &built(&owned()), &Load::default(), &mut asks);
    assert_eq!(asks.0, BTreeMap::from([(41, 4), (32, 0), (21, 1)]));
}

/// Below data version 5 lists of behaviours have another identifier, and behaviours tell themselves what they belong to.
#[test]
fn old_behaviours_tell_their_owner_themselves() {
    let old = |owner: Option<u32>| {
        let chunk = Chunk::sub(8).version(5).data_version(4).identifier(0x20);
        chunk.words(&[0, 0, 2, 19, 0, 0]).object_ref(owner).word(0)
    };
    let entity = Chunk::sub(33).version(5).data_version(4).identifier(0x100);
    let objects = vec![
        ObjectEntry::new(5, 33, b"One", entity.object_sequence(&[Some(7)])),
        ObjectEntry::new(6, 33, b"Two", Chunk::sub(33).version(5).data_version(4)),
        // The list counts, where there is one.
        ObjectEntry::new(7, 8, b"Listed", old(Some(6))),
        ObjectEntry::new(8, 8, b"Tells", old(Some(6))),
    ];
    let file = built(&VirtoolsFile { objects, ..VirtoolsFile::default() });
    for renew in [false, true] {
        let mut context = Context::new();
        load(&mut context, &file, &Load { renew, ..Load::default() });
        let owners = context.owners(&mut budget()).unwrap();
        let of = |name: &[u8]| owners.owner_of(context.find(8, name).unwrap());
        // The current layout has no place for what behaviours tell.
        let tells = (!renew).then_some(2);
        assert_eq!((of(b"Listed"), of(b"Tells")), (Some(1), tells), "renew {renew}");
    }
}

/// What real files say, put together in another way. No script is listed twice.
#[test]
fn owners_in_real_files_are_those_of_scripts() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let (mut scripts, mut parts) = (0, 0);
    for real in files {
        let file = open_file(&real.bytes);
        let mut context = Context::new();
        let report = load(&mut context, &file, &everything());
        let owners = context.owners(&mut budget()).unwrap();
        let of = |at: Option<u32>| at.and_then(|at| report.entries[at as usize].id);
        let read = Scripts::of(&file, &mut budget()).unwrap();
        for (index, behavior) in &read.behaviors {
            let id = of(Some(*index)).unwrap();
            assert_eq!(owners.graph_of(id), of(behavior.graph), "{} {index}", real.name);
            if behavior.owner.is_some() {
                assert_eq!(owners.owner_of(id), of(behavior.owner), "{} {index}", real.name);
            }
            parts += usize::from(behavior.graph.is_some());
        }
        let mut listed = Vec::new();
        for id in context.of_family(class::BE_OBJECT) {
            let references = context.references(id, &mut budget()).unwrap();
            listed.extend(references.into_iter().filter(|(field, _)| *field == "scripts"));
        }
        let count = owners.scripts().count();
        assert_eq!(listed.len(), count, "{}", real.name);
        scripts += count;
    }
    assert!(scripts > 100 && parts > 5000, "{scripts} {parts}");
}

/// Engines refuse scenes of data version 0, with all that their base classes saved.
#[test]
fn scenes_of_data_version_0_are_refused() {
    let old = Chunk::object(10).data_version(0).identifier(4);
    let new = Chunk::object(10).data_version(1).identifier(4);
    let objects = vec![
        ObjectEntry::new(1, 10, b"Old", old),
        ObjectEntry::new(2, 10, b"New", new),
        ObjectEntry::new(3, 23, b"Group", Chunk::object(23).data_version(0)),
    ];
    let file = built(&VirtoolsFile { objects, ..VirtoolsFile::default() });
    for renew in [false, true] {
        let mut context = Context::new();
        let how = Load { renew, ..Load::default() };
        let (report, findings) =
            with_all(|task| context.load(&file, &how, &mut virtools::runtime::Quiet, task));
        let codes = codes(&findings);
        assert_eq!(codes.iter().filter(|it| **it == "VT200").count(), 1, "{codes:?}");
        let has_state = [1, 2, 3].map(|id| context.object(id).unwrap().has_state());
        assert_eq!(has_state, [false, true, true]);
        let visible = |id| context.object(id).unwrap().flags() & 0x40 != 0;
        assert!(visible(1) && !visible(2), "what the base class saved is not read");
        assert_eq!(report.unwrap().count(Outcome::Created), 3);
    }
    // What is to be saved again stays as it is.
    let mut context = Context::new();
    let report = load(&mut context, &file, &everything());
    assert_eq!(report.diagnostics, []);
    let (saved, _) = save_all(&mut context, FileForm::of(&file));
    let owner = virtools::file::data::Owner::Object(0);
    assert_eq!(chunk(&saved, owner), chunk(&file, owner));
    let refused = virtools::runtime::ckerr::CkErr(-56);
    assert_eq!(virtools::codes::OLD_SCENE.native.map(|it| it.1), Some(refused.0));
}

/// An attribute whose name is new is taken for one of the user's: 1, 2 and 0x10 come, 0x20 goes.
#[test]
fn new_attributes_are_the_users_own() {
    let mut table = Chunk::manager(0x52).identifier(0x52).words(&[1, 3]);
    table = table.word(1).string(b"Mine").word(0x20);
    for (name, flags) in [("System", 0x20), ("Plain", 0x80), ("There", 0x20)] {
        table = table.word(1).string(name.as_bytes()).guid((1, 1)).words(&[0, 19, flags]);
    }
    let managers = vec![manager(ATTRIBUTE_MANAGER, Some(table))];
    let file = built(&VirtoolsFile { managers, ..plain(&[(1, 33, "Ball")]) });
    let flags = |how: &Load| {
        let mut context = Context::new();
        let types = context.manager_mut::<AttributeTypes>().unwrap();
        types.register(virtools::class::attribute_manager::Attribute {
            name: virtools::codec::Text::new(b"There"),
            flags: 0x40,
            ..Default::default()
        });
        load(&mut context, &file, how);
        let types = context.manager::<AttributeTypes>().unwrap();
        let of = |name: &[u8]| types.get(types.find(name).unwrap()).unwrap().flags;
        ([of(b"System"), of(b"Plain"), of(b"There")], types.categories().next().unwrap().1.flags)
    };
    assert_eq!(flags(&Load::default()), ([0x13, 0x93, 0x40], 0x20));
    assert_eq!(flags(&everything()), ([0x20, 0x80, 0x40], 0x20), "as in the file");
}

/// Only the oldest records tell with which flags an object was saved.
#[test]
fn entries_of_the_oldest_files_tell_their_save_flags() {
    for (file_version, expected) in [(2, Some(0x00FF_1234)), (4, None), (8, None)] {
        let chunk = |class_id| {
            let chunk = Chunk::sub(class_id).version(if file_version == 2 { 0 } else { 4 });
            chunk.data_version(0).identifier(1).string(b"It")
        };
        let objects =
            vec![ObjectEntry::new(1, 23, b"It", chunk(23)), ObjectEntry::null(2, 23, b"")];
        let file = VirtoolsFile {
            file_version,
            objects,
            save_flags: 0x00FF_1234,
            ..VirtoolsFile::default()
        };
        let report = load(&mut Context::new(), &built(&file), &everything());
        let told: Vec<_> = report.entries.iter().map(|it| it.save_flags).collect();
        assert_eq!(told, [expected, None], "FileVersion {file_version}");
    }
}
