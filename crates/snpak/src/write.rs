//! Writing: the blocks of the layout, one after the other.

use crate::{
    chain,
    chunk::{Chunk, with_bytes},
    compression::{self, Decoder},
    layout::{Block, Layout, Part},
    pack::Pack,
};
use spelunk_core::{Error, Result, Span, Task, WriteOptions};
use std::io;
use zerocopy::IntoBytes;

/// How many bytes are copied at a time where the source does not lend them.
const WINDOW: u64 = 1 << 20;

/// Writes a pack. Without options these are the bytes that were opened.
///
/// With `recompress` every packed chunk is decoded and packed again with everything that writers of the
/// format did for its id and level; where none of that gives the stored bytes, they are kept and
/// [`NO_LEVEL`](spelunk_core::codes::NO_LEVEL) is noted.
///
/// # Errors
/// Limits; reading and writing errors.
pub fn write(
    pack: &Pack,
    out: &mut dyn io::Write,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<()> {
    let layout = Layout::new(pack, task)?;
    let mut decoder = Decoder::default();
    for block in &layout.blocks {
        match block.part {
            Part::Header => out.write_all(layout.header.as_bytes())?,
            Part::Strings(nth) => {
                if let Some(table) = layout.strings.get(nth as usize) {
                    out.write_all(table.block())?;
                }
            }
            Part::Index(nth) => {
                if let Some(index) = layout.indexes.get(nth as usize) {
                    out.write_all(index.block())?;
                }
            }
            Part::Chunk => {
                if options.recompress {
                    recompress(pack, block, &mut decoder, task)?;
                }
                copy(pack, block.at(), out, task)?;
            }
            Part::Gap | Part::Tail => copy(pack, block.at(), out, task)?,
        }
    }
    decoder.finish(&mut task.budget);
    Ok(())
}

/// Copies the bytes of `at` to `out`.
fn copy(pack: &Pack, at: Span, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
    let mut done = 0;
    while done < at.len {
        let part = at.part(done, at.len.saturating_sub(done).min(WINDOW));
        task.budget.steps(1)?;
        with_bytes(pack.source(), part, task, |bytes, _| Ok(out.write_all(bytes)?))?;
        done = done.saturating_add(part.len);
    }
    Ok(())
}

/// Packs the payload of a chunk again and notes where that does not give its stored bytes.
fn recompress(
    pack: &Pack,
    block: &Block,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<()> {
    let chunk =
        Chunk::read(pack.source(), block.start, block.start.saturating_add(block.len), task)?;
    let at = chunk.payload_at();
    let [level, _] = chunk.header.level.get().to_le_bytes();
    let same = with_bytes(pack.source(), at, task, |stored, task| {
        let len = chunk.header.size_uncompressed.get();
        let budget = &mut task.budget;
        let plain = decoder.decode(chunk.compression(), stored, len, at, budget)?;
        compression::reproduces(chunk.compression(), level, plain, stored, budget)
    });
    match same {
        Ok(true) => Ok(()),
        Err(error) if !chain::is_damage(&error) => Err(error),
        Ok(false) | Err(_) => {
            task.note(Error::new(&spelunk_core::codes::NO_LEVEL).at(at).field("chunk"))
        }
    }
}
