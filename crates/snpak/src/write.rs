//! Writing: the blocks of the layout, one after the other.

use crate::{
    chain,
    chunk::{Chunk, copy, with_bytes},
    compression::{Decoder, reproduces},
    layout::{Block, Layout, PackBlockKind},
    pack::Pack,
};
use spelunk_core::{Error, Result, Task, WriteOptions};
use std::io;
use zerocopy::IntoBytes;

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
    options.convert.refuse()?;
    task.transient(|task| {
        let layout = Layout::new(pack, task)?;
        Decoder::with_scratch(task, |decoder, task| {
            layout.blocks.iter().try_for_each(|block| {
                if options.recompress && block.part == PackBlockKind::Chunk {
                    recompress(pack, block, decoder, task)?;
                }
                write_block(pack, &layout, block, out, task)
            })
        })
    })
}

fn write_block(
    pack: &Pack,
    layout: &Layout,
    block: &Block,
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let bytes: &[u8] = match block.part {
        PackBlockKind::Header => layout.header.as_bytes(),
        PackBlockKind::Strings(nth) => {
            layout.strings.get(nth as usize).map_or(&[], |table| table.block())
        }
        PackBlockKind::Index(nth) => {
            layout.indexes.get(nth as usize).map_or(&[], |index| index.block())
        }
        PackBlockKind::Chunk
        | PackBlockKind::Extension
        | PackBlockKind::Gap
        | PackBlockKind::Tail => {
            return copy(pack.source(), block.at(), out, task);
        }
    };
    Ok(out.write_all(bytes)?)
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
    let codec = chunk.codec();
    let same = with_bytes(pack.source(), at, task, |stored, task| {
        let len = chunk.header.size_uncompressed.get();
        let budget = &mut task.budget;
        let plain = decoder.decode(chunk.compression(), stored, len, at, budget)?;
        reproduces(codec, plain, stored, budget)
    });
    match same {
        Ok(true) => Ok(()),
        Err(error) if !chain::is_damage(&error) => Err(error),
        Ok(false) | Err(_) => {
            task.note(Error::new(&spelunk_core::codes::NO_LEVEL).at(at).field("chunk"))
        }
    }
}
