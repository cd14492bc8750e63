//! A part of a table: one Parquet file.

use crate::{
    manifest::PartFile,
    rows::{CatalogueCell, ColumnRows, Rows, Values},
    schema::{Table, VERSION},
};
use parquet::{
    basic::{Compression, ZstdLevel},
    column::{reader::ColumnReader, writer::ColumnWriter},
    data_type::ByteArray,
    errors::{ParquetError, Result},
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
        reader::{ChunkReader, FileReader, Length, SerializedFileReader},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::ColumnPath},
};
use spelunk::{
    Bytes, Error, Source,
    open::codes,
    tables::column::{Column, ColumnKind},
    verbs::NewFile,
};
use std::{
    borrow::Cow,
    cmp::Ordering,
    io::{self, Read, Write},
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};
use twox_hash::XxHash3_128;

/// Key of the version of the data set in the metadata of every part.
const CATALOG: &str = "spelunk.catalog";

/// Rows and bytes at which a row group is full. Both are held in memory once for each table.
const GROUP_ROWS: usize = 1 << 16;
pub(crate) const GROUP_BYTES: u64 = 8 << 20;

/// Writes a part. The same rows make the same bytes, however they come.
pub(crate) struct PartWriter {
    writer: SerializedFileWriter<Measured>,
    pending: Rows,
    weight: u64,
    rows: u64,
    /// Room for the texts of a column while they are written.
    texts: Vec<ByteArray>,
}

impl PartWriter {
    /// Begins a part of a table.
    pub(crate) fn begin(file: Box<dyn NewFile>, table: &'static Table) -> Result<PartWriter> {
        let schema = Arc::new(parse_message_type(&table.message())?);
        let mut properties = WriterProperties::builder()
            .set_created_by(concat!("spelunk ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_key_value_metadata(Some(vec![KeyValue::new(
                CATALOG.to_owned(),
                VERSION.to_owned(),
            )]));
        // Nearly every one of them is another one.
        for column in table.columns.iter().filter(|column| column.kind == ColumnKind::Json) {
            let path = ColumnPath::from(column.name);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_statistics_enabled(path, EnabledStatistics::None);
        }
        let file = Measured { file, size: 0, hash: XxHash3_128::new() };
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        Ok(PartWriter { writer, pending: Rows::new(table), weight: 0, rows: 0, texts: Vec::new() })
    }

    /// Adds rows, which are of the table of the part.
    pub(crate) fn append(&mut self, rows: &Rows, range: Range<usize>) -> Result<()> {
        let mut start = range.start;
        self.rows = self.rows.saturating_add(range.len() as u64);
        for row in range.clone() {
            self.weight = self.weight.saturating_add(rows.weight(row));
            let end = row.saturating_add(1);
            let more = end.saturating_sub(start);
            if self.pending.len.saturating_add(more) >= GROUP_ROWS || self.weight >= GROUP_BYTES {
                self.pending.extend(rows, start..end);
                start = end;
                self.flush()?;
            }
        }
        self.pending.extend(rows, start..range.end);
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        if self.pending.len == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for (rows, column) in self.pending.columns.iter_mut().zip(self.pending.table.columns) {
            let Some(mut writer) = group.next_column()? else { break };
            let ColumnRows { values, levels } = rows;
            let defs = (!column.required).then_some(&**levels);
            match (writer.untyped(), values) {
                (ColumnWriter::ByteArrayColumnWriter(writer), Values::Text(texts)) => {
                    let (buffer, texts_in_it) = texts.share();
                    let there = texts_in_it.zip(&*levels).filter(|(_, level)| **level > 0);
                    self.texts.extend(there.map(|(text, _)| ByteArray::from(text)));
                    writer.write_batch(&self.texts, defs, None)?;
                    self.texts.clear();
                    texts.put_back(buffer);
                }
                (ColumnWriter::Int64ColumnWriter(writer), Values::Int(numbers)) => {
                    writer.write_batch(&there(numbers, levels), defs, None)?;
                }
                (ColumnWriter::BoolColumnWriter(writer), Values::Bool(truths)) => {
                    writer.write_batch(&there(truths, levels), defs, None)?;
                }
                _ => {
                    return Err(ParquetError::General(format!("{} has another type", column.name)));
                }
            }
            writer.close()?;
        }
        group.close()?;
        self.pending.clear();
        self.weight = 0;
        Ok(())
    }

    /// Ends the part, which waits to be [committed](NewFile::commit). Its path is left open.
    pub(crate) fn finish(mut self) -> Result<(Box<dyn NewFile>, PartFile)> {
        self.flush()?;
        let Measured { file, size, hash } = self.writer.into_inner()?;
        let xxh3 = format!("{:032x}", hash.finish_128());
        Ok((file, PartFile { path: String::new(), size, rows: self.rows, xxh3 }))
    }
}

