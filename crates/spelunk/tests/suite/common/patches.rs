//! Patches, made and tried as the command does it.

use serde_json::{Value, json};
use spelunk::{
    Bytes, Options, Source,
    compare::patch::{AnyPatch, Applied},
    containers::pack::Origin,
};
use std::sync::Arc;

pub fn source(bytes: &[u8]) -> Arc<dyn Source> {
    Arc::new(Bytes::copy_from_slice(bytes))
}

pub fn try_between(old: &[u8], new: &[u8]) -> spelunk::Result<AnyPatch> {
    let [old, new] = [old, new].map(source);
    let options = Options::default();
    let origin = |source| Origin { source, options: &options };
    AnyPatch::between(&origin(&old), &origin(&new))
}

pub fn between(old: &[u8], new: &[u8]) -> AnyPatch {
    try_between(old, new).unwrap_or_else(|error| panic!("{error}"))
}

pub fn try_apply(patch: &AnyPatch, bytes: &[u8]) -> spelunk::Result<(Vec<u8>, Applied)> {
    let options = Options::default();
    let mut applied = patch.apply(&Origin { source: &source(bytes), options: &options })?;
    let (mut bytes, options) = (Vec::new(), applied.options);
    applied.opened.run(|container, task| container.write(&mut bytes, &options, task))?;
    Ok((bytes, applied))
}

pub fn apply(patch: &AnyPatch, bytes: &[u8]) -> (Vec<u8>, Applied) {
    try_apply(patch, bytes).unwrap_or_else(|error| panic!("{error}"))
}

/// Both ways, and through text, which is given back.
pub fn makes_each_of_the_other(name: &str, old: &[u8], new: &[u8]) -> String {
    let patch = between(old, new);
    let text = patch.text().unwrap();
    let read = AnyPatch::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read == patch, "{name}: the text tells another patch");
    for (from, to, patch) in [(old, new, read.clone()), (new, old, read.clone().reversed())] {
        let (made, applied) = apply(&patch, from);
        assert!(
            applied.same_file && applied.conflicts.is_empty(),
            "{name}: {:?}",
            applied.conflicts
        );
        assert!(made == to, "{name}: not the other file");
        // Once more, it is there already.
        let (again, applied) = apply(&patch, to);
        assert!(again == to && applied.made == 0 && applied.conflicts.is_empty(), "{name}");
    }
    assert!(read.reversed().reversed() == patch, "{name}: twice reversed");
    text
}

/// What no stretches of a patch with so many blocks can be.
pub fn wrong_runs(blocks: u64) -> [(&'static str, Value); 8] {
    [
        ("/to_new/0", json!([0, u64::MAX])),
        ("/to_new/0", json!([u64::MAX, 2])),
        ("/to_new/0", json!(blocks)),
        ("/to_new", json!([])),
        ("/to_new", json!(vec![json!([0, 1000]); 20_000])),
        ("/new/size", json!(0)),
        ("/new/xxh3", json!("0x0000000000000000")),
        ("/blocks", json!([])),
    ]
}
