//! A file and a copy of it in which the script in front changes bytes: compared, merged, patched. A patch makes the copy of the
//! file, and the file of the copy.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "written.rs"]
mod written;

use spelunk::{
    Bytes, Class, Options, Source,
    compare::diff,
    compare::merge::{OnConflict, merge},
    compare::patch::AnyPatch,
    containers::pack::Origin,
};
use std::sync::Arc;
use written::{check, open};

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(12, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((script, old)) = data.split_first_chunk::<12>() else { return };
    if old.is_empty() {
        return;
    }
    let mut new = old.to_vec();
    for [low, high, value] in script.as_chunks().0 {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % new.len();
        new[at] = *value;
    }
    let [Ok(mut a), Ok(mut b)] = [old, &new].map(open) else { return };
    if let Ok(found) = diff::diff(&mut a, &mut b, &diff::Options::default()) {
        assert!(found.is_empty() || old != new, "a file differs from itself");
    }
    let [Ok(base), Ok(ours), Ok(theirs)] = [old, &new, old].map(open) else { return };
    if let Ok(merged) = merge([&base, &ours, &theirs], OnConflict::Theirs, &Options::default())
        && let Some(mut opened) = merged.opened
    {
        check(&mut opened);
    }
    patched(old, &new);
});

/// What makes each of the files of the other one does so, once it was text as well.
fn patched(old: &[u8], new: &[u8]) {
    let options = Options::default();
    let sources =
        [old, new].map(|bytes| -> Arc<dyn Source> { Arc::new(Bytes::copy_from_slice(bytes)) });
    let [from, to] = sources.each_ref().map(|source| Origin { source, options: &options });
    let Ok(patch) = AnyPatch::between(&from, &to) else { return };
    let Ok(text) = patch.text() else { return };
    let patch = AnyPatch::parse(text.as_bytes()).expect("a patch that was written is read");
    for (patch, from, to) in [(patch.clone(), &from, new), (patch.reversed(), &to, old)] {
        let made = patch.apply(from).and_then(|mut applied| {
            assert!(applied.conflicts.is_empty(), "{:?}", applied.conflicts);
            let mut bytes = Vec::new();
            let options = &applied.options;
            applied.opened.run(|container, task| container.write(&mut bytes, options, task))?;
            Ok(bytes)
        });
        match made {
            Ok(bytes) => assert!(bytes == to, "the patch makes another file"),
            Err(error) => assert_eq!(error.code().class, Class::Limit, "{error}"),
        }
    }
}
