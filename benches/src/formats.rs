//! Opening and fully checking the largest file of each format, and writing it, beside the bare loops that no reader can do
//! without: inflate, decompress, hash, copy. The first opening from disk has a line of its own.

use crate::{
    bare,
    clock::{Measured, measured},
    line::{Case, Line, Unit},
    work::{Work, name_of},
};
use spelunk::{Bytes, Opened, Options, WriteOptions, core::source};
use std::{fs, hint::black_box, io, sync::Arc};

/// A bare loop over a file of one format.
type Bare = fn(&[u8], &mut bare::Buffers);

/// The lines of the largest file of a format: stored plainly, or with sections that are packed.
macro_rules! case {
    ($name:literal, $format:literal, $is_packed:literal, $loop:literal, $bare:path) => {
        Case {
            sides: &["open + verify", $loop, "write", "copy"],
            lines: &[
                Line::ratio(
                    concat!("formats-", $name, "-verify"),
                    concat!($name, ": open + verify"),
                    $loop,
                ),
                Line::ratio(
                    concat!("formats-", $name, "-write"),
                    concat!($name, ": write"),
                    "copy",
                )
                .by(|t, _| t[2] / t[3]),
                Line::number(
                    concat!("formats-", $name, "-first"),
                    concat!($name, ": first opening, from disk"),
                    Unit::Microseconds,
                    0,
                ),
            ],
            measure: |work| one(work, $format, $is_packed, $bare),
        }
    };
}

/// What has to be done to every file of a format at the least, for the two kinds of its files.
pub const CASES: &[Case] = &[
    case!("virtools-stored", "virtools", false, "Adler-32 + inflate", bare::virtools),
    case!("virtools-packed", "virtools", true, "Adler-32 + inflate", bare::virtools),
    case!("snpak-stored", "snpak", false, "decompress + XXH3-128", bare::snpak),
    case!("snpak-packed", "snpak", true, "decompress + XXH3-128", bare::snpak),
    case!("cff-stored", "spellforce-cff", false, "step through headers and rows", bare::chunk_file),
    case!("cff-packed", "spellforce-cff", true, "step through headers and rows", bare::chunk_file),
    case!("map-stored", "spellforce-map", false, "inflate", bare::chunk_file),
    case!("map-packed", "spellforce-map", true, "inflate", bare::chunk_file),
    case!("pak", "spellforce-pak", false, "CRC-32 + path hashes", bare::pak),
    case!("pakdata", "spellforce-pakdata", false, "UTF-8 of every text", bare::pakdata),
];

fn one(work: &Work, format: &str, is_packed: bool, bare: Bare) -> io::Result<Measured> {
    let Some(path) = work.largest(format, is_packed)? else {
        return Measured::absent("there is no such file");
    };
    let mut first = Ok(());
    // Nothing of the file is mapped by this process, but its format was looked at.
    let opening = measured(|| {
        first = Opened::open_path(path, &Options::default()).map(|opened| drop(black_box(opened)));
    });
    first.map_err(io::Error::other)?;
    let bytes = Bytes::from(fs::read(path)?);
    let len = bytes.len();
    let mut reused = spelunk::Buffers::default();
    let mut verify = || {
        let source: Arc<dyn source::Source> = Arc::new(bytes.clone());
        let before = std::mem::take(&mut reused);
        let mut opened =
            Opened::open_reusing(source, &Options::default(), before).expect("opened before");
        opened.run(|container, task| container.verify(task)).expect("collected, not failed");
        reused = opened.into_buffers();
    };
    let mut buffers = bare::Buffers::default();
    let mut least = || bare(&bytes, &mut buffers);
    let mut opened =
        Opened::open(Arc::new(bytes.clone()), &Options::default()).map_err(io::Error::other)?;
    let mut out: Vec<u8> = Vec::with_capacity(len);
    let mut write = || {
        out.clear();
        opened
            .run(|container, task| {
                // Every round has the whole budget.
                task.budget = spelunk::Budget::new(spelunk::Limits::for_len(len as u64));
                container.write(&mut out, &WriteOptions::default(), task)
            })
            .expect("written");
        assert_eq!(out.len(), len);
        black_box(&out);
    };
    let mut copy: Vec<u8> = Vec::with_capacity(len);
    let mut copied = || {
        copy.clear();
        copy.extend_from_slice(&bytes);
        black_box(&copy);
    };
    Measured::of(work.rounds, [&mut verify, &mut least, &mut write, &mut copied])
        .and(&[opening.wall])
        .with(format!("{}, {len} bytes", name_of(path)))
}
