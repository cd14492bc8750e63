//! The records of objects, as the generations of files hold them
//! (`docs/formats/virtools.md#52-object-records`).

use crate::codes;
use crate::file::{part::PlainSpan, store::USUAL_LEVEL};
use spelunk_core::{
    Budget, Bytes, Error, Packing, Result, Section, Span, place::Space, record, scalar::fit, zlib,
};
use zerocopy::FromBytes;

record! {
    /// The fixed part of an object's record from FileVersion 7 on; its chunk follows.
    pub struct RecordHead: "record", "docs/formats/virtools.md#52-object-records", 4 {
        /// Bytes of the chunk; 0 for an object without one.
        size: U32 { unit: "bytes" },
    }
}

record! {
    /// The fixed part of an object's record of FileVersion 4 to 6; its chunk follows.
    pub struct IdRecordHead: "record", "docs/formats/virtools.md#52-object-records", 8 {
        /// Id of the object when it was saved.
        id: I32,
        /// Bytes of the chunk; 0 for an object without one.
        size: U32 { unit: "bytes" },
    }
}

record! {
    /// The fixed part of an object's record below FileVersion 4.
    pub struct OldRecordHead: "record", "docs/formats/virtools.md#52-object-records", 8 {
        /// Id of the object when it was saved.
        id: I32,
        /// Plain bytes of the object; 0 for none, and then the record ends here.
        unpack_size: U32 { unit: "bytes" },
    }
}

record! {
    /// Head of the data in a record below FileVersion 4 that has data; the data follow.
    pub struct OldDataHead: "data", "docs/formats/virtools.md#52-object-records", 12 {
        /// Class of the object.
        class_id: U32,
        /// Flags with which the object was saved.
        save_flags: Word,
        /// Bytes of the data in the file; fewer than plain ones where they are packed.
        data_size: U32 { unit: "bytes" },
    }
}

/// Space of the data of one object that are packed on their own.
const OBJECT_SPACE: &str = "chunk";

/// The record of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRecord {
    /// The bytes of its chunk as they lie in plain Data; none for an object without one. Below FileVersion 4
    /// they may be packed, see [`OldRecord`].
    pub chunk: PlainSpan,
}

/// Further fields of a record below FileVersion 4.
#[derive(Clone, Debug)]
pub struct OldRecord {
    /// Plain bytes as declared; 0 for an object without data.
    pub unpack_size: u32,
    /// Class of the object; 0 without data.
    pub class_id: u32,
    /// Flags with which the object was saved; 0 without data.
    pub save_flags: u32,
    /// The data.
    pub data: Section,
}

/// Takes the record of an object; gives the bytes of its chunk and goes on behind it. `rest` stays where it is
/// when the record is cut short, and the size that was read is reported.
#[inline]
pub(super) fn take(version: u32, rest: &mut &[u8]) -> std::result::Result<u32, Option<u32>> {
    let (size, behind) = match version {
        0..=3 => {
            let (head, behind) = OldRecordHead::ref_from_prefix(rest).map_err(|_| None)?;
            match head.unpack_size.get() {
                0 => (0, behind),
                size => {
                    let (data, behind) =
                        OldDataHead::ref_from_prefix(behind).map_err(|_| Some(size))?;
                    (data.data_size.get(), behind)
                }
            }
        }
        4..=6 => {
            let (head, behind) = IdRecordHead::ref_from_prefix(rest).map_err(|_| None)?;
            (head.size.get(), behind)
        }
        _ => return take_current(rest),
    };
    *rest = behind.get(size as usize..).ok_or(Some(size))?;
    Ok(size)
}

/// The same from FileVersion 7 on.
#[inline]
pub(super) fn take_current(rest: &mut &[u8]) -> std::result::Result<u32, Option<u32>> {
    let (head, behind) = RecordHead::ref_from_prefix(rest).map_err(|_| None)?;
    let size = head.size.get();
    *rest = behind.get(size as usize..).ok_or(Some(size))?;
    Ok(size)
}

