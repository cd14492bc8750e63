//! The codes of this crate: `CF` for chunk files, `PK` for archives, `PD` for `pakdata.dat`, `MP` for maps, `SD` for what
//! only the dialect `spec` has.

spelunk_core::codes! {
    /// The first four bytes are not the magic of a chunk file.
    CFF_MAGIC = "CF001" Malformed "the magic is not that of a chunk file",
        "GameData, maps and saves start with the bytes 12 DD 72 DD.";
    /// The magic that is said to belong to the first release of 2003.
    CFF_MAGIC_2003 = "CF002" Unsupported "the magic is one that no known file has",
        "A third-party note gives the first release of 2003 the magic 0xDD72C502. No such file was ever \
         seen, so nothing is known of what follows, and this release does not guess.";
    /// The magic as the written specification prints it, before chunks that it does not explain.
    CFF_MAGIC_SPEC = "CF003" Unsupported "the magic is the misprint of the specification, and the chunks do not fit it",
        "The written specification prints the magic as 0xDD5E5E12, while every real file has \
         0xDD72DD12. Files with the printed one are read if their chunk headers have the 11 bytes of the \
         specification's table or the 10 bytes of its dump. These have neither. If it is a real file whose \
         magic was changed, put 12 DD 72 DD back.";
    /// Chunk headers as only the written specification describes them, where real ones are wanted.
    CFF_SPEC_HEADERS = "CF004" Unsupported "the chunk headers have the 11 bytes of the specification",
        "The chunks only fit the file when their headers are read as the written specification has \
         them: 11 bytes, with the data type before the length. No game reads such files, and real ones and those of the dialect \
         `spec` do not become each other: what would be read as the other kind is not written.";
    /// A data length or unpacked length is below zero.
    CHUNK_NEGATIVE = "CF005" Malformed "a length is negative",
        "Lengths in chunk headers are signed. A negative one is damage, and where the next chunk starts \
         cannot be told. The chunks before it are read; the rest of the file is kept as it is.";
    /// The data of a chunk reaches behind the end of the file.
    CHUNK_PAST_END = "CF006" Malformed "the chunk ends behind the end of the file",
        "The file is cut short, or a length is damaged, or bytes that are no chunk follow the last one. \
         The chunks before it are read; the rest of the file is kept as it is.";
    /// A chunk with the id and the occurrence of an earlier one.
    CHUNK_REPEATED = "CF007" Rule "another chunk has the same id and occurrence",
        "Id and occurrence name a chunk. The editor refuses files in which two chunks share both. Both \
         are listed; name one of them by its position: `#INDEX`.";
    /// A packed word that is neither 0 nor 1.
    CHUNK_PACKED = "CF008" Unsupported "the packed word has an unusual value",
        "0 is raw and 1 is zlib. One third-party tool mentions 2; what it stands for is not known. Any \
         value but 0 is read as zlib, and the word is kept.";
    /// Nothing says what the chunks are.
    CHUNKS_UNKNOWN = "CF009" Unsupported "the chunk ids belong to no known kind of file",
        "The container is read, but the ids of its chunks are neither those of GameData nor those of a \
         map or a save. Chunks are listed, unpacked and written back; their content is opaque.";
    /// A category with another data type than every known file has.
    CATEGORY_DATA_TYPE = "CF010" Unsupported "the category has another data type than the known one",
        "The data type is the version of a category's layout. Rows of another version may have another \
         size, so the chunk is kept as opaque bytes. The editor refuses such a file.";
    /// Bytes behind the last whole row.
    CATEGORY_REMAINDER = "CF011" Malformed "the category does not end with a whole row",
        "A category is whole rows back to back. The bytes behind the last whole row are damage; they are \
         kept as they are.";
    /// A chunk id that is not known in this kind of file.
    CHUNK_ID = "CF012" Unsupported "the chunk id is not known in this kind of file",
        "The chunk is listed, unpacked and written back; its content is opaque. The editor drops such \
         chunks when it saves.";

    /// The magic of an archive is missing.
    PAK_MAGIC = "PK001" Malformed "the magic is not that of an archive",
        "An archive has the text MASSIVE PAKFILE V 4.0 at offset 4.";
    /// An archive of another version.
    PAK_VERSION = "PK002" Unsupported "the version of the archive is not 4",
        "Only version 4 is known. The editor accepts 5 as well, but what differs there is not known, so \
         this release does not guess.";
    /// An archive of the dialect `spec` where a real one is wanted, or the other way round.
    PAK_SPEC = "PK003" Unsupported "the archive is of another dialect",
        "The written specification describes an archive with the magic PAK and its index at the end: the \
         dialect `spec`. No game reads such files. They are listed, extracted, edited, merged and mounted as \
         real ones are. A pakdata.dat lists archives of one dialect alone.";
    /// Entries or the data start do not fit into the file.
    PAK_TABLES = "PK004" Malformed "the tables do not fit into the file",
        "The entry count or the data start contradicts the size of the file, so names and data cannot \
         be found. The file is cut short, or its header is damaged.";
    /// The header states another file size.
    PAK_FILE_SIZE = "PK005" Malformed "the file has another size than its header states",
        "The archive was cut short or something was appended to it. Bytes behind the stated size are \
         kept.";
    /// A name or directory offset leads outside the name table or to a text without an end.
    PAK_NAME = "PK006" Malformed "the name of the entry cannot be read",
        "Its offset lies behind the name table, or no NUL ends the text. The entry has no path; it is \
         reached by its position: `#INDEX`.";
    /// An entry's data lies outside the file.
    PAK_EXTENT = "PK007" Malformed "the data of the entry ends behind the end of the file",
        "Size or offset is damaged, or the file is cut short. The entry is listed, its bytes are not \
         there.";
    /// The checksum is another one.
    PAK_CHECKSUM = "PK008" Rule "the checksum is not the computed one",
        "The recipe is known from one third-party packer only, and nothing is known to check it, so a \
         difference is no damage.";
    /// The hash stored with a name is not the hash of the path.
    PAK_HASH = "PK009" Rule "the stored hash is not that of the path",
        "The two bytes before a name are the hash of the whole path. The game is said to search by it and may not \
         find this file. `spelunk mv` to another path and back gives the entry its hash.";
    /// An entry is out of order.
    PAK_ORDER = "PK010" Rule "the entry is out of order",
        "Entries ascend by the hash of their path, and by the reversed path where hashes are equal. The \
         game is said to search by bisection and may not find this file.";
    /// Two entries share bytes.
    PAK_OVERLAP = "PK011" Rule "the data of two entries overlaps",
        "In real archives the files lie back to back. Here two entries share bytes: a program that changes one of \
         them in place changes the other. `spelunk pack` of the extracted files, without their manifest, parts \
         them.";
    /// The padding is too long or not zero.
    PAK_PADDING = "PK012" Rule "the padding is not the usual one",
        "Archives are filled up with zeros to a multiple of 4096 bytes. Here more lies behind the last \
         file, or something else; it is kept.";
    /// Bytes between two files.
    PAK_GAP = "PK013" Rule "bytes between two files belong to no entry",
        "In real archives the files lie back to back; one third-party packer aligns them to four bytes. \
         The bytes are kept.";
    /// A name or directory that is longer than a path can be.
    PAK_LONG_NAME = "PK014" Rule "the name of the entry is longer than a path of Windows",
        "Windows ends paths at 260 bytes, and real archives have no longer name or directory. It is read \
         all the same. The game may not find this file, and the name table may be damaged.";

    /// A path that no file of an archive can have.
    PAK_BAD_PATH = "PK015" Usage "the path cannot be that of a file in an archive",
        "Paths are a directory and a name, with `/` or `\\` between their steps; no step is empty, `.` or `..`, \
         and neither part is longer than 260 bytes.";
    /// Two files of one path.
    PAK_PATH_TAKEN = "PK016" Usage "two files have one path",
        "An archive is searched by path, so only one of them could be found. Paths are stored in small letters: \
         names that differ in their case alone are one.";
    /// A file without a directory.
    PAK_NO_DIRECTORY = "PK017" Usage "the file lies in no directory",
        "Every file of the real archives lies in a directory, and nothing is known of how the game would look for \
         another one. Put it into a folder such as `texture` or `script`.";
    /// A character that names cannot have.
    PAK_CHARACTER = "PK018" Usage "a character cannot be stored in a name",
        "Names are stored in the code page 1252, which has the letters of Western Europe alone. Give the file \
         another name.";
    /// More than an archive can express.
    PAK_TOO_LARGE = "PK019" Unsupported "this does not fit into one archive",
        "Names are found by offsets of 24 bits and data by offsets of 32 bits, and the size of the archive is a \
         number of 32 bits. Make several archives.";

    /// A name with capital letters.
    PAK_UPPER_CASE = "PK020" Rule "the path has capital letters",
        "Real archives have none. The game is said to look for paths in small letters by their hash, and may not \
         find this file. Name the file in small letters with `spelunk mv`.";
    /// Two entries of one path.
    PAK_DUPLICATE = "PK021" Rule "another entry has the same path",
        "Only one of them can be found, and which one is chance. The case of letters does not count. Remove one of \
         them with `spelunk rm`, or give it another path with `spelunk mv`.";
    /// An entry without a directory.
    PAK_ROOT = "PK022" Rule "the file lies in no directory",
        "Every file of the real archives lies in a directory; nothing is known of how the game looks for another one. \
         Move it into one with `spelunk mv`.";
    /// A size that is no multiple of 4096.
    PAK_UNALIGNED = "PK023" Rule "the size of the archive is no multiple of 4096",
        "Real archives are filled up with zeros to a multiple of 4096 bytes. It is not known whether the game minds; \
         an archive that `spelunk pack` makes has such a size.";
    /// Files that are aligned to four bytes.
    PAK_ALIGNED_DATA = "PK024" Rule "all files start at multiples of four bytes",
        "One third-party packer aligns files; in real archives they lie back to back. It does no harm that is known.";

    /// A length of a string takes more than five groups of seven bits.
    PAKDATA_STRING = "PD001" Malformed "the length of the string is too long",
        "Lengths of strings are written in groups of seven bits, at most five of them.";
    /// A count, size or offset is below zero.
    PAKDATA_NEGATIVE = "PD002" Malformed "a number is negative",
        "Counts, sizes and offsets in pakdata.dat are signed and never below zero.";
    /// Words behind the entries contradict what stands before these.
    PAKDATA_REPEATS = "PD003" Malformed "the repeated words contradict the archive's numbers",
        "Behind the entries of an archive stand 92 + 16 times their count, and its data start once \
         more. They differ, so one of the two copies is damaged. Delete pakdata.dat: the editor makes a \
         new one.";
    /// Bytes behind the last archive.
    PAKDATA_TRAILING = "PD004" Rule "bytes follow the last archive",
        "The editor writes over an old cache without cutting it, so the end of a longer, older one stays \
         behind. Nothing reads these bytes; they are kept.";
    /// Fewer whole archives than the count says.
    PAKDATA_COUNT = "PD005" Malformed "the cache ends before its last archive",
        "The file is cut short or damaged. The archives before that place are read; the rest of the file \
         is kept as it is. Delete pakdata.dat: the editor makes a new one.";
    /// An archive that the cache lists is not there.
    PAKDATA_GONE = "PD006" Rule "an archive of the cache is not in the folder",
        "The editor believes its cache and looks for files in an archive that is gone. Delete pakdata.dat, or write a new one \
         with `spelunk pack DIR -o pakdata.dat`.";
    /// An archive that the cache does not list.
    PAKDATA_NEW = "PD007" Rule "an archive of the folder is not in the cache",
        "The editor believes its cache and does not see this archive. Delete pakdata.dat, or write a new one with `spelunk \
         pack DIR -o pakdata.dat`.";
    /// Numbers of an archive that are others now.
    PAKDATA_NUMBERS = "PD008" Rule "a number of the archive is another one in the cache",
        "The archive was changed after the cache was made. The editor would read files at wrong places. Delete \
         pakdata.dat, or write a new one with `spelunk pack DIR -o pakdata.dat`.";
    /// An entry that is another one now.
    PAKDATA_ENTRY = "PD009" Rule "an entry of the archive is another one in the cache",
        "The archive was changed after the cache was made. The editor would read this file at a wrong place, or not \
         find it. Delete pakdata.dat, or write a new one with `spelunk pack DIR -o pakdata.dat`.";
    /// The archive lies elsewhere.
    PAKDATA_PATH = "PD010" Rule "the archive lies elsewhere than the cache says",
        "The cache has whole paths, which are wrong once the game was moved. Delete pakdata.dat, or write a new one \
         with `spelunk pack DIR -o pakdata.dat`.";
    /// Two archives of one name.
    PAKDATA_TWICE = "PD011" Rule "another archive of the cache has the same name",
        "The editor goes by the names of archives and keeps one of them, so files of the other are not found, or read at wrong \
         places. Delete pakdata.dat, or write a new one with `spelunk pack DIR -o pakdata.dat`.";
    /// A file that reaches past the end of its archive.
    PAKDATA_OUTSIDE = "PD012" Rule "a file reaches past the end of its archive",
        "By the cache's own numbers the file ends behind the end of the archive that holds it, so the editor would read past \
         the end. Delete pakdata.dat, or write a new one with `spelunk pack DIR -o pakdata.dat`.";
    /// An archive of another dialect than the cache.
    PAKDATA_DIALECT = "PD013" Rule "the archive is of another dialect than the cache",
        "A cache lists archives of its own dialect. Write a new one with `spelunk pack DIR -o pakdata.dat`, in a folder whose \
         archives are of one dialect.";

    /// The content of a chunk of the dialect `spec` is too short.
    SPEC_SHORT = "SD001" Malformed "the content of the chunk is shorter than what is told of it",
        "The count at its start asks for more records than its bytes can hold, or there is no count. The content \
         is kept as bytes.";
    /// Width and height of a height map of the dialect `spec` do not give its length.
    SPEC_HEIGHTS = "SD002" Malformed "width and height do not give the length of the height map",
        "A height map is width, height, and two bytes for each cell. What is left over is kept as bytes.";
    /// Layers of texture weights of the dialect `spec` are not as the specification has them.
    SPEC_LAYERS = "SD003" Malformed "the layers of texture weights are not those of the map",
        "The written specification has 255 layers, each a texture and a weight for each cell of the height map.";
    /// The index of an archive of the dialect `spec` does not fit into the file.
    SPEC_INDEX = "SD004" Malformed "the index does not fit into the file",
        "The index offset lies outside the file, or the file ends before the last entry. Entries before that \
         place are read; the rest of the file is kept as it is.";
    /// Bytes behind the index of an archive of the dialect `spec`.
    SPEC_TRAILING = "SD005" Rule "bytes follow the index",
        "The index is said to end the archive. The bytes are kept.";
    /// A compression byte that is neither 0 nor 1.
    SPEC_COMPRESSION = "SD006" Unsupported "the compression of the entry is not known",
        "0 is none and 1 is zlib. The stored bytes of such an entry are given as they are.";
}
