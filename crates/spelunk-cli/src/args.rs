//! The command line.
//!
//! What a verb is about stands at its variant: a documentation comment at its arguments would take the place of that.

use clap::{Command, CommandFactory, Error, FromArgMatches, Parser, Subcommand};
pub use common::Common;
pub use query::Query;
pub use setup::{Completions, Help, Man, Mount, Schema, View};
use spelunk::verbs::{
    add, append, cat, compact, diff, explain, export, extract, find, history, import, info, join,
    lint, ls, merge, mv, overlay, pack, patch, refs, repair, replace, rewrite, rm, rollback, set,
    show, subset, tree, undo, upgrade, verify,
};
use spelunk_catalog::verb as catalog;
use std::ffi::OsString;

mod common;
pub mod help;
mod query;
mod setup;
#[cfg(test)]
mod tests;

/// Opens the containers that games ship their assets in: Virtools (.nmo .cmo .vmo .nms), SnPAK (.snpak),
/// SpellForce (GameData.cff, maps, saves, .pak, pakdata.dat).
///
/// The content decides what a file is, never its name. Nothing is changed unless you say so.
#[derive(Parser, Debug)]
#[command(
    name = "spelunk",
    bin_name = "spelunk",
    version,
    propagate_version = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 clean, 1 error findings or differences, 2 usage, 3 cannot be opened, \
4 input/output, 5 not supported.\n\nExamples:\n  spelunk info level.nmo\n  spelunk ls sf22.pak '*.tga'\n  \
spelunk verify --roundtrip *.snpak\n  spelunk explain level.nmo 0x10\n\n`spelunk help VERB` describes a verb, `spelunk help \
jobs` lists commands by what one wants to do."
)]
struct RootCommand {
    #[command(flatten)]
    common: Common,
}

/// The command line.
pub struct Cli {
    pub common: Common,
    pub verb: Verb,
    /// Name of the verb.
    pub name: String,
}

impl Cli {
    /// All of the command line.
    pub fn command() -> Command {
        let command = help::root(RootCommand::command().subcommand_required(true));
        let command = Verb::augment_subcommands(command.arg_required_else_help(true));
        help::grouped(command.mut_subcommands(help::verb))
    }

    /// The command line of one verb, complete with the options of every verb; without one the names of all verbs.
    pub fn command_of(verb: Option<&str>) -> Command {
        let all = Verb::augment_subcommands(RootCommand::command());
        let Some(verb) = verb.and_then(|verb| all.find_subcommand(verb)) else { return all };
        let mut command = RootCommand::command().subcommand(verb.clone());
        command.build();
        command
    }

    /// Reads the command line. Where its first argument is a verb, it is read as if there were no other: the parser
    /// copies the options of every verb into each, which takes longer than to open a small file.
    pub fn parse(args: &[OsString]) -> Result<Cli, Error> {
        let verbs = Verb::augment_subcommands(Command::new(""));
        let mut command = match args.get(1).and_then(|first| verbs.find_subcommand(first)) {
            Some(verb) => help::root(RootCommand::command()).subcommand(help::verb(verb.clone())),
            None => Cli::command(),
        };
        let mut matches = command.try_get_matches_from_mut(args)?;
        let name = matches.subcommand_name().unwrap_or_default().to_owned();
        let parts = Common::from_arg_matches_mut(&mut matches)
            .and_then(|common| Ok((common, Verb::from_arg_matches_mut(&mut matches)?)));
        let (common, verb) = parts.map_err(|error| error.format(&mut command))?;
        Ok(Cli { common, verb, name })
    }
}