/// A file of which size and hash are known when it is written.
struct Measured {
    file: Box<dyn NewFile>,
    size: u64,
    hash: XxHash3_128,
}

impl Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.write(bytes.get(..count).unwrap_or_default());
        self.size = self.size.saturating_add(count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The values that are not NULL.
fn there<'v, T: Copy>(values: &'v [T], levels: &[i16]) -> Cow<'v, [T]> {
    if levels.iter().all(|level| *level > 0) {
        return Cow::Borrowed(values);
    }
    let there = values.iter().zip(levels).filter(|(_, level)| **level > 0);
    Cow::Owned(there.map(|(value, _)| *value).collect())
}

/// The bytes of a part, as the Parquet library takes them.
#[derive(Clone)]
struct Chunks(Arc<dyn Source>);

impl Length for Chunks {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl ChunkReader for Chunks {
    type T = ChunkStream;

    fn get_read(&self, start: u64) -> Result<ChunkStream> {
        Ok(ChunkStream { source: self.0.clone(), at: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let range = start..start.saturating_add(length as u64);
        if range.end > self.0.len() {
            return Err(ParquetError::EOF(format!("{range:?} of {} bytes", self.0.len())));
        }
        if let Some(bytes) = self.0.lend(range) {
            return Ok(bytes);
        }
        let mut bytes = vec![0; length];
        self.0.read_at(start, &mut bytes).map_err(|error| ParquetError::External(error.into()))?;
        Ok(bytes.into())
    }
}

/// The bytes of a part from some place on.
struct ChunkStream {
    source: Arc<dyn Source>,
    at: u64,
}

impl Read for ChunkStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.source.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let count = left.min(buffer.len());
        if let Some(buffer) = buffer.get_mut(..count) {
            self.source.read_at(self.at, buffer).map_err(io::Error::other)?;
        }
        self.at = self.at.saturating_add(count as u64);
        Ok(count)
    }
}

/// A part that is read.
pub(crate) struct PartReader {
    reader: SerializedFileReader<Chunks>,
    table: &'static Table,
}

impl PartReader {
    /// Opens a part of a table.
    ///
    /// # Errors
    /// When it cannot be read, or has another version or other columns.
    pub(crate) fn open(source: Arc<dyn Source>, table: &'static Table) -> Result<PartReader> {
        let reader = guarded(|| SerializedFileReader::new(Chunks(source)))?;
        let part = PartReader { reader, table };
        let metadata = part.reader.metadata().file_metadata();
        let mut values = metadata.key_value_metadata().into_iter().flatten();
        let is_ours =
            values.any(|pair| pair.key == CATALOG && pair.value.as_deref() == Some(VERSION));
        let wanted = parse_message_type(&table.message())?;
        if !is_ours || *metadata.schema_descr_ptr().root_schema() != wanted {
            return Err(ParquetError::General("a part of another data set".to_owned()));
        }
        Ok(part)
    }

    /// Number of row groups.
    pub(crate) fn groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// The rows of a row group; columns that are not `wanted` are left empty.
    ///
    /// # Errors
    /// When it is damaged.
    pub(crate) fn read(&self, group: usize, wanted: &dyn Fn(&str) -> bool) -> Result<Rows> {
        guarded(|| self.read_group(group, wanted))
    }

