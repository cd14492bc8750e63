//! Saving, step by step.

use crate::common::runtime;

use runtime::*;
use spelunk_core::{Bytes, Result};
use spelunk_fixtures::{
    chunk::Chunk,
    virtools::{ObjectEntry, PluginGroup, VirtoolsFile},
};
use virtools::{
    File,
    chunk::{Form as ChunkForm, buffer::ChunkBuf, buffer::Header},
    class,
    file::{data::Owner, header::FOR_VIEWER},
    runtime::{
        Context, Depth, FileForm, Hooks, Load, Quiet, Save, SaveTarget, flags,
        hooks::{Message, Pass},
        save::Ended,
    },
};

/// A script that is a graph, and a building block of this kind.
fn script() -> Chunk {
    Chunk::object(8).identifier(0x20).words(&[2, 0])
}

fn block(kind: u32) -> Chunk {
    Chunk::object(8).identifier(0x20).word(0x8000).guid((kind, 0)).words(&[1, 0])
}

/// Groups that hold each other, in this order: 1 holds 2 and 4, 2 holds 3, 3 holds 1.
fn groups() -> File {
    let mut file = VirtoolsFile::default();
    for (id, members) in
        [(1, vec![Some(1), Some(3)]), (2, vec![Some(2)]), (3, vec![Some(0)]), (4, vec![])]
    {
        let name = format!("Group {id}");
        file.objects.push(ObjectEntry::new(id, 23, name.as_bytes(), group_of(&members)));
    }
    built(&file)
}

fn loaded(file: &File) -> Context {
    let mut context = Context::new();
    load(&mut context, file, &Load::default());
    context
}

fn save(context: &mut Context, ids: &[u32], save: Save) -> Ended {
    let ids = ids.to_vec();
    with_all(|task| context.save(ids, save, SaveTarget::Model, &mut Quiet, task)).0.unwrap()
}

/// Ids, as stored, and the members of groups by positions.
fn table(file: &File) -> Vec<(i32, Vec<u32>)> {
    let objects = file.table().objects.iter().zip(0..);
    let members = |index| {
        let bytes = chunk(file, Owner::Object(index));
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|it| u32::from_le_bytes(it.try_into().unwrap())).collect();
        words.get(5..).unwrap_or_default().to_vec()
    };
    objects.map(|(object, index)| (object.id, members(index))).collect()
}

#[test]
fn what_an_object_needs_stands_before_it() {
    let mut context = loaded(&groups());
    let ended = save(&mut context, &[1], Save::default());
    // 3 needs 1, which is seen to already; 2 needs 3, 1 needs 2 and 4.
    assert_eq!(ended.objects, [3, 2, 4, 1]);
    let expected = vec![(3, vec![3]), (2, vec![0]), (4, vec![]), (1, vec![1, 2])];
    assert_eq!(table(&ended.file), expected);
    // Once for each, however often it is asked for.
    assert_eq!(save(&mut context, &[4, 1, 4, 2], Save::default()).objects, [4, 3, 2, 1]);
    // Nothing else, and the rest is not there.
    let given = Save { depth: Depth::Given, ..Save::default() };
    assert_eq!(table(&save(&mut context, &[2, 1], given).file), [(2, vec![]), (1, vec![0])]);
}

#[test]
fn a_level_stands_before_what_it_needs() {
    let mut file = VirtoolsFile::default();
    let lists = Chunk::object(21).identifier(0x2000_0000);
    let lists = lists.object_sequence(&[]).object_sequence(&[]).object_sequence(&[Some(1)]);
    file.objects.push(ObjectEntry::new(1, 21, b"Level", lists));
    file.objects.push(ObjectEntry::new(2, 10, b"Scene", Chunk::object(10)));
    let mut context = loaded(&built(&file));
    assert_eq!(save(&mut context, &[1], Save::default()).objects, [1, 2]);
}

