//! The hot loops, each over a file that is made for it.

use crate::made::{self, with_task};
use snpak::{
    Codec, Compression, Pack, build::Asset, build::Options, build::Payload, build::name_id,
};
use spellforce::{
    cff::{Cff, ChunkFile, Chunks},
    map::Map,
    pak::Archive,
};
use spelunk_core::{
    Bytes, Field, Format, Halt, Result, Shape, Source, Span, Step, Task, Val, Walk, Walked,
    walk::{Group, finish},
};
use spelunk_fixtures::{cff, samples, workload};
use std::{hint::black_box, io::Cursor, sync::Arc};
use virtools::{
    File,
    class::{Value, ValuePool},
    codec::Saved,
    file::data::Owner,
};

/// A loop: makes its file, and gives what is counted.
pub struct Loop {
    /// Name, as arguments name it.
    pub name: &'static str,
    /// What is counted.
    pub what: &'static str,
    /// Makes the file.
    pub make: fn() -> Box<dyn FnMut()>,
}

/// All loops.
pub const LOOPS: &[Loop] = &[
    Loop {
        name: "virtools-walk",
        what: "open and inflate a Virtools level, walk every chunk",
        make: virtools_walk,
    },
    Loop { name: "virtools-decode", what: "decode all objects of it", make: virtools_decode },
    Loop {
        name: "snpak-open",
        what: "open a pack of 20,000 assets, look one up",
        make: snpak_open,
    },
    Loop {
        name: "snpak-verify",
        what: "verify a pack of stored, LZ4 and zstd payloads",
        make: snpak_verify,
    },
    Loop { name: "cff-walk", what: "walk every field of a GameData", make: cff_walk },
    Loop {
        name: "pak-open",
        what: "open an archive of 5,000 files, check its tables",
        make: pak_open,
    },
    Loop { name: "map-read", what: "read a map of 256 cells", make: map_read },
];

/// Works without limits. Nothing may be wrong.
fn sound<T>(work: impl FnOnce(&mut Task<'_>) -> Result<T>) -> T {
    with_task(1, work).expect("made files are sound")
}

/// A level of 400 parts: 1,600 objects.
fn level() -> Bytes {
    samples::large_level(400).build().bytes.into()
}

fn virtools_walk() -> Box<dyn FnMut()> {
    let bytes = level();
    Box::new(move || {
        sound(|task| {
            let file = File::read_from(&bytes, task)?;
            file.verify_chunks(task)?;
            black_box(file);
            Ok(())
        });
    })
}

fn virtools_decode() -> Box<dyn FnMut()> {
    let file = sound(|task| {
        let file = File::read_from(&level(), task)?;
        file.records(&mut task.budget)?;
        Ok(file)
    });
    let mut values: Vec<Saved<Value>> = Vec::new();
    let mut pool = ValuePool::default();
    values.resize_with(file.table().objects.len(), Saved::default);
    Box::new(move || {
        sound(|task| {
            let mut faults = Vec::new();
            for (index, value) in (0..).zip(values.iter_mut()) {
                let owner = Owner::Object(index);
                file.value_into(value, owner, &mut pool, &mut faults, &mut task.budget)?;
            }
            assert!(faults.is_empty());
            Ok(())
        });
        black_box(&values);
    })
}

/// A pack of assets that a function makes.
fn pack(count: usize, asset: impl Fn(usize) -> (String, Payload)) -> Bytes {
    let mut draft = snpak::edit::Draft::default();
    for nth in 0..count {
        let (name, payload) = asset(nth);
        let asset = Asset::new(name_id(name.as_bytes(), None), name, payload);
        draft.add(asset).expect("a name of its own");
    }
    let mut out = Cursor::new(Vec::new());
    sound(|task| draft.write(&mut out, Options::default(), task));
    out.into_inner().into()
}

fn snpak_open() -> Box<dyn FnMut()> {
    let bytes = pack(20_000, |nth| {
        let mut bytes = Vec::new();
        workload::tiny(8, nth, &mut bytes);
        (workload::tiny_name(nth), Payload::new(bytes, Codec::NONE))
    });
    Box::new(move || {
        let found = sound(|task| {
            let pack = Pack::read_from(Arc::new(bytes.clone()), task)?;
            pack.by_name(workload::tiny_name(7_777).as_bytes(), &mut task.budget)
        });
        assert_eq!(black_box(found).len(), 1);
    })
}

fn snpak_verify() -> Box<dyn FnMut()> {
    let codecs = [Codec::NONE, Codec::new(Compression::LZ4), Codec::new(Compression::ZSTD)];
    let bytes = pack(30, |nth| {
        let mut bytes = Vec::new();
        workload::mixed(8, nth, &mut bytes);
        (workload::mixed_name(nth), Payload::new(bytes, codecs[nth % codecs.len()]))
    });
    Box::new(move || {
        sound(|task| {
            let pack = Pack::read_from(Arc::new(bytes.clone()), task)?;
            snpak::verify(&pack, task)
        });
    })
}

/// Counts what it is shown.
struct Count(u64);

impl Walk for Count {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, _: &'static Field, _: Option<Span>, _: Val<'_>) -> Walked {
        self.0 += 1;
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// A GameData with 3,000 texts of one language, and the other categories of the sample.
fn gamedata() -> Bytes {
    let contents: Vec<String> =
        (0..3_000).map(|nth| format!("Text {nth} of {}", nth * 7)).collect();
    let row = |(nth, text)| (nth, 1, 0, &b""[..], str::as_bytes(text));
    let rows: Vec<_> = (1..).zip(contents.iter().map(String::as_str)).map(row).collect();
    let mut file = samples::gamedata();
    for chunk in file.chunks.iter_mut().filter(|chunk| chunk.id == 2016) {
        chunk.payload = cff::texts(&rows);
    }
    file.build().bytes.into()
}

fn cff_walk() -> Box<dyn FnMut()> {
    let bytes = gamedata();
    Box::new(move || {
        let source: Arc<dyn Source> = Arc::new(bytes.clone());
        let mut count = Count(0);
        sound(|task| {
            let container = Cff.open(source, task)?;
            let gamedata = container.model().and_then(Chunks::gamedata).expect("a GameData");
            for (chunk, _) in gamedata.categories() {
                for row in gamedata.table(chunk, &mut task.budget)?.rows() {
                    finish(row.walk(Span::file(0, 0), None, &mut count))?;
                }
            }
            Ok(())
        });
        assert!(black_box(count.0) > 15_000, "{}", count.0);
    })
}

fn pak_open() -> Box<dyn FnMut()> {
    let bytes = made::archive(5_000);
    Box::new(move || {
        sound(|task| {
            let archive = Archive::open(Arc::new(bytes.clone()), task)?;
            archive.check_tables(task)
        });
    })
}

fn map_read() -> Box<dyn FnMut()> {
    let bytes = made::map_file(&made::map(256));
    Box::new(move || {
        let map = sound(|task| {
            let file = ChunkFile::open(Arc::new(bytes.clone()), task)?;
            Map::read(&file, task)
        });
        black_box(map);
    })
}
