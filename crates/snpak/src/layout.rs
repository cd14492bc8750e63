//! The pack as blocks in the order of their bytes: header, string tables, chunks, indexes, gaps, tail.
//!
//! This is the model that writing lays the file out from; walking it covers every byte once.

use crate::{
    chain::{self, History},
    chunk::{ChunkHeader, HEADER_SIZE, with_bytes},
    header::Header,
    index::{Index, IndexHeader},
    pack::Pack,
    payload,
    strings::{BLOCK_HEADER_SIZE, StringTable, StringsHeader},
};
use spelunk_core::{Described, Field, Group, Record, Result, Span, Task, Ty, Val, Walk, Walked};
use std::borrow::Cow;

const PAGE: &str = "docs/formats/snpak.md";

static BLOCKS: Record =
    Record::group("blocks", PAGE, "Everything in the pack, in the order of its bytes.");
static STRINGS: Record = Record::group(
    "string_table",
    "docs/formats/snpak.md#2-string-table",
    "A pool of names. A string id is a position in its offsets.",
);
static INDEX: Record =
    Record::group("index", "docs/formats/snpak.md#4-index", "The assets of one state of the pack.");
static CHUNK: Record =
    Record::group("chunk", "docs/formats/snpak.md#3-chunk", "A payload and what is known of it.");
static GAP: Record =
    Record::group("gap", PAGE, "Bytes that belong to no block that the pack knows of.");
static EXTENSION: Record = Record::group(
    "header_extension",
    "docs/formats/snpak.md#1-header",
    "Bytes of a header that is longer than the known one.",
);
static TAIL: Record = Record::group("tail", PAGE, "Bytes behind the size that the header states.");
static OFFSET: Field = Field {
    unit: "bytes",
    ..Field::new("offset", Ty::U32, "Start of a string, counted from the start of the data.")
};
static STRING: Field = Field::new("string", Ty::Text, "A string with its NUL.");
static PAYLOAD: Field = Field::new("payload", Ty::Bytes, "The payload as it is stored.");
static BYTES: Field = Field::new("bytes", Ty::Bytes, "Bytes without a description.");

/// Kind of a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PackBlockKind {
    /// The header of the pack.
    Header,
    /// Bytes of a longer header behind the known fields.
    Extension,
    /// A string table, by its position in the layout's list.
    Strings(u32),
    /// An index, by its position in the layout's list.
    Index(u32),
    /// A chunk that an index names.
    Chunk,
    /// Bytes that nothing names.
    Gap,
    /// Bytes behind the size that the header states.
    Tail,
}

/// A block: its kind and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// First byte.
    pub start: u64,
    /// Number of bytes.
    pub len: u64,
    /// Kind of the block.
    pub part: PackBlockKind,
}

impl Block {
    /// Returns the place of the block.
    pub const fn at(&self) -> Span {
        Span::file(self.start, self.len)
    }

    const fn end(&self) -> u64 {
        self.start.saturating_add(self.len)
    }
}

/// The blocks of a pack.
#[derive(Debug)]
pub struct Layout {
    /// The header.
    pub header: Header,
    /// The string tables, the active one first.
    pub strings: Vec<StringTable>,
    /// The indexes, the active one first, the others from the newest to the oldest.
    pub indexes: Vec<Index>,
    /// The blocks in the order of their bytes, without overlaps and holes.
    pub blocks: Vec<Block>,
    /// Blocks that start inside another one, and are therefore not among `blocks`.
    pub overlaps: Vec<Span>,
}

/// The chunks that indexes name, in the order of their bytes.
#[derive(Debug)]
pub(crate) struct ChunkBlocks {
    blocks: Vec<Block>,
    overlaps: Vec<Span>,
    end: u64,
}

impl ChunkBlocks {
    /// Makes an empty list, with room for as many chunks as there are rows.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(rows: usize, task: &mut Task<'_>) -> Result<ChunkBlocks> {
        let blocks = task.budget.vec::<Block>(rows as u64)?;
        Ok(ChunkBlocks { blocks, overlaps: Vec::new(), end: 0 })
    }

    /// Adds the chunk that starts next.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn add(&mut self, at: Span, task: &mut Task<'_>) -> Result<()> {
        if at.start < self.end {
            task.budget.memory(size_of::<Span>() as u64)?;
            self.overlaps.push(at);
        } else {
            self.end = at.end();
            self.blocks.push(Block { start: at.start, len: at.len, part: PackBlockKind::Chunk });
        }
        Ok(())
    }

    /// Reads the chunks that the indexes name. What is no chunk is left out.
    fn read(pack: &Pack, indexes: &[&Index], task: &mut Task<'_>) -> Result<ChunkBlocks> {
        let mut rows = payload::rows(indexes, task)?;
        let taken = rows.len() as u64;
        rows.dedup_by_key(|row| row.offset);
        let mut chunks = ChunkBlocks::new(rows.len(), task)?;
        for row in &rows {
            match pack.chunk(row.offset, task) {
                Ok(chunk) => chunks.add(chunk.at, task)?,
                Err(error) if chain::is_damage(&error) => {}
                Err(error) => return Err(error),
            }
        }
        drop(rows);
        task.budget.release(taken.saturating_mul(size_of::<payload::RowRef>() as u64));
        Ok(chunks)
    }
}

