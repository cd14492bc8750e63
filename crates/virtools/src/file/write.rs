//! The writer: lays the file out from the model.

use super::{
    File,
    checksum::ChecksumInput,
    data::{self, Prefix, Records},
    header::{Head, Part1},
    part::{Compare, SectionContent},
    store::{Store, USUAL_LEVEL},
    table,
};
use spelunk_core::{
    Budget, Bytes, Class, Packing, Result, ResultExt, Section, Task, WriteOptions,
    scalar::{U32, Word, fit},
};
use std::io::Write;
use zerocopy::IntoBytes;

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
        if options.convert.is_wanted() {
            let mark = task.budget.mark();
            let converted = self.converted(&options.convert, task);
            let written = converted.and_then(|file| file.lay_out(out, options, task));
            // What the other form kept on the way goes with it.
            task.budget.forget(mark);
            return written;
        }
        self.lay_out(out, options, task)
    }

    /// Writes the file in its own form.
    fn lay_out(
        &self,
        out: &mut dyn Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let records = match self.plain_data(&mut task.budget) {
            Ok(_) => Some(self.records(&mut task.budget)?),
            // Of what cannot be inflated nothing is changed: it is written as it is stored.
            Err(error) if error.code().class == Class::Malformed => None,
            Err(error) => return Err(error),
        };
        if self.header1_damage.is_some() {
            return self.write_stored(out, task);
        }
        let prefix = records.and_then(|records| self.prefix(records));
        let data = records.map(|records| data::DataLayout { prefix, table: &self.table, records });
        let indexes = self.file_indexes(data.as_ref(), &mut task.budget)?;
        let header1 = if self.head.version() < 7 {
            PackedSection::default()
        } else {
            let header1 = table::ObjectTableLayout { table: &self.table, indexes: &indexes };
            // The table of FileVersion 7 has no sizes, so it is never packed.
            let store = if self.head.version() == 7 { Store::Plain } else { self.store };
            self.packed(&self.header1, &header1, store, options, task).field("header1")?
        };
        // A new stream is only worth its while where it is smaller; equal sizes say that Header1 is stored.
        let stored_header1 = if header1.changed && header1.stored.len() >= header1.plain.len() {
            header1.plain.clone()
        } else {
            header1.stored
        };
        let data = match data {
            Some(data) => {
                self.packed(&self.data, &data, self.store, options, task).field("data")?
            }
            None => PackedSection {
                stored: self.data.stored_bytes().clone(),
                ..PackedSection::default()
            },
        };
        let mut head = self.head;
        if head.version() >= 8 {
            head.part0.hdr1_pack_size = number(stored_header1.len(), "hdr1_pack_size")?;
        }
        if let Some(part1) = &mut head.part1 {
            self.derive(part1, records, [&header1.plain, &data.plain], &data.stored)?;
        }
        let mut tail = Vec::new();
        self.tail.write(&mut tail)?;
        task.budget.touch(stored_header1.len() as u64)?;
        task.budget.touch(data.stored.len() as u64)?;
        let plain: [&[u8]; 1] = [&data.plain];
        let to_end: [&[u8]; 2] = [&data.stored, &tail];
        let packed = match self.store {
            Store::AsOpened => self.data.packing() == Packing::Zlib,
            store => store != Store::Plain,
        };
        head.part0.crc = Word::new(self.checksum.value(&ChecksumInput {
            head: &head,
            header1: &stored_header1,
            data: &data.stored,
            legacy: if packed { &plain } else { &to_end },
        }));
        let part1 = head.part1.as_ref().map_or(&[][..], |part1| part1.as_bytes());
        for part in [head.part0.as_bytes(), part1, &stored_header1, &data.stored, &tail] {
            out.write_all(part)?;
        }
        Ok(())
    }

    /// Writes a file of which Header1 is damaged: as it is stored, since nothing of it can be changed.
    fn write_stored(&self, out: &mut dyn Write, task: &mut Task<'_>) -> Result<()> {
        let mut tail = Vec::new();
        self.tail.write(&mut tail)?;
        let part1 = self.head.part1.as_ref().map_or(&[][..], |part1| part1.as_bytes());
        let (header1, data) = (self.header1.stored_bytes(), self.data.stored_bytes());
        for part in [self.head.part0.as_bytes(), part1, header1, data, &tail] {
            task.budget.touch(part.len() as u64)?;
            out.write_all(part)?;
        }
        Ok(())
    }

    /// The level at which all packed sections and records were packed; `None` where there is no such level.
    ///
    /// # Errors
    /// When a packed section cannot be inflated; limits.
    pub fn level(&self, budget: &mut Budget) -> Result<Option<u8>> {
        let old = match self.records(budget) {
            Ok(records) => &records.old[..],
            Err(error) if error.code().class == Class::Malformed => &[],
            Err(error) => return Err(error),
        };
        let sections = [&self.header1, &self.data].into_iter();
        let packed = || {
            let old = old.iter().map(|old| &old.data);
            sections.clone().chain(old).filter(|section| section.packing() == Packing::Zlib)
        };
        // The largest one shows the level best: small ones come out the same at several.
        let Some(largest) = packed().max_by_key(|section| section.plain_len()) else {
            return Ok(None);
        };
        let Some(level) = largest.level(budget)? else { return Ok(None) };
        for section in packed() {
            if !section.is_level(level, budget)? {
                return Ok(None);
            }
        }
        Ok(Some(level))
    }

    /// Lays the content of a section out and packs it. Where that gives the old plain bytes, those are taken, and
    /// with them the old stored ones; nothing is copied then.
    fn packed(
        &self,
        section: &Section,
        content: &impl SectionContent,
        store: Store,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<PackedSection> {
        let old = section.plain(&mut task.budget)?;
        task.budget.touch(old.len() as u64)?;
        let mut compare = Compare::with(old);
        content.lay_out(&mut compare);
        let changed = !compare.same();
        let plain = if !changed {
            if !options.recompress && store == Store::AsOpened {
                let stored = section.stored_bytes().clone();
                return Ok(PackedSection { plain: old.clone(), stored, changed });
            }
            old.clone()
        } else {
            task.budget.touch(compare.len())?;
            let mut new = task.budget.vec(compare.len())?;
            content.lay_out(&mut new);
            new.into()
        };
        let stored = match store {
            Store::AsOpened => section.pack(&plain, USUAL_LEVEL, options.recompress, task)?,
            Store::Plain => plain.clone(),
            Store::Zlib(level) => task.deflate(&plain, level)?,
        };
        Ok(PackedSection { plain, stored, changed: changed || store != Store::AsOpened })
    }

    /// Start of Data.
    fn prefix(&self, records: &Records) -> Option<Prefix> {
        let mut prefix = records.prefix?;
        if self.agreed.save_id_max {
            prefix.save_id_max = self.largest_id().into();
        }
        if records.fault.is_none() {
            prefix.object_count = u32::try_from(records.objects.len()).ok()?.into();
        }
        Some(prefix)
    }

    /// FileIndex of every object: where its size would lie if nothing were packed
    /// (`docs/formats/virtools.md#42-fileindex`). One that was something else when the file was opened stays; of a new object
    /// there was none.
    fn file_indexes(
        &self,
        data: Option<&data::DataLayout<'_>>,
        budget: &mut Budget,
    ) -> Result<Vec<u32>> {
        let objects = &self.table.objects;
        if self.head.version() < 7 {
            return Ok(Vec::new());
        }
        let mut indexes = budget.vec(objects.len() as u64)?;
        indexes.extend(objects.iter().map(|object| object.file_index));
        let Some(data) = data else { return Ok(indexes) };
        let old_start = Head::LEN.saturating_add(self.header1.plain_len());
        let start = Head::LEN.saturating_add(self.table.plain_len());
        for (index, ((file_index, object), at)) in
            indexes.iter_mut().zip(objects).zip(data.sizes_at()).enumerate()
        {
            let old = old_start.saturating_add(data.records.size_at(index as u32).into());
            let stored = object.stored_file_index(self.table.plain());
            if self.agreed.file_index || stored.is_none_or(|stored| u64::from(stored) == old) {
                *file_index = fit::<u32>(start.saturating_add(at), "file_index")?;
            }
        }
        Ok(indexes)
    }

    /// The words of Part1 that follow from the content.
    fn derive(
        &self,
        part1: &mut Part1,
        records: Option<&Records>,
        [header1, data]: [&Bytes; 2],
        stored_data: &Bytes,
    ) -> Result<()> {
        let version = self.head.version();
        let sound = records.filter(|records| records.fault.is_none());
        if version >= 7 || self.agreed.object_count {
            part1.object_count = number(self.table.objects.len(), "object_count")?;
        }
        if version >= 8 {
            part1.hdr1_unpack_size = number(header1.len(), "hdr1_unpack_size")?;
        }
        if version >= 6
            && let Some(records) = sound
        {
            part1.manager_count = number(records.managers.len(), "manager_count")?;
        }
        if self.agreed.max_id {
            part1.max_id = self.largest_id().into();
        }
        if self.missing == 0 {
            part1.data_pack_size = number(stored_data.len(), "data_pack_size")?;
        }
        if records.is_some() && self.agreed.data_plain_len {
            part1.data_unpack_size = number(data.len(), "data_unpack_size")?;
        }
        Ok(())
    }
}