impl OldRecord {
    /// Reads the record that starts at `start` of plain Data, which lies at `at`, and whose data are `chunk`.
    /// They are packed where the write mode says that records may be, and there are not as many of them as
    /// plain bytes.
    pub(super) fn read(
        plain: &Bytes,
        (start, chunk): (usize, PlainSpan),
        space: Space,
        at: Span,
        packed: bool,
    ) -> OldRecord {
        let stored = chunk.bytes(plain);
        let span = at.part(chunk.at.into(), chunk.len.into());
        let head = plain.get(start..).unwrap_or_default();
        let none = || OldRecord {
            unpack_size: 0,
            class_id: 0,
            save_flags: 0,
            data: Section::stored(span, Bytes::new()),
        };
        let Ok((head, behind)) = OldRecordHead::ref_from_prefix(head) else { return none() };
        let unpack_size = head.unpack_size.get();
        if unpack_size == 0 {
            return none();
        }
        let Ok((head, _)) = OldDataHead::ref_from_prefix(behind) else { return none() };
        let data = if packed && head.data_size.get() != unpack_size {
            Section::zlib(span, stored, space, unpack_size.into())
        } else {
            Section::stored(span, stored)
        };
        OldRecord {
            unpack_size,
            class_id: head.class_id.get(),
            save_flags: head.save_flags.get(),
            data,
        }
    }

    /// The space of the data of the object at a position.
    pub(super) const fn space(index: u32) -> Space {
        Space::nth(OBJECT_SPACE, index)
    }

    /// Whether the record has data.
    pub const fn has_data(&self) -> bool {
        self.unpack_size != 0
    }

    /// The record of an object of this class and with these plain data, packed at `level` where that makes them
    /// smaller. Without data there is no class.
    pub(in crate::file) fn new(
        class_id: u32,
        plain: Bytes,
        index: u32,
        level: Option<u8>,
    ) -> Result<OldRecord> {
        let unpack_size = fit::<u32>(plain.len() as u64, "unpack_size")?;
        let class_id = if plain.is_empty() { 0 } else { class_id };
        let at = Span::new(OldRecord::space(index), 0, 0);
        let data = Section::stored(at, plain);
        let mut record = OldRecord { unpack_size, class_id, save_flags: 0, data };
        record.store(level);
        Ok(record)
    }

    /// Packs the data at `level` where that makes them smaller, or stores them as they are.
    ///
    /// # Errors
    /// When they cannot be inflated; limits.
    pub(in crate::file) fn pack(&mut self, level: Option<u8>, budget: &mut Budget) -> Result<()> {
        if self.data.packing() == Packing::Zlib {
            let plain = self.data.plain(budget)?.clone();
            self.data = Section::stored(self.data.plain_at(), plain);
        }
        // One that is not the size of stored data would say that they are packed.
        if self.data.plain_len() > 0 {
            self.unpack_size = fit::<u32>(self.data.plain_len(), "unpack_size")?;
        }
        self.store(level);
        Ok(())
    }

    /// Packs plain data at `level` where that makes them smaller: equal sizes say that they are not packed.
    fn store(&mut self, level: Option<u8>) {
        let (plain, at) = (self.data.stored_bytes(), self.data.at());
        let Some(level) = level else { return };
        let stream = zlib::deflate(plain, level);
        if stream.len() < plain.len() {
            self.data = Section::zlib(at, stream.into(), at.space, plain.len() as u64);
        }
    }

    /// Puts other data in the place of the plain ones, packed as those are. A stream that is not smaller is not
    /// used: equal sizes say that the data are not packed.
    pub(super) fn set_plain(&mut self, plain: Bytes, budget: &mut Budget) -> Result<()> {
        if plain.is_empty() || !self.has_data() {
            return Err(Error::new(&codes::OLD_CHUNK)
                .expected("data where there are some")
                .found(format!("{} bytes for {}", plain.len(), self.unpack_size)));
        }
        let packed = self.data.packing() == Packing::Zlib;
        let level = self.data.level(budget)?.unwrap_or(USUAL_LEVEL);
        self.unpack_size = fit::<u32>(plain.len() as u64, "unpack_size")?;
        self.data = Section::stored(self.data.plain_at(), plain);
        self.store(packed.then_some(level));
        Ok(())
    }

    /// The plain data, inflated now if they were not before.
    ///
    /// # Errors
    /// When they cannot be inflated; limits.
    pub fn plain(&self, budget: &mut Budget) -> Result<&Bytes> {
        self.data.plain(budget)
    }
}
