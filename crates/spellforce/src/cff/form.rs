//! The forms of a chunk file: the headers of its chunks, and what describes them.
//! `docs/formats/cff.md#2-chunk-header`, `docs/formats/cff.md#4-wide-headers`, `docs/formats/spec.md#1-chunk-files`.

use super::{
    header::{FileHeader, MAGIC_SPEC},
    within::WithinChunk,
};
use crate::{codes, gamedata::Schema};
use spelunk_core::{
    Class, Error, Record, Result, ResultExt, Source, Space, Span, Task, Walk, Walked,
    cursor::Cursor,
    field::Described,
    record,
    scalar::{I16, I32, U16},
};
use zerocopy::IntoBytes;

record! {
    /// The header of a chunk; the unpacked length follows where the chunk is packed.
    pub struct ChunkHeader: "chunk_header", "docs/formats/cff.md#2-chunk-header", 12 {
        /// Id of the chunk, which says what it holds.
        id: I16,
        /// The number among chunks of one id: 0, or the row in chunks 6 of a map.
        occurrence: I16,
        /// Way the data is stored.
        packed: I16 { values: &[(0, "raw"), (1, "zlib")] },
        /// Bytes stored behind the header.
        data_length: I32 { unit: "bytes" },
        /// Version of the layout of this id.
        data_type: I16,
    }
}

record! {
    /// The word behind the chunk header where the chunk is packed, and in every chunk of a file with wide headers.
    pub struct UnpackedLength: "unpacked_length", "docs/formats/cff.md#2-chunk-header", 4 {
        /// Plain size of the data. Without a meaning in a raw chunk.
        unpacked_length: I32 { unit: "bytes" },
    }
}

record! {
    /// The header of a chunk file of the dialect `spec`: that of real files, whose type says there what the file holds.
    pub struct SpecHeader: "header", "docs/formats/spec.md#1-chunk-files", 20 {
        /// `12 5E 5E DD`, as the specification prints it, or that of real files.
        magic: Word,
        /// Version of the container: 3 in the only one that is printed.
        format_version: U32,
        /// Kind of the file.
        file_type: U32 { values: &[(0, "GameData"), (1, "map"), (2, "save")] },
        /// 0.
        file_version: U32,
        /// 0; nothing checks it.
        checksum: Word,
    }
}

record! {
    /// The header of a chunk, as the table of the specification has it.
    pub struct TableHeader: "chunk_header", "docs/formats/spec.md#1-chunk-files", 11 {
        /// Id of the chunk, which says what it holds.
        id: I16,
        /// The number among chunks of one id.
        occurrence: I16,
        /// Way the data is stored.
        packed: U8 { values: &[(0, "raw"), (1, "zlib")] },
        /// Said to decide whether rows have an id of their own (2) or share one (3).
        data_type: I16,
        /// Bytes stored behind the header.
        data_length: I32 { unit: "bytes" },
    }
}

record! {
    /// The header of a chunk, as the dump of the specification has it: the length has three bytes.
    pub struct DumpHeader: "chunk_header", "docs/formats/spec.md#1-chunk-files", 10 {
        /// Id of the chunk, which says what it holds.
        id: I16,
        /// The number among chunks of one id.
        occurrence: I16,
        /// Way the data is stored.
        packed: U8 { values: &[(0, "raw"), (1, "zlib")] },
        /// Said to decide whether rows have an id of their own (2) or share one (3).
        data_type: I16,
        /// The low two bytes of the number of bytes stored behind the header.
        data_length: U16 { unit: "bytes" },
        /// Third byte of the data length.
        data_length_high: U8,
    }
}

/// The descriptions of what is around the data of chunks.
pub(super) struct Outline {
    pub(super) header: &'static Record,
    pub(super) chunks: Record,
    pub(super) chunk: Record,
    pub(super) plain: Record,
}

const HEADERS: &str = "docs/formats/cff.md#2-chunk-header";
const SPEC: &str = "docs/formats/spec.md#1-chunk-files";

/// The outline of real files.
pub(super) static REAL: Outline = Outline {
    header: FileHeader::RECORD,
    chunks: Record::group("chunks", HEADERS, "The chunks in file order."),
    chunk: Record::group("chunk", HEADERS, "A header of 12 or 16 bytes and the data behind it."),
    plain: Record::group(
        "plain",
        "docs/formats/cff.md#3-packed-chunks",
        "The inflated data of a packed chunk.",
    ),
};

static DIALECT: Outline = Outline {
    header: SpecHeader::RECORD,
    chunks: Record::group("chunks", SPEC, "The chunks in file order."),
    chunk: Record::group("chunk", SPEC, "A header and the data behind it."),
    plain: Record::group("plain", SPEC, "The inflated data of a packed chunk."),
};

