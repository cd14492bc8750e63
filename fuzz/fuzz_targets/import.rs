//! Models into a new file and into one that is there. The bytes tell whether it is glTF; all else is taken for OBJ.
//! What is imported opens again, is sound, and its memory is in proportion.
#![no_main]

use spelunk::{
    Bytes, Opened, Options, Result,
    models::import::{self, Imported, import},
};
use std::sync::Arc;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let source = Bytes::copy_from_slice(data);
    let name = if data.starts_with(b"glTF") || data.starts_with(b"{") { "a.gltf" } else { "a.obj" };
    let wishes = import::Options { split: true, ..import::Options::default() };
    let Ok(file) = written(import(&source, name, None, &wishes, &Options::default())) else {
        return;
    };
    // Once more, into what came of it: everything meets itself.
    for policy in [import::Policy::Rename, import::Policy::Replace, import::Policy::Keep] {
        let policies = import::Policies {
            object: policy,
            mesh: policy,
            material: policy,
            texture: policy,
            group: policy,
        };
        let wishes = import::Options { policies, ..wishes.clone() };
        let into = Arc::new(Bytes::from(file.clone()));
        let _ = written(import(&source, name, Some(into), &wishes, &Options::default()));
    }
});

/// The file that was made, which opens and is sound.
fn written(imported: Result<Imported>) -> Result<Vec<u8>> {
    let Imported { mut opened, options, .. } = imported?;
    let mut file = Vec::new();
    opened.run(|container, task| container.write(&mut file, &options, task))?;
    let source = Arc::new(Bytes::from(file.clone()));
    let mut again = Opened::open(source, &Options::default())?;
    again.run(|container, task| container.verify(task))?;
    let findings = &again.findings().findings;
    assert!(!again.findings().has_errors(), "{findings:?}");
    Ok(file)
}
