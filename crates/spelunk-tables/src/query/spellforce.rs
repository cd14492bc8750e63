//! The tables of SpellForce's files: chunks, the lists of maps, archives. Those of GameData's categories have a file of their
//! own.

use super::{
    out::RowSink,
    table::{Fill, From, RowSource, Table, integer, text},
};
use crate::{cell::Cell, column::Column};
use spellforce::{
    gamedata::Schema,
    map::{SECTIONS, Section, SectionForm},
    profile,
    spec::{DIALECT, HeaderType},
};
use spelunk_core::{Record, Result, Task};
use spelunk_open::Model;
use std::borrow::Cow;

/// The schemas of these tables: those of chunk files are GameData and its kin, maps, saves.
pub(super) const CFF: &str = profile::GAMEDATA.schema_name();
pub(super) const MAP: &str = profile::MAP.schema_name();
pub(super) const SAVE: &str = profile::SAVE.schema_name();
pub(super) const PAK: &str = profile::PAK.schema_name();
pub(super) const PAKDATA: &str = profile::PAKDATA.schema_name();
pub(super) const ARCHIVES: &str = profile::SET.schema_name();

const PATH: Column = text("path", "Path of the file, with `/`.");
const NAME: Column = text("name", "Name of the file.");
const DIRECTORY: Column = text("directory", "Its directory, with backslashes.");
const SIZE: Column = integer("size", "Its size.").unit("bytes");
const OFFSET: Column = integer("offset", "Where it starts in the archive.").unit("bytes");

pub(super) static TABLES: &[Table] = &[
    Table::new(
        &[CFF, MAP, SAVE],
        "chunks",
        "The chunks.",
        &[
            text(
                "path",
                "Path of the chunk: `2003`, `id.occurrence` where an id occurs more than once.",
            ),
            integer("id", "Its id."),
            integer("occurrence", "Its number among the chunks of its id."),
            text("name", "What is known of the id."),
            integer("data_type", "The version of its data."),
            integer("packed", "Whether the data is a zlib stream."),
            integer("size", "Size of its data, inflated.").unit("bytes"),
            integer("stored_size", "Size of its data as it is stored.").unit("bytes"),
            integer("rows", "Number of its rows, where they are known."),
            integer("row_size", "Size of a row; none where rows vary or are not known.")
                .unit("bytes"),
            integer("offset", "Where the chunk starts in the file.").unit("bytes"),
        ],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        &[PAK],
        "members",
        "The files of the archive.",
        &[PATH, NAME, DIRECTORY, SIZE, OFFSET],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        &[PAKDATA],
        "paks",
        "The archives that the index lists.",
        &[
            text("name", "File name of the archive."),
            text("location", "Where it was when the index was made.").listed_as("path"),
            integer("entry_count", "Number of its files."),
            integer("data_start", "Where its data starts.").unit("bytes"),
            integer("file_size", "Its size.").unit("bytes"),
        ],
        Fill::Listing(From::Root),
    ),
    Table::new(
        &[PAKDATA],
        "members",
        "The files of the archives.",
        &[PATH, NAME, text("pak", "File name of the archive that holds it."), SIZE, OFFSET],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        &[ARCHIVES],
        "members",
        "The files of a folder of archives: of each path the one that wins.",
        &[
            PATH,
            NAME,
            DIRECTORY,
            SIZE,
            text("archive", "The archive that holds it, or `loose file`."),
            text("shadows", "Archives that hold a file of the same path, which this one hides."),
        ],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        &[ARCHIVES],
        "archives",
        "The archives of the folder, those first that win.",
        &[text("name", "Name of the archive."), integer("entries", "Number of its files."), SIZE],
        Fill::Rows(archives),
    ),
];

fn archives(source: &RowSource<'_>, out: &mut RowSink<'_>, _: &mut Task<'_>) -> Result<()> {
    let Model::Archives(set) = Model::of(source.container) else { return Ok(()) };
    set.archives().iter().try_for_each(|mounted| {
        let entries = mounted.archive.entries().len();
        out.row(&[mounted.name.as_str().into(), entries.into(), mounted.archive.size().into()])
    })
}

/// The columns that records of maps have beside their fields.
const PLACE: [Column; 2] = [
    integer("chunk", "Which of the chunks of this kind holds the record."),
    integer("record", "Position of the record in its chunk, from 0 on."),
];

/// The tables of the lists of maps. Their columns are the fields of the newest layout; what an older one lacks is NULL. Lists of the
/// dialect `spec` have other fields, and tables of their own.
pub(super) fn lists() -> impl Iterator<Item = Table> {
    let real = SECTIONS.iter().filter_map(|section| list_of(section, Schema::Real));
    let specified = HeaderType::Map.sections().iter();
    real.chain(specified.filter_map(|section| list_of(section, Schema::Spec)))
}

fn list_of(section: &Section, schema: Schema) -> Option<Table> {
    let newest = newest(section)?;
    let fields = newest.fields.iter().map(|slot| Column::of(&slot.field));
    let (name, of): (Cow<'static, str>, _) = match schema {
        Schema::Real => (section.name.into(), ""),
        Schema::Spec => (format!("{DIALECT}_{}", section.name).into(), " of maps of the dialect"),
    };
    Some(Table {
        schemas: Cow::Borrowed(&[MAP]),
        name,
        doc: format!("Chunk {}{of}: {}.", section.id, section.title).into(),
        columns: PLACE.into_iter().chain(fields).collect(),
        fill: Fill::List(schema, section.id),
    })
}

/// The newest layout of the records of a section, where they are more than a number each.
fn newest(section: &Section) -> Option<&'static Record> {
    let SectionForm::Rows(_, layouts) = section.shape else { return None };
    layouts.first().map(|layout| layout.row).filter(|record| record.fields.len() > 1)
}

/// Fills a table with the records of the chunks of this id.
pub(super) fn list(
    source: &RowSource<'_>,
    (schema, id): (Schema, i16),
    columns: &[Column],
    out: &mut RowSink<'_>,
    task: &mut Task<'_>,
) -> Result<()> {
    let model = Model::of(source.container);
    let chunks = match schema {
        Schema::Real => model.map(),
        Schema::Spec => model.spec_map(),
    };
    let Some(chunks) = chunks else { return Ok(()) };
    for (occurrence, n) in chunks.file().with_id(id).iter().enumerate() {
        task.transient(|task| {
            let Some(list) = chunks.list(*n, task)? else { return Ok(()) };
            for (nth, row) in list.rows().enumerate() {
                task.budget.touch(row.len() as u64)?;
                let mut values = vec![occurrence.into(), nth.into()];
                let fields = columns.get(PLACE.len()..).unwrap_or_default();
                values.extend(
                    fields
                        .iter()
                        .map(|column| {
                            let mut slots = list.record().fields.iter();
                            let slot = slots.find(|slot| slot.field.name == column.name)?;
                            let bytes = row.get(slot.range())?;
                            let value = slot.field.ty.decode(bytes);
                            Some(Cell::of(&value, source.pages).into_owned())
                        })
                        .map(Cell::from),
                );
                out.row(&values)?;
            }
            Ok::<_, spelunk_core::Error>(())
        })?;
    }
    Ok(())
}
