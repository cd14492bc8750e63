//! The codes of this crate.

spelunk_core::codes! {
    /// The signature is not `Nemo Fi` and a NUL.
    SIGNATURE = "VT001" Malformed "the signature is not that of a Virtools file",
        "Virtools files start with the bytes `Nemo Fi` and a NUL. Some engines compare the first four \
         only, so a file in which those match is read, and this is reported. Where not even those match, \
         the file is of another format or its start is damaged: look at it with a hex viewer, or get \
         another copy.",
        native "CKERR_INVALIDFILE" -22;
    /// The file ends inside its headers.
    TOO_SHORT = "VT002" Malformed "the file ends inside its headers",
        "From FileVersion 5 on the headers take 64 bytes. The file is cut short, and nothing can be \
         read from it: get a complete copy.",
        native "CKERR_INVALIDFILE" -22;
    /// FileVersion 10 or above.
    OBSOLETE = "VT003" Unsupported "the FileVersion is newer than every known engine",
        "FileVersion 9 is the highest that is known. Engines refuse the file and call themselves \
         obsolete. The number at offset 16 is probably damaged; get another copy.",
        native "CKERR_OBSOLETEVIRTOOLS" -56;
    /// FileVersion 0 to 7, or a FileVersion2.
    GENERATION = "VT004" Unsupported "files of this FileVersion are not read yet",
        "FileVersion 8 and 9 are read. Older files, and files whose FileVersion2 is not 0, have other \
         tables. Saving the file again with a Virtools of version 2.1 or later makes it FileVersion 8.";
    /// No recipe gives the stored checksum.
    CHECKSUM = "VT005" Malformed "the checksum is wrong",
        "Neither of the two known recipes gives the stored checksum: something between the first byte \
         and the end of the Data section was changed or damaged. Engines that check refuse the file. Get \
         another copy, or see with `spelunk verify` whether the content is sound all the same. \
         `spelunk rewrite` keeps the wrong checksum.",
        native "CKERR_FILECRCERROR" -57;
    /// FileVersion 9.
    SYNTHETIC = "VT006" Rule "no real file of this FileVersion is known",
        "The file is read as FileVersion 8, as engines do. That was only tried on files made for tests, \
         so compare what is shown with what you expect.";
    /// The file ends inside Header1.
    HEADER1_SHORT = "VT007" Malformed "the file ends inside Header1",
        "Hdr1PackSize reaches past the end of the file, so the object table is not complete. The file \
         is cut short, or the number is damaged: get a complete copy.",
        native "CKERR_INVALIDFILE" -22;
    /// The file ends inside the Data section.
    DATA_SHORT = "VT008" Malformed "the file ends inside the Data section",
        "DataPackSize reaches past the end of the file. The object table is complete, but content of \
         objects is missing: the file is cut short, or the number is damaged. Objects can be listed, and \
         from a section that is stored the records that are there can be taken; for the rest get a \
         complete copy.";
    /// A stored Data section whose plain size is another.
    UNPACKED_SIZE = "VT009" Rule "the Data section is stored, but its two sizes differ",
        "Without packing DataUnPackSize equals DataPackSize. The bytes that are there were taken, and both \
         numbers are kept. If content is missing, FileWriteMode may have lost the bit that says packed.";
    /// More objects than Header1 has room for.
    OBJECT_COUNT = "VT010" Malformed "Header1 is too small for its objects",
        "ObjectCount entries of at least 16 bytes each do not fit into Header1. The count or the size \
         of Header1 is damaged, and without it no object can be found: get another copy.";
    /// A name reaches past the end of Header1.
    NAME_LENGTH = "VT012" Malformed "the name is longer than the rest of Header1",
        "The length of a name in the object table is damaged, or Header1 is cut short. What follows in \
         the table cannot be found without it. Compare the bytes at this place with another copy.";
    /// MaxIDSaved is not the largest id.
    MAX_ID = "VT013" Rule "MaxIDSaved is not the largest object id",
        "Engines write the largest id of the object table there. The stored number is kept, and nothing \
         needs to be done: the objects are complete.";
    /// An object that the file only refers to.
    REFERENCE_ONLY = "VT014" Rule "reference-only entry",
        "The id is negative: the object is listed only so that others can refer to it. An engine looks \
         it up among the objects that it has already, so load the file that holds it first.";
    /// The plugin dependencies cannot be read.
    PLUGINS = "VT015" Malformed "the plugin dependencies are damaged",
        "The groups behind the object table do not fit into Header1. Objects can be read; what is \
         left of Header1 is kept as it is. Which plugins the objects need has to be found out otherwise.";
    /// The included-file stub cannot be read.
    STUB = "VT016" Malformed "the included-file stub is damaged",
        "The stub is a size of 0, or of at least 4, and that many bytes. What is left of Header1 is \
         kept as it is. Objects can be read, and included files are looked for without the stub.";
    /// Bytes between the stub and the end of Header1.
    HEADER1_REST = "VT017" Rule "Header1 does not end with its stub",
        "Bytes follow the included-file stub. Nothing is known about them; they are kept. `spelunk cat FILE \
         header1` shows them at its end.";
    /// The write mode says packed, the Data section is not.
    STORED_DATA = "VT020" Rule "the Data section is stored although the write mode says packed",
        "Some programs store data that does not shrink and leave the mode as it is. Engines fail on \
         such files: save it again with the authoring tool before an engine is to load it.";
    /// A record reaches past the end of the Data section.
    RECORD_SIZE = "VT021" Malformed "the record is larger than the rest of the Data section",
        "The size of a record or a count is damaged. The records before it are read, the others are \
         kept as bytes. `spelunk cat FILE data` gives all of them; the objects from this one on need \
         another copy.";
    /// Bytes behind the last record.
    DATA_REST = "VT022" Rule "the Data section does not end with its last record",
        "Bytes follow the last object record. Nothing is known about them; they are kept. `spelunk cat FILE \
         data` shows them at its end. A count in the headers may be too small.";
    /// A chunk is not made of dwords.
    CHUNK_SIZE = "VT023" Rule "the size of a chunk is no multiple of 4",
        "Chunks are made of dwords, so the last bytes of this one belong to nothing. They are kept; the \
         size of the chunk may be damaged, so compare the object with another copy.";
    /// A FileIndex is not the place of the object.
    FILE_INDEX = "VT024" Rule "FileIndex is not where the object lies",
        "FileIndex is the offset that the object's record would have if nothing were packed. No \
         engine reads it, so nothing needs to be done. The stored number is kept.";
    /// Two objects have one id.
    DUPLICATE_ID = "VT025" Rule "two objects have the same id",
        "Ids are unique in a file. References by position still tell the objects apart, references \
         by id do not. Name such an object by its position, `#INDEX`.";
    /// A chunk without room for its header.
    CHUNK_SHORT = "VT026" Malformed "the chunk is shorter than its header",
        "A chunk starts with a header of at least two dwords; only a size of 0 means that there is no \
         chunk. The bytes are kept, but engines cannot load this object or manager: get another \
         copy, or save the object again.";
    /// Bit 23 of an id, and a chunk that holds a type alone.
    REFERENCE_OF_SPEC = "VT027" Rule "this looks like a reference-only entry of the written specification",
        "The id has bit 23, and the chunk holds nothing but the type of a parameter. The written \
         specification marks objects that are only referred to so, but ids may be that large and engines \
         do not take the entry for one. It is read and kept as any other object, and the bit is a part of \
         its id.";
    /// Fewer included files than the stub counts.
    INCLUDED_COUNT = "VT030" Malformed "included files are missing",
        "The stub in Header1 counts more included files than can be read behind the Data section. \
         What cannot be read is kept as bytes. The file may be cut short: get a complete copy.";
    /// Bytes behind the Data section that are no included files.
    TAIL = "VT031" Rule "unknown bytes follow the Data section",
        "They are no included files. They are kept; `spelunk explain FILE OFFSET` tells where they start.";
    /// The name of an included file is a path.
    INCLUDED_PATH = "VT032" Rule "the name of an included file is a path",
        "Included files have bare names. This one tells a folder of the machine that saved the file, \
         and must not be used as a path. Extraction does not; the name can give away whose machine it \
         was, so think of that before the file is passed on.";
}
