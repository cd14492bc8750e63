//! Chunks of old generations and data versions become current ones. No real file of the old layouts is known; what is
//! expected is worked out by hand from `docs/formats/virtools-classes.md#old-data-versions`.

use crate::common::runtime::open_file;
use spelunk_core::{Collect, Convert, WriteOptions};
use spelunk_fixtures::{
    chunk::Chunk,
    judged,
    virtools::{ObjectEntry, VirtoolsFile},
};
use test_support::{
    findings::{assert_none, codes},
    task::{budget, with_task},
};
use virtools::{
    File,
    class::{Value, curve::CurveData},
    file::data::Owner,
    runtime::{Quiet, SaveTarget, load_and_save},
};

/// A file in another form, opened again, and what was told. Loaders that know current layouts alone can judge it.
fn renewed(file: &File, lossy: bool) -> (File, Collect) {
    let (bytes, findings) = converted(file, lossy);
    if !lossy {
        judged::leave(judged::VIRTOOLS, "fixtures/renewed.nmo", &bytes);
    }
    (open_file(&bytes), findings)
}

/// The same with old layouts that stay.
fn converted(file: &File, lossy: bool) -> (Vec<u8>, Collect) {
    let convert = Convert { version: Some(8), chunks: true, lossy, ..Convert::default() };
    let (bytes, findings) = with_task(1 << 20, |task| {
        let mut out = Vec::new();
        let options = WriteOptions { convert, ..WriteOptions::default() };
        file.write(&mut out, &options, task).unwrap();
        out
    });
    let (verified, told) = with_task(1 << 20, |task| open_file(&bytes).verify(task));
    verified.unwrap();
    assert_none(&told);
    (bytes, findings)
}

fn value(file: &File, index: u32) -> Value {
    let mut faults = Vec::new();
    let saved =
        file.value(Owner::Object(index), &mut faults, &mut budget(1 << 20)).unwrap().unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(saved.header.versions.to_le_bytes(), [10, 0, 7, 0], "{index}");
    assert!(saved.header.file_mode);
    saved.value
}

/// Chunk version 5, whose references are ids, with the name of its object.
fn old(class_id: u32, data_version: u8, name: &[u8]) -> Chunk {
    Chunk::sub(class_id).version(5).data_version(data_version).identifier(1).string(name)
}

fn entity(chunk: Chunk, position: [f32; 3]) -> Chunk {
    let chunk = chunk.identifier(0x10_0000).words(&[0, 2]);
    chunk.floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]).floats(&position)
}

fn material(data_version: u8, texture: Option<u32>) -> Chunk {
    old(30, data_version, b"Glass")
        .identifier(0x1000)
        .floats(&[1.0, 0.5, 0.0, 0.5, 0.25, 0.25, 0.25, 1.0])
        .floats(&[0.0, 0.0, 0.0, 1.0, 2.0, -1.0, 0.0, 1.0])
        .floats(&[20.0])
        .object_ref(texture)
        .words(&[1, 2, 2, 2, 2, 1, 2, 3, 1, 0x1020_3040, 0])
}

