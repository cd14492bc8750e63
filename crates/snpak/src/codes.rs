//! The codes of this crate.
//!
//! What keeps the tables from being read ends the opening; everything else is a finding. Rule codes mark
//! what the reference accepts.

spelunk_core::codes! {
    /// The first eight bytes are not those of a pack.
    MAGIC = "SN001" Malformed "the signature is wrong",
        "A pack starts with SNPAK and three NULs. The file is something else, or its first bytes are \
         damaged.";
    /// The header states another version.
    VERSION = "SN002" Unsupported "the pack version is not known",
        "Every generation of the format has version 1. A later tool may have written this pack; look for \
         a newer release.";
    /// The header states more than its 180 bytes.
    HEADER_LONG = "SN003" Unsupported "the header is longer than any known one",
        "All known packs have a header of 180 bytes. What follows in a longer one is an extension that this release \
         does not know: with `--lenient` the pack is read all the same, and the extension is kept as bytes wherever the pack is \
         changed or written. Where the header would reach into the tables of the pack, its size is damaged.";
    /// The header states fewer than its 180 bytes.
    HEADER_SHORT = "SN004" Malformed "the header is too short",
        "All known packs have a header of 180 bytes; the size field is damaged.";
    /// The pack has the other byte order.
    BIG_ENDIAN = "SN005" Unsupported "the pack is big-endian",
        "The endian marker stands backwards, so a big-endian machine wrote the pack. Only little-endian \
         packs are read; write it again where it came from.";
    /// The endian marker is neither way round.
    ENDIAN = "SN006" Malformed "the endian marker is damaged",
        "The marker reads 0x01020304 in every pack. The header is damaged.";
    /// The header states more bytes than the file has.
    FILE_SIZE = "SN007" Malformed "the file is shorter than its header says",
        "The end of the file is missing, or the size in the header is damaged. Fetch the file again.";
    /// Bytes lie behind the size that the header states.
    TRAILING = "SN008" Rule "bytes follow the end of the pack",
        "They belong to no block: an interrupted append or a careless copy left them. Readers ignore \
         them; an append goes behind them.";
    /// A table does not lie inside the pack.
    TABLE_RANGE = "SN009" Malformed "a table lies outside the pack",
        "Offset and size of the string table or the index reach past the size that the header states. \
         The header is damaged or the file was cut.";

    /// No string table is where the header says.
    STRINGS_MAGIC = "SN010" Malformed "no string table is there",
        "A string table starts with STRS. Its offset in the header is wrong or the table is damaged.";
    /// The string table has another version.
    STRINGS_VERSION = "SN011" Unsupported "the string table version is not known",
        "Every generation writes version 1.";
    /// The sizes of the string table disagree.
    STRINGS_SIZE = "SN012" Malformed "the size of the string table is wrong",
        "The size in the header of the pack, the size in the block and the room for its offsets have to \
         agree.";
    /// The string count is beyond the format's limit.
    STRING_COUNT = "SN013" Malformed "there are too many strings",
        "A string table has at most 10,000,000 strings; the count is damaged.";
    /// A string starts outside the data or has no NUL.
    STRING_OFFSET = "SN014" Malformed "a string lies outside the string data",
        "Every string starts inside the data and ends with a NUL. The table is damaged.";
    /// The data of the string table does not have its hash.
    STRINGS_HASH = "SN015" Malformed "the strings do not match their hash",
        "Names may be wrong. The rest of the pack is found without them.";

    /// No index is where it should be.
    INDEX_MAGIC = "SN020" Malformed "no index is there",
        "An index starts with INDX. Its offset is wrong or the index is damaged.";
    /// The index has another version.
    INDEX_VERSION = "SN021" Unsupported "the index version is not known",
        "Every generation writes version 1.";
    /// The sizes of the index disagree.
    INDEX_SIZE = "SN022" Malformed "the size of the index is wrong",
        "The size by which the index was reached, the size in the block and the sum of its four tables \
         have to agree.";
    /// A count of the index is beyond the format's limit.
    INDEX_COUNT = "SN023" Malformed "an index table is too long",
        "An index has at most 10,000,000 entries and dependency owners and 100,000,000 bulk entries and \
         dependencies; the count is damaged.";
    /// The index block does not have the hash that the header of the pack stores.
    INDEX_HASH = "SN024" Malformed "the index does not match the hash in the header",
        "The index or the header was changed after it was written: a torn write or damage. Entries may \
         be wrong.";
    /// The tables of the index do not have their hash.
    ENTRIES_HASH = "SN025" Malformed "the index tables do not match their hash",
        "One of entries, bulk entries, dependency owners and dependencies is damaged.";
    /// A dependency owner is impossible.
    OWNER = "SN026" Malformed "a dependency owner is wrong",
        "An owner names an asset of the index, once, and a range of the dependency table.";
    /// A dependency is impossible.
    DEPENDENCY = "SN027" Malformed "a dependency is wrong",
        "A dependency has kind 0, 1 or 2 and a name of the string table or none.";

    /// The header names another previous index than the index does.
    CHAIN_HEADER = "SN030" Rule "header and index disagree about the index before",
        "Both name the same index in every pack that a writer of the format made. The chain is read from \
         the index.";
    /// An older index cannot be reached.
    CHAIN_LINK = "SN031" Rule "the index before this one cannot be reached",
        "The link leads nowhere, forward, or in a circle. The current assets are complete; older states \
         of the pack are lost.";
    /// The string table of an older index is not found.
    CHAIN_STRINGS = "SN032" Rule "the names of an older index are lost",
        "No string table of the pack has the names that this older index wants. Its assets are known by \
         their ids alone.";
    /// An older index has assets that the active one lacks.
    HIDDEN_ASSETS = "SN033" Rule "an append hides older assets",
        "The first writers appended an index of the new assets only, so readers no longer see the older \
         ones. They are still in the pack: `--generation merged` shows them, and `repair` brings them back.";
    /// An older index is damaged.
    CHAIN_DAMAGE = "SN034" Rule "an older index is damaged",
        "The current assets are complete; an older state of the pack is not.";

    /// A text that is no asset id.
    BAD_ID = "SN038" Usage "this is no asset id",
        "An id has 32 hexadecimal digits, with or without dashes between 8, 4, 4, 4 and 12 of them and with or \
         without braces.";
    /// A generation that the pack does not have.
    NO_GENERATION = "SN039" Usage "the pack has no such generation",
        "Generations are counted from the oldest, which is 1; each append makes one more. `spelunk info` lists them, \
         and `merged` stands for all of them as one.";

    /// A chunk does not lie inside the pack.
    CHUNK_RANGE = "SN040" Malformed "a chunk lies outside the pack",
        "The offset or the stored size of a chunk is damaged, or the file was cut.";
    /// No chunk is where a row says.
    CHUNK_MAGIC = "SN041" Malformed "no chunk is there",
        "A chunk starts with CHNK. The offset in the index is wrong or the chunk is damaged.";
    /// The chunk has another version.
    CHUNK_VERSION = "SN042" Unsupported "the chunk version is not known",
        "Every generation writes version 1.";
    /// A chunk is larger than the format allows.
    CHUNK_LIMIT = "SN043" Malformed "a chunk is too large",
        "Stored or plain, a chunk has at most 8 GiB; the size is damaged. Where a pack is written, the payload is larger than what \
         `--block-limit` allows.";
    /// Stored sizes of row and chunk disagree.
    STORED_SIZE = "SN044" Malformed "index and chunk disagree about the stored size",
        "The size in the index is the size in the chunk and 80 bytes for the chunk's header.";
    /// Plain sizes of row and chunk disagree.
    UNPACKED_SIZE = "SN045" Malformed "index and chunk disagree about the plain size",
        "One of the two is damaged.";
    /// The chunk belongs to another asset.
    ASSET_ID = "SN046" Malformed "the chunk belongs to another asset",
        "A chunk names its asset; the index leads to the chunk of another one.";
    /// A main payload is marked as bulk, or the other way round.
    CHUNK_KIND = "SN047" Malformed "the chunk is of the wrong kind",
        "Main payloads have kind 0, bulk chunks kind 1.";
    /// Payload types of entry and chunk disagree.
    PAYLOAD_TYPE = "SN048" Malformed "index and chunk disagree about the payload type",
        "One of the two is damaged, so the loader may be the wrong one.";
    /// Schema versions of entry and chunk disagree.
    SCHEMA_VERSION = "SN049" Malformed "index and chunk disagree about the schema version",
        "One of the two is damaged.";
    /// Compression ids of row and chunk disagree.
    COMPRESSION = "SN050" Malformed "index and chunk disagree about the compression",
        "One of the two is damaged; the chunk's own id decides how it is decoded.";
    /// The compression id is not known.
    COMPRESSION_UNKNOWN = "SN051" Malformed "the compression is not known",
        "Ids are 0 none, 1 LZ4, 2 zstd, 3 LZ4 HC, 4 zstd of a negative level. Only this chunk cannot be \
         read.";
    /// The stored payload cannot be decoded to its size.
    DECODE = "SN052" Malformed "the payload cannot be decoded",
        "The stored bytes are not a complete block or frame of the stated size.";
    /// The plain size is beyond what the codec can reach.
    PLAIN_SIZE = "SN053" Malformed "the plain size is impossible for the stored bytes",
        "No block or frame of this stored size holds that much; one of the sizes is damaged.";
    /// The plain payload does not have the chunk's hash.
    PAYLOAD_HASH = "SN054" Malformed "the payload does not match its hash",
        "The payload is damaged, or the hash in the chunk's header is.";
    /// Hashes of entry and chunk disagree.
    ENTRY_HASH = "SN055" Malformed "index entry and chunk disagree about the hash",
        "The index was made for another payload than the one that is there. The reference never compares \
         the two.";
    /// Hashes of bulk entry and chunk disagree.
    BULK_HASH = "SN056" Malformed "bulk entry and chunk disagree about the hash",
        "The bulk entry was made for another payload than the one that is there. The reference never \
         compares the two.";
    /// Level bytes of row and chunk disagree.
    LEVEL = "SN057" Rule "index and chunk disagree about the level",
        "The level plays no part in decoding.";
    /// A bulk chunk has another payload type than its asset, or a schema version.
    BULK_TYPE = "SN058" Rule "a bulk chunk has a payload type or schema version of its own",
        "Bulk chunks normally carry the payload type of their asset and schema version 0. One that an \
         update kept may carry an older type.";

    /// A name id is out of range.
    NAME_ID = "SN060" Rule "a string id is out of range",
        "The string table has no such string; the reference shows an empty name.";
    /// The name does not have the hash of its entry.
    NAME_HASH = "SN061" Rule "a name does not match its hash",
        "Looking the asset up by name fails in programs that trust the hash.";
    /// The variant does not have the hash of its entry.
    VARIANT_HASH = "SN062" Rule "a variant does not match its hash",
        "The hash is XXH3-64 of the variant, and 0 where there is none.";
    /// A string is not UTF-8.
    NOT_UTF8 = "SN063" Rule "a string is not UTF-8",
        "Names are meant to be UTF-8 but nobody checks it. The bytes are kept and shown escaped.";
    /// A bulk range passes the end of the table.
    BULK_RANGE = "SN064" Malformed "a range of bulk entries passes the end of the table",
        "First and count of the entry are damaged; none of its bulk chunks is listed.";
    /// The bulk flag and the bulk count disagree.
    BULK_FLAG = "SN065" Rule "bulk flag and bulk count disagree",
        "Bulk entries count only where the flag is set; the flag is set only where there are some.";
    /// No asset has this bulk entry.
    BULK_UNUSED = "SN066" Rule "a bulk entry belongs to no asset",
        "Nothing leads to this bulk chunk.";
    /// Two assets claim a bulk entry.
    BULK_SHARED = "SN067" Malformed "two assets share a bulk entry",
        "A chunk names one asset, so it cannot serve another one. One of the ranges is damaged.";
    /// An asset has two bulk chunks of the same semantic and number.
    SUB_INDEX = "SN068" Rule "two bulk chunks of an asset have the same semantic and number",
        "Programs that look bulk chunks up by semantic and number find only one of them.";
    /// Several entries have this asset id.
    DUPLICATE_ID = "SN069" Rule "a later entry has the same asset id",
        "Look-up by id finds the last entry. This one can be named by its position.";
    /// Reserved bytes are not zero.
    RESERVED = "SN070" Rule "reserved bytes are not zero",
        "Readers ignore them; they are kept.";
    /// Unknown flags are set.
    FLAGS = "SN071" Rule "unknown flags are set",
        "No known writer sets them and no known reader looks at them.";
    /// Type table fields are not zero.
    TYPE_TABLE = "SN072" Rule "the pack names a type table",
        "The fields are reserved and no type table was ever described. They are kept.";
    /// Blocks overlap.
    OVERLAP = "SN073" Rule "blocks overlap",
        "Two blocks use the same bytes. Each can be read; changing one would change the other.";
    /// Bytes belong to no block.
    GAP = "SN074" Rule "bytes belong to no block",
        "Nothing that the pack knows of uses these bytes: what an interrupted append left, or a block \
         that is no longer reached. Compacting drops them.";

    /// No such way of packing.
    CODEC = "SN080" Usage "there is no such compression",
        "Payloads are packed with none, lz4, zstd, lz4hc or zstd-fast, at the levels default, fast, high \
         and max.";
    /// Compression that this build cannot pack with.
    NO_ENCODER = "SN081" Unsupported "this build cannot pack with this compression",
        "zstd and LZ4 HC are packed by the codecs in C, which this build was made without.";
    /// The codec refuses a payload.
    ENCODE = "SN082" Usage "the payload cannot be packed so",
        "One LZ4 block holds less than 2 GiB. Pack it with zstd, or not at all.";
    /// A name has a NUL.
    NAME_NUL = "SN083" Usage "a name holds a NUL",
        "Names end at their first NUL when they are read, so that this one could never be found.";
    /// Two assets are given with one id.
    SAME_ID = "SN084" Usage "there is an asset with this id",
        "Readers find the last asset with an id only. Give another id, or replace the asset that is there.";
    /// Dependencies are left out.
    NEEDS_LEFT_OUT = "SN085" Rule "dependencies are left out",
        "The readers that the pack is written for refuse packs with dependency tables.";
    /// Sub-indexes that the first readers do not load.
    SUB_INDEX_FOR_SEED = "SN086" Rule "the first readers do not load some bulk payloads",
        "They demand that the sub-index is the position in the asset's list. The pack opens, and all else \
         loads.";
    /// A payload that the first readers do not load.
    LARGE_FOR_SEED = "SN087" Rule "the first readers do not load this payload",
        "They load up to 1,000,000,000 bytes; later ones load up to 8 GiB.";
    /// A chunk that contradicts its row cannot be carried over.
    NOT_CARRIED = "SN088" Malformed "a chunk that contradicts the index cannot be carried over",
        "`verify` tells what is wrong with it; `repair` keeps what is sound.";
    /// The file is no more what was opened.
    CHANGED = "SN090" Io "the file was changed meanwhile",
        "It is not what was opened, so nothing was written. Open it again.";
    /// An asset that goes is needed by others.
    STILL_NEEDED = "SN091" Rule "an asset that was removed is still needed",
        "Another asset depends on it. The dependency stays: it may be meant to come from another pack.";
    /// A value does not fit its field.
    VALUE = "SN092" Usage "the value does not fit its field",
        "Ids are 32 hexadecimal digits, semantics and sub-indexes numbers of 32 bits, compressions and levels \
         have names.";
    /// No such field can be changed.
    NO_FIELD = "SN093" Usage "there is no such field to change",
        "What can be changed of an asset: asset_id, kind, payload_type, schema_version, name, variant, \
         compression, level, dependencies, and of bulk[N] semantic, sub_index, compression and level. All else \
         follows from the payload.";

    /// Something was put right.
    MENDED = "SN094" Rule "this was put right",
        "The repaired pack has it as it belongs; the pack that was read is as it was.";
    /// Something cannot be put right.
    LOST = "SN095" Malformed "this is lost",
        "Nothing in the file holds it any more. Look for it in an older copy of the pack.";
    /// A part of packs lacks something that its assets need.
    NEED_MISSING = "SN097" Rule "something that is needed is in none of the packs",
        "The new pack works where another one has it. Name that pack with --with to take it along.";
    /// Nothing is left to be repaired.
    NOTHING_LEFT = "SN096" Malformed "nothing of the pack is left",
        "The file has no index that is whole, and no chunk whose payload matches its hash.";

    /// A file of type names that is not of its form.
    TYPE_NAMES = "SN120" Usage "this does not name types",
        "Each line of a file of type names has an id, blanks and a name; an id stands there once. Lines that start with \
         `#` are comments.";
    /// A type that is called by a name that none has.
    NO_TYPE = "SN128" Usage "no type is called so",
        "A type is called by its id, by the name that it has in the table of the documentation or in the file of `--types`, or by a \
         namespace and a name, which its id is made of: `NAMESPACE:NAME`, where the namespace is an id, `framework`, `dns`, \
         `url`, `oid` or `x500`.";
    /// Random ids where nothing makes random numbers.
    NO_RANDOM = "SN129" Unsupported "there are no random numbers here",
        "In a browser this release makes ids of names alone, which is what it does everywhere without `--uuid v4`.";
    /// The payload of a texture is not what its type says.
    TEXTURE_INFO = "SN121" Malformed "the description of a texture is damaged",
        "The payload of a texture states its size, its number of mips and its format. Sizes are not zero, and there are \
         no more mips than the size can be halved.";
    /// A texture has a format that is not known.
    TEXTURE_FORMAT = "SN122" Unsupported "the format of a texture is not known",
        "Known are RGBA8, RGB8, R8, RG8, BC1, BC3 to BC7 and ASTC. A later tool may have written this texture.";
    /// The bytes of a mip are more or fewer than its size and format take.
    MIP_SIZE = "SN123" Malformed "a mip has the wrong size",
        "Width, height and format of a mip tell how many bytes it takes; its bulk chunk has another number of them.";
    /// A mip of a texture is not there.
    MIP_MISSING = "SN124" Rule "mips of a texture are missing",
        "The texture states more mips than it has bulk chunks of semantic 1 for. The others can be used.";
    /// The sizes that a compressed texture lists for its mips are not those that follow from it.
    MIP_LIST = "SN125" Rule "the list of mips contradicts the texture",
        "Width, height and byte size of each mip follow from the size and the format of the texture. These are used; \
         the list says something else.";
    /// A text that is no format and size.
    TEXTURE_SHAPE = "SN127" Usage "this is not a format and a size",
        "Format and size of a texture are given as in rgba8:128x128. Formats are rgba8, rgb8, r8, rg8, bc1, bc3, bc4, bc5, \
         bc6h, bc7, and astc4x4 to astc12x12.";
    /// A schema of compressed textures that is not known.
    TEXTURE_SCHEMA = "SN126" Unsupported "the schema of a compressed texture is not known",
        "Schemas 1 and 2 are known. A later tool may have written this texture.";
}