impl Layout {
    /// Lays out the blocks of a pack. They stay charged, and so do the older tables where the source does
    /// not lend them.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn new(pack: &Pack, task: &mut Task<'_>) -> Result<Layout> {
        let history = pack.history(task)?;
        let mut indexes = vec![pack.active().0];
        indexes.extend(history.revisions.iter().map(|revision| &revision.index));
        let chunks = ChunkBlocks::read(pack, &indexes, task)?;
        Layout::of(pack, history, chunks, task)
    }

    /// [`Layout::new`] with what is known already.
    pub(crate) fn of(
        pack: &Pack,
        history: History,
        chunks: ChunkBlocks,
        task: &mut Task<'_>,
    ) -> Result<Layout> {
        let (index, table) = pack.active();
        let mut strings = vec![table.clone()];
        let mut indexes = vec![index.clone()];
        for revision in history.revisions {
            indexes.push(revision.index);
            let table = revision.strings;
            strings
                .extend(table.filter(|table| strings.iter().all(|known| known.at() != table.at())));
        }
        let (header, ChunkBlocks { blocks: chunks, overlaps, .. }) = (*pack.header(), chunks);
        let mut layout = Layout { header, strings, indexes, blocks: Vec::new(), overlaps };
        let tables = layout.tables(task)?;
        let scratch = tables.capacity().saturating_add(chunks.capacity()) as u64;
        layout.join(tables, chunks, pack.len(), task)?;
        task.budget.release(scratch.saturating_mul(size_of::<Block>() as u64));
        Ok(layout)
    }

    /// Header, string tables and indexes, in the order of their bytes.
    fn tables(&mut self, task: &mut Task<'_>) -> Result<Vec<Block>> {
        let count = self.strings.len().saturating_add(self.indexes.len()).saturating_add(2) as u64;
        let mut all = task.budget.vec::<Block>(count)?;
        let block = |at: Span, part| Block { start: at.start, len: at.len, part };
        all.push(block(Span::file(0, HEADER_LEN), PackBlockKind::Header));
        let extension = Some(self.header.extension()).filter(|at| at.len > 0);
        all.extend(extension.map(|at| block(at, PackBlockKind::Extension)));
        let strings = (0..).zip(&self.strings);
        all.extend(strings.map(|(nth, table)| block(table.at(), PackBlockKind::Strings(nth))));
        let indexes = (0..).zip(&self.indexes);
        all.extend(indexes.map(|(nth, index)| block(index.at(), PackBlockKind::Index(nth))));
        all.sort_unstable_by_key(|block| (block.start, block.part));
        let mut end = 0;
        all.retain(|block| {
            let fits = block.start >= end;
            if fits {
                end = block.end();
            } else {
                self.overlaps.push(block.at());
            }
            fits
        });
        Ok(all)
    }

    /// Joins tables and chunks; where they overlap the table stays. What is left between them are gaps.
    fn join(
        &mut self,
        tables: Vec<Block>,
        chunks: Vec<Block>,
        len: u64,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let known = tables.len().saturating_add(chunks.len()) as u64;
        let most = known.saturating_mul(2).saturating_add(2);
        task.budget.steps(most)?;
        let mut blocks = task.budget.vec::<Block>(most)?;
        let mut at = 0;
        let mut push = |block: Block| {
            let gap = block.start.saturating_sub(at);
            if gap > 0 {
                blocks.push(Block { start: at, len: gap, part: PackBlockKind::Gap });
            }
            at = block.end();
            if block.len > 0 {
                blocks.push(block);
            }
        };
        let mut chunks = chunks.into_iter().peekable();
        for table in tables {
            while let Some(chunk) = chunks.next_if(|chunk| chunk.start < table.end()) {
                if chunk.end() <= table.start {
                    push(chunk);
                } else {
                    self.overlaps.push(chunk.at());
                }
            }
            push(table);
        }
        chunks.for_each(&mut push);
        // Every block but the header ends inside the size that the header states.
        let start = self.header.file_size.get().max(HEADER_LEN);
        push(Block { start, len: len.saturating_sub(start), part: PackBlockKind::Tail });
        self.blocks = blocks;
        Ok(())
    }

    /// Walks the blocks.
    ///
    /// # Errors
    /// [`Halt`](spelunk_core::Halt); reading errors.
    pub fn walk(&self, pack: &Pack, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let all = Span::file(0, pack.len());
        walk.group(&Group::list("blocks", &BLOCKS, Some(all)), |walk| {
            for (nth, block) in self.blocks.iter().enumerate() {
                task.budget.steps(1)?;
                self.walk_block(nth, block, pack, task, walk)?;
            }
            Ok(())
        })
    }

    fn walk_block(
        &self,
        nth: usize,
        block: &Block,
        pack: &Pack,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let at = block.at();
        let table = |nth: u32| self.strings.get(nth as usize);
        let index = |nth: u32| self.indexes.get(nth as usize);
        let item = |record| Group::item(nth, record, Some(at));
        match block.part {
            PackBlockKind::Header => walk.group(&item(Header::RECORD), |walk| {
                let bytes = zerocopy::IntoBytes::as_bytes(&self.header);
                Header::RECORD.walk(bytes, at, walk)
            }),
            PackBlockKind::Strings(nth) => walk.group(&item(&STRINGS), |walk| {
                table(nth).map_or(Ok(()), |table| walk_strings(table, walk))
            }),
            PackBlockKind::Index(nth) => walk.group(&item(&INDEX), |walk| {
                index(nth).map_or(Ok(()), |index| walk_index(index, walk))
            }),
            PackBlockKind::Chunk => walk.group(&item(&CHUNK), |walk| {
                with_bytes(pack.source(), at, task, |bytes, _| {
                    let (head, stored) =
                        bytes.split_at_checked(HEADER_SIZE as usize).unwrap_or_default();
                    ChunkHeader::RECORD.walk(head, at.part(0, HEADER_SIZE), walk)?;
                    let stored_at = at.part(HEADER_SIZE, at.len.saturating_sub(HEADER_SIZE));
                    walk.field(&PAYLOAD, Some(stored_at), Val::Bytes(Cow::Borrowed(stored)))
                })
            }),
            PackBlockKind::Extension | PackBlockKind::Gap | PackBlockKind::Tail => {
                let record = match block.part {
                    PackBlockKind::Extension => &EXTENSION,
                    PackBlockKind::Gap => &GAP,
                    _ => &TAIL,
                };
                walk.group(&item(record), |walk| {
                    with_bytes(pack.source(), at, task, |bytes, _| {
                        walk.field(&BYTES, Some(at), Val::Bytes(Cow::Borrowed(bytes)))
                    })
                })
            }
        }
    }
}

