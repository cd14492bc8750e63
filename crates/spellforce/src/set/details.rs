//! The fields that summaries and listings of sets show.

use crate::fields::fields;
use spelunk_core::Record;

pub(crate) static ARCHIVES: Record = Record::group(
    "archives",
    "docs/formats/pak.md#8-sets-of-archives",
    "The archives, those first that win.",
);

fields! {
    ARCHIVE: "archive" Str "The archive that holds the file, or `loose file`.";
    SHADOWS: "shadows" Str "Archives that hold a file of the same path, which this one hides.";
    DIRECTORY: "directory" Text "The directory, with backslashes.";
    NAME: "name" Text "The name of the file.";
    ARCHIVE_COUNT: "archive_count" U64 "Number of archives.";
    LOOSE_COUNT: "loose_count" U64 "Number of loose files.";
    ENTRY_COUNT: "entry_count" U64 "Number of entries of all archives.";
    PATH_COUNT: "path_count" U64 "Number of paths, each of which one file wins.";
    SHADOWED_COUNT: "shadowed_count" U64 "Number of files that others hide.";
    FILE_NAME: "file_name" Str "Name of the archive.";
    ENTRIES: "entries" U64 "Number of its entries.";
    FORM: "dialect" Str "Dialect of the archive, where it is not that of real files.";
    FILE_SIZE: "file_size" U64 "Its size." "bytes";
    DATA: "data" Bytes "The content of the file." "bytes";
    EVIDENCE: "evidence" Str "What the reader of archives was checked on: `synthetic`, as no real archive was available.";
}
