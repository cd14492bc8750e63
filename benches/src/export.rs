//! The largest levels as glTF, beside decoding them and writing the same bytes.

use crate::{
    clock::Measured,
    line::{Case, Line},
    work::{Named, Work},
};
use spelunk::{Opened, Options, core::source::Source, models::export};
use std::{fs, hint::black_box, io, sync::Arc};
use virtools::{File, file::data::Owner};

const SIDES: &[&str] = &["export to glb", "decode, write the same bytes"];
const OVER: &str = "decode, and write the same bytes";

/// The files that make the largest and the second largest model.
pub const CASES: &[Case] = &[
    Case {
        sides: SIDES,
        lines: &[Line::ratio("virtools-glb", "export of the largest model to glb", OVER)],
        measure: |work| one(work, 0),
    },
    Case {
        sides: SIDES,
        lines: &[Line::ratio("virtools-glb-second", "export of the second largest one", OVER)],
        measure: |work| one(work, 1),
    },
];

/// A file as glTF.
fn glb(bytes: &spelunk::Bytes) -> Option<Vec<u8>> {
    let mut opened = Opened::open(Arc::new(bytes.clone()), &Options::default()).ok()?;
    let model = export::gltf::export(&mut opened, &export::Options::default()).ok()?;
    let mut glb = Vec::new();
    model.write_glb(&mut glb).ok()?;
    Some(glb)
}

fn one(work: &Work, nth: usize) -> io::Result<Measured> {
    let mut levels: Vec<(Vec<u8>, &Named)> =
        work.virtools()?.iter().filter_map(|file| Some((glb(&file.1)?, file))).collect();
    levels.sort_by_key(|(glb, _)| std::cmp::Reverse(glb.len()));
    let Some((glb, (name, bytes))) = levels.get(nth) else {
        return Measured::absent("there is no such file");
    };
    let out = work.folder("export")?.join("out.glb");
    let open = || {
        let source: Arc<dyn Source> = Arc::new(bytes.clone());
        Opened::open(source, &Options::default()).expect("opened before")
    };
    let mut ours = || {
        let model = export::gltf::export(&mut open(), &export::Options::default());
        let mut file = fs::File::create(&out).expect("a temporary file");
        model.expect("exported before").write_glb(&mut file).expect("a temporary file");
    };
    let mut bare = || {
        open().run(|container, task| {
            let file = container.model::<File>().expect("a Virtools file");
            for (_, index) in file.table().objects.iter().zip(0..) {
                let owner = Owner::Object(index);
                let value = file.value(owner, &mut Vec::new(), &mut task.budget);
                black_box(value.expect("sound"));
            }
        });
        fs::write(&out, glb).expect("a temporary file");
    };
    Measured::of(work.rounds, [&mut ours, &mut bare])
        .with(format!("{name}, {} bytes of glb", glb.len()))
}
