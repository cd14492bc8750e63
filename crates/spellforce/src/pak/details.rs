//! The fields that summaries and listings of archives show.

use super::{form::PathNumbers, header::PakHeader, index::SpecHeader};
use crate::fields::{fields, fields_of};

fields_of! {
    VERSION: PakHeader "version";
    ENTRY_COUNT: PakHeader "entry_count";
    DATA_START: PakHeader "data_start";
    STORED: PakHeader "checksum" as "stored";
    ROOT_INDEX: PakHeader "root_index";
    FILE_SIZE: PakHeader "file_size";
    SPEC_VERSION: SpecHeader "version";
    SPEC_ENTRY_COUNT: SpecHeader "entry_count";
    INDEX_OFFSET: SpecHeader "index_offset";
    SPEC_OFFSET: PathNumbers "offset";
    COMPRESSION: PathNumbers "compression";
}

fields! {
    OK: "ok" Bool "Whether it is the one that a third-party packer computes.";
    DATA_SIZE: "data_size" U64 "Sum of the sizes of all files." "bytes";
    PADDING_SIZE: "padding_size" U64 "Bytes behind the last file." "bytes";
    EVIDENCE: "evidence" Str "What the reader was checked on: `synthetic`, as no real archive was \
        available. Entries, order and the length of the names agree with a real `pakdata.dat`.";
    STORED_PATH: "stored_path" Text "Path of the file, as the index has it.";
    OFFSET: "offset" U64 "Where the file starts in the archive." "bytes";
    DIRECTORY: "directory" Text "The directory, with backslashes.";
    NAME: "name" Text "The name of the file.";
    DATA: "data" Bytes "The content of the file." "bytes";
    PACKED_COUNT: "packed_count" U64 "Number of files that are stored as zlib streams.";
    SUM_OF_STORED: "stored_size" U64 "Sum of the stored sizes of all files." "bytes";
    TRAILING_SIZE: "trailing_size" U64 "Bytes behind the index." "bytes";
}
