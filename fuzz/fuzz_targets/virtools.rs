//! Virtools files: the signature is given, the rest is the fuzzer's.
#![no_main]

#[path = "common.rs"]
mod common;
#[path = "mutate.rs"]
mod mutate;

use spelunk_core::{Budget, Bytes, Class, Collect, Convert, Limits, Task, WriteOptions};
use virtools::{File, file::data::Owner};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(0, b"Nemo Fi\0", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let file = [b"Nemo Fi\0".as_slice(), data].concat();
    common::exercise(&file);
    // Whatever the stored checksum is, the file is read the same way: so its bytes choose here.
    if let Some([mode, other, ..]) = data.first_chunk::<4>() {
        convert(&Bytes::from(file), *mode, *other);
    }
});

/// Opens `bytes` with a budget of their own and works on the file.
fn opened<T>(bytes: &Bytes, work: impl FnOnce(&File, &mut Task<'_>) -> T) -> spelunk::Result<T> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
    let file = File::read_from(bytes, &mut task)?;
    Ok(work(&file, &mut task))
}

/// Writes the file in every FileVersion. What is written opens, is sound, and is written again as it is.
fn convert(bytes: &Bytes, mode: u8, other: u8) {
    for version in 2..=9 {
        let convert = Convert {
            version: Some(version),
            mode: (mode < 32).then_some(mode.into()),
            level: (other & 15 < 10).then_some(other & 15),
            strip_included: other & 16 != 0,
            lossy: other & 32 != 0,
            ..Convert::default()
        };
        let options = WriteOptions { convert, ..WriteOptions::default() };
        let written = opened(bytes, |file, task| {
            let mut written = Vec::new();
            let result = file.write(&mut written, &options, task);
            let from = file.head().version();
            // Names go into chunks or come out of them, and the oldest chunks have no header.
            let same =
                convert.mode.is_none() && (from < 4) == (version < 4) && (from < 7 || version >= 7);
            // In the version that it has, a file keeps the words that were wrong.
            let right = from != version || file.checksum().ok;
            let before = (!convert.lossy).then(|| objects(file, same, task));
            result.map(|()| (written, same, right, before))
        });
        let Ok(Ok((written, same, right, before))) = written else { continue };
        let written = Bytes::from(written);
        let again = opened(&written, |file, task| {
            assert!(file.checksum().ok || !right, "{convert:?}");
            if let Some(before) = before {
                assert_eq!(objects(file, same, task), before, "{convert:?}");
            }
            let mut again = Vec::new();
            let result = file.write(&mut again, &WriteOptions::default(), task);
            result.map(|()| assert!(again == written, "{convert:?}"))
        });
        if let Err(error) = again.and_then(|result| result) {
            assert_eq!(error.code().class, Class::Limit, "{convert:?}: {error}");
        }
    }
}

/// Ids, classes, names and, where they are wanted, chunks; `None` for one that cannot be inflated.
type Objects = Vec<(i32, u32, Vec<u8>, Option<Vec<u8>>)>;

fn objects(file: &File, chunks: bool, task: &mut Task<'_>) -> Objects {
    let table = file.table();
    let each = table.objects.iter().zip(0..).map(|(object, index)| {
        let records = file.records(&mut task.budget).ok().filter(|_| chunks);
        let chunk = records.and_then(|records| {
            let chunk = records.chunk(Owner::Object(index), &mut task.budget);
            chunk.ok().map(<[u8]>::to_vec)
        });
        (object.id, object.class_id, table.name(object).to_vec(), chunk)
    });
    each.collect()
}
