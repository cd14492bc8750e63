//! The numbers of a cache: `docs/formats/pak.md#7-pakdatadat`.

use spelunk_core::record;

record! {
    /// The number of archives, at the start of the file.
    pub struct CacheHeader: "header", "docs/formats/pak.md#7-pakdatadat", 4 {
        /// Number of archives.
        pak_count: I32,
    }
}

record! {
    /// The numbers behind key and path of an archive.
    pub struct PakNumbers: "pak", "docs/formats/pak.md#7-pakdatadat", 12 {
        /// Number of entries.
        entry_count: I32,
        /// Start of the data in the archive.
        data_start: I32 { unit: "bytes" },
        /// Size of the archive.
        file_size: I32 { unit: "bytes" },
    }
}

record! {
    /// The words behind the entries of an archive.
    pub struct PakRepeats: "repeats", "docs/formats/pak.md#7-pakdatadat", 8 {
        /// Start of the name table of the archive: 92 and 16 times the number of entries.
        name_table_offset: U32 { unit: "bytes" },
        /// The data start once more.
        data_start_again: U32 { unit: "bytes" },
    }
}

record! {
    /// The numbers that an entry starts with; name and directory follow.
    pub struct CacheEntry: "entry", "docs/formats/pak.md#7-pakdatadat", 8 {
        /// Size of the file.
        size: I32 { unit: "bytes" },
        /// Start of the data, from the data start of the archive.
        data_offset: I32 { unit: "bytes" },
    }
}