/// What is only referred to has its sign bit set; when it is saved after all it stays where it is.
#[test]
fn references_become_objects_in_their_places() {
    let mut context = loaded(&groups());
    let given = Save { depth: Depth::Given, ..Save::default() };
    let mut referring = |references: &[u32], ids: &[u32]| {
        let mut quiet = Quiet;
        let mut saving = context.start_save(given.clone(), SaveTarget::Model, &mut quiet).unwrap();
        references.iter().for_each(|id| saving.reference(*id));
        with_all(|task| saving.objects(ids.to_vec(), task)).0.unwrap();
        with_all(|task| saving.end(task)).0.unwrap()
    };
    let ended = referring(&[2, 4], &[1]);
    assert_eq!((ended.objects.clone(), ended.references), (vec![2, 4, 1], vec![2, 4]));
    let sign = i32::MIN;
    assert_eq!(table(&ended.file), [(2 | sign, vec![]), (4 | sign, vec![]), (1, vec![0, 1])]);
    assert!(chunk(&ended.file, Owner::Object(0)).is_empty());
    let ended = referring(&[2, 4, 3], &[1, 2]);
    assert_eq!((ended.objects, ended.references), (vec![2, 4, 3, 1], vec![4, 3]));
    // Nobody is marked afterwards.
    let marked = |context: &Context| {
        let ids = context.ids().collect::<Vec<_>>();
        ids.into_iter().filter(|id| context.object(*id).unwrap().is_reference()).count()
    };
    assert_eq!(marked(&context), 0);
    let mut quiet = Quiet;
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut quiet).unwrap();
    saving.reference(4);
    with_all(|task| saving.object(1, task)).0.unwrap();
    let ended = with_all(|task| saving.end(task)).0.unwrap();
    assert_eq!((ended.objects, ended.references), (vec![4, 3, 2, 1], vec![]));
}

/// Loaders look up parameters alone, by class, name and type. What they would not find comes along, or is null where it
/// is not needed whole.
#[test]
fn only_what_loaders_find_is_referred_to() {
    let value = |kind| Chunk::object(45).identifier(0x40).guid((kind, 4)).word(3);
    let input = |source| Chunk::object(2).identifier(0x1000).guid((1, 4)).object_ref(Some(source));
    let mut file = VirtoolsFile::default();
    for (id, class_id, name, chunk) in [
        (1, 45, &b"Speed"[..], value(1)),
        (2, 45, b"Speed", value(2)),
        (3, 45, b"Twice", value(1)),
        (4, 45, b"Twice", value(1)),
        (5, 45, b"", value(1)),
        (6, 2, b"In 0", input(0)),
        (7, 2, b"In 1", input(2)),
        (8, 2, b"In 2", input(4)),
        (
            9,
            23,
            b"All",
            Chunk::object(23).identifier(0x000F_FFFF).object_sequence(&[
                Some(0),
                Some(2),
                Some(4),
                Some(5),
                Some(6),
            ]),
        ),
    ] {
        file.objects.push(ObjectEntry::new(id, class_id, name, chunk));
    }
    let file = built(&file);
    let of = |ids: &[u32], depth| {
        let ended = save(&mut loaded(&file), ids, Save { depth, ..Save::default() });
        (ended.objects, ended.references, ended.lost)
    };
    assert_eq!(of(&[6, 7, 8], Depth::All), (vec![1, 6, 7, 8], vec![1], vec![3, 5]));
    assert_eq!(of(&[7, 3], Depth::All), (vec![7, 3], vec![], vec![]), "saved after all");
    let whole = of(&[9], Depth::References);
    assert_eq!(whole, (vec![1, 3, 5, 6, 7, 9], vec![1], vec![]));
    assert_eq!(of(&[9], Depth::All).1, Vec::<u32>::new());
}

/// Of a parameter its type is saved, by which engines find it.
#[test]
fn references_to_parameters_tell_their_type() {
    let value = Chunk::object(46).identifier(0x40).guid((3, 4)).word(1).buffer(&[1, 2, 3, 4]);
    let mut file = VirtoolsFile::default();
    file.objects.push(ObjectEntry::new(1, 46, b"Speed", value));
    let mut context = loaded(&built(&file));
    let mut quiet = Quiet;
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut quiet).unwrap();
    saving.reference(1);
    let ended = with_all(|task| saving.end(task)).0.unwrap();
    let expected = Chunk::object(46).identifier(0x40).guid((3, 4)).build().bytes;
    assert_eq!(chunk(&ended.file, Owner::Object(0)), expected);
}

