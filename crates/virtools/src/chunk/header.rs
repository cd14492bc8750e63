//! The header of a chunk in each of its forms (`docs/formats/virtools.md#111-forms`).

use super::{Chunk, Form};
use spelunk_core::{Record, field::Described, record};
use zerocopy::little_endian::U32;

/// The most dwords that a header has.
pub const MAX_LEN: usize = 8;

/// Names of the bits of the options.
const OPTIONS: &[(u32, &str)] = &[
    (0x01, "IDS"),
    (0x02, "MAN"),
    (0x04, "CHN"),
    (0x08, "FILE"),
    (0x10, "ALLOWDYN"),
    (0x20, "LISTBIG"),
    (0x40, "DONTDELETE_PTR"),
    (0x80, "DONTDELETE_PARSER"),
];

record! {
    /// The header of a chunk of version 6 or 7.
    pub struct HeaderC: "chunk", "docs/formats/virtools.md#111-forms", 8 {
        /// Version of the object's own layout.
        data_version: U8,
        /// Low 8 bits of the class id.
        class_id: U8,
        /// Version of the chunk.
        chunk_version: U8,
        /// Bits that say which lists follow the data, and how references are stored.
        options: U8 { bits: OPTIONS },
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
    }
}

record! {
    /// The header of a chunk of a version below 5.
    pub struct HeaderA: "chunk", "docs/formats/virtools.md#111-forms", 24 {
        /// Version of the object's own layout, in the low byte.
        data_version: U16,
        /// Version of the chunk, in the low byte.
        chunk_version: U16,
        /// Class of the object.
        class_id: U32,
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
        /// Passed over by engines.
        reserved: U32,
        /// Length of the IDS list.
        ids_count: U32 { unit: "dwords" },
        /// Length of the CHN list.
        chunks_count: U32 { unit: "dwords" },
    }
}

record! {
    /// The header of a chunk of version 5.
    pub struct HeaderB: "chunk", "docs/formats/virtools.md#111-forms", 28 {
        /// Version of the object's own layout, in the low byte.
        data_version: U16,
        /// Version of the chunk, in the low byte.
        chunk_version: U16,
        /// Class of the object.
        class_id: U32,
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
        /// Passed over by engines.
        reserved: U32,
        /// Length of the IDS list.
        ids_count: U32 { unit: "dwords" },
        /// Length of the CHN list.
        chunks_count: U32 { unit: "dwords" },
        /// Length of the MAN list.
        managers_count: U32 { unit: "dwords" },
    }
}

record! {
    /// The header of a sub-chunk in a chunk of a version from 5 on.
    pub struct SubHeader: "sub_chunk", "docs/formats/virtools.md#115-sub-chunks", 32 {
        /// Dwords of the sub-chunk behind this one.
        size: U32 { unit: "dwords" },
        /// Class of what is saved; all ones for the editor's interface data.
        class_id: U32,
        /// Version of the object's own layout, in the low byte.
        data_version: U16,
        /// Version of the chunk, in the low byte.
        chunk_version: U16,
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
        /// 1 where references are positions in the object table, else 0.
        has_file: U32,
        /// Length of the IDS list.
        ids_count: U32 { unit: "dwords" },
        /// Length of the CHN list.
        chunks_count: U32 { unit: "dwords" },
        /// Length of the MAN list.
        managers_count: U32 { unit: "dwords" },
    }
}

record! {
    /// The header of a sub-chunk in a chunk of version 4.
    pub struct SubHeaderA: "sub_chunk", "docs/formats/virtools.md#115-sub-chunks", 28 {
        /// Dwords of the sub-chunk behind this one.
        size: U32 { unit: "dwords" },
        /// Class of what is saved; all ones for the editor's interface data.
        class_id: U32,
        /// Version of the object's own layout, in the low byte.
        data_version: U16,
        /// Version of the chunk, in the low byte.
        chunk_version: U16,
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
        /// 1 where references are positions in the object table, else 0.
        has_file: U32,
        /// Length of the IDS list.
        ids_count: U32 { unit: "dwords" },
        /// Length of the CHN list.
        chunks_count: U32 { unit: "dwords" },
    }
}

record! {
    /// The header of a sub-chunk in a chunk of a version below 4.
    pub struct SubHeaderBare: "sub_chunk", "docs/formats/virtools.md#115-sub-chunks", 16 {
        /// Dwords of the sub-chunk behind this one.
        size: U32 { unit: "dwords" },
        /// Class of what is saved.
        class_id: U32,
        /// Length of the data.
        data_size: U32 { unit: "dwords" },
        /// Passed over by engines.
        unused: U32,
    }
}

impl Form {
    /// The description of the header; `None` for [`Form::Bare`], which has none.
    pub const fn record(self) -> Option<&'static Record> {
        Some(match self {
            Form::Bare => return None,
            Form::A => HeaderA::RECORD,
            Form::B => HeaderB::RECORD,
            Form::C => HeaderC::RECORD,
            Form::SubBare => SubHeaderBare::RECORD,
            Form::SubA => SubHeaderA::RECORD,
            Form::Sub => SubHeader::RECORD,
        })
    }
}

impl Chunk<'_> {
    /// The header as stored, in the first [`Chunk::header_len`] dwords.
    pub fn header(&self) -> [U32; MAX_LEN] {
        let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let data = count(self.data.len());
        let [ids, chunks, managers] =
            [self.ids, self.chunks, self.managers].map(|list| count(list.words().len()));
        let size = u32::try_from(self.at.len >> 2).unwrap_or(u32::MAX).saturating_sub(1);
        let (class, versions, extra) = (self.class_id, self.versions, self.extra);
        let header = match self.form {
            Form::Bare => [0; MAX_LEN],
            Form::C => [versions, data, 0, 0, 0, 0, 0, 0],
            Form::A | Form::B => [versions, class, data, extra, ids, chunks, managers, 0],
            Form::SubBare => [size, class, data, extra, 0, 0, 0, 0],
            Form::SubA | Form::Sub => [size, class, versions, data, extra, ids, chunks, managers],
        };
        header.map(U32::new)
    }
}
