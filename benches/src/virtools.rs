//! Virtools files beside the codecs alone: all packed ones opened and walked, the largest stored one, and one with
//! a section that changed.

use crate::{bare::Buffers, timing::line};
use spelunk::{Budget, Bytes, Collect, Limits, Task, WriteOptions};
use spelunk_core::zlib;
use std::{fs, hint::black_box, io, path::PathBuf};
use virtools::{
    File,
    class::{Value, ValuePool},
    codec::Saved,
    file::data::{Owner, Records},
};

/// Level of nearly every packed section of real files.
const LEVEL: u8 = 4;

/// Measures the Virtools files among `files`.
pub fn measure(files: &[PathBuf]) -> io::Result<()> {
    let endings = ["nmo", "cmo", "nms"];
    let mut packed = Vec::new();
    let mut all = Vec::new();
    let mut stored: Option<Bytes> = None;
    for path in files {
        if !path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
            continue;
        }
        let bytes = Bytes::from(fs::read(path)?);
        let opened = with_task(&bytes, |task| File::read_from(&bytes, task));
        let Ok(file) = opened else { continue };
        if file.head().version() != 8 {
            continue;
        }
        all.push(bytes.clone());
        if file.head().data_packed() {
            packed.push(bytes);
        } else if stored.as_ref().is_none_or(|largest| largest.len() < bytes.len()) {
            stored = Some(bytes);
        }
    }
    println!("virtools: {} packed files", packed.len());
    let len = packed.iter().map(Bytes::len).sum();
    let mut spare = Vec::new();
    let mut buffers = Buffers::default();
    let open_all = || {
        for bytes in &packed {
            spare = open_and_walk(bytes, std::mem::take(&mut spare));
        }
    };
    // What has to be done: the sum of the stored sections, and their plain bytes.
    let sum_all = || packed.iter().for_each(|bytes| crate::bare::virtools(bytes, &mut buffers));
    line("  open, checksum, walk every chunk / Adler-32 + inflate", len, open_all, sum_all);
    decode(&all);
    if let Some(bytes) = stored {
        println!("virtools: the largest stored file");
        let open = || {
            black_box(
                with_task(&bytes, |task| File::read_from(&bytes, task)).expect("opened before"),
            );
        };
        let sum = || {
            black_box(zlib::adler32(&bytes));
        };
        line("  open / Adler-32", bytes.len(), open, sum);
    }
    if let Some(bytes) = packed.iter().max_by_key(|bytes| bytes.len()) {
        write_changed(bytes);
    }
    Ok(())
}

/// Decodes all objects to values: of files that are opened already, beside copying their records; and from the
/// first byte on, beside inflating and copying.
fn decode(all: &[Bytes]) {
    println!("virtools: {} files, all objects decoded", all.len());
    let mut values = Values::default();
    let mut opened = Vec::new();
    for bytes in all {
        let file = with_task(bytes, |task| {
            let file = File::read_from(bytes, task).expect("opened before");
            file.records(&mut task.budget).expect("sound");
            file
        });
        opened.push((bytes, file));
    }
    let plain = |file: &File| {
        with_task(&[][..].into(), |task| {
            file.records(&mut task.budget).expect("read").plain().clone()
        })
    };
    let (mut largest, mut meshes) = (0, 0);
    for (nth, (_, file)) in opened.iter().enumerate() {
        let of_meshes = mesh_bytes(file);
        if of_meshes > largest {
            (largest, meshes) = (of_meshes, nth);
        }
    }
    let mut copy: Vec<u8> = Vec::new();
    let mut copied = |bytes: &Bytes| {
        copy.clear();
        copy.extend_from_slice(bytes);
        black_box(&copy);
    };
    let sections: Vec<Bytes> = opened.iter().map(|(_, file)| plain(file)).collect();
    let len = sections.iter().map(Bytes::len).sum();
    line(
        "  decode all / copy the records",
        len,
        || opened.iter().for_each(|(bytes, file)| decode_file(bytes, file, &mut values)),
        || sections.iter().for_each(&mut copied),
    );
    let (bytes, file) = &opened[meshes];
    line(
        "  decode the one with the most meshes / copy the records",
        sections[meshes].len(),
        || decode_file(bytes, file, &mut values),
        || copied(&sections[meshes]),
    );
    drop(opened);
    let mut spare = Vec::new();
    let mut buffers = Buffers::default();
    let len = all.iter().map(Bytes::len).sum();
    let open_all = || {
        for bytes in all {
            spare = with_task(bytes, |task| {
                task.spare = std::mem::take(&mut spare);
                let file = File::read_from(bytes, task).expect("opened before");
                file.inflate(task).expect("sound");
                decode_file(bytes, &file, &mut values);
                values.recycle();
                let mut spare = std::mem::take(&mut task.spare);
                file.recycle(&mut spare);
                spare
            });
        }
    };
    let copy_all =
        || all.iter().for_each(|bytes| crate::bare::inflate_and_copy(bytes, &mut buffers));
    line("  open and decode all / inflate and copy", len, open_all, copy_all);
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

/// Writes a file with one chunk changed, beside packing its Data section.
fn write_changed(bytes: &Bytes) {
    let (mut file, plain) = with_task(bytes, |task| {
        let file = File::read_from(bytes, task).expect("opened before");
        let plain = file.plain_data(&mut task.budget).expect("sound").clone();
        (file, plain)
    });
    with_task(bytes, |task| {
        let chunk = |records: &Records, budget: &mut Budget| {
            records.chunk_bytes(Owner::Object(0), budget).expect("sound").to_vec()
        };
        let mut changed = chunk(file.records(&mut task.budget).expect("sound"), &mut task.budget);
        if let Some(byte) = changed.last_mut() {
            *byte ^= 1;
        }
        file.set_chunk(Owner::Object(0), changed.into(), &mut task.budget).expect("its object");
    });
    println!("virtools: the largest packed file");
    let mut out = Vec::with_capacity(bytes.len() * 2);
    let write = || {
        out.clear();
        with_task(bytes, |task| file.write(&mut out, &WriteOptions::default(), task))
            .expect("written");
        black_box(&out);
    };
    let deflate = || {
        black_box(zlib::deflate(&plain, LEVEL));
    };
    line("  write with one chunk changed / zlib", bytes.len(), write, deflate);
}

fn with_task<T>(bytes: &Bytes, work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    let limits = Limits::for_len(bytes.len() as u64);
    work(&mut Task::new(Budget::new(limits), &mut sink))
}