/// The form of a chunk file: which headers its chunks have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// 12 bytes, and the unpacked length in packed chunks, as nearly all real files have them.
    #[default]
    Narrow,
    /// 16 bytes: the unpacked length is in every chunk.
    Wide,
    /// The dialect `spec`, 11 bytes: those of the specification's table.
    SpecTable,
    /// The dialect `spec`, 10 bytes: those of the specification's dump.
    SpecDump,
}

/// The header of a chunk, read in its form.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParsedChunkHeader {
    pub(super) header: ChunkHeader,
    pub(super) unpacked: Option<UnpackedLength>,
    /// Bytes that it takes.
    pub(super) len: u8,
    /// Bytes of the data that are there. A header with a negative length is none.
    pub(super) stored_len: u64,
}

/// A walk over the chunk headers of a file: where it ended, and why if not at the end of the file.
pub(super) struct Scan {
    pub(super) chunks: u64,
    pub(super) end: u64,
    pub(super) stopped: Option<Error>,
    /// Start of the last chunk, where it is one that is cut short.
    pub(super) cut: Option<u64>,
}

/// The most bytes that a chunk header has.
const LONGEST: usize = size_of::<ChunkHeader>() + size_of::<UnpackedLength>();

/// The most that a length of three bytes says.
const THREE_BYTES: u32 = 0xff_ffff;

impl Form {
    /// Whether it is one of the dialect `spec`.
    pub const fn is_spec(self) -> bool {
        matches!(self, Form::SpecTable | Form::SpecDump)
    }

    /// The categories that a GameData of this form may have.
    pub const fn schema(self) -> Schema {
        if self.is_spec() { Schema::Spec } else { Schema::Real }
    }

    /// The usual form of real files, or that with wide headers.
    pub const fn real(wide_headers: bool) -> Form {
        if wide_headers { Form::Wide } else { Form::Narrow }
    }

    /// The form of the dialect `spec` whose chunk headers have this size: 11 or 10 bytes.
    pub const fn spec(header_len: u64) -> Option<Form> {
        match header_len {
            11 => Some(Form::SpecTable),
            10 => Some(Form::SpecDump),
            _ => None,
        }
    }

    /// Length of the header of a chunk in bytes.
    pub const fn header_len(self, is_packed: bool) -> u64 {
        match self {
            Form::Narrow if !is_packed => size_of::<ChunkHeader>() as u64,
            Form::Narrow | Form::Wide => LONGEST as u64,
            Form::SpecTable => size_of::<TableHeader>() as u64,
            Form::SpecDump => size_of::<DumpHeader>() as u64,
        }
    }

