//! The fields that summaries and listings of caches show.

use super::{CacheEntry, PakNumbers, SpecHeader};
use crate::{
    fields::{fields, fields_of},
    pak::PathNumbers,
};

fields_of! {
    PAK_ENTRY_COUNT: PakNumbers "entry_count";
    DATA_START: PakNumbers "data_start";
    FILE_SIZE: PakNumbers "file_size";
    OFFSET: CacheEntry "data_offset" as "offset";
    VERSION: SpecHeader "version";
    SPEC_OFFSET: PathNumbers "offset";
    COMPRESSION: PathNumbers "compression";
}

fields! {
    PAK_COUNT: "pak_count" U64 "Number of archives that can be read.";
    ENTRY_COUNT: "entry_count" U64 "Number of entries of all of them.";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the last archive." "bytes";
    STORED_PATH: "stored_path" Text "Path of the file, as the cache has it.";
    PAK: "pak" Text "File name of the archive that holds the file.";
    TRAILING: "trailing" Bytes "What a longer, older cache left behind.";
}