/// One object of each class that saved something else below data version 5 to 9, with ids 10 and up.
fn file() -> VirtoolsFile {
    let id = |index: u32| Some(10 + index);
    let light = old(38, 4, b"Lamp").identifier(0x40_0000).word(4).floats(&[1.0, 1.0, 0.0, 0.0]);
    let light = light.words(&[1, 0]).floats(&[1.0, 0.0, 0.0, 500.0, 0.8, 0.4, 1.0]);
    let camera = old(34, 4, b"Eye").identifier(0x40_0000).floats(&[0.5]);
    let camera = camera.identifier(0x80_0000).word(1).identifier(0x100_0000).floats(&[1.0]);
    let camera = camera.identifier(0x200_0000).words(&[4, 3]);
    let camera = camera.identifier(0x400_0000).floats(&[1.0, 4000.0]);
    let curve = old(43, 4, b"Way").identifier(0x80_0000).object_sequence(&[id(5)]);
    let point = entity(old(36, 4, b"Stop"), [1.0, 2.0, 3.0]).identifier(0x1000_0000);
    let point = point.object_ref(id(4)).words(&[0, 1]).floats(&[1.0, 2.0, 3.0]);
    let point = point.identifier(0x2000_0000).floats(&[0.1, 0.2, 0.3]);
    // In file mode already, so that nothing of it can be an id.
    let mesh = Chunk::object(32).data_version(5).identifier(1).string(b"Shape");
    let mesh = mesh.identifier(0x2_0000).words(&[0, 0, 0]);
    let graph = old(8, 4, b"Script").identifier(0x20).words(&[0, 0, 0x2000_0002, 19, 0, 5]);
    let graph = graph.object_ref(None).word(0).identifier(0x100).object_sequence(&[id(8)]);
    let graph = graph.identifier(0x8_0000).object_sequence(&[id(9)]);
    let block = old(8, 0, b"Block").identifier(0x4_0000).guid((7, 8)).identifier(0x40).word(0x8);
    let block = block.identifier(0x800).object_sequence(&[id(10)]);
    let block = block.identifier(0x1000).object_sequence(&[id(11)]);
    let link = old(6, 4, b"").identifier(0x4).word(2).identifier(0x8).object_ref(id(11));
    let link = link.object_ref(id(10)).identifier(0x10).word(3);
    let io = |flags| old(9, 4, b"").identifier(0x8).word(flags);
    let plane = old(27, 4, b"Panel").identifier(0x4000).word(0x41).identifier(0x8000);
    let plane = plane.words(&[10, 20]).identifier(0x2000).words(&[30, 40]);
    let plane = plane.identifier(0x10_0000).word(7);
    let scene = old(10, 7, b"Scene").identifier(0x2_0000).object_ref(None).word(2);
    let scene = scene.object_sequence(&[id(2), id(3)]);
    let scene = scene.sub_chunk_sequence(&[None, None, None, None]).words(&[0xB, 0]);
    let texture = old(31, 4, b"Skin").identifier(0x8000).words(&[0xFF00_FF00, 1]);
    let texture = texture.identifier(0x2000).word(0);
    let chunks = [
        (31, &b"Skin"[..], texture),
        (30, b"Glass", material(3, id(0))),
        (38, b"Lamp", light),
        (34, b"Eye", camera),
        (43, b"Way", curve),
        (36, b"Stop", point),
        (32, b"Shape", mesh),
        (8, b"Script", graph),
        (8, b"Block", block),
        (6, b"", link),
        (9, b"", io(1)),
        (9, b"", io(2)),
        (27, b"Panel", plane),
        (10, b"Scene", scene),
    ];
    let objects = chunks.into_iter().zip(10..);
    let objects = objects
        .map(|((class_id, name, chunk), id)| ObjectEntry::new(id, class_id, name, chunk))
        .collect();
    VirtoolsFile { file_version: 5, objects, ..VirtoolsFile::default() }
}