/// Size of the header of the pack.
const HEADER_LEN: u64 = crate::header::HEADER_SIZE as u64;

fn walk_strings(table: &StringTable, walk: &mut dyn Walk) -> Walked {
    let at = table.at();
    walk.record("header", table.header(), at.part(0, BLOCK_HEADER_SIZE))?;
    let data_at = table.data_at();
    let offsets_len = data_at.start.saturating_sub(at.start).saturating_sub(BLOCK_HEADER_SIZE);
    let offsets_at = at.part(BLOCK_HEADER_SIZE, offsets_len);
    walk.group(&Group::list("offsets", StringsHeader::RECORD, Some(offsets_at)), |walk| {
        let mut place = offsets_at.part(0, 4);
        for offset in table.offsets() {
            walk.field(&OFFSET, Some(place), Val::U(offset.get().into()))?;
            place = place.part(4, 4);
        }
        Ok(())
    })?;
    walk.group(&Group::list("data", &STRINGS, Some(data_at)), |walk| {
        let mut start = 0;
        for string in table.data().split_inclusive(|byte| *byte == 0) {
            let len = string.len() as u64;
            walk.field(&STRING, Some(data_at.part(start, len)), Val::Text(Cow::Borrowed(string)))?;
            start = start.saturating_add(len);
        }
        Ok(())
    })
}

fn walk_index(index: &Index, walk: &mut dyn Walk) -> Walked {
    walk.record("header", index.header(), index.at().part(0, size_of::<IndexHeader>() as u64))?;
    walk_table(index, 0, "entries", index.entries(), walk)?;
    walk_table(index, 1, "bulk_entries", index.bulk(), walk)?;
    walk_table(index, 2, "owners", index.owners(), walk)?;
    walk_table(index, 3, "dependencies", index.dependencies(), walk)
}

fn walk_table<T: Described>(
    index: &Index,
    number: usize,
    name: &'static str,
    rows: &[T],
    walk: &mut dyn Walk,
) -> Walked {
    let at = index.table_at(number);
    walk.group(&Group::list(name, T::RECORD, Some(at)), |walk| {
        for (nth, row) in rows.iter().enumerate() {
            let place = index.place(number, nth);
            walk.group(&Group::item(nth, T::RECORD, Some(place)), |walk| {
                T::RECORD.walk(row.as_bytes(), place, walk)
            })?;
        }
        Ok(())
    })
}
