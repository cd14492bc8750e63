//! Patches that the fuzzer writes, made to a sample of GameData and to an archive, and taken back; and patches between files that
//! differ in bytes of the fuzzer's choice, which make each of the other.
#![no_main]

use spelunk::{
    Bytes, Options, Source, WriteOptions,
    compare::merge::{OnConflict, merge},
    compare::patch::AnyPatch,
    containers::pack::Origin,
};
use std::sync::{Arc, LazyLock};

fn written(mut opened: spelunk::Opened) -> Vec<u8> {
    let mut bytes = Vec::new();
    opened
        .run(|container, task| container.write(&mut bytes, &WriteOptions::default(), task))
        .expect("memory takes everything");
    bytes
}

/// A sample of GameData, and one of an archive.
static GIVEN: LazyLock<(Bytes, Bytes)> = LazyLock::new(|| {
    let samples = spelunk_fixtures::samples();
    let sample = samples.into_iter().find(|sample| sample.name == "GameData.cff");
    let archive = spelunk_fixtures::samples::pak().build();
    (sample.expect("it is one").fixture.bytes.into(), archive.bytes.into())
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (base, archive) = &*GIVEN;
    let options = Options::default();
    let archive: Arc<dyn Source> = Arc::new(archive.clone());
    let source: Arc<dyn Source> = Arc::new(base.clone());
    let origin = Origin { source: &source, options: &options };
    if let Ok(patch) = AnyPatch::parse(data) {
        let _ = patch.apply(&origin);
        let _ = patch.apply(&Origin { source: &archive, options: &options });
        let _ = patch.reversed().apply(&origin);
        return;
    }
    // Three bytes are a place and what is to be there.
    let mut other = base.to_vec();
    for change in data.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % other.len();
        other[at] = change[2];
    }
    let source: Arc<dyn Source> = Arc::new(Bytes::from(other.clone()));
    let changed = Origin { source: &source, options: &options };
    let Ok(patch) = AnyPatch::between(&origin, &changed) else { return };
    for (patch, from, to) in
        [(patch.clone(), &origin, &other[..]), (patch.reversed(), &changed, &base[..])]
    {
        let text = patch.text().expect("it is told");
        let patch = AnyPatch::parse(text.as_bytes()).expect("it is read");
        let applied = patch.apply(from).expect("it fits");
        assert!(applied.conflicts.is_empty(), "{:?}", applied.conflicts);
        assert!(written(applied.opened) == to);
    }
    let open =
        |bytes: &[u8]| spelunk::Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &options);
    if let (Ok(a), Ok(b)) = (open(base), open(&other)) {
        let _ = merge([&a, &b, &a], OnConflict::Theirs, &options);
    }
});