    pub(super) const fn outline(self) -> &'static Outline {
        if self.is_spec() { &DIALECT } else { &REAL }
    }

    /// The place of the data type in the header of a chunk that lies there.
    pub(crate) const fn data_type_at(self, chunk: Span) -> Span {
        chunk.part(if self.is_spec() { 5 } else { 10 }, 2)
    }

    /// Finds the form of a file by walking over its chunk headers. In real files the unpacked length is expected in packed
    /// chunks only; where that does not lead to the end of the file, the container version is 3 and expecting it everywhere
    /// does, headers are wide. Where no real form leads to the end and the table of the specification does, the file is of the
    /// dialect, as it is with the printed magic. Only under that one the headers may be those of the dump, and the data of the last
    /// chunk may be cut short ([`Form::read_cut`]).
    ///
    /// # Errors
    /// [`codes::CFF_MAGIC_SPEC`] where the header has the printed magic and no chunk can be read behind it; reading errors;
    /// limits.
    pub(super) fn find(
        source: &dyn Source,
        header: &FileHeader,
        task: &mut Task<'_>,
    ) -> Result<(Form, Scan)> {
        let is_misprint = header.magic.get() == MAGIC_SPEC;
        let form = if is_misprint { Form::SpecTable } else { Form::Narrow };
        let scan = form.scan(source, task)?;
        if scan.stopped.is_none() {
            return Ok((form, scan));
        }
        let others: &[Form] = match (is_misprint, header.format_version.get()) {
            (true, _) => &[Form::SpecDump],
            (false, 3) => &[Form::Wide, Form::SpecTable],
            (false, _) => &[Form::SpecTable],
        };
        let mut scans = vec![(form, scan)];
        for other in others {
            let scan = other.scan(source, task)?;
            if scan.stopped.is_none() {
                return Ok((*other, scan));
            }
            scans.push((*other, scan));
        }
        if is_misprint {
            for (form, scan) in &mut scans {
                if form.read_cut(source, scan.end)?.is_some() {
                    let cut = Some(scan.end);
                    let (chunks, stopped) = (scan.chunks.saturating_add(1), scan.stopped.take());
                    return Ok((*form, Scan { chunks, end: source.len(), stopped, cut }));
                }
            }
        }
        let (form, scan) = scans.swap_remove(0);
        let stopped = scan.stopped.as_ref().filter(|_| is_misprint && scan.chunks == 0);
        if let Some(stopped) = stopped {
            return Err(Error::new(&codes::CFF_MAGIC_SPEC)
                .at(stopped.place().unwrap_or(Span::file(FileHeader::LEN, 0)))
                .expected("chunk headers of 11 or 10 bytes that fit the file")
                .found(stopped.code().title));
        }
        Ok((form, scan))
    }

    /// Walks the chunk headers without keeping them.
    fn scan(self, source: &dyn Source, task: &mut Task<'_>) -> Result<Scan> {
        let mut scan = Scan { chunks: 0, end: FileHeader::LEN, stopped: None, cut: None };
        while scan.end < source.len() {
            task.budget.steps(1)?;
            match self.read(source, scan.end) {
                Ok(head) => {
                    let len = head.stored_len.saturating_add(head.len.into());
                    scan.end = scan.end.saturating_add(len);
                    scan.chunks = scan.chunks.saturating_add(1);
                }
                Err(error) if error.code().class == Class::Io => return Err(error),
                Err(error) => {
                    let position = usize::try_from(scan.chunks).unwrap_or(usize::MAX);
                    scan.stopped = Some(error.within_chunk(position));
                    break;
                }
            }
        }
        Ok(scan)
    }

    /// Reads the chunk header at `start`. What stands there is one if its lengths are none below zero and its data fits into
    /// the file; in the dialect it has to be packed or not, too.
    ///
    /// # Errors
    /// [`codes::CHUNK_PACKED`], [`codes::CHUNK_NEGATIVE`], [`codes::CHUNK_PAST_END`]; the end of the file; reading errors.
    pub(super) fn read(self, source: &dyn Source, start: u64) -> Result<ParsedChunkHeader> {
        let left = source.len().saturating_sub(start);
        let head = self.read_head(source, start)?;
        let packed = head.header.packed.get();
        if self.is_spec() && !matches!(packed, 0 | 1) {
            let at = Span::file(start.saturating_add(4), 1);
            let error = Error::new(&codes::CHUNK_PACKED).at(at).field("packed");
            return Err(error.expected("0 or 1").found(i32::from(packed)));
        }
        let (at, width) = match self {
            Form::Narrow | Form::Wide => (6, 4),
            Form::SpecTable => (7, 4),
            Form::SpecDump => (7, 3),
        };
        let at = Span::file(start.saturating_add(at), width);
        let len = u64::try_from(head.header.data_length.get())
            .map_err(|_| negative(head.header.data_length.get()))
            .field("data_length")
            .at(at)?;
        if let Some(unpacked) = head.unpacked.filter(|known| known.unpacked_length.get() < 0) {
            return Err(negative(unpacked.unpacked_length.get()))
                .field("unpacked_length")
                .at(Span::file(start.saturating_add(12), 4));
        }
        let room = left.saturating_sub(head.len.into());
        if len > room {
            return Err(Error::new(&codes::CHUNK_PAST_END)
                .at(at)
                .field("data_length")
                .expected(format!("at most {room} bytes"))
                .found(format!("{len} bytes")));
        }
        Ok(ParsedChunkHeader { stored_len: len, ..head })
    }

    /// Reads the header of a chunk of the dialect at `start` whose data is cut short by the end of the file: what is there of it is
    /// its data. That it is a header has to show in another way than by its length: it is one of a raw category, with the data
    /// type of that. A length of more than three bytes is taken for one of the dump, whose headers have a byte less.
    ///
    /// # Errors
    /// Reading errors.
    pub(super) fn read_cut(
        self,
        source: &dyn Source,
        start: u64,
    ) -> Result<Option<ParsedChunkHeader>> {
        let head = match self.read_head(source, start) {
            Err(error) if error.code().class == Class::Io => return Err(error),
            head => head.ok(),
        };
        let room = |head: &ParsedChunkHeader| {
            source.len().saturating_sub(start).checked_sub(head.len.into())
        };
        let is_cut = |head: &ParsedChunkHeader| {
            let header = &head.header;
            let category = self.schema().category(header.id.get());
            let is_known = category.is_some_and(|it| it.data_type == header.data_type.get());
            let len = u32::try_from(header.data_length.get()).ok();
            let is_short = len.filter(|len| *len <= THREE_BYTES).map(u64::from) > room(head);
            self.is_spec() && header.packed.get() == 0 && is_known && is_short
        };
        let head = head.filter(is_cut);
        Ok(head
            .map(|head| ParsedChunkHeader { stored_len: room(&head).unwrap_or_default(), ..head }))
    }

    /// Reads the values of what may be a chunk header at `start`.
    ///
    /// # Errors
    /// The end of the file; reading errors.
    fn read_head(self, source: &dyn Source, start: u64) -> Result<ParsedChunkHeader> {
        let left = source.len().saturating_sub(start);
        let mut buffer = [0; LONGEST];
        let there = usize::try_from(left.min(LONGEST as u64)).unwrap_or_default();
        let there = buffer.get_mut(..there).unwrap_or_default();
        source.read_at(start, there)?;
        self.decode(Cursor::new(there, Space::FILE, start))
    }

    /// The values of a chunk header.
    fn decode(self, mut cursor: Cursor<'_>) -> Result<ParsedChunkHeader> {
        let mut unpacked = None;
        let header = match self {
            Form::Narrow | Form::Wide => {
                let header = *cursor.record::<ChunkHeader>()?;
                if self == Form::Wide || header.packed.get() != 0 {
                    unpacked = Some(*cursor.record::<UnpackedLength>()?);
                }
                header
            }
            Form::SpecTable => {
                let header = cursor.record::<TableHeader>()?;
                let TableHeader { id, occurrence, packed, data_type, data_length } = *header;
                let packed = I16::new(packed.into());
                ChunkHeader { id, occurrence, packed, data_length, data_type }
            }
            Form::SpecDump => {
                let header = cursor.record::<DumpHeader>()?;
                let DumpHeader { id, occurrence, packed, data_type, .. } = *header;
                let high = i32::from(header.data_length_high) << 16;
                let data_length = I32::new(high | i32::from(header.data_length.get()));
                let packed = I16::new(packed.into());
                ChunkHeader { id, occurrence, packed, data_length, data_type }
            }
        };
        let len = self.header_len(header.packed.get() != 0) as u8;
        Ok(ParsedChunkHeader { header, unpacked, len, stored_len: 0 })
    }

    /// The bytes of a chunk header. The unpacked length is stored in real forms alone.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for a length that does not fit.
    pub(super) fn encode(
        self,
        header: &ChunkHeader,
        unpacked: Option<&UnpackedLength>,
    ) -> Result<Vec<u8>> {
        let ChunkHeader { id, occurrence, packed, data_length, data_type } = *header;
        let is_packed = u8::from(packed.get() != 0);
        Ok(match self {
            Form::Narrow | Form::Wide => {
                [header.as_bytes(), unpacked.map_or(&[], IntoBytes::as_bytes)].concat()
            }
            Form::SpecTable => {
                let packed = is_packed;
                let header = TableHeader { id, occurrence, packed, data_type, data_length };
                header.as_bytes().to_vec()
            }
            Form::SpecDump => {
                let len = u32::try_from(data_length.get()).ok().filter(|len| *len <= THREE_BYTES);
                let [low, middle, high, _] = len
                    .ok_or_else(|| {
                        let error = Error::new(&spelunk_core::codes::TOO_LARGE);
                        let error =
                            error.expected("a length of three bytes, as the dialect has it");
                        error.field("data_length").found(data_length.get())
                    })?
                    .to_le_bytes();
                let data_length = U16::new(u16::from_le_bytes([low, middle]));
                let (packed, data_length_high) = (is_packed, high);
                let header =
                    DumpHeader { id, occurrence, packed, data_type, data_length, data_length_high };
                header.as_bytes().to_vec()
            }
        })
    }

    /// Walks a chunk header that starts at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub(super) fn walk(
        self,
        header: &ChunkHeader,
        unpacked: Option<&UnpackedLength>,
        at: Span,
        walk: &mut dyn Walk,
    ) -> Walked {
        let bytes = self.encode(header, unpacked)?;
        let record = match self {
            Form::Narrow | Form::Wide => ChunkHeader::RECORD,
            Form::SpecTable => TableHeader::RECORD,
            Form::SpecDump => DumpHeader::RECORD,
        };
        record.walk(&bytes, at, walk)?;
        match unpacked {
            Some(unpacked) => {
                let at = at.part(record.size.into(), size_of::<UnpackedLength>() as u64);
                UnpackedLength::RECORD.walk(unpacked.as_bytes(), at, walk)
            }
            None => Ok(()),
        }
    }
}

#[cold]
fn negative(found: i32) -> Error {
    Error::new(&codes::CHUNK_NEGATIVE).found(found)
}