    fn read_group(&self, group: usize, wanted: &dyn Fn(&str) -> bool) -> Result<Rows> {
        let group = self.reader.get_row_group(group)?;
        let count = usize::try_from(group.metadata().num_rows())?;
        let mut rows = Rows::new(self.table);
        for (place, (out, column)) in rows.columns.iter_mut().zip(self.table.columns).enumerate() {
            if !wanted(column.name) {
                continue;
            }
            let mut levels = Vec::new();
            let defs = (!column.required).then_some(&mut levels);
            match group.get_column_reader(place)? {
                ColumnReader::ByteArrayColumnReader(mut reader) => {
                    let mut texts: Vec<ByteArray> = Vec::new();
                    reader.read_records(count, defs, None, &mut texts)?;
                    put(out, texts.iter().map(|text| text.data().into()), &levels, column);
                }
                ColumnReader::Int64ColumnReader(mut reader) => {
                    let mut numbers: Vec<i64> = Vec::new();
                    reader.read_records(count, defs, None, &mut numbers)?;
                    put(out, numbers.into_iter().map(Into::into), &levels, column);
                }
                ColumnReader::BoolColumnReader(mut reader) => {
                    let mut truths: Vec<bool> = Vec::new();
                    reader.read_records(count, defs, None, &mut truths)?;
                    put(out, truths.into_iter().map(Into::into), &levels, column);
                }
                _ => {
                    return Err(ParquetError::General(format!("{} has another type", column.name)));
                }
            }
        }
        rows.len = count;
        Ok(rows)
    }
}

/// Reads a part; a panic of the reader on damaged data becomes an error.
fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let failed = || ParquetError::General("the reader failed on it".to_owned());
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| Err(failed()))
}

/// Puts values in their rows.
fn put<'v>(
    out: &mut ColumnRows,
    mut values: impl Iterator<Item = CatalogueCell<'v>>,
    levels: &[i16],
    column: &Column,
) {
    if column.required {
        values.for_each(|value| out.push(value));
        return;
    }
    for level in levels {
        let value = if *level > 0 { values.next() } else { None };
        out.push(value.unwrap_or(CatalogueCell::Null));
    }
}

/// Copies rows of files out of a part, whose rows are in the order of the files, and goes through it once. A row group is held at
/// a time.
pub(crate) struct Cursor {
    part: PartReader,
    group: usize,
    rows: Rows,
    row: usize,
}

impl Cursor {
    /// Before the first row.
    pub(crate) fn new(part: PartReader) -> Cursor {
        let rows = Rows::new(part.table);
        Cursor { part, group: 0, rows, row: 0 }
    }

    /// Copies the rows of a file, which comes behind those that were copied before, with the changes that `edit` makes to them.
    /// Returns their number.
    pub(crate) fn copy(
        &mut self,
        file: &[u8],
        out: &mut PartWriter,
        edit: &dyn Fn(&mut Rows, usize),
    ) -> Result<u64> {
        let mut count = 0_u64;
        loop {
            let order = |row: usize| self.rows.text(row, 0).unwrap_or_default().cmp(file);
            let rest = self.row..self.rows.len;
            let start = rest.clone().find(|row| order(*row) != Ordering::Less).unwrap_or(rest.end);
            let end = (start..rest.end).find(|row| order(*row) != Ordering::Equal);
            let of_file = start..end.unwrap_or(rest.end);
            of_file.clone().for_each(|row| edit(&mut self.rows, row));
            out.append(&self.rows, of_file.clone())?;
            count = count.saturating_add(of_file.len() as u64);
            self.row = of_file.end;
            if end.is_some() || self.group >= self.part.groups() {
                return Ok(count);
            }
            self.rows = self.part.read(self.group, &|_| true)?;
            self.group = self.group.saturating_add(1);
            self.row = 0;
        }
    }
}

/// Writing failed.
pub(crate) fn failed(error: ParquetError) -> Error {
    inner(error).unwrap_or_else(|error| Error::io(io::Error::other(error)))
}

/// The old catalogue cannot be read to its end.
pub(crate) fn unreadable(error: ParquetError) -> Error {
    inner(error).unwrap_or_else(|error| Error::new(&codes::BAD_CATALOGUE).found(error.to_string()))
}

/// The error of a file, or of the operating system, that one of the Parquet library is; decoders of damaged bytes have errors of input
/// and output, too.
fn inner(error: ParquetError) -> std::result::Result<Error, ParquetError> {
    let ParquetError::External(inner) = error else { return Err(error) };
    let inner = match inner.downcast::<Error>() {
        Ok(error) => return Ok(*error),
        Err(inner) => inner,
    };
    let error = match inner.downcast::<io::Error>() {
        Ok(error) => *error,
        Err(inner) => return Err(ParquetError::External(inner)),
    };
    if error.raw_os_error().is_some() {
        return Ok(Error::io(error));
    }
    match error.downcast::<Error>() {
        Ok(error) => Ok(error),
        Err(error) => Err(ParquetError::External(error.into())),
    }
}