#[test]
fn what_is_not_to_be_saved_is_not() {
    let mut context = loaded(&groups());
    context.change_flags(2, flags::NOT_TO_BE_SAVED, 0);
    context.set_dynamic(4, true);
    let ended = save(&mut context, &[2, 4, 1], Save::default());
    assert_eq!(table(&ended.file), [(1, vec![])], "lists lose them");
}

/// Section 6.7 of the facts.
#[test]
fn the_steps_of_a_saving_have_their_order() {
    #[derive(Clone)]
    struct Editor(Recorder);
    impl Hooks for Editor {
        fn progress(&mut self, done: u64, total: u64) -> std::ops::ControlFlow<()> {
            self.0.progress(done, total)
        }
        fn pass(&mut self, context: &mut Context, pass: Pass, id: u32) -> Result<()> {
            self.0.pass(context, pass, id)
        }
        fn message(&mut self, context: &mut Context, message: Message, id: u32) -> Result<()> {
            self.0.message(context, message, id)
        }
        fn interface_chunk(&mut self, context: &Context, id: u32) -> Result<Option<ChunkBuf>> {
            let marked = context.object(1).unwrap().is_reference();
            self.0.events.lock().unwrap().push(format!("interface {id} {marked}"));
            let header = Header { form: ChunkForm::Sub, ..Header::new(u32::MAX, 0, 7) };
            Ok(Some(ChunkBuf::new(header)))
        }
    }
    let shown = script().identifier(0x10).sub_chunk(&Chunk::sub(u32::MAX).word(1));
    let mut file = plain(&[(1, 33, "Ball")]);
    file.objects.push(ObjectEntry::new(2, 8, b"Script", script()));
    file.objects.push(ObjectEntry::new(3, 8, b"Shown", shown));
    file.objects.push(ObjectEntry::new(4, 8, b"Block", block(5)));
    let mut context = loaded(&built(&file));
    let recorder = Recorder::default();
    let events = recorder.events.clone();
    context.register(Box::new(Told { guid: (8, 8), events, fails: "" }));
    let mut hooks = Editor(recorder.clone());
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut hooks).unwrap();
    saving.reference(1);
    with_all(|task| saving.objects([2, 3, 4], task)).0.unwrap();
    let ended = with_all(|task| saving.end(task)).0.unwrap();
    let expected = [
        "pre save 8",
        "message 1 2",
        "message 1 3",
        "message 1 4",
        // Only the script that has nothing; what is referred to is marked.
        "interface 2 true",
        "progress 0/4",
        "progress 1/4",
        "progress 2/4",
        "progress 3/4",
        "message 10 2",
        "message 10 3",
        "message 10 4",
        "save 8",
        "post save 8",
    ];
    assert_eq!(recorder.take(), expected);
    let saved = chunk(&ended.file, Owner::Object(1));
    let empty = Chunk::sub(u32::MAX).as_sub_chunk(7);
    let tail: Vec<u8> = empty.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert!(saved.windows(tail.len()).any(|part| part == tail), "{saved:?}");
}

/// Files for viewers hold nothing that only the editor shows, and nobody is asked for it.
#[test]
fn viewers_need_less() {
    let shown = script().identifier(0x10).sub_chunk(&Chunk::sub(u32::MAX).word(1));
    let mut file = VirtoolsFile::default();
    file.objects.push(ObjectEntry::new(1, 8, b"Shown", shown));
    let file = built(&file);
    let mut context = loaded(&file);
    let form = FileForm { write_mode: FOR_VIEWER, ..FileForm::of(&file) };
    let ended = save(&mut context, &[1], Save { form: Some(form), ..Save::default() });
    assert_eq!(chunk(&ended.file, Owner::Object(0)), script().build().bytes);
    assert_eq!(ended.file.head().write_mode(), FOR_VIEWER);
}

