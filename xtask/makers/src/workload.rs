//! The assets that the benchmarks of packs work with.

use snpak::{
    Codec,
    build::{Asset, Options, Payload, name_id},
    edit::Draft,
};
use spelunk_core::{Budget, Collect, Limits, Task};
use spelunk_fixtures::workload;
use std::{
    fs,
    io::{self, BufWriter, Write},
    path::Path,
};

/// Everybody measures the same bytes.
const SEED: u64 = 8;

/// Makes `dir/mixed` and `dir/tiny.snpak`, of as many assets as `counts` says.
pub fn make(dir: &Path, counts: &[&str]) -> io::Result<()> {
    let count = |nth: usize, default: usize| match counts.get(nth) {
        Some(text) => text.parse().map_err(io::Error::other),
        None => Ok(default),
    };
    let (assets, tiny) = (count(0, 20_000)?, count(1, 1_000_000)?);
    let folder = dir.join("mixed");
    workload::write_mixed(&folder, SEED, assets)?;
    println!("{}: {assets} files of {} bytes", folder.display(), workload::MIXED_SIZE);
    let path = dir.join("tiny.snpak");
    let size = pack_tiny(&path, tiny).map_err(io::Error::other)?;
    println!("{}: {tiny} assets, {size} bytes", path.display());
    Ok(())
}

/// Writes a pack of tiny assets that are stored plainly; gives its size.
fn pack_tiny(path: &Path, count: usize) -> spelunk_core::Result<u64> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let mut draft = Draft::default();
    let mut bytes = Vec::new();
    for nth in 0..count {
        workload::tiny(SEED, nth, &mut bytes);
        let name = workload::tiny_name(nth);
        let payload = Payload::new(bytes.clone(), Codec::NONE);
        draft.add(Asset::new(name_id(name.as_bytes(), None), name, payload))?;
    }
    let mut out = BufWriter::new(fs::File::create(path)?);
    let written = draft.write(&mut out, Options::default(), &mut task)?;
    out.flush()?;
    Ok(written.size)
}
