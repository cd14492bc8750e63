//! Writing a chunk file from its model: `docs/formats/cff.md#1-file-header` to
//! `docs/formats/cff.md#4-wide-headers`.

use super::{
    chunk::{Chunk, ChunkFile},
    form::ChunkHeader,
};
use crate::bytes::{in_pieces, tolerate};
use spelunk_core::{
    Bytes, Result, ResultExt, Task, WriteOptions,
    scalar::{I32, fit},
};
use std::io;
use zerocopy::IntoBytes;

/// The level at which the community's editor packs (`78 9C`); for content whose old level is not known.
pub(crate) const USUAL_LEVEL: u8 = 6;

impl ChunkFile {
    /// Lays the file out and writes it: header, chunks in their order, tail.
    ///
    /// # Errors
    /// Reading and writing errors; [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) when a packed chunk
    /// grows beyond its length field.
    pub fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        out.write_all(self.header().as_bytes())?;
        for (n, chunk) in (0..).zip(self.chunks()) {
            if chunk.is_packed() && !chunk.is_damaged() && options.recompress {
                let stored = self.packed_again(n, task)?;
                let len = fit::<i32>(stored.len() as u64, "data_length").at(chunk.at())?;
                self.write_header(chunk, I32::new(len), out)?;
                out.write_all(&stored)?;
            } else {
                // The length that is stated, which of a chunk that is cut short is more than there is.
                self.write_header(chunk, chunk.header().data_length, out)?;
                let at = chunk.data_at();
                in_pieces(self.source(), at.start..at.end(), &mut task.budget, |bytes| {
                    out.write_all(bytes)
                })?;
            }
        }
        let tail = self.tail();
        in_pieces(self.source(), tail.start..tail.end(), &mut task.budget, |bytes| {
            out.write_all(bytes)
        })
    }

    /// The data of a packed chunk, packed once more. Damaged data keeps its bytes, which is reported.
    fn packed_again(&self, position: u32, task: &mut Task<'_>) -> Result<Bytes> {
        let section = self.section(position, &mut task.budget)?;
        let packed = match self.plain(position, &mut task.budget) {
            Ok(plain) => {
                // A packer has room for data that does not shrink.
                let room = plain.len() as u64;
                task.budget.memory(room).and_then(|()| {
                    let packed = section.pack(plain, USUAL_LEVEL, true, task);
                    task.budget.release(room);
                    packed
                })
            }
            Err(error) => Err(error),
        };
        match packed {
            Ok(packed) => Ok(packed),
            Err(error) => tolerate(error, task).map(|()| section.stored_bytes().clone()),
        }
    }

    /// Writes the header of a chunk with this length of its stored data.
    fn write_header(&self, chunk: &Chunk, data_length: I32, out: &mut dyn io::Write) -> Result<()> {
        let header = ChunkHeader { data_length, ..*chunk.header() };
        let bytes = self.form().encode(&header, chunk.unpacked()).at(chunk.at())?;
        Ok(out.write_all(&bytes)?)
    }
}
