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
    /// FileVersion 0 or 1, or a FileVersion2.
    OLD_FORMAT = "VT004" Rule "the file format is obsolete",
        "Files of FileVersion 0 and 1, and files whose FileVersion2 is not 0, come from before the first \
         released product. They have no checksum. Engines warn of them: save the file in a current format, \
         with `spelunk rewrite --file-version 8`.";
    /// No recipe gives the stored checksum.
    CHECKSUM = "VT005" Malformed "the checksum is wrong",
        "Neither of the two known recipes gives the stored checksum: something between the first byte \
         and the end of the Data section was changed or damaged. Engines that check refuse the file. Get \
         another copy, or see with `spelunk verify` whether the content is sound all the same. \
         `spelunk rewrite` keeps the wrong checksum.",
        native "CKERR_FILECRCERROR" -57;
    /// A FileVersion other than 8.
    SYNTHETIC = "VT006" Rule "no real file of this FileVersion is known",
        "The layout was read out of programs, and tried on files made for tests only. Compare what is shown \
         with what you expect.";
    /// The file ends inside Header1.
    HEADER1_SHORT = "VT007" Malformed "the file ends inside Header1",
        "Hdr1PackSize reaches past the end of the file, so the object table is not complete. The file \
         is cut short, or the number is damaged. Objects whose entries are whole are listed, without content; for \
         the rest get a complete copy.",
        native "CKERR_INVALIDFILE" -22;
    /// The file ends inside the Data section.
    DATA_SHORT = "VT008" Malformed "the file ends inside the Data section",
        "DataPackSize reaches past the end of the file. The object table is complete, but content of \
         objects is missing: the file is cut short, or the number is damaged. Objects can be listed, and \
         those whose records come before the end can be shown and extracted; for the rest get a complete copy.",
        native "CKERR_INVALIDFILE" -22;
    /// A stored Data section whose plain size is another.
    UNPACKED_SIZE = "VT009" Rule "the Data section is stored, but its two sizes differ",
        "Without packing DataUnPackSize equals DataPackSize. The bytes that are there were taken, and both \
         numbers are kept. If content is missing, FileWriteMode may have lost the bit that says packed.";
    /// More objects than Header1 has room for.
    OBJECT_COUNT = "VT010" Malformed "Header1 is too small for its objects",
        "ObjectCount entries of at least 16 bytes each do not fit into Header1. The count or the size \
         of Header1 is damaged, and without it no object can be found: get another copy.",
        native "CKERR_INVALIDFILE" -22;
    /// ProductVersion 12 and above.
    EDITION = "VT011" Rule "ProductVersion is no edition",
        "Editions are numbered from 0 to 11. Engines take a larger number for 0, and ProductBuild for \
         0x01010000 then; so does what is shown. Both stored numbers are kept.";
    /// A name reaches past the end of Header1.
    NAME_LENGTH = "VT012" Malformed "the name is longer than the rest of Header1",
        "The length of a name in the object table is damaged, or Header1 is cut short. What follows in \
         the table cannot be found without it. Compare the bytes at this place with another copy.",
        native "CKERR_INVALIDFILE" -22;
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
    /// Two words give different numbers of objects.
    COUNTS = "VT018" Rule "the numbers of objects differ",
        "Files below FileVersion 8 tell twice how many objects they hold. Engines go by the number before the \
         records, and forget what the object table of FileVersion 7 says if that has another. Both numbers are \
         kept; compare the file with another copy.";
    /// The write mode says packed, the Data section is not.
    STORED_DATA = "VT020" Rule "the Data section is stored although the write mode says packed",
        "Some programs store data that does not shrink and leave the mode as it is. Engines fail on \
         such files: save it again with the authoring tool before an engine is to load it.",
        native "CKERR_INVALIDFILE" -22;
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
    /// Bit 23 of an id, with which the written specification marks an object that is only referred to.
    REFERENCE_OF_SPEC = "VT027" Rule "reference-only entry as the written specification marks it",
        "The id has bit 23, and the chunk holds nothing but the type of a parameter, or `--profile spec` was given: the \
         entry is taken for one that is only referred to, as those with negative ids are (VT014). `join` and `refs` go by \
         that; its id is kept as it is stored. Engines know bit 31 alone, so they load it as an object of its own.";
    /// Data that an object below FileVersion 4 cannot have.
    OLD_CHUNK = "VT028" Usage "objects below FileVersion 4 keep their class with their data",
        "Such an object cannot lose its data, nor get some where it has none. Save the file in a current format \
         first, with `spelunk rewrite --file-version 8`.";
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
    /// A name that an included file cannot have.
    INCLUDED_NAME = "VT033" Usage "an included file cannot have this name",
        "Engines read names of 1 to 511 bytes. Name the file in that way, without a folder.";
    /// The data of a chunk is longer than the chunk.
    CHUNK_DATA = "VT040" Malformed "the data of a chunk reaches past its end",
        "The number of data dwords in the header of the chunk is larger than what the record holds. The bytes \
         are kept as they are, but what the object or manager saved cannot be told: compare it with another \
         copy of the file.",
        native "CKERR_INVALIDFILE" -22;
    /// A list of a chunk is longer than the chunk.
    CHUNK_LIST = "VT041" Malformed "a list of a chunk reaches past its end",
        "The lists beside the data tell which of its dwords are ids, sub-chunks and numbers of managers. The \
         length of this one is larger than what the record holds. The bytes are kept as they are: compare \
         the object with another copy of the file.",
        native "CKERR_INVALIDFILE" -22;
    /// The identifiers of a chunk do not form a chain.
    IDENTIFIER = "VT042" Malformed "the chain of identifiers is broken",
        "Each identifier tells the index of the next one, which has to lie behind it and inside the data. \
         Identifiers before this place can be read; the dwords behind it are kept and shown as plain words. \
         Engines would read past the data or never end: do not load the file before the object is saved again \
         or replaced from another copy.";
    /// An entry of a list does not point into the data.
    LIST_ENTRY = "VT043" Malformed "an entry of a list points outside the data",
        "What the entry stands for, an id, a sub-chunk or a number of a manager, cannot be found, so it would \
         not be followed when objects are renumbered. The bytes are kept as they are. The list or the data \
         behind it is damaged: compare the object with another copy.";
    /// The sizes of a sub-chunk do not fit.
    SUB_CHUNK = "VT044" Malformed "the sizes of a sub-chunk do not fit",
        "The size of a sub-chunk, or of its data or lists, is larger than what holds it. What lies in it \
         cannot be told; the bytes are kept as they are. Compare the object with another copy of the file.";
    /// Sub-chunks in sub-chunks, too many of them.
    NESTING = "VT045" Limit "sub-chunks are nested too deeply",
        "Real files nest sub-chunks three levels deep, and 16 levels are followed. What lies deeper is kept \
         and not looked into, so ids in it are not found. Damage, or a file made to do harm, looks like that: \
         get another copy.";
    /// Option bits that no program writes.
    CHUNK_OPTIONS = "VT046" Rule "the chunk has option bits that files do not hold",
        "Bits 0x20, 0x40 and 0x80 belong to chunks in memory. They are kept, the chunk is read without \
         them, and nothing that it holds is lost. If its content looks wrong, the byte of options is damaged: \
         compare the object with another copy.";
    /// A chunk version above 7.
    CHUNK_VERSION = "VT047" Rule "the version of the chunk is not known",
        "Chunk versions up to 7 are known. Of a record the chunk is kept as it is and not looked into; a \
         sub-chunk is read as the version of the chunk around it says. Engines do not load it. If only one \
         object is concerned, the byte is probably damaged: compare the object with another copy.";
    /// Bytes behind the lists of a chunk.
    CHUNK_REST = "VT048" Rule "bytes follow the lists of a chunk",
        "The data and the lists do not fill the chunk. Nothing is known about what follows; it is kept, and \
         shown as `rest`. A size in the header of the chunk, or a missing option bit, can be the cause: compare \
         the object with another copy.";
    /// High bytes of versions that should be 0.
    VERSION_BYTES = "VT049" Rule "the versions of a chunk have bytes that mean nothing",
        "Of the two 16-bit versions only the low bytes are versions. The others are 0 where programs write \
         them. These are kept, engines pass over them, and nothing needs to be done.";
    /// An identifier comes twice in a chunk.
    REPEATED_IDENTIFIER = "VT050" Rule "an identifier comes twice in a chunk",
        "Engines look an identifier up and find one of the two, so what belongs to the other is not loaded. \
         Both are kept; the path of the second one ends with `.1`.";
    /// HasFile is neither 0 nor 1.
    HAS_FILE = "VT051" Rule "HasFile is neither 0 nor 1",
        "The number tells whether the references of a sub-chunk are positions in the object table. What is \
         not 0 is taken as yes, as engines do. The stored number is kept; if references look wrong, it may \
         be damaged.";
    /// The data of a chunk do not start with an identifier.
    NO_CHAIN = "VT052" Rule "the data of the chunk do not start with an identifier",
        "Chunks of real objects and managers do. This one is kept and shown as plain words. Engines look for \
         identifiers in it all the same: if the object is of a class of the engine, its first dwords are \
         damaged, so compare it with another copy of the file.";
    /// Content that a chunk cannot take.
    CHUNK_CONTENT = "VT054" Usage "this cannot be written into the chunk",
        "A chunk has identifiers from its first dword on or none at all, keeps references in one way, and has \
         lists only where its version does. Build the content for the version and the mode of this chunk.";
    /// A form that would lose a part of the chunk.
    CHUNK_FORM = "VT055" Usage "the chunk cannot be stored in this form",
        "Older forms of chunks have no place for some lists and versions, and a chunk of an unknown version keeps \
         its bytes as they are. Choose a form that holds everything, or remove what it cannot hold.";
    /// An identifier that a chunk does not have.
    NO_IDENTIFIER = "VT056" Usage "the chunk does not have this identifier",
        "Objects leave out identifiers for which they have nothing to save, and versions of the engine differ in \
         which ones they write. Look at the identifiers that this chunk has.";
    /// A value that its section does not hold.
    SECTION_END = "VT057" Malformed "the value reaches past the end of its section",
        "What follows an identifier ends at the next one. The value was read as something else than what was \
         saved, or a size in it is damaged: compare the object with another copy of the file.";
    /// A chunk that its own lists do not explain.
    NOT_REBUILT = "VT058" Malformed "the chunk is not what its identifiers and lists tell",
        "Built again from its content the chunk would differ: its lists are out of order, overlap or point where \
         nothing is, or they list what programs leave out. Its bytes can be kept and patched, but not built anew.";
    /// A plane holds another number of pixels than the picture.
    PLANE = "VT060" Malformed "a plane of a bitmap has the wrong size",
        "Each plane holds one byte for each pixel of the picture, or is coded and says the same size. The size \
         of the picture or of the plane is damaged. The bytes are kept, but there is no picture to be shown: \
         get another copy, or replace the picture.";
    /// A reader bitmap of an unknown kind.
    BITMAP_KIND = "VT061" Malformed "the kind of a reader bitmap is unknown",
        "0 means no bitmap, 1 an image file, 2 an image file with alpha apart. Behind another kind nothing \
         can be found, so the rest of the section is not read. It is damaged, or something other than a \
         reader bitmap starts here.";
    /// Raw planes that are stored in an unknown way.
    COMPRESSION = "VT062" Unsupported "the planes of a raw bitmap are stored in an unknown way",
        "The low four bits of the compression word are 0 for plain bytes and 1 for the engine's own coding. Engines \
         make no picture of others either. The bytes are kept, \
         but the picture cannot be shown. Saving it with the authoring tool without compression helps.";
    /// An image file that is not read.
    IMAGE_FORMAT = "VT063" Unsupported "image files of this kind are not read",
        "TGA, BMP, JPEG, PNG, TIFF, GIF and PCX are read, in the forms that are in common use. The file in \
         the bitmap is another one, and its bytes are kept. Take it out and open it with an image program.";
    /// An image file that cannot be decoded.
    IMAGE_DAMAGED = "VT064" Malformed "the image file in a bitmap is damaged",
        "Its bytes are kept, but they give no picture. What the decoder missed stands behind `found`. Take \
         the file out and try an image program, get another copy, or replace the picture.";
    /// Built without the decoders.
    NO_IMAGES = "VT065" Unsupported "this build does not decode image files",
        "The feature `images` of the library is off. The bytes of image files are kept and can be taken out; \
         build with the feature to see or make pictures.";
    /// A picture that the asked-for coding cannot hold.
    ENCODE = "VT066" Usage "the picture cannot be stored in this way",
        "Nothing is lost in silence: BMP, JPEG, GIF and PCX take opaque pictures only, GIF at most 256 \
         colours, and each format has a largest size. Choose another format, such as TGA, or change \
         the picture first.";
    /// Pixels that do not fit the size of the picture.
    PICTURE_SIZE = "VT067" Usage "the pixels do not fit the size of the picture",
        "A picture has four bytes for each pixel: red, green, blue and alpha. Pass width, height and pixels \
         that belong together.";
    /// Content that a FileVersion has no place for.
    MISFIT = "VT070" Unsupported "the FileVersion has no place for this",
        "Older versions lack tables and chunks that later ones have. Choose a later FileVersion, with `upgrade` or \
         `rewrite --file-version`; where a file is rewritten as an older version, `--lossy` leaves out what does not \
         fit, and tells it.";
    /// A FileVersion that is not written.
    NOT_WRITTEN = "VT071" Unsupported "files of this FileVersion are not written",
        "Every FileVersion is read, 2 to 9 are written. Versions 0 and 1 have no checksum and no known writer.";
    /// A write mode that the FileVersion does not have.
    MODE = "VT072" Usage "the FileVersion has no such write mode",
        "The bits of a write mode are 1 (packed, each object on its own below FileVersion 4), 2 (external \
         textures), 4 (for the viewer) and 8 (packed, from FileVersion 5 on).";
    /// A file that cannot be read to its end cannot be converted.
    DAMAGED = "VT073" Malformed "a damaged file is written in its own form only",
        "Records of this file cannot be read, so nothing could be laid out anew for them. Without a FileVersion, \
         write mode or level the file is written as it is; `spelunk verify` tells what is damaged.";
    /// A level where nothing is packed.
    LEVEL = "VT074" Rule "nothing is packed, so the level means nothing",
        "The write mode of the file says that its sections are stored. Choose a packed one too, with \
         `--write-mode 8`.";
    /// The write mode for viewers is left.
    VIEWER = "VT075" Rule "what was left out for the viewer does not come back",
        "Files for the viewer lack the layout of scripts that the editor shows. Clearing that bit of the write \
         mode says that it is there, but it is not: the editor lays scripts out anew.";
    /// A word of the new FileVersion that an upgrade cannot know.
    UNKNOWN = "VT076" Rule "the old file does not tell this",
        "The new FileVersion has a place for it, the old one had not. A usual value was written; check it if \
         it matters.";
    /// Content of an old file that the new FileVersion has no place for.
    LOST = "VT077" Rule "the new FileVersion has no place for this",
        "Only the oldest files hold it, and no engine of later ones reads it. Keep the old file if it matters.";
    /// The variable manager's copy of the write mode.
    VARIABLE = "VT078" Rule "a variable that holds the write mode was changed along",
        "Products from 3.0 on can keep the write mode among the variables of the authoring tool. The variable was \
         found by its name and its value; if it means something else, set it again in the authoring tool.";
    /// Content that was left out because a FileVersion has no place for it.
    LEFT_OUT = "VT079" Rule "left out: the FileVersion has no place for it",
        "It was to be left out, with `--lossy`. The written file does not hold it; keep the old one.";
    /// A section that its class's layout does not fit.
    LAYOUT = "VT080" Malformed "the section is laid out in another way than that of its class",
        "What the class of the object stores under this identifier is known, and this is something else. The section \
         is kept as it is; its fields cannot be shown or changed.";
    /// A value that cannot be stored.
    VALUE = "VT081" Usage "the value does not fit its place",
        "Lists that belong together have one length, and numbers have the range of their type. Nothing was changed.";
    /// A path that leads to no field.
    NO_FIELD = "VT082" Usage "there is no such field",
        "`spelunk show` prints the fields of an entry with their paths. Sections that an object does not have can be \
         added by setting all of their fields; sub-chunks cannot.";
    /// A chunk that its own value does not give again.
    NOT_REPRODUCED = "VT083" Unsupported "this object is stored in an unusual way and cannot be changed by fields",
        "Its fields, written again as they are, give other bytes than those stored, so a change would change more \
         than was asked for. Replace the bytes of the object instead.";
    /// References that cannot be followed.
    UNTRACKED = "VT084" Unsupported "objects hold references that nothing is known of",
        "References are positions in the object table, which change when objects come and go. The layout of some objects, \
         or of parts of them, is not known, so references in there would be wrong afterwards. `--lossy` goes on all the \
         same, and tells of each such object. What managers hold is kept as it is, and told.";
    /// Faces or lines of vertices that are not there.
    NOT_DRAWN = "VT090" Malformed "a part of the mesh cannot be drawn",
        "Faces or lines refer to vertices that the mesh does not have, and are left out; faces of a material slot that \
         is not there have none. Compare the mesh with another copy of the file.";
    /// Parents in a circle.
    PARENTS = "VT091" Malformed "the parents of an entity come back to it",
        "An entity cannot be below itself. It is taken as one without a parent, at the place that its matrix tells.";
    /// A number that is none.
    NOT_A_NUMBER = "VT092" Malformed "there are numbers that are none",
        "Infinities and numbers that are none have no place in space. What has them is taken as 0, a matrix as one that \
         moves nothing.";
    /// Geometry of a kind that is not made into triangles.
    NO_TRIANGLES = "VT093" Rule "the shape cannot be made into triangles",
        "Patches, shapes that only scripts compute, and meshes of the oldest files are kept in the file, but what they \
         look like is not computed: they are left out of what is drawn.";
    /// Keys whose curves are not followed.
    KEYS = "VT094" Rule "keys of the animation are not followed exactly",
        "Of keys on curves those of position and scale keep their values and lose their curves: what is between them is \
         straight. Keys of shape and of the axes of scale are left out.";
    /// Plugins that the registry lacks.
    PLUGINS_MISSING = "VT095" Rule "plugins that the file needs are not registered",
        "Objects of classes that a plugin brings, and building blocks without their prototype, do not work where the \
         plugin is not there: engines load the file all the same, and tell. `spelunk info --missing-plugins` lists \
         them. Get the plugins, or add those that are there to the registry.",
        native "CKERR_PLUGINSMISSING" -55;
    /// Plugins were asked of a format that needs none.
    NO_PLUGINS = "VT096" Usage "files of this format need no plugins",
        "Plugins bring classes, managers and building blocks to engines that load Virtools files (.nmo, .cmo, .vmo, \
         .nms). Leave out --missing-plugins for other files.";
    /// JSON that is no registry.
    BAD_REGISTRY = "VT097" Malformed "this is no registry of plugins",
        "A registry is JSON: `{\"plugins\": [{\"category\": 4, \"guid\": \"4f243100-28ab3f51\", \"name\": \"Ball\"}], \
         \"prototypes\": [{\"guid\": \"01234567-89abcdef\"}]}`. Categories are numbers or the names that `info` prints, GUIDs \
         stand as `info` prints them; names can be left out, and so can either list.";
    /// The caller had a load or a saving end.
    CANCELLED = "VT100" Usage "the work was cancelled",
        "Whoever was told of the progress wanted it to end. Nothing was changed.",
        native "CKERR_CANCELLED" -59;
    /// Something was begun while something else went on.
    BUSY = "VT101" Usage "the context is busy",
        "A load or a saving goes on, and another one was begun out of it. Begin it when the first one has ended.",
        native "CKERR_INVALIDOPERATION" -4;
    /// A file of an old generation was loaded.
    OBSOLETE_FORMAT = "VT102" Rule "obsolete file format, save the file again",
        "The file is of a generation before FileVersion 8. It is loaded, and what is saved is of the current one: \
         `spelunk upgrade` does that for many files.";
    /// A target that a file only refers to, and that is not there.
    UNRESOLVED = "VT103" Rule "nothing is there for an entry that is only referred to",
        "The file refers to an object of another file, and no object of its class, its name and, for parameters, its type \
         is there. References to it are null. Load the file that holds it first.";
    /// A second level in a file.
    SECOND_LEVEL = "VT104" Rule "only the first level of a file is loaded",
        "Engines have one level, and give further ones of a file no state. It is there, and empty.";
    /// A scene of data version 0.
    OLD_SCENE = "VT200" Rule "engines refuse scenes of data version 0",
        "What such a scene holds is in a layout that engines gave up: they create it and give it no state, not even what its base \
         class saved. It is there, and empty. Verbs that write the file keep its bytes as they are. Make the scene anew in the \
         program that made the file.",
        native "CKERR_OBSOLETEVIRTOOLS" -56;
    /// A file that was to be included and is in no search path.
    NOT_INCLUDED = "VT201" Rule "a file that was to be included is not in the search paths",
        "The texture or sound is to be saved with the file that it names, and none is included of that name. It was looked for in \
         the search paths of its kind. Nothing was included, as in engines: who loads the file has to have that file. Add the \
         file with `spelunk add FILE included/NAME --from PATH`, or, in a program, its folder to the search paths.";
    /// A file that was to be included and cannot be read.
    INCLUDED_EMPTY = "VT202" Rule "a file that was to be included cannot be read",
        "It is included without content, as engines do it, so what is to use it finds an empty file. See to it that it can be \
         read, and save again.";
    /// A manager that is not registered.
    UNKNOWN_MANAGER = "VT105" Rule "no manager is registered for what the file holds of it",
        "What the file holds of the manager is kept as it is, and saved again. Engines pass over it.";
    /// A manager's data took the place of other ones.
    MANAGER_REPLACED = "VT106" Rule "two files hold different things of a manager",
        "Nothing is known of the manager by which they could be united. What was loaded last stays; the other is gone.";
    /// Attributes of one name with values of different types, or for different classes.
    ATTRIBUTE_TYPE = "VT107" Rule "an attribute is there with values of another type, or for another class",
        "Attributes are known by their names. The one that was there first keeps its type and its class, and objects that \
         came with the other one have it all the same. Rename one of them.";
    /// A session without an open file.
    NOT_OPEN = "VT108" Usage "no file is open",
        "A session loads the file that it opened last, once. Open one first.",
        native "CKERR_NOTINITIALIZED" -24;
    /// Included files of one name with different content.
    INCLUDED_TWICE = "VT109" Rule "two files carry along different files of one name",
        "Both are kept. Engines write them one after the other to one place, so that the last one stays: rename one of them, \
         and what names it.";
    /// Chunks that were brought to the current layout.
    RENEWED = "VT191" Rule "chunks were brought to the current layout",
        "Their generation or their data version was an old one. They are written as engines do that load and save them: \
         references are positions in the object table, names stand there alone, and old sections became those of today. \
         No real file of the old layouts was at hand, so compare the result with what the program shows that made the file.";
    /// Chunks that keep their old layout.
    NOT_RENEWED = "VT192" Rule "chunks stay in their old layout",
        "Something that they hold could not be brought along, or what their layout meant is not known. They are kept as they \
         were; engines read old layouts, too. Where it is said that something would be left out, `--lossy` does that.";
    /// A version that could hold nothing of a file.
    NOTHING_LEFT = "VT193" Usage "nothing that the objects saved could be kept",
        "FileVersion 2 and 3 hold bare data, which only chunks of versions below 4 without lists can become. The file would \
         have names and no content, so it is not written, not even with `--lossy`. Write FileVersion 4 or above.";
    /// Bit 23 of an id whose record is empty.
    MAYBE_REFERENCE = "VT190" Rule "this may be a reference-only entry as the written specification marks it",
        "The id has bit 23 and nothing was saved of the object. The written specification marks objects that are only \
         referred to so, but ids may be that large. It is read as an object that saved nothing, and the bit is a part of \
         its id. With `--profile spec` every id with bit 23 is that of an entry which is only referred to.";
    /// No reader for an extension.
    NO_READER = "VT110" Unsupported "no reader is registered for files of this extension",
        "Virtools files end in .nmo, .cmo, .vmo or .nms; readers of other files are registered by the application.",
        native "CKERR_NOLOADPLUGINS" -20;
    /// No writer for an extension.
    NO_WRITER = "VT111" Unsupported "no writer is registered for files of this extension",
        "Virtools files end in .nmo, .cmo, .vmo or .nms; writers of other files are registered by the application.",
        native "CKERR_NOSAVEPLUGINS" -21;
    /// A class of which there are no objects.
    NO_OBJECTS = "VT120" Usage "no file has objects of the class",
        "Engines make objects of concrete classes alone: a sound is a CKWaveSound or a CKMidiSound, never a CKSound. Numbers \
         such as 82 stand in chunks, as what a manager or a curve is stored under. `spelunk schema` and \
         `docs/formats/virtools-classes.md` list the classes.";
    /// A class of which it is not known what its objects save.
    NOTHING_KNOWN = "VT121" Unsupported "what a new object of the class saves is not known",
        "An object without a chunk is never made by engines, so none is written. Name an object of the class whose chunk it \
         is to have too with `--like`, or a file that holds the chunk with `--from`.";
    /// Bytes that are not the chunk of their object.
    NOT_ITS_CHUNK = "VT122" Usage "the bytes are no chunk that the object can have",
        "An object holds a CKStateChunk of its class: of a generation that is known, with sections laid out as the class lays \
         them out, and references to objects that are there. Pictures and models go in with \
         `spelunk import SOURCE --into FILE --replace PATH`, single fields with `spelunk set`. `--raw` takes any bytes, which \
         engines may not load.";
    /// An uncounted file of a second file.
    UNCOUNTED_LEFT_OUT = "VT123" Rule "the picture of the second file is left out",
        "The development tool writes a picture of the whole file behind it, and counts it nowhere. Loaders pass over one such \
         record; a second one would be taken for damage. The joined file keeps the picture of the first file that has one.";
    /// A coded plane that ends too early.
    PLANE_BITS = "VT130" Malformed "a coded plane of a bitmap ends too early",
        "The planes of a bitmap with compression 1 are blocks of coded coefficients. The bits of this one run out before \
         the last block. The bytes are kept, but there is no picture to be shown: get another copy, or replace the picture.";
    /// A section goes on behind the fields of its class.
    SECTION_REST = "VT140" Rule "the section goes on behind the fields that its class reads",
        "Engines read the fields and pass over what follows, which a later product or a plugin may have added. The fields \
         are shown and can be changed; the dwords behind them are kept and shown as `rest`. Nothing needs to be done.";
    /// An object whose record is empty.
    NO_DATA = "VT165" Rule "the object has no data, so no engine makes it",
        "The size of its record is 0. Engines skip such an entry: the object is not there after loading, and what refers \
         to it is null. Give it data with `spelunk replace` or in the authoring tool, or remove it with `spelunk rm`.";
    /// A reference-only entry that engines do not look up.
    NEVER_FOUND = "VT166" Rule "no engine looks up what this entry stands for",
        "The entry only refers to an object of another file. Engines look up parameters alone, by the type in the chunk of \
         the entry; this one is of another class, or tells no type. What refers to it is null after loading. Put the object \
         itself into the file, with `spelunk join`.";
    /// A reference to an object that engines do not make.
    READ_AS_NULL = "VT167" Rule "the reference is null after loading",
        "Engines never make the object that is referred to, for its entry has no data or stands for an object that they do \
         not look up. Refer to another object, or mend that one: `spelunk verify` says what is wrong with it.";
    /// An included file that the count leaves out.
    UNCOUNTED = "VT168" Rule "no engine reads this included file, for it is not counted",
        "Header1 tells how many included files there are, and engines read so many. This one stands behind them; only the \
         thumbnail of the development tool, which is not for engines, belongs there. Take it out with `spelunk extract` \
         and add it again with `spelunk add FILE included/NAME --from NAME`, which counts it.";
    /// A texture whose picture is in an included file that the count leaves out.
    UNSEEN_PICTURE = "VT169" Rule "the picture of the texture is in a file that no engine reads",
        "The texture names an included file that Header1 does not count, so whoever loads the file looks for a file of that \
         name elsewhere. Count it: take it out with `spelunk extract`, remove it and add it again.";
}