#[test]
fn what_old_files_hold_is_written_in_the_current_layout() {
    let (file, findings) = renewed(&open_file(&file().build().bytes), false);
    let Value::Texture(texture) = value(&file, 0) else { panic!() };
    let data = texture.texture.unwrap();
    // The global save option, and transparent.
    assert_eq!((data.flags, data.transparent_color), (0x3_0100, Some(0xFF00_FF00)));
    assert_eq!((data.current_slot, texture.old_color, texture.old_slot), (Some(0), None, None));

    let Value::Material(material) = value(&file, 1) else { panic!() };
    let data = material.data.unwrap();
    assert_eq!([data.diffuse, data.ambient], [0x7FFF_7F00, 0xFF3F_3F3F]);
    assert_eq!([data.specular, data.emissive], [0xFF00_0000, 0xFFFF_0000]);
    assert_eq!((data.specular_power, data.texture.value), (20.0, 0), "a position");
    // Below data version 4 a translucent colour is blended by its alpha, and what is blended writes no depth.
    assert_eq!([data.source_blend(), data.destination_blend()], [5, 6]);
    assert_eq!([data.texture_blend(), data.min_filter(), data.mag_filter()], [2, 2, 2]);
    assert_eq!([data.shade(), data.fill(), data.address()], [2, 3, 1]);
    assert_eq!(data.flags, 0x0008_0400 | 0x0D, "flags 7, less z write, with alpha blend");
    assert_eq!(data.border_color, 0x1020_3040);

    let Value::Light(light) = value(&file, 2) else { panic!() };
    let data = light.light.unwrap();
    assert_eq!((data.kind_and_flags, data.color, data.range), (0x101, 0xFFFF_FF00, 500.0));
    assert_eq!((data.attenuation, data.spot), ([1.0, 0.0, 0.0], None));

    let Value::Camera(camera) = value(&file, 3) else { panic!() };
    let data = camera.projection.unwrap();
    assert_eq!((data.projection, data.fov, data.zoom), (1, 0.5, 1.0));
    assert_eq!((data.width(), data.height()), (4, 3));
    assert_eq!((data.near_plane, data.far_plane), (1.0, 4000.0));

    let Value::Curve(curve) = value(&file, 4) else { panic!() };
    let CurveData { points, steps, open, .. } = curve.curve.unwrap();
    assert_eq!((points[0].get(), points.len(), steps, open), (5, 1, 100, 1));

    let Value::CurvePoint(point) = value(&file, 5) else { panic!() };
    assert_eq!(point.entity.data.unwrap().position, [1.0, 2.0, 3.0]);
    let data = point.point.unwrap();
    assert_eq!((data.curve.value, data.linear, data.tcb), (4, 1, [0.1, 0.2, 0.3]));

    let Value::Behavior(graph) = value(&file, 7) else { panic!() };
    let data = graph.data.unwrap();
    // It is no building block, so it is not locked.
    assert_eq!((data.flags, data.prototype, data.priority), (0x6, None, Some(5)));
    assert_eq!((data.compatible_class, data.contents), (None, 0x8_0100));
    assert_eq!(data.sub_behaviors.unwrap()[0].get(), 8);
    assert_eq!(data.links.unwrap()[0].get(), 9);

    let Value::Behavior(block) = value(&file, 8) else { panic!() };
    let data = block.data.unwrap();
    let prototype = data.prototype.unwrap();
    assert_eq!((data.flags, prototype.guid, prototype.version), (0x8008, [7, 8], 0x1_0000));
    assert_eq!([data.inputs.unwrap()[0].get(), data.outputs.unwrap()[0].get()], [10, 11]);

    let Value::BehaviorLink(link) = value(&file, 9) else { panic!() };
    let data = link.link.unwrap();
    assert_eq!((data.delay(), data.initial_delay(), link.object.hidden), (2, 3, false));
    assert_eq!((data.ends.source.value, data.ends.destination.value), (11, 10));

    let Value::Entity2d(plane) = value(&file, 12) else { panic!() };
    let data = plane.data.unwrap();
    assert_eq!((data.flags, data.z_order), (0x2A_0040, Some(7)));
    assert_eq!(data.rectangle, [10.0, 20.0, 40.0, 60.0]);
    assert!(!plane.be_object.object.hidden);

    let Value::Scene(scene) = value(&file, 13) else { panic!() };
    let objects = scene.objects.unwrap();
    // Active, reset and kept; deactivated.
    let flags: Vec<u32> = objects.flags.iter().map(|flags| flags.get()).collect();
    assert_eq!(flags, [0x49, 0x10]);
    assert_eq!(objects.level.value, u32::MAX, "null in file mode");

    // What is told: how many of each class, and what stays.
    let told = |code: &str| {
        let of = findings.findings.iter().filter(|it| it.error.code().id == code);
        of.map(|it| it.error.to_string()).collect::<Vec<_>>()
    };
    let left = told("VT192");
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(
        left[0].contains("CKMesh, the old layout of section 0x20000 is not known: 1"),
        "{left:?}"
    );
    let done = told("VT191");
    assert!(done.iter().any(|it| it.contains("CKMaterial, data version 3 and chunk version 5: 1")));
    assert_eq!(done.len(), 12, "{done:?}");
    // Of the mesh nothing changed.
    let records = file.records(&mut budget(1 << 20)).unwrap();
    let mesh = records.chunk(Owner::Object(6), &mut budget(1 << 20)).unwrap();
    assert_eq!(mesh[..4], [5, 32, 7, 8]);
    assert_eq!(mesh[mesh.len() - 20..], [0x2_0000_u32, 0, 0, 0, 0].map(u32::to_le_bytes).concat());
}

/// What is current stays byte for byte, and loading and saving does what an upgrade does.
#[test]
fn only_what_is_old_changes_and_saving_does_the_same() {
    let source = open_file(&file().build().bytes);
    let (once, _) = renewed(&source, false);
    assert!(once.has_old_chunks(&mut budget(1 << 20)).unwrap(), "the mesh");
    let (twice, findings) = renewed(&once, false);
    assert_eq!(codes(&findings), ["VT192"]);
    let chunk = |file: &File, index| {
        let records = file.records(&mut budget(1 << 20)).unwrap();
        records.chunk(Owner::Object(index), &mut budget(1 << 20)).unwrap().to_vec()
    };
    let (saved, _) = with_task(1 << 20, |task| {
        load_and_save(&source, SaveTarget::Model, &mut Quiet, task).unwrap().1.file
    });
    for index in 0..14 {
        assert_eq!(chunk(&twice, index), chunk(&once, index), "{index}");
        assert_eq!(chunk(&saved, index), chunk(&once, index), "{index}");
    }
}

