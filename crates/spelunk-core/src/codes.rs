//! The codes of this crate, and the macro with which every crate lists its own.

/// Declares [`Code`](crate::Code)s and a `CODES` list of them.
///
/// ```
/// spelunk_core::codes! {
///     /// The signature is not `HEAD`.
///     SIGNATURE = "XX001" Malformed "the signature is wrong",
///         "The file does not start with the four bytes HEAD.";
/// }
/// assert_eq!(CODES, &[&SIGNATURE]);
/// ```
#[macro_export]
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal $class:ident $title:literal, $help:literal
        $(, native $native:literal $number:literal)?;)*) => {
        $($(#[doc = $doc])+ pub static $name: $crate::Code = $crate::Code {
            id: $id,
            class: $crate::Class::$class,
            title: $title,
            help: $help,
            native: $crate::codes!(@native $($native $number)?),
        };)*
        /// Every code of this module, in order of declaration.
        pub static CODES: &[&$crate::Code] = &[$(&$name),*];
    };
    (@native) => { None };
    (@native $native:literal $number:literal) => { Some(($native, $number)) };
}

codes! {
    /// A field reaches past the end of its bytes.
    TRUNCATED = "SP001" Malformed "the bytes end before the field does",
        "A count, size or offset asks for more bytes than are left in the file or in the inflated \
         section. The file is cut short, or the number is damaged.";
    /// A number does not fit where it has to go.
    TOO_LARGE = "SP002" Malformed "the number does not fit",
        "A value is larger than the field or the machine can hold, or two values overflow when they \
         are added.";
    /// A zlib stream cannot be inflated.
    INFLATE = "SP003" Malformed "the zlib stream is damaged",
        "The section is marked as packed, but its bytes are not a complete zlib stream of the declared \
         size. Of Virtools files the objects before the damage are read all the same, and `extract` writes them; for \
         the rest get another copy.";
    /// A stream would inflate to more than its codec can reach.
    RATIO = "SP004" Malformed "the declared size is impossible for this stream",
        "zlib cannot expand a byte to more than 1032; the declared size is beyond that, so it is \
         damaged or hostile.";
    /// Bytes follow the end of a zlib stream.
    TRAILING_STREAM = "SP005" Malformed "bytes follow the zlib stream",
        "A packed section holds more than its stream. The content is complete and the extra bytes are kept \
         until the content changes.";
    /// The memory budget is used up.
    MEMORY = "SP010" Limit "the memory limit is reached (--max-memory lifts it)",
        "Reading on would take more memory than the limit allows (64 MiB and eight times the file by \
         default). If the file is trustworthy, lift it with --max-memory.";
    /// The work budget is used up.
    STEPS = "SP011" Limit "the work limit is reached (--max-memory lifts it)",
        "The file makes the reader repeat far more work than its size explains, for example through \
         many entries that share the same bytes. Lift it with --max-memory, which scales it too.";
    /// Whoever asked for the work does not want it any more.
    CANCELLED = "SP014" Usage "the work was cancelled",
        "Another thread, or the person at the keyboard, ended it. Nothing that was complete before is undone, and nothing \
         incomplete is left.";
    /// Structures nest too deeply.
    DEPTH = "SP012" Limit "structures nest too deeply",
        "Structures inside structures go deeper than any real file does.";
    /// Output would expand beyond the chosen ratio.
    EXPANSION = "SP013" Limit "the expansion limit is reached (--max-ratio lifts it)",
        "A packed section declares a size beyond the chosen ratio of its stored bytes, or what is to be extracted is larger \
         together than the chosen ratio of the file; where none is chosen, larger than 1 GiB and 100 times the file. Lift it \
         with --max-ratio.";
    /// The operating system reported an error.
    IO = "SP020" Io "reading or writing failed",
        "The operating system reported an error; its own words follow.";
    /// A file that must not be replaced exists.
    EXISTS = "SP021" Usage "the output exists (--force replaces it)",
        "The output is never overwritten unless that is asked for with --force.";
    /// No entry has this path.
    NOT_FOUND = "SP022" Usage "no such entry",
        "No entry of the container has this path. `spelunk ls` lists the paths.";
    /// Several entries have this path.
    AMBIGUOUS = "SP023" Usage "several entries have this path",
        "Name one of them by its position: `#INDEX`.";
    /// The operation has no meaning for this entry or format.
    NO_SUCH_OPERATION = "SP024" Usage "that cannot be done with this entry",
        "The entry has no bytes or fields of its own; name one of its parts.";
    /// Bytes of a file that is written from its layout, which no field of the layout covers.
    NOT_IN_LAYOUT = "SP026" Unsupported "the layout does not say which bytes belong here",
        "Formats without a writer of their own are written field by field, as their layout has them. Here a field is missing, \
         is of a type that does not say how it is stored, or comes in another order than its bytes. The file can be read all the \
         same.";
    /// A change of what an earlier change of the same batch takes away or makes anew.
    CHANGED_BEFORE = "SP140" Usage "an earlier change of the batch takes the entry away, or makes it anew",
        "All changes of a batch mean the file as it was opened. What one of them removes, or replaces as a whole, the ones behind \
         it cannot change any more. Leave one of the two out, or make the second change to the file that the first one wrote.";
    /// The text is no offset, or no such space exists.
    BAD_PLACE = "SP025" Usage "no such place",
        "A place is [SPACE:]OFFSET, decimal or 0x-hexadecimal, inside the space. Without a space the \
         offset counts in the file. --map and --hex also take a whole space (`header1:`) and the path of an entry.";
    /// A glob makes no sense.
    BAD_PATTERN = "SP027" Usage "the glob makes no sense",
        "A glob is text with `*`, `?`, `[abc]` and `{one,two}`; its brackets and braces must close.";
    /// No code page has this name.
    CODE_PAGE = "SP028" Usage "no such code page",
        "Code pages have the names of the WHATWG encoding standard, for example utf-8, cp1252, cp1250, cp1251, \
         gbk, big5, shift_jis, euc-kr; Windows' numbers (cp936, 936) are understood too.";
    /// A text that no code page has all characters of.
    NOT_ENCODED = "SP033" Usage "the text has characters that the code page lacks",
        "Names and texts are stored in the code page of their author. Name one that has these characters with \
         `--encoding`, first of its list.";
    /// A path that was asked for is not of the right form.
    BAD_PATH = "SP034" Usage "this is no path of the right form",
        "Paths of entries are those that `spelunk ls` prints. A field has the path of its entry, a slash, and the \
         path that `spelunk show` prints before its value.";
    /// A value that its field cannot have.
    VALUE = "SP043" Usage "the value does not fit its field",
        "Numbers have the range of their type and are decimal, or hexadecimal behind 0x. Values that have names are numbers or \
         names; flags are names with | between them, and +NAME or -NAME sets or clears one and leaves the others; a part of a \
         packed word is NAME: VALUE. Colours are #rrggbb or #aarrggbb, vectors 1,2,3. `spelunk show` prints what a field has \
         now.";
    /// A part that a word does not have.
    NO_PART = "SP044" Usage "the field has no such part",
        "Some fields are words that are packed from flags and small numbers. `spelunk show` prints the parts of a word behind \
         its value; a path names one behind the field, after a dot: `items/22/option.stackable=yes`.";
    /// An output would be written over its own input, or over something that is no file.
    BAD_TARGET = "SP029" Usage "the output cannot take this place",
        "The output is the input itself (say --in-place if that is meant), or a folder, a device or a pipe, which \
         is never replaced by a file. Standard output is `-`.";
    /// Another writer has the file, and does not end.
    BUSY = "SP036" Io "another program is writing to the file",
        "Writers of one file take turns, and this one waited for some seconds. Try again when the other one is done. On a disk \
         without locks a file `.spelunk-*.tmp` beside the target may be what a killed writer left: remove it then.";
    /// A file that is edited is not the one that was read.
    CHANGED = "SP037" Io "the file was changed meanwhile",
        "Another program wrote to it, or put another file in its place, after it was read. Nothing was written, so that \
         nothing of that is lost. Do it again.";
    /// A file that is not to be written to.
    READ_ONLY = "SP038" Usage "the file is read-only",
        "It has no right to be written to, which is taken for a wish. `--force` replaces it all the same where a verb has that; \
         or give the right back (`chmod u+w`).";
    /// The new file lacks something that the old one had.
    NOT_KEPT = "SP039" Rule "not all that the old file had could be kept",
        "The content was written. A file that takes the place of another one has its mode, owner and extended attributes as \
         far as the system lets whoever runs this give them.";
    /// Nothing here recognises the file.
    UNKNOWN_FORMAT = "SP030" Malformed "no known container",
        "The content is none of the formats that spelunk reads. The file's name plays no part in that.";
    /// The file is empty.
    EMPTY = "SP031" Malformed "the file is empty",
        "There are no bytes to read.";
    /// A format that has no other version, mode or level to be written in.
    ONE_FORM = "SP032" Unsupported "files of this format are written in their own form only",
        "Another version, write mode or level, and leaving out included files, are there for formats that have \
         them, such as Virtools. Without these options the file is written as it is.";
    /// A format whose files hold no older states.
    ONE_STATE = "SP035" Unsupported "files of this format hold one state only",
        "Only SnPAK packs have generations: each append leaves the index before it in the file. Leave out \
         --generation for everything else.";
    /// The bytes change when the file is written again.
    ROUNDTRIP = "SP040" Malformed "the file is not reproduced when written again",
        "Writing the opened file back gave other bytes. Nothing is lost as long as the file is not \
         rewritten; please report it.";
    /// A byte cannot be explained because what lies before it is damaged.
    UNREADABLE = "SP042" Malformed "the place lies behind damage",
        "The part of the file that would tell what this byte is cannot be read; the findings say why.";
    /// A packed section is not reproduced by any level of zlib.
    NO_LEVEL = "SP041" Rule "no compression level reproduces the stored bytes",
        "Packing the same content again gives other bytes at every level, so another compressor wrote \
         it. The stored bytes are kept for as long as the content is not changed.";
}
