//! What the examples share: the pack that they work on.

use snpak::{
    Codec, Pack,
    build::{Asset, Bulk, Options, Payload, name_id},
    edit::Draft,
    types,
};
use spelunk_core::{
    Budget, Bytes, Collect, Limits, Result, Source, Task,
    scalar::Uuid,
    source::{self, Mapping},
};
use std::{io::Cursor, path::Path, sync::Arc};

/// Runs `work` with a task that collects findings, and prints those.
pub fn with_task<T>(work: impl FnOnce(&mut Task<'_>) -> Result<T>) -> Result<T> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let result = work(&mut task);
    for finding in &sink.findings {
        eprintln!("{}: {}", finding.severity.name(), finding.error);
    }
    result
}

/// Opens the pack that the first argument names, or one that is made for the occasion.
pub fn open() -> Result<Pack> {
    with_task(|task| {
        let source: Arc<dyn Source> = match std::env::args_os().nth(1) {
            Some(path) => source::open(Path::new(&path), Mapping::default())?,
            None => Arc::new(Bytes::from(made(task)?)),
        };
        Pack::read_from(source, task)
    })
}

/// A pack of a few textures with mips, one of them in two variants, and of a few other assets.
fn made(task: &mut Task<'_>) -> Result<Vec<u8>> {
    let mut draft = Draft::default();
    for (name, variant, side) in [
        ("textures/bark", None, 256),
        ("textures/bark", Some("mobile"), 64),
        ("textures/leaf", None, 128),
        ("textures/moss", None, 128),
    ] {
        draft.add(texture(name, variant, side))?;
    }
    for nth in 0..20_u32 {
        let name = format!("levels/forest_{nth:02}");
        let text = format!("oak {nth} birch ").repeat(1000);
        let payload = Payload::new(text.into_bytes(), Codec::default());
        draft.add(Asset::new(name_id(name.as_bytes(), None), name, payload))?;
    }
    let mut out = Cursor::new(Vec::new());
    draft.write(&mut out, Options::default(), task)?;
    Ok(out.into_inner())
}

/// A texture of RGBA8 pixels: its size as the main payload, each mip as bulk of its own, stored as it is.
fn texture(name: &str, variant: Option<&str>, side: u32) -> Asset {
    let sides: Vec<u32> = (0..).map(|level| side >> level).take_while(|side| *side > 0).collect();
    let info = [side, side, sides.len() as u32, 1];
    let info: Vec<u8> = info.into_iter().flat_map(u32::to_le_bytes).collect();
    let id = name_id(name.as_bytes(), variant.map(str::as_bytes));
    let mut asset = Asset::new(id, name, Payload::new(info, Codec::NONE));
    asset.kind = Uuid(types::TEXTURE);
    asset.payload_type = Uuid(types::TEXTURE_INFO);
    asset.variant = variant.map(|variant| variant.as_bytes().to_vec());
    for (level, side) in (0..).zip(sides) {
        let pixel = |nth: u32| [(nth % side) as u8, (nth / side) as u8, 64, 255];
        let pixels: Vec<u8> = (0..side * side).flat_map(pixel).collect();
        asset.bulk.push(Bulk::new(1, level, Payload::new(pixels, Codec::NONE)));
    }
    asset
}
