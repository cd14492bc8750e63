//! The codes of the rules.

spelunk_core::codes! {
    /// Several entries have this asset id.
    SHADOWED = "SL001" Rule "a later entry of the same asset id hides this one",
        "Look-up by id gives the last entry, look-up by name the first one that has the name, so programs get \
         one or the other. Give one of them another id when the pack is made; what is hidden takes room for \
         nothing.";
    /// An older index has assets that the active one lacks.
    HIDDEN = "SL002" Rule "an append hides assets of the pack",
        "The first writers appended an index of the new assets only. Games no longer find the older ones, which \
         are still in the pack; appends by later writers leave it so. `spelunk repair` lists them again; where \
         they were meant to go, `spelunk compact` drops them.";

    /// Bytes between the blocks.
    GAPS = "SL010" Rule "bytes between the blocks belong to nothing",
        "They are left over from an interrupted append, or belong to an index that is no longer reached. \
         `spelunk compact` drops them.";
    /// Bytes behind the end.
    TRAILING = "SL011" Rule "bytes behind the end of the pack take room",
        "Readers stop at the size that the header states, and an append starts behind these bytes and makes \
         them a gap. `spelunk compact` drops them.";
    /// Blocks of older states.
    OUTDATED = "SL012" Rule "chunks and tables serve older states of the pack only",
        "Every append leaves the index before it in the file, with the string table and the chunks that were \
         replaced. They are the history of the pack; games do not read them. `spelunk compact` drops them.";
    /// Strings without use.
    UNUSED_STRINGS = "SL013" Rule "no asset uses these strings",
        "Names of assets that were renamed stay in the table, since appends never take strings out of it. \
         `spelunk compact` makes the table anew.";
    /// Packing made chunks larger.
    GROWN = "SL014" Rule "packing made chunks larger",
        "Data that does not shrink, such as pictures and sounds that are compressed already, is better stored as \
         it is: that saves the bytes and the time for unpacking. Pack these assets with compression 0.";
    /// The same payload in several chunks.
    SAME_PAYLOAD = "SL015" Rule "the same payload is stored several times",
        "Hash and size of the payloads are the same. A chunk names its asset, so that assets cannot share one; \
         let them depend on a common asset if that is much.";

    /// A dependency that the pack does not have.
    MISSING = "SL020" Rule "an asset that is needed is not in the pack",
        "It may be in another pack that the game loads beside this one. Required ones keep the asset from working \
         where they are missing; optional and auxiliary ones are notes.";
    /// An asset that needs itself.
    SELF_DEPENDENCY = "SL021" Rule "an asset depends on itself",
        "Loaders that load dependencies first never come to an end, or have to look out for this. Leave the \
         dependency out when the asset is made.";
    /// Assets that need each other.
    CYCLE = "SL022" Rule "assets depend on each other in a circle",
        "No order of loading has all dependencies of each of them ready. Loaders that resolve references late can \
         live with it.";

    /// Another asset has the same name.
    SAME_NAME = "SL030" Rule "another asset has the same name and variant",
        "Look-up by name gives the first of them; the others are found by their ids alone. Give them names or \
         variants of their own.";
    /// Another asset has the name in other letters.
    CASE = "SL031" Rule "another name differs in the case of letters alone",
        "Programs tell the two apart; the file systems of Windows and macOS do not, so the assets are in each \
         other's way where they are extracted. Give one of them another name.";
    /// Another asset has the name in another Unicode form.
    NORMALISATION = "SL032" Rule "another name differs in its Unicode form alone",
        "Both look the same: a character and its accent are one code point here and two there. Programs tell \
         them apart, people and the file system of macOS do not. Give one of them another name, and compose \
         names (NFC) before they are stored.";
    /// A name that is no text.
    NOT_TEXT = "SL033" Rule "the name is no text",
        "Names are meant to be UTF-8 without NUL. Readers take a name for ended at its first NUL, so that nothing \
         finds such an asset by name.";
    /// A name that is no path.
    NOT_A_PATH = "SL034" Rule "the name is not safe as a path",
        "Tools that extract assets under their names could write outside of the folder, or fail: `..`, absolute \
         paths, characters and device names that some system gives a meaning to. `spelunk extract` escapes \
         them.";

    /// Dependency tables keep the first readers out.
    SEED_DEPENDENCIES = "SL040" Rule "readers of the first generation cannot open the pack",
        "It has dependency tables, which they take for a wrong index size. It matters where such a reader is to \
         load the pack: make it without dependencies then.";
    /// Compression that the first readers do not know.
    SEED_COMPRESSION = "SL041" Rule "readers of the first generation cannot unpack chunks",
        "They know compressions 0 to 2 and give zeros for 3 and 4. It matters where such a reader is to load the \
         pack: LZ4 (1) and zstd (2) read the same stored bytes.";
    /// Sub-indexes that the first readers refuse.
    SEED_SUB_INDEX = "SL042" Rule "readers of the first generation refuse bulk chunks",
        "They demand that the sub-index is the position among the bulk chunks of the asset. It matters where such \
         a reader is to load the pack: number the chunks in their order then.";
    /// Chunks that the first readers refuse.
    SEED_SIZE = "SL043" Rule "readers of the first generation refuse large chunks",
        "They load payloads of 1,000,000,000 bytes at the most, stored and plain. It matters where such a reader \
         is to load the pack: take the assets apart then.";
}