/// Plugins of the files from which objects came, less the building blocks that are not saved, and all that are.
#[test]
fn plugins_are_those_of_what_is_saved() {
    let mut file = VirtoolsFile::default();
    for (id, kind) in [(1, 5), (2, 6), (3, 7), (4, 5)] {
        file.objects.push(ObjectEntry::new(id, 8, b"Block", block(kind)));
    }
    let group = |category, guids: &[u32]| PluginGroup {
        category,
        guids: guids.iter().map(|guid| (*guid, 0)).collect(),
    };
    file.plugins = vec![group(3, &[100]), group(4, &[200, 6, 0, 5, 200])];
    let mut context = loaded(&built(&file));
    let mut plugins = |ids: &[u32]| {
        let file = save(&mut context, ids, Save::default()).file;
        let groups = file.table().plugins.clone().unwrap().groups;
        let of = |it: &virtools::file::plugins::PluginGroup| {
            (it.category, it.guids().map(|guid| guid.d1.get()).collect::<Vec<_>>())
        };
        groups.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(plugins(&[1, 2, 3, 4]), [(3, vec![100]), (4, vec![200, 6, 0, 5, 200, 7])]);
    assert_eq!(plugins(&[4]), [(3, vec![100]), (4, vec![200, 0, 5, 200])]);
    assert_eq!(plugins(&[]), [(3, vec![100]), (4, vec![200, 0, 200])]);
}

#[test]
fn other_files_are_included_by_their_names() {
    let mut context = loaded(&groups());
    let mut quiet = Quiet;
    let mut bytes = Vec::new();
    let target = SaveTarget::Writer(&mut bytes);
    let mut saving = context.start_save(Save::default(), target, &mut quiet).unwrap();
    saving.include(b"C:\\game\\Textures/Wood.bmp", Bytes::from_static(b"wood")).unwrap();
    assert!(saving.include(b"folder\\", Bytes::new()).is_err());
    assert!(saving.include(&[b'x'; 512], Bytes::new()).is_err());
    with_all(|task| saving.end(task)).0.unwrap();
    let file = open_file(&bytes);
    let included: Vec<_> =
        file.tail().included.iter().map(|it| (it.name.to_vec(), it.content.to_vec())).collect();
    assert_eq!(included, [(b"Wood.bmp".to_vec(), b"wood".to_vec())]);
    assert_eq!(file.table().included_count(), 1);
}

/// Values that were read, changed and given back are saved with references to the same objects.
#[test]
fn values_can_be_changed() {
    let mut context = loaded(&groups());
    let value =
        |context: &Context, id| context.value(id, &mut Vec::new(), &mut budget()).unwrap().unwrap();
    let mut group = value(&context, 1);
    let class::Value::Group(inner) = &mut group.value else { panic!() };
    inner.members.as_mut().unwrap().to_mut().insert(0, 3.into());
    context.set_value(1, &group).unwrap();
    assert_eq!(members(&context, 1), [3, 2, 4]);
    context.destroy(&[2]);
    assert_eq!(members(&context, 1), [3, 4]);
    let given = Save { depth: Depth::Given, ..Save::default() };
    assert_eq!(table(&save(&mut context, &[4, 3, 1], given).file)[2], (1, vec![1, 0]));
    assert!(context.set_value(99, &group).is_err());
}

/// Sections are packed at the level that is asked for, and entries tell how large objects are, packed and not.
#[test]
fn levels_are_chosen_and_sizes_told() {
    let words = vec![7; 500];
    let chunk = Chunk::sub(23).version(0).data_version(0).identifier(5).words(&words);
    let objects = vec![ObjectEntry::new(1, 23, b"All", chunk)];
    let old =
        VirtoolsFile { file_version: 2, write_mode: Some(1), objects, ..VirtoolsFile::default() };
    let file = built(&old);
    let mut context = Context::new();
    let report = load(&mut context, &file, &Load::default());
    let entry = &report.entries[0];
    assert_eq!(entry.size, 4 * 502);
    assert!((1..200).contains(&entry.packed_size), "{}", entry.packed_size);
    if !cfg!(feature = "c-codecs") {
        return;
    }
    for (level, expected) in [(None, 4), (Some(1), 1), (Some(9), 9)] {
        let form = FileForm { level, write_mode: 8, ..FileForm::of(&File::new()) };
        let mut out = Vec::new();
        let save = Save { form: Some(form), ..Save::default() };
        let target = SaveTarget::Writer(&mut out);
        with_all(|task| context.save([1], save, target, &mut Quiet, task)).0.unwrap();
        let bytes = Bytes::from(out);
        let file = with_all(|task| File::read_from(&bytes, task)).0.unwrap();
        let level = with_all(|task| file.data().is_level(expected, &mut task.budget)).0;
        assert!(level.unwrap(), "{expected}");
    }
}
