//! Virtools files beside the codecs alone: all packed ones opened and walked, the largest stored one, and one with
//! a section that changed.

use crate::{
    bare::{self, Buffers},
    clock::Measured,
    line::{Case, Line},
    work::{Named, Work},
};
use spelunk::{Budget, Bytes, Collect, Limits, Task, WriteOptions};
use spelunk_core::zlib;
use std::{
    hint::black_box,
    io,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};
use virtools::{
    File,
    class::{Value, ValuePool},
    codec::Saved,
    file::data::{Owner, Records},
};

/// Level of nearly every packed section of real files.
const LEVEL: u8 = 4;

/// All packed files, all files, and the largest ones.
pub const CASES: &[Case] = &[
    Case {
        sides: &["open", "Adler-32 + inflate", "open, walk every chunk", "inflate"],
        lines: &[
            Line::ratio("virtools-open", "open all packed files, inflated", "Adler-32 + inflate")
                .at_most(1.02),
            Line::ratio("virtools-walk", "open, checksum, walk every chunk", "inflate")
                .by(|t, _| t[2] / t[3]),
        ],
        measure: opening,
    },
    Case {
        sides: &["decode", "copy"],
        lines: &[Line::ratio("virtools-decode", "decode all objects", "copy the records")],
        measure: decoding,
    },
    Case {
        sides: &["decode", "copy"],
        lines: &[Line::ratio(
            "virtools-decode-meshes",
            "decode the file with the most meshes",
            "copy the records",
        )],
        measure: decoding_meshes,
    },
    Case {
        sides: &["open and decode", "inflate and copy", "open and decode, 2 threads"],
        lines: &[
            Line::ratio("virtools-open-decode", "open and decode all files", "inflate + copy")
                .at_most(1.2),
            Line::ratio(
                "virtools-open-decode-2",
                "open and decode all files, 2 threads",
                "inflate + copy, 1 thread",
            )
            .by(|t, _| t[2] / t[1])
            .at_most(0.65)
            .on_the_wall(),
        ],
        measure: opening_and_decoding,
    },
    Case {
        sides: &["open", "Adler-32"],
        lines: &[Line::ratio("virtools-stored", "open the largest stored file", "Adler-32")],
        measure: stored,
    },
    Case {
        sides: &["write", "zlib"],
        lines: &[Line::ratio(
            "virtools-write",
            "write the largest packed file with one chunk changed",
            "zlib",
        )],
        measure: writing_changed,
    },
];

/// Files and the number of their bytes.
fn counted(files: &[&Bytes]) -> String {
    let len: usize = files.iter().map(|bytes| bytes.len()).sum();
    format!("{} files, {len} bytes", files.len())
}

/// Files whose records are packed, or stored plainly.
fn files(work: &Work, is_packed: bool) -> io::Result<Vec<&Bytes>> {
    let packed = |(_, bytes): &&Named| {
        let file = with_task(bytes, |task| File::read_from(bytes, task).expect("opened before"));
        file.head().data_packed() == is_packed
    };
    Ok(work.virtools()?.iter().filter(packed).map(|(_, bytes)| bytes).collect())
}

fn opening(work: &Work) -> io::Result<Measured> {
    let packed = files(work, true)?;
    let [mut spare, mut walked] = [Vec::new(), Vec::new()];
    let mut open = || {
        for &bytes in &packed {
            spare = with_task(bytes, |task| {
                task.spare = std::mem::take(&mut spare);
                let file = File::read_from(bytes, task).expect("opened before");
                file.inflate(task).expect("sound");
                let mut spare = std::mem::take(&mut task.spare);
                file.recycle(&mut spare);
                spare
            });
        }
    };
    let [mut buffers, mut others] = [Buffers::default(), Buffers::default()];
    let mut least = || packed.iter().for_each(|bytes| bare::virtools(bytes, &mut buffers));
    let mut walk = || {
        for &bytes in &packed {
            walked = open_and_walk(bytes, std::mem::take(&mut walked));
        }
    };
    let mut inflate = || packed.iter().for_each(|bytes| bare::inflate(bytes, &mut others));
    Measured::of(work.rounds, [&mut open, &mut least, &mut walk, &mut inflate])
        .with(counted(&packed))
}

