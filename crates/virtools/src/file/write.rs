//! The writer: lays the file out from the model.

use super::{File, header::Head};
use spelunk_core::{
    Bytes, Class, Result, ResultExt, Task, WriteOptions,
    scalar::{U32, Word, fit},
};
use std::io::Write;
use zerocopy::IntoBytes;

/// The level of nearly every packed section of real files.
const USUAL_LEVEL: u8 = 4;

impl File {
    /// Writes the file (`docs/formats/virtools.md#9-writing`). Sizes, counts and the checksum are made
    /// from what is written; words that disagreed with the content when the file was opened stay.
    ///
    /// # Errors
    /// Limits, writing errors, and what the sink makes of a finding.
    pub fn write(
        &self,
        out: &mut dyn Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let header1_len = self.header1.plain_len();
        let header1 = laid_out(header1_len, task, |out| self.table.lay_out(out))?;
        let stored_header1 =
            self.header1.pack(&header1, USUAL_LEVEL, options.recompress, task).field("header1")?;
        // Sizes that are equal say that Header1 is stored.
        let stored_header1 =
            if stored_header1.len() == header1.len() { header1.clone() } else { stored_header1 };
        let mut head = self.head;
        head.part1.object_count = number(self.table.objects.len(), "object_count")?;
        head.part1.hdr1_unpack_size = number(header1.len(), "hdr1_unpack_size")?;
        head.part0.hdr1_pack_size = number(stored_header1.len(), "hdr1_pack_size")?;
        let data = self.stored_data(&mut head, options, task)?;
        let sum = self.checksum.value(&head, &stored_header1, &data);
        head.part0.crc = Word::new(sum);
        let parts: [&[u8]; 4] =
            [head.part0.as_bytes(), head.part1.as_bytes(), &stored_header1, &data];
        for part in parts {
            out.write_all(part)?;
        }
        self.tail.write(out)
    }

    /// The stored bytes of the Data section, and its words in `head`.
    fn stored_data(
        &self,
        head: &mut Head,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<Bytes> {
        let records = match self.records(&mut task.budget) {
            Ok(records) => records,
            // What cannot be inflated has no content: its stored bytes are all there is.
            Err(error) if error.code().class == Class::Malformed => {
                return Ok(self.data.stored_bytes().clone());
            }
            Err(error) => return Err(error),
        };
        let plain_len = self.data.plain_len();
        let plain = laid_out(plain_len, task, |out| records.lay_out(out))?;
        let stored = self.data.pack(&plain, USUAL_LEVEL, options.recompress, task).field("data")?;
        if self.missing == 0 {
            head.part1.data_pack_size = number(stored.len(), "data_pack_size")?;
        }
        if self.data_sizes_agree() {
            head.part1.data_unpack_size = number(plain.len(), "data_unpack_size")?;
        }
        if records.fault.is_none() {
            head.part1.manager_count = number(records.managers.len(), "manager_count")?;
        }
        Ok(stored)
    }

    /// Whether DataUnPackSize was the size of the content when the file was opened.
    fn data_sizes_agree(&self) -> bool {
        u64::from(self.head.part1.data_unpack_size.get()) == self.data.plain_len()
    }
}

/// The number of the header word `name`.
fn number(value: usize, name: &'static str) -> Result<U32> {
    fit::<u32>(value as u64, name).map(U32::new)
}

/// `len` bytes that `lay_out` appends.
fn laid_out(len: u64, task: &mut Task<'_>, lay_out: impl FnOnce(&mut Vec<u8>)) -> Result<Bytes> {
    task.budget.touch(len)?;
    let mut out = task.budget.vec(len)?;
    lay_out(&mut out);
    Ok(out.into())
}