// What to do. Only the arguments of the verb that is meant are made, so that starting takes no longer for the others.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Facts about files: format, versions, sizes, counts, checksum, oddities
    #[command(
        after_help = "Examples:\n  spelunk info level.nmo\n  spelunk info -r --json Ballance/ | \
jq .details.product\n  spelunk info --missing-plugins --registry engine.json -r Ballance/\n\nA damaged file that can \
be read is no failure here; `verify` is the judge.\n\nA registry is JSON: {\"plugins\": [{\"category\": \"manager\", \
\"guid\": \"4f243100-28ab3f51\", \"name\": \"Sectors\"}], \"prototypes\": [{\"guid\": \"01234567-89abcdef\"}]}. What is \
missing is a warning."
    )]
    Info(info::Request),
    /// The entries of a file or of all files in a folder
    #[command(
        after_help = "Globs cross folders and ignore case; they match paths, names, types, and type/name. PATH/* \
lists what lies below an entry, such as what a chunk of a Virtools object consists of; PATH/** goes all the way \
down.\n\nExamples:\n  \
spelunk ls level.nmo\n  spelunk ls sf22.pak '*.tga' --exclude '*island*'\n  spelunk ls --sort size --limit 10 \
assets.snpak\n  spelunk ls --columns id,class,name level.nmo\n  spelunk ls level.nmo '#3/*'\n  spelunk ls --blocks -r Ballance/\n  spelunk ls assets.snpak --generation merged\n  spelunk ls SpellForce/ 'texture/*'"
    )]
    Ls(ls::Request),
    /// The entries of a file as a hierarchy
    #[command(
        after_help = "In a Virtools file `scene` is what stands below what in space, `scripts` are its scripts as outlines, and a behaviour is the outline of \
it.\n\nExamples:\n  spelunk tree level.nmo\n  spelunk tree level.nmo scene\n  spelunk tree menu.cmo CKLevel/Level\n  spelunk tree gameplay.nmo scripts\n  spelunk tree \
sf22.pak"
    )]
    Tree(tree::Request),
    /// Every known field of one entry
    #[command(
        after_help = "Paths are those that `ls` prints. A Virtools object is #17 or CKMesh/Name, a \
chunk of a CFF file 2016 or 6.12, an asset its name or id.\n\nExamples:\n  spelunk show level.nmo \
CKMesh/Cube_Mesh\n  spelunk show GameData.cff 2016\n  spelunk show --json assets.snpak textures/bark"
    )]
    Show(show::Request),
    /// The bytes of one entry, to standard output
    #[command(after_help = "Examples:\n  spelunk cat sf22.pak mesh/tower.msb > tower.msb\n  \