/// Files that are opened already, with their records.
fn opened(work: &Work) -> io::Result<Vec<(&Bytes, File, Bytes)>> {
    let open = |(_, bytes): &'_ Named| {
        with_task(bytes, |task| {
            let file = File::read_from(bytes, task).expect("opened before");
            let plain = file.records(&mut task.budget).expect("sound").plain().clone();
            (file, plain)
        })
    };
    Ok(work
        .virtools()?
        .iter()
        .map(|named| (&named.1, open(named)))
        .map(|(bytes, (file, plain))| (bytes, file, plain))
        .collect())
}

/// Decodes all objects of files to values, beside copying their records.
fn decode(work: &Work, files: &[(&Bytes, File, Bytes)]) -> io::Result<Measured> {
    let mut values = Values::default();
    let mut ours =
        || files.iter().for_each(|(bytes, file, _)| decode_file(bytes, file, &mut values));
    let mut copy: Vec<u8> = Vec::new();
    let mut copied = || {
        for (.., plain) in files {
            copy.clear();
            copy.extend_from_slice(plain);
            black_box(&copy);
        }
    };
    let len: usize = files.iter().map(|(.., plain)| plain.len()).sum();
    Measured::of(work.rounds, [&mut ours, &mut copied])
        .with(format!("{} files, {len} bytes of records", files.len()))
}

fn decoding(work: &Work) -> io::Result<Measured> {
    decode(work, &opened(work)?)
}

fn decoding_meshes(work: &Work) -> io::Result<Measured> {
    let mut files = opened(work)?;
    files.sort_by_key(|(_, file, _)| std::cmp::Reverse(mesh_bytes(file)));
    files.truncate(1);
    decode(work, &files)
}

/// What a thread keeps from file to file.
#[derive(Default)]
struct Decoder {
    spare: Vec<Vec<u8>>,
    values: Values,
}

impl Decoder {
    /// Opens a file and decodes all of its objects.
    fn open(&mut self, bytes: &Bytes) {
        self.spare = with_task(bytes, |task| {
            task.spare = std::mem::take(&mut self.spare);
            let file = File::read_from(bytes, task).expect("opened before");
            file.inflate(task).expect("sound");
            decode_file(bytes, &file, &mut self.values);
            self.values.recycle();
            let mut spare = std::mem::take(&mut task.spare);
            file.recycle(&mut spare);
            spare
        });
    }
}

fn opening_and_decoding(work: &Work) -> io::Result<Measured> {
    let all: Vec<&Bytes> = work.virtools()?.iter().map(|(_, bytes)| bytes).collect();
    let mut decoder = Decoder::default();
    let mut open = || all.iter().for_each(|bytes| decoder.open(bytes));
    let mut buffers = Buffers::default();
    let mut copy = || all.iter().for_each(|bytes| bare::inflate_and_copy(bytes, &mut buffers));
    let mut decoders = [Decoder::default(), Decoder::default()];
    let mut side_by_side = || {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for decoder in &mut decoders {
                let (next, all) = (&next, &all);
                scope.spawn(move || {
                    while let Some(bytes) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                        decoder.open(bytes);
                    }
                });
            }
        });
    };
    Measured::of(work.rounds, [&mut open, &mut copy, &mut side_by_side]).with(counted(&all))
}

fn stored(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = files(work, false)?.into_iter().max_by_key(|bytes| bytes.len()) else {
        return Measured::absent("there is no such file");
    };
    let mut open = || {
        let opened = with_task(bytes, |task| File::read_from(bytes, task));
        black_box(opened.expect("opened before"));
    };
    let mut sum = || {
        black_box(zlib::adler32(bytes));
    };
    Measured::of(work.rounds, [&mut open, &mut sum]).with(counted(&[bytes]))
}

