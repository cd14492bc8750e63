//! The fields that summaries and listings of chunk files show.

use super::{
    form::{ChunkHeader, SpecHeader},
    header::FileHeader,
};
use crate::fields::{fields, fields_of};
use spelunk_core::Record;

fields_of! {
    FORMAT_VERSION: FileHeader "format_version";
    TYPE: FileHeader "file_type" as "type";
    FILE_VERSION: FileHeader "file_version";
    CHECKSUM: FileHeader "checksum";
    MAGIC_WORD: SpecHeader "magic";
    SPEC_TYPE: SpecHeader "file_type" as "type";
    ID: ChunkHeader "id";
    OCCURRENCE: ChunkHeader "occurrence";
    DATA_TYPE: ChunkHeader "data_type";
}

fields! {
    CHUNK_COUNT: "chunk_count" U64 "Number of chunks.";
    PACKED_COUNT: "packed_count" U64 "Number of packed chunks.";
    HEADER_SIZE: "chunk_header_size" U64 "Size of a chunk header: 11 as the table has it, 10 as the dump." "bytes";
    MAP_WIDTH: "map_width" U32 "Width of the map." "cells";
    MAP_HEIGHT: "map_height" U32 "Height of the map." "cells";
    WIDE_HEADERS: "wide_headers" Bool "Whether raw chunks have an unpacked length too.";
    ROWS: "rows" U64 "Rows of known categories and chunks of maps; nothing where rows are not known.";
    SLOT: "slot" U8 "The language id of the rows.";
    LANGUAGE_ROWS: "rows" U64 "Number of texts.";
    LANGUAGE: "name" Str "The language. `local` is the edition's own one, where its code page does not say which that is.";
    LANGUAGE_CODE: "code" Str "The code of the language, as `de`.";
    TEXT_COUNT: "texts" U64 "Number of texts that have the language.";
    MISSING_COUNT: "missing" U64 "Number of texts that only other slots have.";
    CODE_PAGE: "code_page" Str "The code page of the texts.";
    CHOSEN_BY: "chosen_by" Str "What the code page was chosen by: `request`, `profile`, `detection` or `custom`.";
    EDITION: "edition" Str "The edition that the file is as it was sold, as `--profile` calls it; nothing for any other.";
    MAP_SIZE: "map_size" I16 "Width and height of the map." "cells";
    STORED_SIZE: "stored_size" U64 "Size of the data as it is stored." "bytes";
    UNPACKED_SIZE: "unpacked_size" U64 "Size of the data of all chunks, inflated." "bytes";
    TAIL_SIZE: "tail_size" U64 "Bytes behind the last readable chunk." "bytes";
    EVIDENCE: "evidence" Str "What the reader of this kind of file was checked on: `real files`, or \
        `synthetic` where it rests on files made for tests, as no real one was available.";
    NAME: "name" Str "What is known of the id.";
    PACKED: "packed" Bool "Whether the data is a zlib stream.";
    ROW_SIZE: "row_size" U16 "Size of a row; nothing where rows vary or are not known." "bytes";
    ROWS_START: "rows_start" U8 "Where the rows start in the data: behind their count." "bytes";
    OFFSET: "offset" U64 "Where the chunk starts in the file." "bytes";
    COUNT: "count" U64 "Number of chunks of this id.";
    START: "start" U64 "Where the chunk file starts in the data of its chunk." "bytes";
}

pub(crate) static LANGUAGES: Record = Record::group(
    "languages",
    "docs/formats/cff.md#7-text-data-and-languages",
    "The languages of category 2016, by slot.",
);

/// What a map has.
pub(crate) static MAP: Record = Record::group("map", "docs/formats/map.md", "What the map has.");