spelunk cat level.nmo header1 | xxd\n  spelunk cat menu.cmo included/vtthumbnail.jpg > menu.jpg")]
    Cat(cat::Request),
    /// Entries to files, with a manifest
    #[command(
        after_help = "Nothing is written outside the target folder: names that are dangerous on some \
system are escaped, and the manifest keeps them as they were. Where `pack` can rebuild the container, a skeleton \
is written too where one is needed, and that it gives the same bytes again is proved; of a compressed pack that takes longer \
than the files do. With --no-skeleton nothing is proved: use it for files that are only looked at or go elsewhere. `pack` \
still makes a pack of such a folder, though not always of the same bytes, and refuses to make a Virtools file of \
it.\n\nExamples:\n  spelunk extract sf22.pak \
-C out\n  spelunk extract assets.snpak 'textures/*' -C out --dry-run\n  spelunk extract assets.snpak -C out --no-skeleton"
    )]
    Extract(extract::Request),
    /// Read everything, check everything, report every finding
    #[command(
        after_help = "This judges the bytes. Of a Virtools file that is sound engines may still lose something, such as an \
object without data: that is reported as warnings, and as `lost` with --json. Whether a file loads is for `spelunk lint` to say, \
which takes these for errors.\n\nExamples:\n  spelunk verify -r Ballance/\n  spelunk verify --roundtrip \
level.nmo\n  spelunk verify -r --coverage Ballance/\n  spelunk verify pakdata.dat --against SpellForce/"
    )]
    Verify(verify::Request),
    /// References of an entry, and references to it
    #[command(
        after_help = "Objects of Virtools files, assets of SnPAK packs and rows of GameData refer to each other; entries of \
other formats do not, which is said. With --closure everything that the entry needs is listed, directly and through others, with the circles \
in it; with --missing what is referred to and not there, of everything or of what PATH needs.\n\nThe assets of a pack find \
what they need in the pack itself, then in those of --with, the later ones first.\n\nExit code 1: something that is required \
is missing.\n\nExamples:\n  spelunk refs level.nmo CKMaterial/Wood\n  spelunk refs game.snpak levels/forest --closure\n  \
spelunk refs level.snpak levels/forest --missing --with dlc=dlc.snpak\n  spelunk refs game.snpak --missing \
--no-optional"
    )]
    Refs(refs::Request),
    /// Names, texts, ids, GUIDs and values, in files and folders
    #[command(
        after_help = "The pattern is a part of a text, whatever the case of its letters; with *, ? or [ in it a glob for the \
whole text. A number is found as a number too, in decimal or hexadecimal, and GUIDs, ids and hashes by a part of their text. \
What was found is shown by the path of the entry, and by the field where it is not its name. The exit code is the same whether \
anything was found or not, unless --require-match makes it 1 that nothing was.\n\nExamples:\n  spelunk find sword GameData.cff\n  spelunk find Level_Finish Ballance/\n  spelunk find --duplicates Ballance/\n  \
spelunk find --names '*.tga' SpellForce/pak\n  spelunk find 6bed328b gameplay.nmo\n  spelunk find --json 4711 GameData.cff | jq \
.field"
    )]
    Find(find::Request),
    /// Several SnPAK packs, or the SpellForce archives of a folder, as a game mounts them: which one provides each entry
    #[command(
        after_help = "Later packs win over earlier ones. Each asset is one row: the pack that provides it, and those whose \
assets of the same id it hides. PREFIX=PACK puts PREFIX/ before all names of a pack; an argument that is the name of a file \
is always that file.\n\n--prefer shows what each name means to a game that looks for variants in this order; one that any \
pack has wins over those behind it, whatever pack they are in. An empty one is the asset without a variant, which comes last \
otherwise.\n\nThe archives of a folder (DIR/*.pak or DIR/pak/*.pak) win by the numbers in their names, loose files over all of \
them.\n\nExit code 1: --conflicts or --missing found some.\n\nExamples:\n  spelunk overlay base.snpak patch.snpak\n  spelunk overlay \
base.snpak dlc=dlc.snpak --only 'dlc/*'\n  spelunk overlay base.snpak patch.snpak --conflicts\n  spelunk overlay base.snpak \
de.snpak --prefer de,en\n  spelunk overlay SpellForce/ --conflicts\n  spelunk overlay SpellForce/ --missing pakdata.dat"
    )]
    Overlay(overlay::Request),
    /// Findings that a game would not like, although the bytes are sound
    #[command(
        after_help = "Rules have codes; `spelunk explain VL001` says why the game would not like it, and docs/lint.md \
lists all. There are rules for Virtools files, those about sectors for maps of Ballance, and for SnPAK packs, GameData, maps, \
archives and pakdata.dat of SpellForce, which --fix does not mend.\n\nFindings that are known are listed in a file, which \
--write-suppressions makes: a line for each, with a code, a glob of files, and the path that the finding shows. Whoever leaves \
out the path, or the glob too, means all there are.\n\nExamples:\n  spelunk lint level.nmo\n  spelunk lint --list-rules\n  \
spelunk lint -r maps/ --write-suppressions known.txt\n  spelunk lint -r maps/ --suppressions known.txt --format sarif > \
lint.sarif\n  spelunk lint level.nmo --since old.nmo\n  spelunk lint -v textures.snpak\n  spelunk lint -r --missing-report --search Ballance/Textures maps/\n  spelunk lint --rule VL001 \
--rule VL002 --fix --merge-names --remove-unused level.nmo -o smaller.nmo\n  spelunk lint --allow VL041 --fix --in-place --backup level.nmo"
    )]
    Lint(lint::Request),
    /// Read everything and write it again: the same bytes, unless an option says otherwise
    #[command(
        after_help = "Another version, write mode or level, and leaving out included files, are there for Virtools \
files alone.\n\nExamples:\n  spelunk rewrite level.nmo copy.nmo\n  spelunk rewrite --recompress level.nmo \
copy.nmo\n  spelunk rewrite --in-place --backup level.nmo\n  spelunk rewrite --write-mode uncompressed \
level.nmo plain.nmo"
    )]
    Rewrite(rewrite::Request),
    /// Changes between two files of one format
    #[command(
        after_help = "Objects are matched by kind, name and content, never by their positions, assets by their ids; \
references are equal where they mean objects that belong together. Order, history, offsets, counts and how things are packed are no \
differences.\n\nExit code 0: the same; 1: differences.\n\nExamples:\n  spelunk diff old.nmo new.nmo\n  spelunk diff \
old.nmo new.nmo --patch changes.json\n  spelunk diff --json old.snpak new.snpak | jq -r .change\n  spelunk diff \
assets.snpak assets.snpak --old-generation 1"
    )]
    Diff(diff::Request),
    /// Make the changes of a patch, or take them back
    #[command(
        after_help = "There are patches for files of every format, but none for those of SpellForce's dialect `spec`. Made to the file that it was made from, a patch \
gives the other one byte for byte. Made to another one, it changes the entries of the same kind and name, or the assets of \
the same ids, as a new generation of the pack, or the files of the same paths of an archive (a pakdata.dat takes no patch of another one); where something else is there than what is to be \
changed, nothing is written, unless --partial says so.\n\nExamples:\n  spelunk diff old.nmo new.nmo --patch \
changes.json\n  spelunk patch old.nmo changes.json -o new.nmo\n  spelunk patch new.nmo changes.json --reverse -o \
old.nmo\n  spelunk patch mine.nmo changes.json --in-place --backup"
    )]
    Patch(patch::Request),
    /// Change fields of entries
    #[command(
        after_help = "Fields have the paths that `show` prints. A list takes its items with commas between them, one \
of them its position; a reference #17, CLASS/NAME or none; flags their names with | between them. Virtools files, \
SnPAK packs, GameData and maps of SpellForce 1 can be changed.\n\nOf an asset of a pack asset_id, kind, payload_type, schema_version, name, variant, \
compression (with a level, as zstd:max), level and dependencies (paths or ids with commas between them, :optional or \
:auxiliary behind those that are not required) can be set, of bulk[N] semantic, sub_index, compression and level. The \
changed pack is the old one with a new generation behind it: `rollback` takes it back, `compact` drops what is not used \
any more.\n\nExamples:\n  spelunk set level.nmo '#1/material.specular_power=20' -o new.nmo\n  \
spelunk set level.nmo CKMaterial/Wood/material.diffuse=0xffff0000 -o new.nmo\n  spelunk set level.nmo \
'CK3dObject/Cube/entity.position[1]=2.5' --in-place --backup"
    )]
    Set(set::Request),
    /// Remove entries
    #[command(
        after_help = "References to what is removed become null or go from their lists; all others go on to mean the \
same objects. In a SnPAK pack dependencies on it stay, which is noted, since it may be in another pack; its bytes stay until \
`compact` drops them.\n\nExamples:\n  spelunk rm level.nmo CK3dObject/Cube -o new.nmo\n  spelunk rm menu.cmo included \
--in-place\n  spelunk rm game.snpak textures/bark -o new.snpak"
    )]
    Rm(rm::Request),
    /// Give an entry another name
    #[command(
        after_help = "Examples:\n  spelunk mv level.nmo '#3' Crate -o new.nmo\n  spelunk mv game.snpak textures/bark \
textures/old_bark --in-place\n  spelunk mv sf22.pak mesh/tower.msb mesh/keep.msb -o new.pak"
    )]
    Mv(mv::Request),
    /// Take edits in place back
    #[command(
        after_help = "Verbs that change a file in place keep their edits with --history, or always where SPELUNK_HISTORY=1 is set, in \
FILE.history beside it: a patch for each, which is tried before it is kept, 64 MiB and 1,000 edits at the most. The file is the very one of \
before then, byte for byte; one that something else changed meanwhile is left alone. `append` keeps none: `rollback` takes \
it back.\n\nExamples:\n  spelunk set level.nmo CKMaterial/Wood/material.diffuse=#808080 --in-place --history && spelunk undo \
level.nmo\n  spelunk undo edited.nmo --steps 2\n  spelunk undo edited.nmo --dry-run"
    )]
    Undo(undo::Request),
    /// Make edits again that were taken back
    #[command(
        after_help = "The next edit forgets what was taken back.\n\nExamples:\n  spelunk undo edited.nmo && spelunk redo \
edited.nmo\n  spelunk undo edited.nmo --steps 2 && spelunk redo edited.nmo --steps 2\n  spelunk undo edited.nmo && spelunk redo \
edited.nmo --dry-run"
    )]
    Redo(undo::Request),
    /// Edits that can be taken back
    #[command(
        after_help = "Each edit is a line: its number, its time, and what was asked for. Behind those that are in the file stand \
those that were taken back.\n\nExamples:\n  spelunk history edited.nmo\n  spelunk history edited.nmo --json\n  spelunk \
history edited.nmo --patch 1 > first.json"
    )]
    History(history::Request),
    /// Add an entry
    #[command(
        after_help = "An object is added behind the others, with a new id; an asset of a SnPAK pack with the id that \
belongs to its name; a file of a SpellForce archive by its path, in small letters.\n\nExamples:\n  spelunk add level.nmo \
CKGroup/Lamps -o new.nmo\n  spelunk add level.nmo CKMaterial/Steel --like CKMaterial/Wood -o new.nmo\n  spelunk add \
level.nmo included/readme.txt --from readme.txt -o new.nmo\n  spelunk add game.snpak asset/textures/fern --from fern.tex -o \
new.snpak\n  spelunk add game.snpak 'bulk/textures/moss#1/0' --from moss.mip0 -o new.snpak\n  spelunk add sf22.pak \
file/texture/moss.tga --from moss.tga -o new.pak"
    )]
    Add(add::Request),
    /// Put other bytes in the place of an entry's
    #[command(
        after_help = "The bytes are those that `cat` writes.\n\nExamples:\n  spelunk cat level.nmo '#4' > floor.bin\n  \
spelunk replace level.nmo '#5' floor.bin -o new.nmo\n  \
spelunk replace sf22.pak mesh/tower.msb tower.msb -o new.pak"
    )]
    Replace(replace::Request),
    /// Content to files of other kinds
    #[command(
        after_help = "What stands in the space of a Virtools file goes to .glb, .gltf or .obj: whole levels, or single \
objects, groups and selections. Most files name their textures and do not hold them: they are looked for beside the \
file, in Textures there and in ../Textures, and where --textures says. Textures go to .png and data arrays to .csv, \
each to a file of its own where OUT is a folder. Sounds and thumbnails are files that a container carries along: \
`extract --included` writes them.\n\nTextures of SnPAK packs go to .png (the largest mip, or with --mips each), and with all mips \
as they are stored to .dds and .ktx2. Globs match their kinds too: 'CompressedTexture/*bark*'. docs/export.md says \
which format becomes what.\n\nA Virtools file goes to .json as a whole, or to a folder with a file for each \
object: `import` makes the same bytes of them again. Scripts go to .dot, which Graphviz draws, and with --scripts to \
.json.\n\nThe tables of a GameData go to a SQLite database (.sqlite), with --to csv to a folder of CSV files, or to .json: \
`import` makes the same bytes of them again, and the edits that were made to them. docs/tables.md describes what is in \
them.\n\nFor version control: git config diff.virtools.textconv 'spelunk export --to json -o -', and `*.nmo \
diff=virtools` in .gitattributes.\n\nExamples:\n  spelunk export level.nmo -o level.glb --textures \
Ballance/Textures\n  spelunk export level.nmo CKGroup/Phys_Floors 'CK3dObject/C*' -o floors.obj\n  spelunk export \
level.nmo -o textures --to png\n  spelunk export game.snpak 'textures/*' -o textures --to ktx2\n  spelunk export \
game.snpak textures/moss -o moss.png\n  spelunk export menu.nmo CKDataArray/Scores -o scores.csv\n  spelunk export \
level.nmo -o level.json\n  spelunk export level.nmo --to folder -o level\n  spelunk export gameplay.nmo -o \
scripts.dot\n  spelunk export gameplay.nmo '#1' -o lamp.dot\n  spelunk export gameplay.nmo --scripts -o scripts.json\n  spelunk \
export GameData.cff -o game.sqlite"
    )]
    Export(export::Request),
    /// A file of the content of others
    #[command(
        after_help = "Models become objects of a new file of FileVersion 8, as Virtools 2.1 writes it, or of the one that \
--into names: textures, materials, meshes, entities with their places, groups. What `export` wrote under `extras` comes \
back as it was stored where the model was not changed. JSON may be changed, too: objects taken out, and added without \
an index.\n\nExamples:\n  spelunk import scene.glb -o level.nmo\n  spelunk import scene.glb --into level.nmo -o new.nmo \
--on-conflict replace\n  spelunk import wood.png --into level.nmo --replace CKTexture/Wood_Texture --in-place --backup\n  spelunk \
import ball.obj --into balls.nmo --replace CKMesh/Ball_Wood_Mesh -o new.nmo\n  spelunk import level.json -o level.nmo\n  \
spelunk import game.sqlite -o GameData.cff"
    )]
    Import(import::Request),
    /// SQL on the tables of files
    #[command(
        after_help = "One statement that reads, of SQLite's SQL, on one file or on several of any formats; --tables lists tables and \
columns, docs/query.md says more. Every table has the column `file` behind the others. Files of every format have the tables \
files, entries (what `ls` lists), fields (every field of every entry), refs and findings; Virtools files objects, behaviors, \
links, parameters, meshes, materials, textures and others, packs assets, bulk and dependencies, chunk files chunks, GameData its \
categories, maps their lists, archives members. Where files of several formats have a table of one name, its format distinguishes \
them: virtools.objects, map.objects.\n\nWith --update the statement is an UPDATE: its columns are fields, marked by --tables, which are set as \
`set` sets them, all of them or none. `fields` has every field of every entry.\n\nExamples:\n  spelunk query level.nmo --tables\n  spelunk query level.nmo 'SELECT class, \
count(*) FROM objects GROUP BY class'\n  spelunk query gameplay.nmo \"SELECT script_name, delay FROM links WHERE delay > 1\"\n  spelunk query level.nmo \"SELECT entry, field FROM fields WHERE number = 0.5\"\n  spelunk query -r levels \"SELECT file, name, faces FROM meshes ORDER BY faces\"\n  spelunk query --csv forest.snpak 'SELECT path, size FROM assets' > assets.csv\n  spelunk query GameData.cff 'SELECT item_id, content FROM items \
JOIN texts_de ON text_id = name_id'\n  spelunk query --json \
GameData.cff 'SELECT * FROM dangling'\n  spelunk query GameData.cff 'UPDATE items SET buy_value = buy_value * 2' --update -o \
dear.cff\n  spelunk query level.nmo \"UPDATE materials SET diffuse = '#884422ff' WHERE name = 'Wood'\" --update --in-place"
    )]
    Query(Query),
    /// Several files as one
    #[command(
        after_help = "Virtools files are united today: the objects of all of them stand behind each other, and attributes \
and messages become one table each. Where an object of the same class and name is there in a file before, --on-conflict \
says what happens: `rename` gives the new one a number behind its name, `keep-both` gives both the name, `replace` puts the new \
one into the place of the old one, `use-current` uses the old one for the new one. Sprites keep their names, and states, \
synchronizers and critical sections of one name are always one. Engines find objects by name: a script that looks for a \
renamed one finds another one.\n\nThe first file is what is there; the others are loaded into it, as editors load animations \
for a character: --only and --as-character hold for these. Nothing is lost unless --only or --as-engines asks for it.\n\n\
Examples:\n  spelunk join gameplay.nmo menu.nmo balls.nmo -o all.nmo\n  spelunk join \
level.nmo modules.nmo -o new.nmo --on-conflict material=use-current --on-conflict mesh=keep-both\n  spelunk join man.nmo \
walk.nmo run.nmo -o moving.nmo --only animations\n  spelunk join level.nmo parts.nmo -o new.nmo --as-character Hero"
    )]
    Join(join::Request),
    /// Changes of two sides to one file, as one
    #[command(
        after_help = "SnPAK packs, Virtools files, SpellForce's GameData, maps and archives, file by file, are merged. Assets \
belong together by their ids, rows by their keys, objects and records of maps by what became of those of BASE: what only one \
side added, removed or changed is taken, field by field and payload by payload; what both did alike is one change. Where both \
changed one field or payload, or one changed what the other removed, nothing is written, unless --on-conflict says whose \
counts.\n\n\
A pack becomes OURS with a new generation behind it, in which payloads of THEIRS are stored as they are there; payloads that \
differ in how they are packed alone are no conflict. Of a Virtools file what belongs to no object, such as its versions, stays \
as it is in OURS, which is noted. Data of maps without known fields is merged where the sides changed other places of it.\n\n\
Several THEIRS are merged one after the other, as sets of mods are. A GameData that lacks categories of BASE is taken as a \
part: what it lacks stays. --part writes the rows that differ from BASE alone, as the community's editor does.\n\n\
Exit code 0: merged; 1: conflicts.\n\n\
Examples:\n  \
spelunk merge base.snpak mine.snpak other.snpak -o merged.snpak\n  \
spelunk merge level.nmo mine.nmo brown.nmo -o both.nmo\n  \
spelunk merge GameData.cff translation.cff balance.cff items.cff -o merged.cff\n  \
spelunk merge --json base.snpak mine.snpak other.snpak -o m.snpak | jq .conflicts\n\n\
For version control: git config merge.spelunk.driver 'spelunk merge %O %A %B --in-place', and `*.snpak merge=spelunk`, `*.nmo \
merge=spelunk` and `*.cff merge=spelunk` in .gitattributes."
    )]
    Merge(merge::Request),
    /// Some entries with all that they need, as a file of their own
    #[command(
        after_help = "Virtools objects bring along what they refer to, such as meshes, materials, textures and scripts, \
but not what holds them or stands above them: parents, owners, levels. Those references become null. Groups bring their \
members. Where the value of an input comes from and where that of an output goes is only referred to unless something else \
needs it, if it is a parameter that loaders find: they look up parameters alone, by class, name and type; a reference to \
another one is null, which is noted.\n\nExamples:\n  spelunk subset level.nmo CK3dObject/Cube -o cube.nmo\n  spelunk subset menu.nmo \
'CK3dEntity/M_Main*' --children -o main.nmo\n  spelunk subset gameplay.nmo '#1' --references -o lamp.nmo"
    )]
    Subset(subset::Request),
    /// A container from the folder that `extract` wrote, byte for byte, or a new pack of files
    #[command(
        after_help = "A folder that `extract` wrote gives its container again; files that were changed go in changed, and \
files that the manifest does not name are left out. Any other folder, a list of files or a manifest becomes a SnPAK pack: an \
asset for each file, called by its path, with the id that belongs to the name. With rules a pack that was extracted is made \
anew. The same files give the same bytes. With the extension .pak in OUT such a folder becomes a SpellForce archive; with \
.dat a pakdata.dat of the archives in the folder is written.\n\nA manifest is JSON: {\"format\": \"snpak\", \"entries\": [{\"name\": \
\"textures/bark\", \"file\": \"bark.bin\", \"compression\": \"zstd\", \"bulk\": [{\"semantic\": 1, \"sub_index\": 0, \"file\": \
\"bark.mip0\"}], \"dependencies\": [{\"name\": \"shaders/tree\", \"kind\": \"optional\"}]}]}, and everything else that `ls --json` \
has.\n\nExamples:\n  spelunk extract level.nmo -C level\n  spelunk pack level -o level-new.nmo\n  spelunk pack assets/ -o \
game.snpak --compress zstd:high --compress '*.png=none'\n  find . -name '*.tex' | spelunk pack - -o textures.snpak"
    )]
    Pack(pack::Request),
    /// Add assets to a SnPAK pack in place, or put others in their place
    #[command(
        after_help = "The pack itself is written to: new payloads and a complete index behind its end, then, when they are \
safe on the disk, its header in one go. Whenever that is interrupted the old pack opens, or the new one. Nothing else in it \
moves; `compact` drops what is no longer used, `rollback` takes the append back. Assets with an id that is there take its \
place; without bulk payloads of their own they keep those that are there.\n\nExamples:\n  spelunk append game.snpak \
patch/\n  spelunk append game.snpak textures/bark.tex\n  spelunk extract \
game.snpak 'levels/*' -C work && spelunk append \
game.snpak work"
    )]
    Append(append::Request),
    /// A SnPAK pack without what nothing uses
    #[command(
        after_help = "Older generations, unused strings and bytes, and what lies behind the end stay behind, and that is said. \
Payloads are copied as they are stored; the order of the assets stays. `info` shows how many bytes are wasted.\n\n\
Examples:\n  spelunk compact game.snpak -o small.snpak\n  spelunk compact game.snpak --in-place --backup\n  spelunk compact \
game.snpak -o old.snpak --target compat"
    )]
    Compact(compact::Request),
    /// A damaged SnPAK pack put right, as far as it goes
    #[command(
        after_help = "A pack without errors and warnings stays as it is. Assets that an append of the first writers hides are \
shown again, those that a later one of their id hides are left out. Where the header or the index is damaged, the newest index \
that is whole is looked for in the file; where none is left, the payloads make one, without names. What is lost is reported, with \
exit code 1.\n\nExamples:\n  spelunk repair broken.snpak -o mended.snpak\n  \
spelunk repair broken.snpak -o mended.snpak --dry-run\n  spelunk repair --in-place --backup broken.snpak"
    )]
    Repair(repair::Request),
    /// A SnPAK pack as it was before appends
    #[command(
        after_help = "`info` lists the generations; what was appended later is not in the pack any more.\n\nExamples:\n  \
spelunk rollback game.snpak --generation 1 -o first.snpak\n  spelunk rollback game.snpak --generation 1 --in-place \
--backup\n  spelunk rollback game.snpak --generation 1 -o first.snpak --dry-run"
    )]
    Rollback(rollback::Request),
    /// Old file generations to the current one
    #[command(
        after_help = "Virtools files of FileVersion 0 to 7 become files of FileVersion 8, and what their objects saved is \
brought to the layouts of today, as engines do that load and save; what stays as it was is reported for each class, with the \
reason. Files that are current already are passed over with a note; other formats have one generation, which is said with exit code \
5.\n\nExamples:\n  spelunk upgrade -r old/ -C new\n  spelunk upgrade door.nmo -C new --dry-run\n  \
spelunk upgrade door.nmo -C new --file-version 9"
    )]
    Upgrade(upgrade::Request),
    /// The contents of many files as a Parquet data set, for DuckDB, Polars, Spark and pandas
    #[command(
        after_help = "Four tables, DIR/files, entries, objects and findings, which docs/catalog.md describes. A file that \
cannot be opened is a row that says why, and so is one that is no container. A second run looks only at files whose size, \
time and hash are not those of the catalogue, takes out what is gone, and writes only what is different; the old catalogue is \
there until the new one is complete.\n\nExit codes are those of opening the files; error findings are for `verify` to judge.\n\n\
Examples:\n  spelunk catalog SpellForce/ -o catalogue\n  spelunk catalog Ballance/ mods/ --exclude '*.bak' -o catalogue\n  \
spelunk catalog SpellForce/ -o catalogue --dry-run\n  \
duckdb -c \"SELECT kind, count(*) FROM 'catalogue/objects/*.parquet' GROUP BY kind\""
    )]
    Catalog(catalog::Request),
    /// The field of a byte, the map or the bytes of a file, or the meaning of a code
    #[command(
        after_help = "`show` goes from the path of an entry to its places, `explain` from places to paths. Inflated sections are \
spaces of their own: file, header1, data, chunk12. Runs of bytes that are long are folded, which --full or a length \
prevents.\n\nExamples:\n  spelunk explain level.nmo 0x10\n  spelunk explain level.nmo header1:0x44\n  spelunk explain \
level.nmo --map\n  spelunk explain level.nmo --map header1:\n  spelunk explain level.nmo --hex 0x20 64\n  spelunk explain \
level.nmo --hex CKMesh/Cube_Mesh\n  spelunk explain GameData.cff --map --entry 2016\n  spelunk explain --json --map \
game.snpak | jq .path\n  spelunk explain SP003"
    )]
    Explain(explain::Request),
    /// Files in a browser: fields beside bytes, scenes, textures, tables, scripts, maps, differences, and changes to them
    #[command(
        after_help = "Prints one line, the address of the page, and opens it. The page talks to this command alone, on 127.0.0.1 \
and with a token of its own; it is there until you end it (Ctrl-C). Of a file the folder it lies in is opened; nothing is \
written outside of the opened folder, and nothing at all unless you save.\n\nExamples:\n  spelunk view level.nmo\n  spelunk view \
Ballance/ --read-only\n  spelunk view game.snpak --no-open --port 8080 --idle 30"
    )]
    View(View),
    /// A container as a folder that every program can read, on Linux
    #[command(
        after_help = "The folder has what `extract` would write, with the same names and bytes, but for the manifest and the skeleton. \
Nothing can be written to it. What is packed is unpacked when it is read, and kept while it stays open. In a folder of \
containers each of them is a folder, which is opened when somebody enters it; all other files are as they are, and a folder of \
SpellForce archives is one tree.\n\nThe command stays until you end it (Ctrl-C) or unmount the folder (`umount POINT`). Where it \
is killed, `umount POINT` takes away what is left. A file that is damaged gives an input/output error, and why is said here. Who is \
not root needs fusermount3, of the package fuse3.\n\nExamples:\n  spelunk mount level.nmo mnt\n  spelunk mount SpellForce/ /mnt/game \
--archive-order editor\n  spelunk mount Ballance/ mnt --max-memory 2G"
    )]
    Mount(Mount),
    /// A script with which a shell completes what is typed
    #[command(
        after_help = "Examples:\n  spelunk completions bash > ~/.local/share/bash-completion/completions/spelunk\n  \
spelunk completions zsh > ~/.zfunc/_spelunk\n  spelunk completions fish > ~/.config/fish/completions/spelunk.fish\n  \
spelunk completions powershell >> $PROFILE"
    )]
    Completions(Completions),
    /// The manual page of the command or of a verb
    #[command(
        after_help = "Examples:\n  spelunk man | man -l -\n  spelunk man set > spelunk-set.1\n  spelunk man diff > ~/.local/share/man/man1/spelunk-diff.1"
    )]
    Man(Man),
    /// The JSON Schema of what a verb prints with --json, and of its requests
    #[command(
        after_help = "Each line that the verb prints is one value. What is described stays as it is; more may be added to \
it. A request is what programs hand to `spelunk::verbs::call`: the options of the verb as JSON.\n\nExamples:\n  spelunk schema \
info\n  spelunk schema ls --request\n  spelunk schema ls > ls.schema.json\n  spelunk schema > spelunk-api.json"
    )]
    Schema(Schema),
    /// What a verb does, with examples; or commands by what one wants to do
    #[command(after_help = "Examples:\n  spelunk help set\n  spelunk help jobs\n  spelunk help")]
    Help(Help),
}