/// A file of one object, in the current layout as far as that goes, and why it keeps its old one.
fn of(class_id: u32, chunk: Chunk, lossy: bool) -> (File, String) {
    let objects = vec![ObjectEntry::new(10, class_id, b"It", chunk)];
    let sample = VirtoolsFile { file_version: 5, objects, ..VirtoolsFile::default() };
    let (bytes, findings) = converted(&open_file(&sample.build().bytes), lossy);
    let left = findings.findings.iter().find(|it| it.error.code().id == "VT192");
    (open_file(&bytes), left.map(|it| it.error.to_string()).unwrap_or_default())
}

/// What cannot be brought along keeps all of the chunk as it was, with the reason.
#[test]
fn what_would_be_lost_stays() {
    let point = entity(old(36, 4, b"It"), [0.0; 3]).identifier(0x1000_0000).object_ref(None);
    let point = point.words(&[0, 0]).floats(&[0.0; 3]).identifier(0x8000_0000).floats(&[1.0; 3]);
    assert!(of(36, point.clone(), false).1.contains("a vector (0x80000000)"));
    let (file, left) = of(36, point, true);
    assert_eq!(left, "");
    assert!(matches!(value(&file, 0), Value::CurvePoint(point) if point.old_vector.is_none()));
    // An unknown section may hold ids, of which no list tells.
    let unknown = old(23, 10, b"It").identifier(0xFFFF_0000).word(10);
    let (file, left) = of(23, unknown, true);
    assert!(left.contains("may be references"), "{left}");
    let records = file.records(&mut budget(1 << 20)).unwrap();
    let chunk = records.chunk(Owner::Object(0), &mut budget(1 << 20)).unwrap();
    assert_eq!(chunk[..4], [10, 0, 5, 0]);
    // Values outside file mode are objects in files.
    let value = Chunk::sub(3).version(5).data_version(10).identifier(0x40).guid((1, 2)).word(3);
    let inside = old(33, 10, b"It").identifier(0x11).object_sequence(&[Some(10)]);
    let inside = inside.sub_chunk_sequence(&[Some(value)]).manager_sequence((3, 4), &[5]);
    let (_, left) = of(33, inside, true);
    assert!(left.contains("no place in the chunk of a file"), "{left}");
}

/// Layouts of old data versions that say nothing of how they are saved today: the whole chunk stays, and why is told.
#[test]
fn old_layouts_that_stay_are_told_of() {
    // In file mode, so that nothing of them is in an old generation.
    let chunk = |class_id, version| Chunk::object(class_id).data_version(version);
    let character = || chunk(40, 4).identifier(0x40_0000).object_sequence(&[None]);
    let part = || chunk(42, 4).identifier(0x400_0000).object_ref(None);
    let point = entity(Chunk::sub(36).data_version(4), [0.0; 3]);
    let curve = || chunk(43, 4).identifier(0x40_0000).floats(&[0.0]);
    let wave = |version| chunk(25, version).identifier(0x80_0000).word(1000);
    let settings = |version, kind| {
        let wave = wave(version).identifier(0x40_0000).words(&[kind]).floats(&[0.5, 1.0, 0.0, 1.0]);
        let wave = wave.floats(&[0.0; 3]).floats(&[90.0, 180.0, 0.5, 1.0, 100.0]);
        wave.word(0).object_ref(None).buffer(&[0; 12]).buffer(&[0; 12]).word(0)
    };
    let running = "animations and references are in sections of their own";
    let keys = "data version 0";
    let played = "how it is played is saved in an older layout";
    let stay = [
        (40, character().identifier(0x100_0000).object_sequence(&[]).words(&[!0, !0]), running),
        (40, character().identifier(0x200_0000).object_ref(None), running),
        (40, character().identifier(0x2000_0000).object_ref(None), running),
        (
            42,
            part().identifier(0x100_0000).word(72).floats(&[1.0; 18]),
            "its joint is in a section",
        ),
        (
            43,
            curve().identifier(0xFF00_0000).word(1).object_ref(None).sub_chunk(&point),
            "its points",
        ),
        (15, chunk(15, 0).identifier(0x1000).floats(&[0.0; 3]), keys),
        (15, chunk(15, 0).identifier(0x2000).floats(&[25.0]), keys),
        (25, wave(0).identifier(0x40_0000).words(&[0; 20]), played),
        (25, wave(1).identifier(0x40_0000).words(&[1; 20]), played),
        (25, wave(2).identifier(0x40_0000).words(&[1, 0, 0, 0, 0, 0, 0, 0]), played),
        (25, settings(3, 3), "engines pass over the cone"),
        (25, settings(9, 3), "engines pass over the cone"),
        (10, chunk(10, 0).identifier(0x4_0000).word(1), "engines refuse scenes"),
    ];
    for (class_id, chunk, why) in stay {
        let bytes = chunk.build().bytes;
        let (file, left) = of(class_id, chunk, false);
        assert!(left.contains(why) && left.contains(": 1"), "{class_id}: {left}");
        let records = file.records(&mut budget(1 << 20)).unwrap();
        assert_eq!(
            records.chunk(Owner::Object(0), &mut budget(1 << 20)).unwrap(),
            &bytes[..],
            "{why}"
        );
    }
    // Beside them, what has none of this is brought along.
    let (file, left) = of(42, part(), false);
    assert_eq!(left, "");
    assert!(matches!(value(&file, 0), Value::BodyPart(part) if part.data.is_some()));
    let (file, left) = of(40, character(), false);
    assert_eq!(left, "");
    let Value::Character(it) = value(&file, 0) else { panic!() };
    assert_eq!(it.body_parts.unwrap().len(), 1);
    for (chunk, lossy) in [(settings(9, 2), false), (settings(3, 3), true)] {
        let (file, left) = of(25, chunk, lossy);
        assert_eq!(left, "");
        let Value::WaveSound(sound) = value(&file, 0) else { panic!() };
        assert_eq!(sound.settings.unwrap().cone_outer_angle, 180.0);
    }
}

