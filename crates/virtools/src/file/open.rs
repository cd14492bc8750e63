//! The readers: one for FileVersion 8 and 9, one for the files before.

use super::{
    Agreed, DATA, File, HEADER1,
    checksum::Checksum,
    fault::{Fault, SectionDamage, in_item},
    header::Head,
    included::Tail,
    store::Store,
    table::{BIT_23, ObjectTable},
};
use crate::codes;
use spelunk_core::{
    Budget, Bytes, Class, Error, Packing, Result, ResultExt, Section, Source, Span, Task,
};
use std::{ops::Range, sync::OnceLock};

impl File {
    /// Opens what a source holds, with the budget and the findings of a task.
    ///
    /// Damage that leaves objects readable goes to the sink: a wrong checksum, a file that ends inside Header1 or the
    /// Data section, a stream that breaks, damaged plugin dependencies or included files. Of a Header1 that is cut or
    /// whose stream breaks the entries are there that are whole; such a file cannot be changed.
    ///
    /// # Errors
    /// Those of [`Head::read`]; [`HEADER1_SHORT`](crate::codes::HEADER1_SHORT) and damage of Header1 where no entry is whole;
    /// damage of the object table, below FileVersion 7 of all of Data; limits; reading errors; what the sink makes of a finding.
    pub fn read_from(source: &dyn Source, task: &mut Task<'_>) -> Result<File> {
        let start = source.read(0..source.len().min(Head::LEN), &mut task.budget)?;
        let head = Head::read(&start)?;
        head.check(task)?;
        if head.version() < 8 { old(source, head, task) } else { current(source, head, task) }
    }
}

/// The reader of FileVersion 8 and 9.
fn current(source: &dyn Source, head: Head, task: &mut Task<'_>) -> Result<File> {
    let len = source.len();
    let declared = head.header1_range();
    let header1_at = declared.start.min(len)..declared.end.min(len);
    let short = (declared.end > len).then(|| {
        let found = len.saturating_sub(declared.start);
        Error::new(&codes::HEADER1_SHORT)
            .at(Span::file(declared.start, found))
            .field("hdr1_pack_size")
            .expected(format!("{} bytes", head.part0.hdr1_pack_size))
            .found(format!("{found} bytes"))
    });
    let (data_at, missing) = data_range(&head, header1_at.end, len);
    let tail_at = data_at.end..len;
    source.prefetch(&[header1_at.clone(), data_at.clone(), tail_at.clone()]);
    let stored = source.read(header1_at.clone(), &mut task.budget)?;
    let data = source.read(data_at.clone(), &mut task.budget)?;
    let (checksum, wrong) = Checksum::check(&head, &stored, &data, &mut task.budget)?;
    let cut = short_data(&head, &data_at, missing);
    let header1 = header1_section(&head, &header1_at, stored);
    let damage = match (short, header1.inflate(task).field("header1")) {
        (Some(short), _) => Some(short),
        (None, Ok(())) => None,
        (None, Err(error)) if error.code().class == Class::Malformed => Some(error),
        (None, Err(error)) => return Err(error),
    };
    let (table, header1_damage) = match damage {
        None => {
            let plain = header1.plain(&mut task.budget)?;
            (ObjectTable::read(plain, header1.plain_at(), &head, task)?, None)
        }
        Some(damage) => {
            let (table, damage) = whole_entries(&head, &header1, damage, &mut task.budget)?;
            task.error(damage.error())?;
            (table, Some(damage))
        }
    };
    let data = data_section(&head, span(&data_at), data, task)?;
    let tail_bytes = source.read(tail_at.clone(), &mut task.budget)?;
    let tail = Tail::read(&tail_bytes, span(&tail_at), table.included_count(), task)?;
    let file =
        File { missing, header1_damage, ..opened(head, checksum, [header1, data], table, tail) };
    if let Some(error) = cut.or(wrong).filter(|_| file.header1_damage.is_none()) {
        // One damage is one finding: how far Data can be read says more than that it ends, or that a sum is wrong.
        let records = file.records(&mut task.budget);
        let fault = records.ok().and_then(|records| records.fault).filter(Fault::is_of_section);
        task.error(fault.map_or(error, |fault| fault.error()))?;
    }
    finish(file, task)
}

/// The entries of a Header1 that is cut, or whose stream breaks, as far as they are whole; without any its `damage`
/// is the error.
fn whole_entries(
    head: &Head,
    header1: &Section,
    damage: Error,
    budget: &mut Budget,
) -> Result<(ObjectTable, Fault)> {
    let plain = header1.plain_before_damage(budget)?;
    let table = ObjectTable::read_whole(&plain, head.object_count(), budget)?;
    if table.objects.is_empty() {
        return Err(damage);
    }
    let fault = Fault {
        kind: "header1",
        index: table.objects.len() as u64,
        at: header1.at(),
        size: None,
        section: Some(SectionDamage {
            code: damage.code(),
            declared: head.header1_plain_len(),
            readable: plain.len() as u64,
            objects: head.object_count().into(),
        }),
    };
    Ok((table, fault))
}