/// The number of the header word `name`.
fn number(value: usize, name: &'static str) -> Result<U32> {
    fit::<u32>(value as u64, name).map(U32::new)
}

/// A section as it is written.
#[derive(Default)]
struct PackedSection {
    plain: Bytes,
    stored: Bytes,
    /// Whether the plain bytes are not those that were opened.
    changed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::{Budget, finding::Collect, limits::Limits};
    use spelunk_fixtures::{samples, virtools::VirtoolsFile};

    /// Writes a file with one class changed and every word spoiled that follows from the rest of the model, and
    /// the same file assembled apart.
    fn changed(sample: impl Fn() -> VirtoolsFile) -> [Vec<u8>; 2] {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let bytes = Bytes::from(sample().build().bytes);
        let mut file = File::read_from(&bytes, &mut task).unwrap();
        file.table.objects[2].class_id = 9999;
        file.records(&mut task.budget).unwrap();
        spoil(&mut file);
        let mut written = Vec::new();
        file.write(&mut written, &WriteOptions::default(), &mut task).unwrap();
        let mut expected = sample();
        expected.objects[2].class_id = 9999;
        [written, expected.build().bytes]
    }

    /// Spoils every word of the model that follows from the rest of it.
    fn spoil(file: &mut File) {
        const WRONG: u32 = 0x0BAD_0BAD;
        file.head.part0.crc = Word::new(WRONG);
        if file.head.version() >= 8 {
            file.head.part0.hdr1_pack_size = WRONG.into();
        }
        let version = file.head.version();
        if let Some(part1) = &mut file.head.part1 {
            part1.data_pack_size = WRONG.into();
            part1.data_unpack_size = WRONG.into();
            part1.max_id = WRONG.into();
            part1.object_count = WRONG.into();
            if version >= 6 {
                part1.manager_count = WRONG.into();
            }
            if version >= 8 {
                part1.hdr1_unpack_size = WRONG.into();
            }
        }
        for object in &mut file.table.objects {
            object.file_index = WRONG;
        }
        if let Some(prefix) = file.records.get_mut().and_then(|records| records.prefix.as_mut()) {
            prefix.object_count = WRONG.into();
            prefix.save_id_max = WRONG.into();
        }
    }