/// Bytes of the chunks of meshes.
fn mesh_bytes(file: &File) -> u64 {
    const MESH: u32 = 32;
    with_task(&Bytes::new(), |task| {
        let records = file.records(&mut task.budget).expect("read");
        let objects = file.table().objects.iter().zip(0..);
        let meshes = objects.filter(|(object, _)| object.class_id == MESH);
        meshes.map(|(_, index)| records.chunk_len(Owner::Object(index))).sum()
    })
}

/// Values of all objects of a file, whose memory is used again.
#[derive(Default)]
struct Values {
    values: Vec<Saved<Value>>,
    pool: ValuePool,
}

impl Values {
    /// Lets go of the file that was decoded last.
    fn recycle(&mut self) {
        self.values.iter_mut().for_each(|value| self.pool.recycle(value));
    }
}

/// Decodes all objects of a file.
fn decode_file(bytes: &Bytes, file: &File, Values { values, pool }: &mut Values) {
    let count = file.table().objects.len();
    if values.len() < count {
        values.resize_with(count, Saved::default);
    }
    with_task(bytes, |task| {
        let mut faults = Vec::new();
        for (index, value) in (0..).zip(values.iter_mut().take(count)) {
            let owner = Owner::Object(index);
            file.value_into(value, owner, pool, &mut faults, &mut task.budget).expect("sound");
        }
    });
    black_box(values);
}

/// Opens a file and looks at every identifier, list and sub-chunk of every chunk. Gives its buffers back.
fn open_and_walk(bytes: &Bytes, spare: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    with_task(bytes, |task| {
        task.spare = spare;
        let file = File::read_from(bytes, task).expect("opened before");
        file.verify_chunks(task).expect("collected");
        let mut spare = std::mem::take(&mut task.spare);
        file.recycle(&mut spare);
        spare
    })
}

/// A file of which the last byte of the first chunk is another.
fn changed_file(bytes: &Bytes) -> File {
    with_task(bytes, |task| {
        let mut file = File::read_from(bytes, task).expect("opened before");
        let chunk = |records: &Records, budget: &mut Budget| {
            records.chunk_bytes(Owner::Object(0), budget).expect("sound").to_vec()
        };
        let mut changed = chunk(file.records(&mut task.budget).expect("sound"), &mut task.budget);
        if let Some(byte) = changed.last_mut() {
            *byte ^= 1;
        }
        file.set_chunk(Owner::Object(0), changed.into(), &mut task.budget).expect("its object");
        file
    })
}

/// The same as bytes.
pub fn changed(bytes: &Bytes) -> Vec<u8> {
    let file = changed_file(bytes);
    let mut out = Vec::new();
    with_task(bytes, |task| file.write(&mut out, &WriteOptions::default(), task)).expect("written");
    out
}

/// Writes a file with one chunk changed, beside packing its Data section.
fn writing_changed(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = files(work, true)?.into_iter().max_by_key(|bytes| bytes.len()) else {
        return Measured::absent("there is no such file");
    };
    let file = changed_file(bytes);
    let plain = with_task(bytes, |task| {
        let file = File::read_from(bytes, task).expect("opened before");
        file.plain_data(&mut task.budget).expect("sound").clone()
    });
    let mut out = Vec::with_capacity(bytes.len() * 2);
    let mut write = || {
        out.clear();
        with_task(bytes, |task| file.write(&mut out, &WriteOptions::default(), task))
            .expect("written");
        black_box(&out);
    };
    let mut deflate = || {
        black_box(zlib::deflate(&plain, LEVEL));
    };
    Measured::of(work.rounds, [&mut write, &mut deflate]).with(counted(&[bytes]))
}

fn with_task<T>(bytes: &Bytes, work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    let limits = Limits::for_len(bytes.len() as u64);
    work(&mut Task::new(Budget::new(limits), &mut sink))
}