/// The reader of FileVersion 0 to 7. Their checksum covers plain Data, and from FileVersion 6 down the records
/// are the only table, so everything is read at once.
fn old(source: &dyn Source, head: Head, task: &mut Task<'_>) -> Result<File> {
    let len = source.len();
    let all = source.read(head.end().min(len)..len, &mut task.budget)?;
    let start = span(&(head.end()..head.end().max(len)));
    let (table, table_len) = if head.version() == 7 {
        ObjectTable::read_alone(&all, start, &head, task)?
    } else {
        (ObjectTable::default(), 0)
    };
    let header1_at = start.part(0, table_len);
    let (data_at, missing) = data_range(&head, header1_at.end(), len);
    let cut = short_data(&head, &data_at, missing);
    let part = |range: &Range<u64>| {
        spelunk_core::source::part(
            &all,
            range.start.saturating_sub(start.start)..range.end.saturating_sub(start.start),
        )
        .unwrap_or_default()
    };
    let header1 = Section::stored(header1_at, part(&(header1_at.start..header1_at.end())));
    let data = data_section(&head, span(&data_at), part(&data_at), task)?;
    let checksum = Checksum { ok: false, checked: true, ..Checksum::unchecked(&head) };
    let tail = Tail { at: span(&(data_at.end..len)), included: Vec::new(), rest: Bytes::new() };
    let mut file = File { missing, ..opened(head, checksum, [header1, data], table, tail) };
    let checksum = match file.plain_data(&mut task.budget) {
        Ok(plain) => {
            let to_end = part(&(data_at.start..len));
            let packed = file.data.packing() == Packing::Zlib;
            let covered: &[u8] = if packed { plain } else { &to_end };
            Checksum::check_legacy(&file.head, &[covered], task)?
        }
        // What is whole is read below, and the damage reported there.
        Err(error) if error.code().class == Class::Malformed => file.checksum,
        Err(error) => return Err(error),
    };
    file.checksum = checksum;
    file.records(&mut task.budget)?;
    let records = file.records.take();
    let mut records = records.ok_or_else(|| Error::new(&spelunk_core::codes::UNREADABLE))?;
    if let Some(fault) = records.fault.filter(Fault::is_of_section) {
        let error = fault.error();
        if file.head.version() < 7 && records.objects.is_empty() {
            return Err(error);
        }
        task.error(error)?;
    } else if let Some(cut) = cut {
        task.error(cut)?;
    }
    if file.head.part1.is_none() {
        // Nothing but its records says where Data ends.
        let at = Span { len: records.cut_rest(), ..file.data.at() };
        file.data = Section::stored(at, records.plain().clone());
    }
    if file.head.version() < 7 {
        file.table = ObjectTable::of_records(&records, file.data.plain_at(), task)?;
    }
    file.records = OnceLock::from(records);
    let tail_at = file.data.at().end()..len;
    file.tail = Tail::read(&part(&tail_at), span(&tail_at), 0, task)?;
    finish(file, task)
}

/// The file of these parts, as it was opened.
pub(super) fn opened(
    head: Head,
    checksum: Checksum,
    [header1, data]: [Section; 2],
    table: ObjectTable,
    tail: Tail,
) -> File {
    File {
        checksum,
        agreed: agreed(&head, &data),
        store: Store::AsOpened,
        head,
        header1,
        table,
        data,
        missing: 0,
        tail,
        records: OnceLock::new(),
        unreadable: OnceLock::new(),
        header1_damage: None,
        by_class: OnceLock::new(),
        naming: OnceLock::new(),
        by_bit_23: false,
        held: 0,
    }
}

/// Header1, whose stored bytes these are.
pub(super) fn header1_section(head: &Head, at: &Range<u64>, stored: Bytes) -> Section {
    match head.header1_packed() {
        true => Section::zlib(span(at), stored, HEADER1, head.header1_plain_len()),
        false => Section::stored(span(at), stored),
    }
}

/// Checks what all tables together say, where there are all of them.
pub(super) fn finish(mut file: File, task: &mut Task<'_>) -> Result<File> {
    if file.header1_damage.is_none() {
        check_ids(&mut file, task)?;
    }
    Ok(file)
}