/// What old characters, curves and their like hold outside file mode has no place in a file of today.
#[test]
fn old_layouts_outside_file_mode_stay() {
    let part = Chunk::sub(42).version(5).data_version(4).identifier(0x400_0000).object_ref(None);
    let point = entity(old(36, 4, b"It"), [0.0; 3]);
    let pair = |chunk: Chunk, inner: &Chunk| chunk.word(1).object_ref(Some(10)).sub_chunk(inner);
    let stay = [
        (40, old(40, 4, b"It").identifier(0x400_0000).words(&[7, 0, 0]), "no place"),
        (40, pair(old(40, 4, b"It").identifier(0x1000_0000), &part), "no place"),
        (43, pair(old(43, 4, b"It").identifier(0xFF00_0000), &point), "its points"),
        (8, pair(old(8, 4, b"It").identifier(0x100), &part), "no place"),
        (42, old(42, 4, b"It").identifier(0x100_0000).word(72).floats(&[0.0; 18]), "its joint"),
        (25, old(25, 2, b"It").identifier(0x40_0000).words(&[1, 0, 0, 0, 0, 0, 0, 0]), "is played"),
    ];
    for (class_id, chunk, why) in stay {
        let (file, left) = of(class_id, chunk, true);
        assert!(left.contains(why), "{class_id} {why}: {left}");
        assert!(file.has_old_chunks(&mut budget(1 << 20)).unwrap());
    }
}

/// Bare data and marked references of FileVersion 2, and chunks of FileVersion 4.
#[test]
fn the_oldest_references_become_positions() {
    for (version, chunk_version) in [(2, 0), (4, 4)] {
        let chunk = |class_id, name: &[u8]| {
            let chunk = Chunk::sub(class_id).version(chunk_version).data_version(0);
            chunk.identifier(1).string(name)
        };
        let group = chunk(23, b"All").identifier(0xF_FFFF);
        let group = group.object_sequence(&[Some(30), Some(99), Some(20)]);
        let objects = vec![
            ObjectEntry::new(20, 23, b"All", group),
            ObjectEntry::new(30, 33, b"One", chunk(33, b"One")),
        ];
        let sample = VirtoolsFile { file_version: version, objects, ..VirtoolsFile::default() };
        let (file, _) = renewed(&open_file(&sample.build().bytes), false);
        let Value::Group(group) = value(&file, 0) else { panic!() };
        let members: Vec<u32> = group.members.unwrap().iter().map(|it| it.get()).collect();
        assert_eq!(members, [1, u32::MAX, 0], "{version}");
        assert!(!file.has_old_chunks(&mut budget(1 << 20)).unwrap());
    }
}

/// Bare data can hold nothing of today's chunks: the file would be names alone.
#[test]
fn a_file_without_content_is_not_written() {
    let objects = vec![ObjectEntry::new(1, 23, b"A", Chunk::object(23).identifier(5).word(1))];
    let file = open_file(&VirtoolsFile { objects, ..VirtoolsFile::default() }.build().bytes);
    let convert = Convert { version: Some(2), lossy: true, ..Convert::default() };
    let (written, _) = with_task(1 << 20, |task| {
        let options = WriteOptions { convert, ..WriteOptions::default() };
        file.write(&mut Vec::new(), &options, task)
    });
    assert_eq!(written.unwrap_err().code().id, "VT193");
}
