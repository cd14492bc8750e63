//! Opens a pack, finds assets by id, by name and by name and variant, and loads them.
//!
//! `cargo run --example load_by_id [PACK]`

mod common;

use snpak::{AssetId, Pack};
use spelunk_core::Result;

fn main() -> Result<()> {
    let pack = common::open()?;
    println!("{} assets", pack.index().entries().len());
    let Some(first) = pack.entry(0) else {
        println!("the pack is empty");
        return Ok(());
    };

    // By id: a game refers to assets by their ids, which stay when names change. The last entry of an id counts.
    let id = AssetId::from(first.asset_id);
    let row = common::with_task(|task| pack.by_id(&id.0, &mut task.budget))?;
    if let Some(row) = row {
        load(&pack, row, &format!("by id {id}"))?;
    }

    // By name: there may be several, its variants among them.
    let Some(name) = pack.name(first) else { return Ok(()) };
    let shown = name.escape_ascii().to_string();
    let rows = common::with_task(|task| pack.by_name(name, &mut task.budget))?;
    println!("{} with the name {shown}", rows.len());

    // By name and variant: the one for this platform, or else the one without a variant.
    let rows = common::with_task(|task| {
        let mobile = pack.by_name_and_variant(name, Some(b"mobile"), &mut task.budget)?;
        match mobile.is_empty() {
            true => pack.by_name_and_variant(name, None, &mut task.budget),
            false => Ok(mobile),
        }
    })?;
    if let Some(row) = rows.last() {
        load(&pack, *row, &format!("by name {shown}, for mobile"))?;
    }

    // Where many payloads are loaded, one after the other, a buffer of one's own saves the allocations.
    let mut buffer = Vec::new();
    let mut bytes = 0;
    for row in 0..pack.index().entries().len() {
        let located = pack.locate(row)?;
        common::with_task(|task| pack.payload_into(&located, &mut buffer, task))?;
        bytes += buffer.len();
    }
    println!("all payloads: {bytes} bytes");
    Ok(())
}

/// Loads an asset: where it lies is known without reading it, and what is read is checked.
fn load(pack: &Pack, row: usize, how: &str) -> Result<()> {
    let located = pack.locate(row)?;
    let payload = common::with_task(|task| pack.load(&located, task))?;
    let kind = pack.entry(row).and_then(|entry| pack.type_name(&entry.asset_kind.0));
    println!(
        "{how}: {} bytes at {}, {}, {}",
        payload.len(),
        located.range().start,
        located.compression().name(),
        kind.unwrap_or("of no known kind"),
    );
    Ok(())
}
