//! The codes of what stands above the formats: of opening, of verbs and of the command.

pub use spelunk_core::codes as core;

spelunk_core::codes! {
    /// The manifest beside extracted files is no manifest of ours, or names what cannot be.
    BAD_MANIFEST = "SP050" Malformed "the manifest is damaged",
        "`pack` reads `spelunk-manifest.json`, which `extract` wrote beside the files. It was changed or damaged: \
         extract the container again, and put the files that you changed over the new ones.";
    /// The skeleton beside extracted files is missing or not the one that was written with them.
    BAD_SKELETON = "SP051" Malformed "the skeleton is not the one that was extracted",
        "`spelunk-skeleton.bin` holds all of the container that no extracted file holds. Its size or hash is not \
         what the manifest says: extract the container again, and put the files that you changed over the new ones.";
    /// Files that the manifest names are not in the folder.
    MISSING_FILES = "SP052" Io "files of the container are missing",
        "Every file that was extracted has to be there, changed or not: `pack` does not remove entries. Put the \
         files back, or extract the container again.";
    /// A folder of a format whose containers cannot be built from files.
    NO_SKELETON = "SP053" Unsupported "containers of this format cannot be built from a folder",
        "`extract` wrote no skeleton for it. Virtools files, SnPAK packs, GameData, maps of SpellForce 1 and SpellForce archives \
         are built from folders in this release; \
         `spelunk rewrite` reads and writes whole containers of every format.";
    /// A folder that was extracted without the skeleton that its container is built from.
    SKELETON_LEFT_OUT = "SP065" Usage "the folder was extracted without a skeleton",
        "The files and the manifest are not all of the container: the rest is in `spelunk-skeleton.bin`, which `extract \
         --no-skeleton` leaves out. Extract the container again without that option, and put the files that you changed \
         over the new ones. SnPAK packs are built without one, as far as a new pack can hold what is in them.";
    /// A file that this program failed on.
    PANICKED = "SP170" Unsupported "this program failed on the file",
        "That is a mistake in the program, not in the file: please report it, with the file where that can be. The other files \
         were looked at.";
    /// A folder that a catalogue is not written to.
    NO_CATALOGUE = "SP171" Usage "the folder holds other things than a catalogue",
        "Name an empty folder or one that is not there yet. With `--force` the catalogue is written beside what is there.";
    /// A folder that another run is writing to.
    CATALOGUE_BUSY = "SP172" Usage "another run is writing this catalogue",
        "Wait until it is done.";
    /// A catalogue that is damaged.
    BAD_CATALOGUE = "SP173" Malformed "the catalogue is damaged",
        "It was changed while it was read, or its files were changed by another program. `catalog --full` makes it anew.";
    /// Files that a catalogue could not distinguish.
    SAME_NAME = "SP174" Usage "two files have the same name",
        "A catalogue distinguishes files by their names, and each of them is a row. What is no UTF-8 in a name is escaped, as `\\xNN`, \
         which another file may be called: rename one of them, or leave it out with `--exclude`.";
    /// A file that ended processes which looked at it.
    WORKER_ENDED = "SP175" Unsupported "the process that looked at the file ended",
        "It was tried again, and alone. Memory may have run out, or the program failed, which is a mistake in it and not in the file: please \
         report it, with the file where that can be. The other files were looked at.";
    /// The extension of a file promises something else than it holds.
    EXTENSION = "SP055" Rule "the extension is misleading",
        "The content decides what a file is, not its name. Other programs may go by the name: rename the file if \
         they are to read it.";
    /// A format whose containers cannot be changed.
    NO_EDITING = "SP056" Unsupported "entries of this format cannot be changed",
        "`set`, `rm`, `mv`, `add` and `replace` change Virtools files, SnPAK packs, GameData, maps of SpellForce 1 and SpellForce \
         archives in this release; `spelunk rewrite` reads and writes containers of every format.";
    /// A question that only a folder of archives can answer.
    ONLY_ARCHIVES = "SP110" Usage "this is for folders of SpellForce archives",
        "Name the folder of the game, or the one that holds `sf0.pak` and the others.";
    /// A folder without archives.
    NO_ARCHIVES = "SP111" Usage "the folder holds no archives",
        "Name the folder of the game, or the one that holds `sf0.pak` and the others.";
    /// A comparison that only a cache allows.
    ONLY_CACHE = "SP112" Usage "only a pakdata.dat can be checked against a folder",
        "`verify --against` compares the cache of the community's editor with the archives that it lists.";
    /// A patch of another cache.
    OTHER_CACHE = "SP113" Rule "the patch is for another pakdata.dat; `spelunk pack DIR -o pakdata.dat` makes one of the archives",
        "A cache says where the files of certain archives lie, so what changed in one of them says nothing about another one: its \
         patches are made to the very file only. A cache of the archives of a folder is made anew instead.";
    /// Files of different formats were to be compared or united.
    OTHER_FORMAT = "SP061" Usage "the files have different formats",
        "`diff` compares two files of one format, and `join` unites files of one. `spelunk info` shows which formats they \
         have.";
    /// A format without scripts.
    NO_SCRIPTS = "SP057" Usage "files of this format hold no scripts",
        "Scripts are graphs of behaviours in Virtools files (.nmo, .cmo, .vmo, .nms).";
    /// An output whose kind is not known.
    EXPORT_KIND = "SP058" Usage "the kind of the output is not known",
        "`export` goes by the extension of the output: .glb, .gltf, .obj, .png, .dds, .ktx2, .csv, .sqlite, .dot \
         or .json. Name the kind with \
         `--to` for others, and for folders.";
    /// A format that no document can hold.
    NO_DOCUMENT = "SP059" Unsupported "files of this format cannot be written as JSON as a whole",
        "Virtools files are exported to JSON and imported again without losing a byte; `spelunk show --json` prints \
         entries of every format.";
    /// JSON that is no document.
    BAD_DOCUMENT = "SP060" Malformed "this is not a document of ours, or it was damaged",
        "`spelunk export FILE -o FILE.json` writes documents. Values may be changed, objects added without an `index` \
         and taken out; everything else has to stay.";
    /// A format without a scene, or an entry that is not what the kind of output holds.
    NOT_EXPORTED = "SP070" Unsupported "files of this format have nothing of that kind",
        "Models, textures and tables are exported from Virtools files, textures from SnPAK packs in this release; `spelunk extract` gives the \
         entries of every format.";
    /// Tables are asked for, and the file has none.
    NO_TABLES = "SP130" Unsupported "files of this format hold no tables",
        "Rows, texts and languages are those of SpellForce's GameData (GameData.cff, and files of mods with some of its \
         categories). `spelunk info` shows the format of a file.";
    /// A language that the texts do not have.
    NO_LANGUAGE = "SP131" Usage "this is no language of the texts",
        "A language is asked for by the number of its slot, its code or its name. `spelunk info` lists the slots of a \
         file; slot 1 is the edition's own language, whose name follows from its code page or from --profile.";
    /// A database, a folder or JSON that holds no tables of ours.
    BAD_TABLES = "SP132" Malformed "these are not tables of ours, or they were damaged",
        "`spelunk export` writes GameData as a SQLite database, a folder of CSV files or JSON. Rows may be changed, added and \
         taken out, to the last one; tables, columns and what stands beside the rows have to stay.";
    /// A cell that does not fit its field.
    CELL_VALUE = "SP133" Usage "the value does not fit its field",
        "Fields are numbers of one, two or four bytes, or text. docs/formats/gamedata.md lists them; nothing is cut to what \
         fits.";
    /// A table that does not fit a data array.
    ARRAY_TABLE = "SP139" Usage "the table does not fit the data array",
        "`spelunk export` writes a data array as CSV in UTF-8: a line of the names of its columns, then its rows. Cells and rows may \
         be changed, added at the end and taken out there; the columns have to stay. Cells of parameters have values only in rows that \
         are there already.";
    /// A catalogue or table of translations that cannot be read.
    TEXTS_TABLE = "SP134" Malformed "this is no table of texts for translators",
        "`spelunk export --language` writes PO and CSV in UTF-8. In PO the context of a message is the id of its text; in CSV \
         there have to be the columns `text_id` and `target`.";
    /// A translation of a text that has changed since.
    STALE_SOURCE = "SP135" Malformed "the text that was translated is another one now",
        "The translation was taken. Look whether it still fits the text; `spelunk export --language` writes both anew.";
    /// Two rows that are said to be at one place.
    REPEATED_ROW = "SP136" Malformed "two rows have the same number",
        "`row` is the place of a row in its category. Leave it empty in rows that are new: they go to where their keys \
         belong.";
    /// A statement that cannot be run.
    SQL = "SP137" Usage "SQLite does not take the statement",
        "`spelunk query` runs one statement that reads: SELECT, VALUES or WITH, behind the files. `spelunk query FILE --tables` \
         lists tables and columns, docs/query.md describes them.";
    /// A database that cannot be written.
    DATABASE = "SP138" Io "the database cannot be written",
        "What SQLite says of it stands behind this. Nothing took the place of the old file.";
    /// No map of SpellForce, or one without what was asked for.
    NO_MAP = "SP150" Unsupported "there is no such map",
        "Pictures, meshes and layers are made of maps of SpellForce 1 and 2; layers go into those of SpellForce 1 alone. `spelunk info` \
         shows the format of a file, `spelunk ls` what it holds; campaign maps of SpellForce 1 have no minimap.";
    /// A picture or table of another size than the map.
    GRID_SIZE = "SP151" Usage "the size does not fit the map",
        "Layers have one value for each cell, and maps that take layers are square. Pictures drawn for people may be scaled, but cannot be read \
         back.";
    /// A value that a layer cannot have.
    GRID_VALUE = "SP152" Usage "the layer cannot hold this",
        "Heights are 16 bits of grey; other layers are images with a palette, whose indices are the values, or CSV. Programs \
         that smooth, scale or recolour make values that mean nothing.";
    /// A layer that maps do not have.
    NO_LAYER = "SP153" Usage "there is no such layer",
        "docs/maps.md describes each of them, and says which game has which.";
    /// Features that do not fit the map.
    BAD_FEATURES = "SP159" Usage "these are not the features of the map",
        "`export MAP -o MAP.json` writes them, and docs/maps.md describes them. Features may be changed, added without an `index` \
         and taken out; what follows from other values is written for readers, and stays.";
    /// A slot that no texture has.
    NO_SLOT = "SP195" Usage "no texture has such a slot",
        "Slots are counted from 0; most textures have one. Without --slot all are exported.";
    /// Nothing to export.
    NOTHING = "SP071" Usage "there is nothing to export",
        "The file, or what was chosen of it, holds nothing of the kind that was asked for. `spelunk ls` lists its \
         objects, and `spelunk tree FILE scene` what stands in space. Textures of packs whose payloads are of no known \
         type are exported with --as.";
    /// Textures whose files were not found.
    TEXTURES = "SP072" Rule "textures not found",
        "Most Virtools files name the images of textures and do not hold them. They are looked for beside the file, in \
         `Textures` there and in `../Textures`, whatever the case of their letters; name other folders with \
         --textures. A white pixel stands in their place.";
    /// A picture of a texture that cannot be decoded.
    PICTURE = "SP073" Rule "the picture of a texture cannot be decoded",
        "A white pixel stands in its place. The message ends with the reason.";
    /// Something that glTF cannot hold as it is.
    INEXACT = "SP074" Rule "not everything of it can be exported",
        "The format of the output has no place for it. What there was is kept in `extras` where that is said.";
    /// Several files where one was asked for.
    ONE_FILE = "SP075" Usage "one file cannot hold all of this",
        "Choose one of them by its path, or name a folder as the output, with --to for the kind.";
    /// A format of pixels that a kind of files has no place for.
    NO_FORMAT = "SP100" Unsupported "files of this kind cannot hold the format",
        "DDS has no ASTC. KTX2 holds every format as it is, and PNG the decoded picture.";
    /// Blocks of a texture that cannot be decoded.
    BLOCKS = "SP101" Rule "blocks of a texture cannot be decoded",
        "They are damaged, or ASTC of the HDR profile, which is not decoded; they are magenta in the picture. KTX2 holds \
         them as they are.";
    /// Colours that are cut to what a picture can hold.
    CLAMPED = "SP102" Rule "colours brighter than white are cut",
        "PNG files are written with 8 bits for each channel. DDS and KTX2 hold the texture as it is.";
    /// JSON that is no patch.
    BAD_PATCH = "SP062" Malformed "this is not a patch of ours, or it was damaged",
        "`spelunk diff A B --patch FILE` writes patches, and `spelunk patch` takes nothing else.";
    /// A format without patches.
    NO_PATCH = "SP063" Unsupported "there are no patches for files of this format",
        "Patches are made for Virtools files, SnPAK packs, GameData, maps, saves, SpellForce archives and `pakdata.dat`; \
         `spelunk diff` compares files of every format.";
    /// A history that cannot be read.
    BAD_HISTORY = "SP216" Malformed "this is no history of edits, or it was damaged",
        "`--history` keeps the edits of a file beside it, in a file of the same name with `.history` behind it. Move that away, and \
         a new one begins with the next edit; what can be taken back until then is gone with it.";
    /// A file that something else than the steps of its history changed.
    HISTORY_CHANGED = "SP217" Rule "the file is not the one that the last edit of its history made",
        "Something changed it that kept no history, or put another file in its place. `spelunk history FILE --patch N` writes the \
         patch of a step, and `spelunk patch FILE PATCH --reverse` takes back of it what still fits.";
    /// A file without edits that can be taken back, or made again.
    NO_STEP = "SP218" Usage "there is no edit to take back or to make again",
        "Edits in place keep one with `--history`, or always where SPELUNK_HISTORY=1 is set. `spelunk history FILE` lists them.";
    /// A handle of the interface for C that stands for nothing.
    BAD_HANDLE = "SP219" Usage "the handle is not one that is there",
        "It was freed, is one of another kind, or was never given out. Nothing was done.";
    /// An argument of a function for C that it does not take.
    BAD_ARGUMENT = "SP220" Usage "the function does not take the argument",
        "The header `spelunk.h` says of each argument what it has to be. Nothing was done.";
    /// A handle of the interface for C that two threads use.
    HANDLE_BUSY = "SP221" Usage "another thread uses the handle",
        "Rows are read by one thread at a time. Nothing was done.";
    /// Standard input, where there is none.
    NO_STREAM = "SP222" Usage "there is no standard input here",
        "The program that uses the library has its standard streams for itself. Name a file, or open its bytes.";
    /// Something else is there than what a patch is to change.
    CONFLICT = "SP064" Rule "what the patch is to change is not there",
        "The file is another one than that which the patch was made from, and has other values in this place. \
         Nothing is written then; `--partial` makes all other changes of the patch.";
    /// A model that is damaged.
    BAD_MODEL = "SP076" Malformed "the model is damaged, or not what its name says",
        "`import` takes glTF 2.0 (`.glb`, `.gltf`) and OBJ. The Khronos validator shows in more detail what is wrong with a glTF \
         file. Files that a document names have to lie beside it or in folders there.";
    /// A model that needs more than is known.
    NOT_MODELLED = "SP077" Unsupported "the model requires an extension that is not known",
        "Export it again without compression (Draco, meshopt) and without extensions that change its shape.";
    /// Contents of a model that files of the format have no place for.
    NOT_IMPORTED = "SP078" Rule "not everything of the model was imported",
        "Virtools files have no place for it, or `import` does not know it. The rest was imported.";
    /// More vertices than a mesh can have.
    TOO_MANY_VERTICES = "SP079" Unsupported "a mesh has too many vertices",
        "Faces name vertices with 16 bits. Take the mesh apart in an editor, or import with --split: then it becomes \
         several meshes, each on an object of its own.";
    /// A source whose kind is not known.
    IMPORT_KIND = "SP082" Usage "the kind of the source is not known",
        "`import` takes JSON documents, folders and databases that `export` wrote, models (.glb, .gltf, .obj) and, with --into, \
         images (.png, .tga, .bmp, .jpg) and the features of a map.";
    /// Something to be replaced that the source is no kind of.
    NOT_REPLACED = "SP083" Usage "the source does not hold what is to be replaced",
        "A mesh is replaced by a mesh of a model, a texture by an image or a texture of a model, a data array by CSV. Where the source holds \
         several, name one with --from.";
    /// Objects that were given other names.
    RENAMED = "SP084" Rule "there is an object of this name already",
        "The imported one got another name. With --on-conflict replace it takes the place of the old one, with keep the \
         old one is used.";
    /// Sector groups that were missing.
    SECTORS = "SP085" Rule "sector groups were missing and were made",
        "Games go through sectors in their order, so the groups between others have to be there, empty or not.";
    /// A picture that the output cannot hold.
    NO_PLACE = "SP086" Rule "the picture of a texture is in no file",
        "The texture names a file, and the file holds no pixels. Write the picture out with --textures DIR, or store the \
         pixels with --texture-save raw.";
    /// A format whose files cannot be united.
    NO_JOIN = "SP087" Unsupported "files of this format cannot be united",
        "`join` unites Virtools files in this release.";
    /// A format of whose files no parts can be made.
    NO_SUBSET = "SP088" Unsupported "no parts can be made of files of this format",
        "`subset` makes parts of Virtools files and SnPAK packs in this release; `spelunk extract` gives the entries of \
         every format.";
    /// A format without rules.
    NO_RULES = "SP080" Unsupported "there are no rules for files of this format",
        "`lint` knows what games do not like of Virtools files, SnPAK packs, GameData, maps and archives of SpellForce 1, and \
         `pakdata.dat`. Nothing is known of what they would not like of saves and of files of other games; `spelunk verify` \
         reads and checks everything of every format.";
    /// A format whose rules are reported and not mended.
    NO_FIX = "SP089" Unsupported "what the rules say of this format is not mended",
        "`lint --fix` mends Virtools files. For SnPAK packs `spelunk compact` drops what nothing uses, and `spelunk \
         repair` brings assets back that an append hides; names and dependencies are for the tool that makes the pack. Archives \
         and `pakdata.dat` are made anew with `spelunk pack`. Rows of GameData and what a map has are for who writes the mod.";
    /// A rule that does not exist.
    NO_RULE = "SP081" Usage "there is no such rule",
        "Rules have codes such as VL001 and SL001; `spelunk lint --list-rules` lists them, and `spelunk explain VL001` says what \
         one means.";
    /// A code that does not exist.
    NO_CODE = "SP160" Usage "there is no such code",
        "`spelunk explain --codes` lists all codes of errors, findings and rules.";
    /// A line of a file of suppressions that is none.
    BAD_SUPPRESSION = "SP161" Usage "the line is no suppression",
        "A line is a code, or a code and a glob of files, or these two and the path that findings name; what begins with `#` \
         is a comment. `spelunk lint --write-suppressions FILE` writes such a file.";
    /// Included files were asked of a format that has none.
    NO_INCLUDED = "SP054" Usage "containers of this format carry no included files",
        "Included files are whole files that Virtools files carry along behind their objects. Leave out \
         --included to extract the entries of other containers.";
    /// A line of a list of files that names none.
    BAD_LIST = "SP092" Usage "a line of the list names no file",
        "A list has the path of a file on each line, or a path, a tab and the name of the asset.";
    /// An entry of a file that was changed since.
    STALE = "SP154" Usage "the entry was taken from the file before it was changed",
        "An edit makes a new state of the file. Take the entry again with `File::entry` or `File::entries`; what was read from it \
         before stays as it is.";
    /// Saving onto the file that is open.
    ONTO_ITSELF = "SP155" Usage "the file is open; `save_over` replaces it",
        "`File::save` writes to another file. `File::save_over` replaces the one that was opened, and gives the new one.";
    /// Saving over a file that has no place.
    NOT_FROM_DISK = "SP156" Usage "the file was opened from bytes, so that there is nothing to replace",
        "`File::save` writes it to a path; `File::open` opens what `File::save_over` can replace.";
    /// A field that an entry does not have.
    NO_SUCH_FIELD = "SP157" Usage "the entry has no such field",
        "`FileEntry::fields` lists the fields of an entry with their paths, as `spelunk show` does.";
    /// A format whose entries do not refer to each other.
    NO_REFS = "SP120" Rule "entries of this format do not refer to each other",
        "Objects of Virtools files and assets of SnPAK packs do. `spelunk show` shows what is known of an entry.";
    /// An option that makes no sense for the format.
    NOT_FOR_FORMAT = "SP121" Usage "this option is not for files of this format",
        "`spelunk help VERB` lists which options are for which files.";
    /// A size of blocks that no file can be cut into.
    BLOCK_SIZE = "SP122" Usage "blocks have at least 512 bytes",
        "Stores patch files in blocks of 1 MiB; smaller ones show more precisely where files differ, and need a table of all of them.";
    /// A format that cannot be grown, shrunk, mended or rolled back.
    ONLY_PACKS = "SP090" Unsupported "this can be done with SnPAK packs alone",
        "`append`, `compact`, `repair` and `rollback` are for SnPAK packs in this release, and so is --with; `overlay` takes packs \
         or SpellForce archives, not both. `spelunk info` shows the format of a file.";
    /// A format whose files cannot be merged.
    NO_MERGE = "SP093" Unsupported "files of this format cannot be merged",
        "`merge` takes Virtools files, SnPAK packs, GameData, maps and SpellForce archives; `spelunk diff` compares files of every \
         format.";
    /// Two sides changed one thing, each in another way.
    MERGE_CONFLICT = "SP094" Rule "both sides changed this, each in another way",
        "Nothing is written then. `--on-conflict ours` keeps what OURS has, `--on-conflict theirs` takes what THEIRS has, and \
         everything else is merged.";
    /// Two assets that one name was given to on different sides.
    COLLISION = "SP095" Rule "two assets or objects have this name now",
        "Each side has only one of them. Programs that ask for them by name get either; rename one of them with `spelunk mv`.";
    /// A build of the command without the page.
    NO_PAGE = "SP194" Unsupported "the page is not part of this build of spelunk",
        "Releases have it. In a checkout `cargo xtask page` makes it, with Node.js; what is built after that takes it in.";
    /// A request that a verb cannot take.
    BAD_REQUEST = "SP190" Usage "the request is not one that the verb takes",
        "`spelunk schema` prints what requests look like.";
    /// A handle of a file that the session does not keep open.
    NO_SUCH_HANDLE = "SP191" Usage "the session keeps no such file open",
        "It was closed, or opened by another session.";
    /// A file of the session that another run works on.
    HANDLE_IN_USE = "SP192" Usage "another verb works on the file",
        "One file cannot be both sides of a verb, nor be worked on by two threads at a time: open it twice.";
    /// A link in a folder.
    LINK_PASSED_OVER = "SP193" Rule "a link, passed over (--follow-links follows it)",
        "What is made of the files of a folder would hold what lies elsewhere. `--follow-links` follows links.";
    /// A dialect that no format has.
    NO_SUCH_DIALECT = "SP196" Usage "there is no such dialect",
        "`pack --dialect` writes a layout that differs from that of real files: `spec` is that of the written specification.";
    /// A system, or a build of the command, that cannot mount.
    NO_MOUNT = "SP210" Unsupported "mounting needs Linux, and a spelunk that was built with the feature `mount`",
        "`spelunk extract` writes the same files on every system.";
    /// A place at which nothing can be mounted.
    BAD_POINT = "SP211" Usage "the point of a mount has to be an empty folder that lies outside of what is mounted",
        "Make one with `mkdir`. Where a process that served a mount was killed, `umount POINT` makes the folder empty again.";
    /// A system that lets this process mount nothing.
    MOUNT_REFUSED = "SP212" Io "the system mounts nothing for this process",
        "Files are served through FUSE: /dev/fuse has to be there (`modprobe fuse`; a container is given it, and the capability \
         SYS_ADMIN), and who is not root needs the program fusermount3, which packages of the name fuse3 have.";
    /// A container whose files lie elsewhere.
    NOTHING_TO_MOUNT = "SP213" Usage "the files of this container lie elsewhere",
        "It lists what other files hold: mount those.";
    /// A container that is mounted, and another one than before.
    MOUNTED_CHANGED = "SP214" Io "the container was changed while it was mounted",
        "What was listed of it belongs to the container of before. Unmount it, and mount it again.";
    /// A mount that cannot be taken away.
    MOUNT_STAYS = "SP215" Io "the mount cannot be taken away",
        "`umount POINT` does it, or `umount --lazy POINT` where a program still has one of the files open.";
    /// A file on a server that is another one than before.
    REMOTE_CHANGED = "SP200" Io "the file was changed on its server while it was read",
        "What was read until then belongs to the file of before, and what would come now to another one. Begin again.";
    /// A bound of what goes over the network.
    REMOTE_LIMIT = "SP201" Limit "the limit of what goes over the network is reached (--max-requests and --max-download lift it)",
        "`-v` shows how many requests and bytes a verb takes. `ls` and `show` read tables and what is asked for; `verify`, `extract` \
         and `find --in values` read all of a file.";
    /// A server that gives no answer.
    REMOTE_UNREACHABLE = "SP202" Io "the server gives no answer",
        "The words of the system follow. Requests are made again a few times, with longer and longer pauses, before this is said. Look \
         whether the name of the host is right, and whether other programs get there.";
    /// An answer of a server that is no success.
    REMOTE_STATUS = "SP203" Io "the server refuses the request",
        "404 means that there is no such file. 401 and 403 mean that the server wants to know who asks: object stores take that from the \
         variables of the environment that their own programs use (AWS_, GOOGLE_ and AZURE_), web servers from name and \
         password in the URL. Buckets that are open to all want AWS_SKIP_SIGNATURE=true.";
    /// An answer of a server that does not fit the question.
    REMOTE_ANSWER = "SP204" Malformed "the answer of the server does not fit the request",
        "The server sends other bytes than were asked for, or more of them. Something between it and this machine may change what \
         goes by; fetch the file with another program.";
    /// A store that cannot be asked with the settings of the environment.
    REMOTE_SETTINGS = "SP205" Usage "the settings for this store are missing or wrong",
        "Object stores are asked with the variables of the environment that their own programs use: AWS_ACCESS_KEY_ID, \
         AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT for s3://, GOOGLE_APPLICATION_CREDENTIALS for gs://, \
         AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY for az://. Buckets that are open to all want \
         AWS_SKIP_SIGNATURE=true, GOOGLE_SKIP_SIGNATURE=true or AZURE_SKIP_SIGNATURE=true. With SPELUNK_INSTANCE_CREDENTIALS=1 the service \
         of a virtual machine is asked, where no others are set.";
    /// A server that sends a large file as a whole.
    REMOTE_WHOLE = "SP206" Limit "the server sends whole files only, and this one is too large for that (--max-memory lifts it)",
        "Servers that know no ranges are asked for the whole file, which is kept in memory. Fetch a large one with another program \
         first.";
    /// A URL that names no file.
    REMOTE_ADDRESS = "SP207" Usage "the URL names no file",
        "http://, https://, s3://BUCKET/KEY, gs://BUCKET/KEY, az://CONTAINER/KEY and file:///PATH are read.";
    /// Something that would be written to a server.
    REMOTE_WRITING = "SP208" Unsupported "the server takes no such output",
        "Web servers (http:// and https://) are read only: write to a file on the disk, and put that onto the server with another \
         program. Object stores (s3://, gs:// and az://) take whole files, and nothing that grows in place: `append` wants a pack on the disk.";
    /// An answer that ended before it was complete, time and again.
    REMOTE_CUT = "SP209" Io "the answer of the server ended early",
        "The connection broke while the file came. It was asked for again a few times before this is said.";
    /// Something in the header of a Virtools file that one side changed.
    NOT_MERGED = "SP123" Rule "what belongs to no object is not merged",
        "Versions, the list of plug-ins and how the file is packed are those of OURS; with `--on-conflict theirs` those of THEIRS. \
         `spelunk diff` shows what differs.";
}