    /// The bytes that come of a file whose derived words were spoiled after opening.
    fn spoiled(bytes: &Bytes) -> Vec<u8> {
        let mut sink = Collect::default();
        let limits = Limits::for_len(bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let mut file = File::read_from(bytes, &mut task).unwrap();
        file.records(&mut task.budget).unwrap();
        spoil(&mut file);
        let mut written = Vec::new();
        file.write(&mut written, &WriteOptions::default(), &mut task).unwrap();
        written
    }

    /// Words that follow from the model are made from it, not kept.
    #[test]
    fn derived_words_are_made_anew_in_fixtures() {
        let current = [samples::level(), samples::menu(), samples::script()];
        for sample in current.into_iter().chain((2..8).map(samples::legacy)) {
            let bytes = Bytes::from(sample.build().bytes);
            assert!(spoiled(&bytes) == bytes, "FileVersion {}", sample.file_version);
        }
    }

    #[test]
    fn derived_words_are_made_anew_in_real_files() {
        let folders = ["nmo", "cmo", "nms"];
        let Some(files) = spelunk_fixtures::corpus::files("virtools", &folders) else { return };
        for file in files {
            let bytes = Bytes::from(file.bytes);
            assert!(spoiled(&bytes) == bytes, "{}", file.name);
        }
    }

    #[test]
    fn a_changed_model_is_laid_out_anew_with_its_checksum() {
        let stored = || VirtoolsFile {
            packing: spelunk_fixtures::virtools::Packing::Stored,
            ..samples::level()
        };
        let [written, expected] = changed(stored);
        assert!(written == expected);
        let [written, expected] = changed(samples::level);
        if cfg!(feature = "c-codecs") {
            assert!(written == expected);
        }
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let again = File::read_from(&Bytes::from(written), &mut task).unwrap();
        assert_eq!(again.table.objects[2].class_id, 9999);
        assert!(again.checksum.ok);
    }

    /// Opens a file, changes its table, and writes it.
    fn rewritten(bytes: &Bytes, change: impl Fn(&mut File)) -> Vec<u8> {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let mut file = File::read_from(bytes, &mut task).unwrap();
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
        assert_eq!(head.header1_plain_len(), 12);
        assert_eq!(written[64..76], [0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rewritten(&Bytes::from(written.clone()), |_| {}), written);
    }

    /// A Header1 that some program packed in vain stays as it is for as long as nothing changes.
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
