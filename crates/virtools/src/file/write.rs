//! The writer: lays the file out from the model.

use super::{
    File,
    header::Head,
    part::{Compare, Content},
};
use spelunk_core::{
    Bytes, Class, Result, ResultExt, Section, Task, WriteOptions,
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
        let header1 = packed(&self.header1, &self.table, options, task).field("header1")?;
        // A new stream is only worth its while where it is smaller; equal sizes say that Header1 is stored.
        let stored_header1 = if header1.changed && header1.stored.len() >= header1.plain.len() {
            header1.plain.clone()
        } else {
            header1.stored
        };
        let mut head = self.head;
        head.part1.object_count = number(self.table.objects.len(), "object_count")?;
        head.part1.hdr1_unpack_size = number(header1.plain.len(), "hdr1_unpack_size")?;
        head.part0.hdr1_pack_size = number(stored_header1.len(), "hdr1_pack_size")?;
        let data = self.stored_data(&mut head, options, task)?;
        // Opening has summed up the very bytes that are kept.
        let kept = head == self.head
            && is_part(&stored_header1, &self.header1)
            && is_part(&data, &self.data);
        if !kept {
            task.budget.touch(stored_header1.len() as u64)?;
            task.budget.touch(data.len() as u64)?;
            head.part0.crc = Word::new(self.checksum.value(&head, &stored_header1, &data));
        }
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
        let Packed { plain, stored, .. } =
            packed(&self.data, records, options, task).field("data")?;
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

/// Whether these are the stored bytes of the section as they were opened: the same memory, not only alike.
fn is_part(stored: &[u8], section: &Section) -> bool {
    std::ptr::eq(stored, &**section.stored_bytes())
}

/// A section as it is written.
struct Packed {
    plain: Bytes,
    stored: Bytes,
    /// Whether the plain bytes are not those that were opened.
    changed: bool,
}

/// Lays the content of a section out and packs it. Where that gives the old plain bytes, those are taken, and
/// with them the old stored ones; nothing is copied then.
fn packed(
    section: &Section,
    content: &impl Content,
    options: &WriteOptions,
    task: &mut Task<'_>,
) -> Result<Packed> {
    let old = section.plain(&mut task.budget)?;
    task.budget.touch(old.len() as u64)?;
    let mut compare = Compare::with(old);
    content.lay_out(&mut compare);
    let changed = !compare.same();
    let plain = if !changed {
        if !options.recompress {
            let stored = section.stored_bytes().clone();
            return Ok(Packed { plain: old.clone(), stored, changed });
        }
        old.clone()
    } else {
        task.budget.touch(old.len() as u64)?;
        let mut new = task.budget.vec(old.len() as u64)?;
        content.lay_out(&mut new);
        new.into()
    };
    let stored = section.pack(&plain, USUAL_LEVEL, options.recompress, task)?;
    Ok(Packed { plain, stored, changed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::{Budget, finding::Collect, limits::Limits};
    use spelunk_fixtures::{samples, virtools::VirtoolsFile};

    /// Writes a file with one id and one FileIndex changed, and the same file assembled apart.
    fn changed(sample: impl Fn() -> VirtoolsFile) -> [Vec<u8>; 2] {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let bytes = Bytes::from(sample().build().bytes);
        let mut file = File::open(&bytes, &mut task).unwrap();
        file.table.objects[1].file_index = 77;
        file.table.objects[2].class_id = 9999;
        let mut written = Vec::new();
        file.write(&mut written, &WriteOptions::default(), &mut task).unwrap();
        let mut expected = sample();
        expected.objects[0].file_index.get_or_insert(file.table.objects[0].file_index);
        expected.objects[1].file_index = Some(77);
        expected.objects[2].class_id = 9999;
        [written, expected.build().bytes]
    }

    #[test]
    fn a_changed_model_is_laid_out_anew_with_its_checksum() {
        let stored = || VirtoolsFile {
            packing: spelunk_fixtures::virtools::Packing::Stored,
            ..samples::level()
        };
        let [written, expected] = changed(stored);
        assert_eq!(written, expected);
        let [written, expected] = changed(samples::level);
        if cfg!(feature = "c-codecs") {
            assert_eq!(written, expected);
        }
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let again = File::open(&Bytes::from(written), &mut task).unwrap();
        assert_eq!(again.table.objects[2].class_id, 9999);
        assert!(again.checksum.ok);
    }

    /// Opens a file, changes its table, and writes it.
    fn rewritten(bytes: &Bytes, change: impl Fn(&mut File)) -> Vec<u8> {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let mut file = File::open(bytes, &mut task).unwrap();
        change(&mut file);
        let mut written = Vec::new();
        file.write(&mut written, &WriteOptions::default(), &mut task).unwrap();
        written
    }

    /// A packed Header1 of a file without objects and plugins has 12 plain bytes, which no stream of them is
    /// smaller than.
    #[test]
    fn a_changed_header1_that_packing_does_not_make_smaller_is_stored() {
        let bytes = Bytes::from(samples::level().build().bytes);
        let written = rewritten(&bytes, |file| {
            file.table.objects.clear();
            file.table.plugins.as_mut().unwrap().groups.clear();
        });
        let head = Head::read(&written).unwrap();
        assert_eq!(head.part0.hdr1_pack_size.get(), 12);
        assert_eq!(head.part1.hdr1_unpack_size.get(), 12);
        assert_eq!(written[64..76], [0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rewritten(&Bytes::from(written.clone()), |_| {}), written);
    }

    /// What some program packed in vain stays as it is for as long as nothing changes.
    #[test]
    fn an_unchanged_header1_that_grew_by_packing_is_kept() {
        let empty = VirtoolsFile::default();
        let stream = spelunk_fixtures::virtools::zlib(&empty.header1_section().bytes, 4);
        assert!(stream.len() > 12);
        let mut bytes = empty.build().bytes;
        bytes.splice(64..76, stream.iter().copied());
        bytes[28..32].copy_from_slice(&(stream.len() as u32).to_le_bytes());
        bytes[8..12].fill(0);
        let sum = spelunk_fixtures::virtools::adler32(0, &bytes);
        bytes[8..12].copy_from_slice(&sum.to_le_bytes());
        assert_eq!(rewritten(&Bytes::from(bytes.clone()), |_| {}), bytes);
        let changed = rewritten(&Bytes::from(bytes), |file| {
            file.table.stub.as_mut().unwrap().count = Some(1);
        });
        assert_eq!(changed[64..], [0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(Head::read(&changed).unwrap().part0.hdr1_pack_size.get(), 12);
    }
}
