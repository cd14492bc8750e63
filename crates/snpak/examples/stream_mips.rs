//! Streams a texture as games do: its smallest mip at once, larger ones as they arrive.
//!
//! `cargo run --example stream_mips [PACK]`

mod common;

use snpak::texture::Texture;
use spelunk_core::Result;
use std::{sync::mpsc, thread};

fn main() -> Result<()> {
    let pack = common::open()?;

    // The first texture of the pack. Its main payload is small: it tells size, format and mips.
    let rows = 0..pack.index().entries().len();
    let Some(row) = rows.into_iter().find(|row| Texture::is_texture(&pack, *row)) else {
        println!("the pack has no texture of a known type");
        return Ok(());
    };
    let Some(texture) = common::with_task(|task| Texture::read(&pack, row, task))? else {
        return Ok(());
    };
    println!(
        "texture {} x {} {}, {} mips",
        texture.width,
        texture.height,
        texture.format.name(),
        texture.mips.len(),
    );

    // Where all mips lie is known before any of them is read. A source that fetches over a network is told at once,
    // so that it can ask for neighbours together; for a file on disk this warms the cache of the system.
    let order: Vec<u32> = texture.smallest_first().map(|mip| mip.level).collect();
    let mut ranges = Vec::new();
    for level in &order {
        ranges.push(texture.locate(&pack, *level)?.range());
    }
    pack.source().prefetch(&ranges);

    // One thread loads, smallest first. The game draws with what it has, and is never made to wait for a larger mip.
    let (sender, arrived) = mpsc::channel();
    thread::scope(|scope| {
        let (pack, texture) = (&pack, &texture);
        scope.spawn(move || {
            for level in order {
                let pixels = common::with_task(|task| texture.load(pack, level, task));
                // Nobody listens any more: the texture is not needed.
                if sender.send((level, pixels)).is_err() {
                    return;
                }
            }
        });
        let mut best = None;
        for (level, pixels) in arrived {
            let pixels = pixels?;
            let Some(mip) = texture.mips.get(level as usize) else { continue };
            println!("mip {level}: {} x {}, {} bytes", mip.width, mip.height, pixels.len());
            // Here the pixels go to the graphics card, and the sampler may use mips from this one on.
            best = Some(level);
        }
        println!("drawn with mip {} and below", best.map_or("none".to_owned(), |b| b.to_string()));
        Ok(())
    })
}