/// Range of Data in a file of `len` bytes, and the number of its bytes that the file is too short for. Without Part1 it is
/// everything that follows.
fn data_range(head: &Head, start: u64, len: u64) -> (Range<u64>, u64) {
    let start = start.min(len);
    let declared = match head.part1 {
        Some(_) => start.saturating_add(head.data_stored_len()),
        None => len,
    };
    let end = declared.min(len);
    (start..end, declared.saturating_sub(end))
}

/// Error for a file that ends before its Data section does.
fn short_data(head: &Head, at: &Range<u64>, missing: u64) -> Option<Error> {
    let at = span(at);
    let error = Error::new(&codes::DATA_SHORT)
        .at(at)
        .field("data_pack_size")
        .expected(format!("{} bytes", head.data_stored_len()))
        .found(format!("{} bytes", at.len));
    (missing > 0).then_some(error)
}

/// Compares the stored words of the headers, as far as they can be compared before the records are read.
fn agreed(head: &Head, data: &Section) -> Agreed {
    let data_plain_len = head.data_plain_len() == data.plain_len();
    Agreed { data_plain_len, file_index: false, ..Agreed::ALL }
}

/// A range of the file as a place.
pub(super) fn span(range: &Range<u64>) -> Span {
    Span::file(range.start, range.end.saturating_sub(range.start))
}

/// The Data section: packed if the write mode says so, unless both sizes are equal and the bytes do not
/// inflate. Then a program stored what did not shrink and left the mode as it was.
fn data_section(head: &Head, at: Span, bytes: Bytes, task: &mut Task<'_>) -> Result<Section> {
    let plain_len = head.data_plain_len();
    let equal = head.data_stored_len() == plain_len;
    if head.data_packed() {
        let packed = Section::zlib(at, bytes.clone(), DATA, plain_len);
        if !equal {
            return Ok(packed);
        }
        match packed.inflate(task) {
            Ok(()) => return Ok(packed),
            Err(error) if error.code().class == Class::Malformed => {
                task.note(Error::new(&codes::STORED_DATA).at(at))?;
            }
            Err(error) => return Err(error),
        }
    } else if !equal {
        task.warn(
            Error::new(&codes::UNPACKED_SIZE)
                .at(Span::file(36, 4))
                .field("data_unpack_size")
                .expected(head.data_stored_len())
                .found(plain_len),
        )?;
    }
    Ok(Section::stored(at, bytes))
}

/// Reports reference-only entries, and words that are not what the objects make them.
fn check_ids(file: &mut File, task: &mut Task<'_>) -> Result<()> {
    let (mut largest, mut without_bit, mut references) = (0, 0, false);
    for object in &file.table.objects {
        let id = object.saved_id();
        largest = largest.max(id);
        without_bit = without_bit.max(if object.has_bit_23() { id & !BIT_23 } else { id });
        references |= object.is_reference();
    }
    if references {
        note_references(file, task)?;
    }
    // Programs disagree on what a reference-only entry counts as.
    // One that was the largest without the bit stays when its object goes.
    let between = |stored: u32| (without_bit..=largest).contains(&stored);
    let fine = |stored: u32| between(stored) || references && stored > largest;
    let odd = |at: Span, field: &'static str, found: u32| {
        Error::new(&codes::MAX_ID).at(at).field(field).expected(largest).found(found)
    };
    if let Some(part1) = &file.head.part1 {
        let stored = part1.max_id.get();
        file.agreed.max_id = stored == largest;
        if !fine(stored) {
            task.warn(odd(Span::file(48, 4), "max_id", stored))?;
        }
        file.agreed.object_count = part1.object_count.get() as usize == file.table.objects.len();
    }
    if let Some(prefix) = file.records.get().and_then(|records| records.prefix) {
        let by_part1 = file.head.part1.map(|part1| part1.object_count.get());
        if let Some(by_part1) = by_part1.filter(|by_part1| *by_part1 != prefix.object_count.get()) {
            task.warn(
                Error::new(&codes::COUNTS)
                    .at(file.data.plain_at().part(4, 4))
                    .field("object_count")
                    .expected(by_part1)
                    .found(prefix.object_count.get()),
            )?;
        }
        let stored = prefix.save_id_max.get();
        file.agreed.save_id_max = stored == largest;
        if !fine(stored) {
            task.warn(odd(file.data.plain_at().part(0, 4), "save_id_max", stored))?;
        }
    }
    Ok(())
}

/// Notes every entry that is only referred to.
fn note_references(file: &File, task: &mut Task<'_>) -> Result<()> {
    for (index, object) in (0..).zip(&file.table.objects) {
        if object.is_reference() {
            let mut error = Error::new(&codes::REFERENCE_ONLY).found(object.id);
            if let Some(at) = file.object_at(index) {
                error = error.at(at.part(0, 4));
            }
            task.note(in_item(error, "object", index as usize))?;
        }
    }
    Ok(())
}
