// Requests and rows of all verbs. Made by `cargo xtask docs` of crates/spelunk-cli/api.json: change neither by hand.

using System.Collections.Generic;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Spelunk
{
    public sealed partial class Session
    {
        /// <summary>The version of the description that requests and rows were made of.</summary>
        public const int ApiVersion = 2;

        /// <summary>Facts about files: format, versions, sizes, counts, checksum, oddities</summary>
        public Rows<InfoRow> Info(InfoRequest request)
        {
            return Call<InfoRequest, InfoRow>("info", request);
        }

        /// <summary>The entries of a file or of all files in a folder</summary>
        public Rows<LsRow> Ls(LsRequest request)
        {
            return Call<LsRequest, LsRow>("ls", request);
        }

        /// <summary>The entries of a file as a hierarchy: kinds, categories, folders; of Virtools files also the scene and
        /// the scripts</summary>
        public Rows<TreeRow> Tree(TreeRequest request)
        {
            return Call<TreeRequest, TreeRow>("tree", request);
        }

        /// <summary>Every known field of one entry</summary>
        public Rows<ShowRow> Show(ShowRequest request)
        {
            return Call<ShowRequest, ShowRow>("show", request);
        }

        /// <summary>The bytes of one entry, to standard output</summary>
        public Rows<JObject> Cat(CatRequest request)
        {
            return Call<CatRequest, JObject>("cat", request);
        }

        /// <summary>Read everything, check everything, report every finding</summary>
        public Rows<VerifyRow> Verify(VerifyRequest request)
        {
            return Call<VerifyRequest, VerifyRow>("verify", request);
        }

        /// <summary>Entries to files, with a manifest</summary>
        public Rows<ExtractRow> Extract(ExtractRequest request)
        {
            return Call<ExtractRequest, ExtractRow>("extract", request);
        }

        /// <summary>References of entries, and references to them</summary>
        public Rows<RefsRow> Refs(RefsRequest request)
        {
            return Call<RefsRequest, RefsRow>("refs", request);
        }

        /// <summary>Names, texts, ids and values in files and folders</summary>
        public Rows<FindRow> Find(FindRequest request)
        {
            return Call<FindRequest, FindRow>("find", request);
        }

        /// <summary>Several packs or archives, or the archives of a folder, as a game mounts them: which one provides each
        /// entry</summary>
        public Rows<OverlayRow> Overlay(OverlayRequest request)
        {
            return Call<OverlayRequest, OverlayRow>("overlay", request);
        }

        /// <summary>Findings that a game would not like, although the bytes are sound</summary>
        public Rows<LintRow> Lint(LintRequest request)
        {
            return Call<LintRequest, LintRow>("lint", request);
        }

        /// <summary>Read everything and write it again: the same bytes, unless an option says otherwise</summary>
        public Rows<RewriteRow> Rewrite(RewriteRequest request)
        {
            return Call<RewriteRequest, RewriteRow>("rewrite", request);
        }

        /// <summary>Changes between two files of one format, or between the files of two folders</summary>
        public Rows<DiffRow> Diff(DiffRequest request)
        {
            return Call<DiffRequest, DiffRow>("diff", request);
        }

        /// <summary>Change fields of entries</summary>
        public Rows<SetRow> Set(SetRequest request)
        {
            return Call<SetRequest, SetRow>("set", request);
        }

        /// <summary>Remove entries</summary>
        public Rows<RmRow> Rm(RmRequest request)
        {
            return Call<RmRequest, RmRow>("rm", request);
        }

        /// <summary>Give an entry another name</summary>
        public Rows<MvRow> Mv(MvRequest request)
        {
            return Call<MvRequest, MvRow>("mv", request);
        }

        /// <summary>Add an entry</summary>
        public Rows<AddRow> Add(AddRequest request)
        {
            return Call<AddRequest, AddRow>("add", request);
        }

        /// <summary>Put other bytes in the place of an entry's</summary>
        public Rows<ReplaceRow> Replace(ReplaceRequest request)
        {
            return Call<ReplaceRequest, ReplaceRow>("replace", request);
        }

        /// <summary>Content to files of other kinds</summary>
        public Rows<ExportRow> Export(ExportRequest request)
        {
            return Call<ExportRequest, ExportRow>("export", request);
        }

        /// <summary>A file of the content of others</summary>
        public Rows<ImportRow> Import(ImportRequest request)
        {
            return Call<ImportRequest, ImportRow>("import", request);
        }

        /// <summary>SQL on the tables of files.</summary>
        public Rows<QueryRow> Query(QueryRequest request)
        {
            return Call<QueryRequest, QueryRow>("query", request);
        }

        /// <summary>The field of a byte, the map or the bytes of a file, or the meaning of a code</summary>
        public Rows<ExplainRow> Explain(ExplainRequest request)
        {
            return Call<ExplainRequest, ExplainRow>("explain", request);
        }

        /// <summary>Make the changes of a patch, or take them back</summary>
        public Rows<PatchRow> Patch(PatchRequest request)
        {
            return Call<PatchRequest, PatchRow>("patch", request);
        }

        /// <summary>Several files as one</summary>
        public Rows<JoinRow> Join(JoinRequest request)
        {
            return Call<JoinRequest, JoinRow>("join", request);
        }

        /// <summary>Changes of two sides to one file, as one</summary>
        public Rows<MergeRow> Merge(MergeRequest request)
        {
            return Call<MergeRequest, MergeRow>("merge", request);
        }

        /// <summary>Some entries with all that they need, as a file of their own</summary>
        public Rows<SubsetRow> Subset(SubsetRequest request)
        {
            return Call<SubsetRequest, SubsetRow>("subset", request);
        }

        /// <summary>A container from the folder that `extract` wrote, byte for byte, or a new pack of files</summary>
        public Rows<PackRow> Pack(PackRequest request)
        {
            return Call<PackRequest, PackRow>("pack", request);
        }

        /// <summary>Add assets to a SnPAK pack in place, or put others in their place</summary>
        public Rows<AppendRow> Append(AppendRequest request)
        {
            return Call<AppendRequest, AppendRow>("append", request);
        }

        /// <summary>A SnPAK pack without what nothing uses</summary>
        public Rows<CompactRow> Compact(CompactRequest request)
        {
            return Call<CompactRequest, CompactRow>("compact", request);
        }

        /// <summary>A damaged SnPAK pack put right, as far as it goes</summary>
        public Rows<RepairRow> Repair(RepairRequest request)
        {
            return Call<RepairRequest, RepairRow>("repair", request);
        }

        /// <summary>A SnPAK pack as it was before appends</summary>
        public Rows<RollbackRow> Rollback(RollbackRequest request)
        {
            return Call<RollbackRequest, RollbackRow>("rollback", request);
        }

        /// <summary>Old file generations to the current one</summary>
        public Rows<UpgradeRow> Upgrade(UpgradeRequest request)
        {
            return Call<UpgradeRequest, UpgradeRow>("upgrade", request);
        }

        /// <summary>Edits that can be taken back</summary>
        public Rows<HistoryRow> History(HistoryRequest request)
        {
            return Call<HistoryRequest, HistoryRow>("history", request);
        }

        /// <summary>Take edits in place back</summary>
        public Rows<UndoRow> Undo(UndoRequest request)
        {
            return Call<UndoRequest, UndoRow>("undo", request);
        }

        /// <summary>Take edits in place back</summary>
        public Rows<RedoRow> Redo(RedoRequest request)
        {
            return Call<RedoRequest, RedoRow>("redo", request);
        }

        /// <summary>The contents of many files as a Parquet data set, for DuckDB, Polars, Spark and pandas</summary>
        public Rows<CatalogRow> Catalog(CatalogRequest request)
        {
            return Call<CatalogRequest, CatalogRow>("catalog", request);
        }
    }

    /// <summary>Add an entry</summary>
    public sealed class AddRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>The class and the name of the object, included/ and the name of a file, asset/ and the name of an
        /// asset, bulk/ and the path of a bulk payload, file/ and the path of a file of an archive, the category and the
        /// key of a row of a GameData (items/9), or the list of a map and the position of the record (units/0, units/end).</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The bytes of the entry; those of an object are a chunk of its class, those of rows and records have
        /// their layout.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>Take the bytes of --from whatever they are.</summary>
        [JsonProperty("raw", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Raw { get; set; }

        /// <summary>The entry whose bytes it has too; without it and without --from rows and records are zeros.</summary>
        [JsonProperty("like", NullValueHandling = NullValueHandling.Ignore)]
        public string Like { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class AddRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>Add assets to a SnPAK pack in place, or put others in their place</summary>
    public sealed class AppendRequest
    {
        /// <summary>The pack that grows.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Files, which are called by their paths without roots and `..`, and folders, whose files are called by
        /// their paths in them; what `extract` wrote goes back under its ids.</summary>
        [JsonProperty("sources", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Sources { get; set; }

        /// <summary>The files of LIST, one a line (- for standard input); a tab and a name behind a file name it.</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>The assets of a manifest, as `extract` writes it.</summary>
        [JsonProperty("manifest", NullValueHandling = NullValueHandling.Ignore)]
        public string Manifest { get; set; }

        /// <summary>Packing of payloads: none, lz4, zstd, lz4hc, zstd-fast with :fast, :high or :max, or their content
        /// (texture, mesh, audio, packed, critical); repeatable, the last rule that matches counts [default: by extension,
        /// zstd where that says nothing, and plain where packing does not help].</summary>
        [JsonProperty("compress", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Compress { get; set; }

        /// <summary>Store payloads plain where packing makes them no smaller.</summary>
        [JsonProperty("only_if_smaller", NullValueHandling = NullValueHandling.Ignore)]
        public bool? OnlyIfSmaller { get; set; }

        /// <summary>Loader that assets are for: an id, a name (Texture) or NAMESPACE:NAME; repeatable.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Kind { get; set; }

        /// <summary>Type of payloads, called as a kind is; repeatable.</summary>
        [JsonProperty("payload_type", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> PayloadType { get; set; }

        /// <summary>Names of types, beside those that are known: an id, blanks and a name on each line.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Ids of assets that are given none: v5 (made of their names) or v4 (random). One of `v5`, `v4`. Without
        /// it `v5`.</summary>
        [JsonProperty("uuid", NullValueHandling = NullValueHandling.Ignore)]
        public string Uuid { get; set; }

        /// <summary>Readers that are to open it: v5, v4 (no dependencies) or compat (the first ones too). One of `v5`,
        /// `v4`, `compat`. Without it `v5`.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>Bytes that a payload has at the most, packed or not: 1000000000 for readers of the specification
        /// [default: 8G].</summary>
        [JsonProperty("block_limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BlockLimit { get; set; }

        /// <summary>Name of the asset that SOURCE becomes, which is one file.</summary>
        [JsonProperty("as", NullValueHandling = NullValueHandling.Ignore)]
        public string As { get; set; }

        /// <summary>Append to a file that is read-only, which it stays.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be appended and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Take the files that links in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>Outcome of adding assets to a pack.</summary>
    public sealed class AppendRow
    {
        /// <summary>The pack.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Assets that were added.</summary>
        [JsonProperty("assets")]
        public ulong Assets { get; set; }

        /// <summary>Size of the pack before, in bytes.</summary>
        [JsonProperty("size_before")]
        public ulong SizeBefore { get; set; }

        /// <summary>Size of the pack now, in bytes; on a dry run the size that it would have.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Nothing was written; there on a dry run only.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>A place that was asked for.</summary>
    public sealed class Asked
    {
        /// <summary>`file`, or the name of an inflated section.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Offset in bytes.</summary>
        [JsonProperty("offset")]
        public ulong Offset { get; set; }
    }

    /// <summary>A parameter of a building block.</summary>
    public sealed class BlockParameter
    {
        /// <summary>Name of the parameter.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>GUID of its type.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Constant of its type, where it has one.</summary>
        [JsonProperty("type_name", NullValueHandling = NullValueHandling.Ignore)]
        public string TypeName { get; set; }
    }

    /// <summary>The pins with which a building block is made.</summary>
    public sealed class BlockPins
    {
        /// <summary>Inputs.</summary>
        [JsonProperty("inputs", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Inputs { get; set; }

        /// <summary>Outputs.</summary>
        [JsonProperty("outputs", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Outputs { get; set; }

        /// <summary>Input parameters.</summary>
        [JsonProperty("input_parameters", NullValueHandling = NullValueHandling.Ignore)]
        public List<BlockParameter> InputParameters { get; set; }

        /// <summary>Output parameters.</summary>
        [JsonProperty("output_parameters", NullValueHandling = NullValueHandling.Ignore)]
        public List<BlockParameter> OutputParameters { get; set; }

        /// <summary>Settings.</summary>
        [JsonProperty("settings", NullValueHandling = NullValueHandling.Ignore)]
        public List<BlockParameter> Settings { get; set; }

        /// <summary>Other local parameters that have names.</summary>
        [JsonProperty("local_parameters", NullValueHandling = NullValueHandling.Ignore)]
        public List<BlockParameter> LocalParameters { get; set; }
    }

    /// <summary>The bytes of one entry, to standard output</summary>
    public sealed class CatRequest
    {
        /// <summary>The file, - for standard input, or a folder of SpellForce archives.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Path of the entry, as `ls` prints it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>The contents of many files as a Parquet data set, for DuckDB, Polars, Spark and pandas</summary>
    public sealed class CatalogRequest
    {
        /// <summary>Files and folders.</summary>
        [JsonProperty("trees", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Trees { get; set; }

        /// <summary>Go through folders, which is done without it, too.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>The folder of the catalogue; made where it is missing, brought up to date where it is there.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>No files that match this, by path or name; repeatable.</summary>
        [JsonProperty("exclude", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Exclude { get; set; }

        /// <summary>Look at every file, whatever the catalogue knows.</summary>
        [JsonProperty("full", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Full { get; set; }

        /// <summary>Write into a folder that holds other things, which stay.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Only report what has changed.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Read the files that links in folders name, and write through links in DIR.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>Report of a run, and counts of the catalogue.</summary>
    public sealed class CatalogRow
    {
        /// <summary>The folder of the catalogue.</summary>
        [JsonProperty("catalog", NullValueHandling = NullValueHandling.Ignore)]
        public string Catalog { get; set; }

        /// <summary>Files of the catalogue.</summary>
        [JsonProperty("files")]
        public ulong Files { get; set; }

        /// <summary>Files that are containers.</summary>
        [JsonProperty("containers")]
        public ulong Containers { get; set; }

        /// <summary>Rows of the table entries.</summary>
        [JsonProperty("entries")]
        public ulong Entries { get; set; }

        /// <summary>Rows of the table objects.</summary>
        [JsonProperty("objects")]
        public ulong Objects { get; set; }

        /// <summary>Rows of the table findings.</summary>
        [JsonProperty("findings")]
        public ulong Findings { get; set; }

        /// <summary>Containers with error findings.</summary>
        [JsonProperty("damaged")]
        public ulong Damaged { get; set; }

        /// <summary>Containers that cannot be opened.</summary>
        [JsonProperty("unopened")]
        public ulong Unopened { get; set; }

        /// <summary>Files that are new since the last run.</summary>
        [JsonProperty("new")]
        public ulong New { get; set; }

        /// <summary>Files whose content changed.</summary>
        [JsonProperty("changed")]
        public ulong Changed { get; set; }

        /// <summary>Files whose time alone changed.</summary>
        [JsonProperty("touched")]
        public ulong Touched { get; set; }

        /// <summary>Files that were not looked into.</summary>
        [JsonProperty("unchanged")]
        public ulong Unchanged { get; set; }

        /// <summary>Files that are not there any more.</summary>
        [JsonProperty("gone")]
        public ulong Gone { get; set; }

        /// <summary>Parquet files that were written.</summary>
        [JsonProperty("written")]
        public ulong Written { get; set; }
    }

    /// <summary>A field that is another one.</summary>
    public sealed class ChangedField
    {
        /// <summary>Path of the field.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Why it is another one.</summary>
        [JsonProperty("why", NullValueHandling = NullValueHandling.Ignore)]
        public string Why { get; set; }

        /// <summary>Place where it was.</summary>
        [JsonProperty("old", NullValueHandling = NullValueHandling.Ignore)]
        public StoredAt Old { get; set; }

        /// <summary>Place where it is.</summary>
        [JsonProperty("new", NullValueHandling = NullValueHandling.Ignore)]
        public StoredAt New { get; set; }
    }

    /// <summary>Findings of one code in a file.</summary>
    public sealed class CodeCount
    {
        /// <summary>The code.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Severity of these findings.</summary>
        [JsonProperty("severity", NullValueHandling = NullValueHandling.Ignore)]
        public string Severity { get; set; }

        /// <summary>What the code means.</summary>
        [JsonProperty("title", NullValueHandling = NullValueHandling.Ignore)]
        public string Title { get; set; }

        /// <summary>Number of the findings, listed or not.</summary>
        [JsonProperty("count")]
        public ulong Count { get; set; }
    }

    /// <summary>A name that two entries have.</summary>
    public sealed class CollisionRow
    {
        /// <summary>Path of the entry of theirs.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Id of the asset of ours.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Id of the asset of theirs.</summary>
        [JsonProperty("other_id", NullValueHandling = NullValueHandling.Ignore)]
        public string OtherId { get; set; }
    }

    /// <summary>A column of a table.</summary>
    public sealed class ColumnRow
    {
        /// <summary>Name of the column.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Type of the column.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>The unit of its values, where they have one.</summary>
        [JsonProperty("unit", NullValueHandling = NullValueHandling.Ignore)]
        public string Unit { get; set; }

        /// <summary>Description of its values.</summary>
        [JsonProperty("doc", NullValueHandling = NullValueHandling.Ignore)]
        public string Doc { get; set; }

        /// <summary>Whether `update` can set it.</summary>
        [JsonProperty("settable", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Settable { get; set; }
    }

    /// <summary>A SnPAK pack without what nothing uses</summary>
    public sealed class CompactRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Readers that are to open it: v5, v4 (no dependencies) or compat (the first ones too). One of `v5`,
        /// `v4`, `compat`. Without it `v5`.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>Bytes that a payload has at the most, packed or not: 1000000000 for readers of the specification
        /// [default: 8G].</summary>
        [JsonProperty("block_limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BlockLimit { get; set; }
    }

    /// <summary>The row of a verb that made another pack of one.</summary>
    public sealed class CompactRow
    {
        /// <summary>The pack that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The pack that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the old pack in bytes.</summary>
        [JsonProperty("size_before")]
        public ulong SizeBefore { get; set; }

        /// <summary>Numbers of the things that were left behind.</summary>
        [JsonProperty("dropped", NullValueHandling = NullValueHandling.Ignore)]
        public DroppedRow Dropped { get; set; }

        /// <summary>Size of the new pack in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>An asset that contradicts others.</summary>
    public sealed class ConflictingAsset
    {
        /// <summary>The pack.</summary>
        [JsonProperty("pack", NullValueHandling = NullValueHandling.Ignore)]
        public string Pack { get; set; }

        /// <summary>Path of the asset.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Id of the asset.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }
    }

    /// <summary>Some blocks, or some chunks.</summary>
    public sealed class Count
    {
        /// <summary>Number of blocks or chunks.</summary>
        [JsonProperty("count")]
        public ulong CountValue { get; set; }

        /// <summary>Bytes of all of them together.</summary>
        [JsonProperty("bytes")]
        public ulong Bytes { get; set; }
    }

    /// <summary>Numbers of the findings of a file, by severity.</summary>
    public sealed class Counts
    {
        /// <summary>Errors.</summary>
        [JsonProperty("errors")]
        public ulong Errors { get; set; }

        /// <summary>Warnings.</summary>
        [JsonProperty("warnings")]
        public ulong Warnings { get; set; }

        /// <summary>Notes.</summary>
        [JsonProperty("notes")]
        public ulong Notes { get; set; }
    }

    /// <summary>Bytes of a file by what is known of them. A packed part counts with what it inflates to, since that has
    /// fields of its own. One that cannot be inflated, which is damage, counts as opaque or not at all.</summary>
    public sealed class Coverage
    {
        /// <summary>All bytes: those of the file that are not packed, and those that packed parts inflate to.</summary>
        [JsonProperty("bytes")]
        public ulong Bytes { get; set; }

        /// <summary>Bytes whose meaning is known.</summary>
        [JsonProperty("understood")]
        public ulong Understood { get; set; }

        /// <summary>Bytes that fill gaps and mean nothing.</summary>
        [JsonProperty("padding")]
        public ulong Padding { get; set; }

        /// <summary>Bytes that belong to a known place, with unknown meaning.</summary>
        [JsonProperty("opaque")]
        public ulong Opaque { get; set; }

        /// <summary>Bytes that no field covers: none, unless the walk over the file ended early.</summary>
        [JsonProperty("unaccounted")]
        public ulong Unaccounted { get; set; }
    }

    /// <summary>A finding.</summary>
    public sealed class Diagnostic
    {
        /// <summary>An error makes `verify` fail; warnings and notes do not. One of `error`, `warning`, `info`.</summary>
        [JsonProperty("severity", NullValueHandling = NullValueHandling.Ignore)]
        public string Severity { get; set; }

        /// <summary>Code of the registry; `spelunk explain CODE` describes it.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Name of the space: `file`, an inflated section, or the `statement` of a query.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Offset in the space, in bytes.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>Path of the field; empty where it is about no field.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Message: what is wrong, what was expected and what was found.</summary>
        [JsonProperty("message", NullValueHandling = NullValueHandling.Ignore)]
        public string Message { get; set; }
    }

    /// <summary>Changes between two files of one format, or between the files of two folders</summary>
    public sealed class DiffRequest
    {
        /// <summary>The old file or folder, or - for standard input.</summary>
        [JsonProperty("old", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef Old { get; set; }

        /// <summary>The new file or folder, or - for standard input.</summary>
        [JsonProperty("new", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef New { get; set; }

        /// <summary>Take the old file at this generation, counted from 1 (the oldest), or all of them merged.</summary>
        [JsonProperty("old_generation", NullValueHandling = NullValueHandling.Ignore)]
        public string OldGeneration { get; set; }

        /// <summary>Take the new file at this generation, counted from 1 (the oldest), or all of them merged.</summary>
        [JsonProperty("new_generation", NullValueHandling = NullValueHandling.Ignore)]
        public string NewGeneration { get; set; }

        /// <summary>Bytes that a store has to send of B to those who have A, block by block, instead of what changed.</summary>
        [JsonProperty("blocks", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Blocks { get; set; }

        /// <summary>Numbers of changes, by the types of entries, instead of the changes.</summary>
        [JsonProperty("stat", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Stat { get; set; }

        /// <summary>Number of changed items of each list to show; all are counted [default: 10].</summary>
        [JsonProperty("max_items", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? MaxItems { get; set; }

        /// <summary>Write what makes B of A, and A of B, as a patch.</summary>
        [JsonProperty("patch", NullValueHandling = NullValueHandling.Ignore)]
        public string Patch { get; set; }

        /// <summary>Rows for people: values as they read them beside the others.</summary>
        [JsonProperty("for_people", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ForPeople { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A row of the verb: a change, or what an option asks for instead.</summary>
    public sealed class DiffRow
    {
        /// <summary>One of `summary`, `renumbered`, `added`, `removed`, `renamed`, `changed`, `file_added`, `file_removed`,
        /// `file_changed`, `stat`, `patch`, `added`, `removed`, `changed`, `moved`.</summary>
        [JsonProperty("change", NullValueHandling = NullValueHandling.Ignore)]
        public string Change { get; set; }

        /// <summary>Of two folders: path of the file in them.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The fields that differ.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Fields { get; set; }

        /// <summary>Number of entries.</summary>
        [JsonProperty("count", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Count { get; set; }

        /// <summary>The entry.</summary>
        [JsonProperty("new", NullValueHandling = NullValueHandling.Ignore)]
        public JToken New { get; set; }

        /// <summary>The entry.</summary>
        [JsonProperty("old", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Old { get; set; }

        /// <summary>Size in the old folder in bytes.</summary>
        [JsonProperty("old_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? OldSize { get; set; }

        /// <summary>Size in the new folder in bytes.</summary>
        [JsonProperty("new_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NewSize { get; set; }

        /// <summary>Type of the entries; null for all together.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Entries that only the new container has.</summary>
        [JsonProperty("added", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Added { get; set; }

        /// <summary>Entries that only the old container has.</summary>
        [JsonProperty("removed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Removed { get; set; }

        /// <summary>Entries with other content.</summary>
        [JsonProperty("changed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Changed { get; set; }

        /// <summary>Entries with another name.</summary>
        [JsonProperty("renamed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Renamed { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the patch in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Size of a block in bytes.</summary>
        [JsonProperty("block_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BlockSize { get; set; }

        /// <summary>Blocks that are the same in the same place.</summary>
        [JsonProperty("same_blocks", NullValueHandling = NullValueHandling.Ignore)]
        public Count SameBlocks { get; set; }

        /// <summary>Blocks that the old file has in another place.</summary>
        [JsonProperty("moved_blocks", NullValueHandling = NullValueHandling.Ignore)]
        public Count MovedBlocks { get; set; }

        /// <summary>Blocks that the old file does not have.</summary>
        [JsonProperty("new_blocks", NullValueHandling = NullValueHandling.Ignore)]
        public Count NewBlocks { get; set; }

        /// <summary>Assets that are as they were.</summary>
        [JsonProperty("same_assets", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? SameAssets { get; set; }

        /// <summary>Numbers and bytes of all chunks, by what became of them.</summary>
        [JsonProperty("chunks", NullValueHandling = NullValueHandling.Ignore)]
        public DiffRowChunks Chunks { get; set; }

        /// <summary>Id of the asset.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Path of the asset.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }
    }

    /// <summary>Numbers and bytes of all chunks, by what became of them.</summary>
    public sealed class DiffRowChunks
    {
        /// <summary>The same in the same place.</summary>
        [JsonProperty("same", NullValueHandling = NullValueHandling.Ignore)]
        public Count Same { get; set; }

        /// <summary>The same in another place.</summary>
        [JsonProperty("moved", NullValueHandling = NullValueHandling.Ignore)]
        public Count Moved { get; set; }

        /// <summary>Others than before, or packed in another way.</summary>
        [JsonProperty("changed", NullValueHandling = NullValueHandling.Ignore)]
        public Count Changed { get; set; }

        /// <summary>Without one before.</summary>
        [JsonProperty("added", NullValueHandling = NullValueHandling.Ignore)]
        public Count Added { get; set; }

        /// <summary>Chunks of the old file that have none behind them.</summary>
        [JsonProperty("removed", NullValueHandling = NullValueHandling.Ignore)]
        public Count Removed { get; set; }
    }

    /// <summary>An entry of one of the files.</summary>
    public sealed class DiffRowNew
    {
        /// <summary>Path of the entry, as every verb takes it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the entry.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Name of the entry, where it has one.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The stored bytes of the name, where they are not exactly what is shown.</summary>
        [JsonProperty("name_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NameBytes { get; set; }

        /// <summary>Size in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>An entry of one of the files.</summary>
    public sealed class DiffRowOld
    {
        /// <summary>Path of the entry, as every verb takes it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the entry.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Name of the entry, where it has one.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The stored bytes of the name, where they are not exactly what is shown.</summary>
        [JsonProperty("name_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NameBytes { get; set; }

        /// <summary>Size in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>Numbers of the things that the new pack lacks.</summary>
    public sealed class DroppedRow
    {
        /// <summary>Older generations.</summary>
        [JsonProperty("generations")]
        public ulong Generations { get; set; }

        /// <summary>Unused strings.</summary>
        [JsonProperty("strings")]
        public ulong Strings { get; set; }

        /// <summary>Unused bulk entries.</summary>
        [JsonProperty("bulk")]
        public ulong Bulk { get; set; }

        /// <summary>Whether the type table was dropped.</summary>
        [JsonProperty("type_table")]
        public bool TypeTable { get; set; }

        /// <summary>Dependencies that the form cannot hold.</summary>
        [JsonProperty("dependencies")]
        public ulong Dependencies { get; set; }
    }

    /// <summary>The field of a byte, the map or the bytes of a file, or the meaning of a code</summary>
    public sealed class ExplainRequest
    {
        /// <summary>A file, - for standard input, a code such as VT012, or an error number of Virtools such as -22 or
        /// CKERR_INVALIDFILE.</summary>
        [JsonProperty("subject", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef Subject { get; set; }

        /// <summary>The byte: an offset, decimal or 0x hexadecimal, with a space and a colon before it where the file has
        /// packed sections. With --map and --hex what begins there; SPACE: is a whole space, and everything else the path
        /// of an entry.</summary>
        [JsonProperty("place", NullValueHandling = NullValueHandling.Ignore)]
        public string Place { get; set; }

        /// <summary>Number of bytes, decimal, 0x hexadecimal, or with K, M or G [default: to the end of the space, long
        /// runs folded].</summary>
        [JsonProperty("len", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Len { get; set; }

        /// <summary>Print the file as a map: every field in the order of its bytes, with place, length and value.</summary>
        [JsonProperty("map", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Map { get; set; }

        /// <summary>Print the file as bytes, beside them the fields that begin in each line.</summary>
        [JsonProperty("hex", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Hex { get; set; }

        /// <summary>Only the bytes of this entry, as a map unless --hex is given; for paths that are numbers, too.</summary>
        [JsonProperty("entry", NullValueHandling = NullValueHandling.Ignore)]
        public string Entry { get; set; }

        /// <summary>Show long runs of bytes in full.</summary>
        [JsonProperty("full", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Full { get; set; }

        /// <summary>With `hex` and `len`: bytes of the range alone, also of fields that begin before it or end behind it.</summary>
        [JsonProperty("within", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Within { get; set; }

        /// <summary>List all codes.</summary>
        [JsonProperty("codes", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Codes { get; set; }

        /// <summary>Rows for people: what has no row otherwise (groups, bytes line by line), and texts that they read.</summary>
        [JsonProperty("for_people", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ForPeople { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>Explanation of a byte, a part of a file or a code.</summary>
    public sealed class ExplainRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The place that was asked for.</summary>
        [JsonProperty("asked", NullValueHandling = NullValueHandling.Ignore)]
        public Asked Asked { get; set; }

        /// <summary>Path of the field inside the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the field: u8, i32, f32, word, guid, text, bytes ...</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>`file`, or the name of an inflated section.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Offset in the space, in bytes.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>Stored size in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>The value. Versions, flags, hashes and GUIDs are text; numbers that JSON lacks are objects with their
        /// bits.</summary>
        [JsonProperty("value", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Value { get; set; }

        /// <summary>The stored bytes of a text, where they are not exactly what is shown.</summary>
        [JsonProperty("value_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string ValueBytes { get; set; }

        /// <summary>Meaning of the value.</summary>
        [JsonProperty("meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string Meaning { get; set; }

        /// <summary>The parts of a packed word.</summary>
        [JsonProperty("parts", NullValueHandling = NullValueHandling.Ignore)]
        public List<PartRow> Parts { get; set; }

        /// <summary>Unit of the value.</summary>
        [JsonProperty("unit", NullValueHandling = NullValueHandling.Ignore)]
        public string Unit { get; set; }

        /// <summary>Description of the field.</summary>
        [JsonProperty("doc", NullValueHandling = NullValueHandling.Ignore)]
        public string Doc { get; set; }

        /// <summary>Page of the documentation, from the root of the repository on.</summary>
        [JsonProperty("page", NullValueHandling = NullValueHandling.Ignore)]
        public string Page { get; set; }

        /// <summary>For people: the value as people read it.</summary>
        [JsonProperty("shown", NullValueHandling = NullValueHandling.Ignore)]
        public string Shown { get; set; }

        /// <summary>For people: the groups that the field is in, the outermost first.</summary>
        [JsonProperty("groups", NullValueHandling = NullValueHandling.Ignore)]
        public List<GroupRow> Groups { get; set; }

        /// <summary>The code.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Class of the code.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>Condition that the code stands for, in one line.</summary>
        [JsonProperty("title", NullValueHandling = NullValueHandling.Ignore)]
        public string Title { get; set; }

        /// <summary>Meaning of the code, and what can be done about it.</summary>
        [JsonProperty("help", NullValueHandling = NullValueHandling.Ignore)]
        public string Help { get; set; }

        /// <summary>The same condition in the original software.</summary>
        [JsonProperty("native", NullValueHandling = NullValueHandling.Ignore)]
        public ExplainRowNative Native { get; set; }

        /// <summary>Severity that findings of a rule have at most.</summary>
        [JsonProperty("severity", NullValueHandling = NullValueHandling.Ignore)]
        public string Severity { get; set; }

        /// <summary>Files that a rule is about.</summary>
        [JsonProperty("about", NullValueHandling = NullValueHandling.Ignore)]
        public string About { get; set; }

        /// <summary>Words for what mending does about it.</summary>
        [JsonProperty("fix", NullValueHandling = NullValueHandling.Ignore)]
        public string Fix { get; set; }

        /// <summary>Verbs that report it.</summary>
        [JsonProperty("told_by", NullValueHandling = NullValueHandling.Ignore)]
        public string ToldBy { get; set; }

        /// <summary>Meaning of the class.</summary>
        [JsonProperty("class_meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string ClassMeaning { get; set; }

        /// <summary>Severity that findings of a rule have at most, as people say it.</summary>
        [JsonProperty("at_most", NullValueHandling = NullValueHandling.Ignore)]
        public string AtMost { get; set; }

        /// <summary>The codes that stand for it.</summary>
        [JsonProperty("codes", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Codes { get; set; }

        /// <summary>For people: the titles of these codes.</summary>
        [JsonProperty("titles", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Titles { get; set; }

        /// <summary>With `hex`: its stored bytes.</summary>
        [JsonProperty("bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string Bytes { get; set; }

        /// <summary>With `within`: offset of the first of `bytes` in its space.</summary>
        [JsonProperty("bytes_offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BytesOffset { get; set; }

        /// <summary>Whether `value` and `bytes` are the beginning alone; `full` shows all. There only where it is true.</summary>
        [JsonProperty("cut", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Cut { get; set; }

        /// <summary>The sizes of the spaces that it inflates to, by their names.</summary>
        [JsonProperty("spaces", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, ulong> Spaces { get; set; }

        /// <summary>Number of groups above it.</summary>
        [JsonProperty("depth", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Depth { get; set; }

        /// <summary>The path of a group.</summary>
        [JsonProperty("group", NullValueHandling = NullValueHandling.Ignore)]
        public string Group { get; set; }

        /// <summary>Part of the path of a field behind that of its group.</summary>
        [JsonProperty("step", NullValueHandling = NullValueHandling.Ignore)]
        public string Step { get; set; }

        /// <summary>Distance from its beginning in bytes.</summary>
        [JsonProperty("inside", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Inside { get; set; }

        /// <summary>Number of bytes that are folded.</summary>
        [JsonProperty("folded", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Folded { get; set; }
    }

    /// <summary>The same condition in the original software.</summary>
    public sealed class ExplainRowNative
    {
        /// <summary>Name of the condition: `CKERR_...`.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The number.</summary>
        [JsonProperty("number")]
        public int Number { get; set; }
    }

    /// <summary>Content to files of other kinds</summary>
    public sealed class ExportRequest
    {
        /// <summary>The file, or - for standard input; with -r a folder.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Only these objects or assets: paths as `ls` prints them, or globs; a group stands for its members.</summary>
        [JsonProperty("paths", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Paths { get; set; }

        /// <summary>The file or folder to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Export each file of a folder, and of the folders in it, to OUT, which is a folder then; --to says the
        /// kind.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Export every file that LIST names, one a line (- for standard input), to the folder OUT; all arguments
        /// are paths then.</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>The kind of file to write [default: that of the extension of OUT]. One of `glb`, `gltf`, `obj`, `png`,
        /// `dds`, `ktx2`, `csv`, `sqlite`, `po`, `dot`, `json`, `folder`.</summary>
        [JsonProperty("to", NullValueHandling = NullValueHandling.Ignore)]
        public string To { get; set; }

        /// <summary>The scripts alone.</summary>
        [JsonProperty("scripts", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Scripts { get; set; }

        /// <summary>Leave out hidden entities.</summary>
        [JsonProperty("no_hidden", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoHidden { get; set; }

        /// <summary>Look for the files of textures in this folder first; repeatable.</summary>
        [JsonProperty("textures", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Textures { get; set; }

        /// <summary>This slot alone of textures of Virtools files, counted from 0 [default: all].</summary>
        [JsonProperty("slot", NullValueHandling = NullValueHandling.Ignore)]
        public uint? Slot { get; set; }

        /// <summary>Every mip of the textures of a pack, a PNG file each.</summary>
        [JsonProperty("mips", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Mips { get; set; }

        /// <summary>Take assets of a pack whose payloads are of no known type for textures of this format and size, such as
        /// rgba8:128x128.</summary>
        [JsonProperty("as", NullValueHandling = NullValueHandling.Ignore)]
        public string As { get; set; }

        /// <summary>The texts of a GameData in this language, for translators, to one .po or .csv file: slot, code or name.</summary>
        [JsonProperty("language", NullValueHandling = NullValueHandling.Ignore)]
        public string Language { get; set; }

        /// <summary>The language that they are translated from [default: de, which is slot 0].</summary>
        [JsonProperty("source_language", NullValueHandling = NullValueHandling.Ignore)]
        public string SourceLanguage { get; set; }

        /// <summary>Only texts that have no translation.</summary>
        [JsonProperty("untranslated", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Untranslated { get; set; }

        /// <summary>Layer of a SpellForce map that goes to a picture or a table: relief, textures, flags, minimap or
        /// entities, for people; heights, tiles, decoration, movement or vision, a value for each cell, which can be
        /// imported again; of SpellForce 2 heights, flight, tiles, movement, marks, grass or lakes.</summary>
        [JsonProperty("layer", NullValueHandling = NullValueHandling.Ignore)]
        public string Layer { get; set; }

        /// <summary>Pixels for each cell of a map [default: 1, more for entities].</summary>
        [JsonProperty("scale", NullValueHandling = NullValueHandling.Ignore)]
        public uint? Scale { get; set; }

        /// <summary>What heights of a map are multiplied by in a mesh [default: 0.01, with cells that are 1 wide; 1 for
        /// SpellForce 2].</summary>
        [JsonProperty("height_scale", NullValueHandling = NullValueHandling.Ignore)]
        public double? HeightScale { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>Outcome of an export.</summary>
    public sealed class ExportRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file or folder that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Number of files that were written.</summary>
        [JsonProperty("files")]
        public ulong Files { get; set; }

        /// <summary>Size of all of them in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>Entries to files, with a manifest</summary>
    public sealed class ExtractRequest
    {
        /// <summary>The file, - for standard input, or a folder of SpellForce archives; with -r a folder, each container of
        /// which goes to a folder of its own.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Only entries that match one of these.</summary>
        [JsonProperty("globs", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Globs { get; set; }

        /// <summary>The folder to write to; made where it is missing.</summary>
        [JsonProperty("directory", NullValueHandling = NullValueHandling.Ignore)]
        public string Directory { get; set; }

        /// <summary>No entries that match this; repeatable.</summary>
        [JsonProperty("exclude", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Exclude { get; set; }

        /// <summary>Only the files that a Virtools file carries along, right below DIR.</summary>
        [JsonProperty("included", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Included { get; set; }

        /// <summary>The files and the manifest alone, where the container need not come back byte for byte.</summary>
        [JsonProperty("no_skeleton", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoSkeleton { get; set; }

        /// <summary>Extract all containers of a folder, and of the folders in it.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Extract every file that LIST names, one a line (- for standard input); all arguments are globs then.</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>Exit code 1 where no entry matches.</summary>
        [JsonProperty("require_match", NullValueHandling = NullValueHandling.Ignore)]
        public bool? RequireMatch { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class ExtractRow
    {
        /// <summary>The container.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The file below the folder.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>New value of a field.</summary>
    public sealed class FieldChange
    {
        /// <summary>The path of the entry.</summary>
        [JsonProperty("entry", NullValueHandling = NullValueHandling.Ignore)]
        public string Entry { get; set; }

        /// <summary>The path of the field.</summary>
        [JsonProperty("field", NullValueHandling = NullValueHandling.Ignore)]
        public string Field { get; set; }

        /// <summary>New value as people write it.</summary>
        [JsonProperty("value", NullValueHandling = NullValueHandling.Ignore)]
        public string Value { get; set; }
    }

    /// <summary>A field that differs.</summary>
    public sealed class FieldChangeRow
    {
        /// <summary>Path of the field.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the field. One of `list`, `group`, `bytes`.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>The old value; missing where there was none.</summary>
        [JsonProperty("old", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Old { get; set; }

        /// <summary>Stored bytes of the old text, where they are not exactly what is shown.</summary>
        [JsonProperty("old_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string OldBytes { get; set; }

        /// <summary>Meaning of the old value.</summary>
        [JsonProperty("old_meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string OldMeaning { get; set; }

        /// <summary>The new value; missing where there is none.</summary>
        [JsonProperty("new", NullValueHandling = NullValueHandling.Ignore)]
        public JToken New { get; set; }

        /// <summary>Stored bytes of the new text, where they are not exactly what is shown.</summary>
        [JsonProperty("new_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NewBytes { get; set; }

        /// <summary>Meaning of the new value.</summary>
        [JsonProperty("new_meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string NewMeaning { get; set; }

        /// <summary>For people: the old value as people read it.</summary>
        [JsonProperty("old_shown", NullValueHandling = NullValueHandling.Ignore)]
        public string OldShown { get; set; }

        /// <summary>For people: the new value as people read it.</summary>
        [JsonProperty("new_shown", NullValueHandling = NullValueHandling.Ignore)]
        public string NewShown { get; set; }

        /// <summary>For people: flags that were set (`+name`) and cleared (`-name`).</summary>
        [JsonProperty("bits", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Bits { get; set; }

        /// <summary>Unit of the values.</summary>
        [JsonProperty("unit", NullValueHandling = NullValueHandling.Ignore)]
        public string Unit { get; set; }

        /// <summary>Items of the old list.</summary>
        [JsonProperty("old_count", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? OldCount { get; set; }

        /// <summary>Items of the new list.</summary>
        [JsonProperty("new_count", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NewCount { get; set; }

        /// <summary>Changed items.</summary>
        [JsonProperty("changed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Changed { get; set; }

        /// <summary>Items that are new.</summary>
        [JsonProperty("added", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Added { get; set; }

        /// <summary>Items that are gone.</summary>
        [JsonProperty("removed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Removed { get; set; }

        /// <summary>The first items that differ.</summary>
        [JsonProperty("items", NullValueHandling = NullValueHandling.Ignore)]
        public List<ItemChangeRow> Items { get; set; }

        /// <summary>The first fields of the group.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public List<FieldChangeRow> Fields { get; set; }

        /// <summary>Bytes of the old content.</summary>
        [JsonProperty("old_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? OldSize { get; set; }

        /// <summary>Bytes of the new content.</summary>
        [JsonProperty("new_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NewSize { get; set; }

        /// <summary>Offset of the first byte that differs.</summary>
        [JsonProperty("start", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Start { get; set; }

        /// <summary>Bytes of the old content that differ.</summary>
        [JsonProperty("old_length", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? OldLength { get; set; }

        /// <summary>Bytes of the new content that differ.</summary>
        [JsonProperty("new_length", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NewLength { get; set; }

        /// <summary>For people: the old bytes that differ, where they are few.</summary>
        [JsonProperty("old_part", NullValueHandling = NullValueHandling.Ignore)]
        public string OldPart { get; set; }

        /// <summary>For people: the new bytes that differ, where they are few.</summary>
        [JsonProperty("new_part", NullValueHandling = NullValueHandling.Ignore)]
        public string NewPart { get; set; }
    }

    /// <summary>Names, texts, ids and values in files and folders</summary>
    public sealed class FindRequest
    {
        /// <summary>A part of a name or text, a glob for the whole of it, or a number (decimal or 0x).</summary>
        [JsonProperty("pattern", NullValueHandling = NullValueHandling.Ignore)]
        public string Pattern { get; set; }

        /// <summary>Files and folders; what is no container in a folder is passed over.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>What is stored more than once, by content: entries with the same bytes, in one file and over all, and
        /// whole files. All arguments are files and folders then.</summary>
        [JsonProperty("duplicates", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Duplicates { get; set; }

        /// <summary>Go through folders, which is done without it, too.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Only paths, names and kinds of entries, which takes less time.</summary>
        [JsonProperty("names", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Names { get; set; }

        /// <summary>Only what is the pattern and nothing more.</summary>
        [JsonProperty("whole", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Whole { get; set; }

        /// <summary>Exit code 1 where nothing is found.</summary>
        [JsonProperty("require_match", NullValueHandling = NullValueHandling.Ignore)]
        public bool? RequireMatch { get; set; }

        /// <summary>Search packs at this generation, counted from 1 (the oldest), or all of them merged.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }
    }

    /// <summary>A place where the pattern was found.</summary>
    public sealed class FindRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Kind of the entry.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Name of the entry.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Path of the field within the entry.</summary>
        [JsonProperty("field", NullValueHandling = NullValueHandling.Ignore)]
        public string Field { get; set; }

        /// <summary>Type of the field.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Value of the field.</summary>
        [JsonProperty("value", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Value { get; set; }

        /// <summary>Meaning of the value, where it has one.</summary>
        [JsonProperty("meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string Meaning { get; set; }

        /// <summary>Number of those that have it.</summary>
        [JsonProperty("copies", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Copies { get; set; }

        /// <summary>Size of the content in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>SHA-256 of the content.</summary>
        [JsonProperty("sha256", NullValueHandling = NullValueHandling.Ignore)]
        public string Sha256 { get; set; }

        /// <summary>XXH3-128 of the content.</summary>
        [JsonProperty("xxh3", NullValueHandling = NullValueHandling.Ignore)]
        public string Xxh3 { get; set; }
    }

    /// <summary>A group of fields.</summary>
    public sealed class GroupRow
    {
        /// <summary>Name of the group.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Description of the group.</summary>
        [JsonProperty("doc", NullValueHandling = NullValueHandling.Ignore)]
        public string Doc { get; set; }
    }

    /// <summary>Edits of a file that are kept.</summary>
    public sealed class HistoryCounts
    {
        /// <summary>Number of edits that can be taken back.</summary>
        [JsonProperty("done")]
        public ulong Done { get; set; }

        /// <summary>Number of edits that can be made again.</summary>
        [JsonProperty("undone")]
        public ulong Undone { get; set; }
    }

    /// <summary>Edits that can be taken back</summary>
    public sealed class HistoryRequest
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Print the patch of this step, counted from 1, in place of the list; `patch` takes it. With --json the
        /// row of the step has it.</summary>
        [JsonProperty("patch", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Patch { get; set; }
    }

    /// <summary>A step.</summary>
    public sealed class HistoryRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Number of the step, counted from 1, which is the oldest one that is kept.</summary>
        [JsonProperty("step")]
        public ulong Step { get; set; }

        /// <summary>Where it stands. One of `done`, `undone`.</summary>
        [JsonProperty("state", NullValueHandling = NullValueHandling.Ignore)]
        public string State { get; set; }

        /// <summary>Time of the edit in UTC, as RFC 3339 has it; null where there was no clock.</summary>
        [JsonProperty("time", NullValueHandling = NullValueHandling.Ignore)]
        public string Time { get; set; }

        /// <summary>What was asked for.</summary>
        [JsonProperty("label", NullValueHandling = NullValueHandling.Ignore)]
        public string Label { get; set; }

        /// <summary>Size of the file before it in bytes.</summary>
        [JsonProperty("old_size")]
        public ulong OldSize { get; set; }

        /// <summary>Size of the file after it in bytes.</summary>
        [JsonProperty("new_size")]
        public ulong NewSize { get; set; }

        /// <summary>The patch from the file before it to the one after it, where it is asked for.</summary>
        [JsonProperty("patch", NullValueHandling = NullValueHandling.Ignore)]
        public JObject Patch { get; set; }
    }

    /// <summary>A file of the content of others</summary>
    public sealed class ImportRequest
    {
        /// <summary>A model (.glb .gltf .obj), an image, what `export --to json|folder|sqlite|csv` wrote (of a map with
        /// --into), or with --language a table of translations (.po .csv); - for standard input.</summary>
        [JsonProperty("source", NullValueHandling = NullValueHandling.Ignore)]
        public string Source { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Add to this file instead of making a new one.</summary>
        [JsonProperty("into", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef Into { get; set; }

        /// <summary>Replace the file of --into itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Policy for objects whose names are there already: rename, replace, use-current (the one that is there)
        /// or keep-both (of one name), for all types or for one (object, mesh, material, texture, group, other); repeatable
        /// [default: rename, texture=use-current, group=use-current].</summary>
        [JsonProperty("on_conflict", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> OnConflict { get; set; }

        /// <summary>Storage of pictures: raw (pixels), external (a file name), original (an image file that is carried
        /// along) or embedded (an image file within the texture), for all textures or for those that a glob means;
        /// repeatable [default: as exported, else raw].</summary>
        [JsonProperty("texture_save", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> TextureSave { get; set; }

        /// <summary>Write the image files of external textures to this folder.</summary>
        [JsonProperty("textures", NullValueHandling = NullValueHandling.Ignore)]
        public string Textures { get; set; }

        /// <summary>Make several meshes of one with more than 65,535 vertices.</summary>
        [JsonProperty("split", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Split { get; set; }

        /// <summary>Make sure that there are the groups Sector_01 to this one.</summary>
        [JsonProperty("sectors", NullValueHandling = NullValueHandling.Ignore)]
        public uint? Sectors { get; set; }

        /// <summary>Put the mesh or picture of SRC in the place of this one, or the rows of a .csv in that of a data
        /// array's, and change nothing else.</summary>
        [JsonProperty("replace", NullValueHandling = NullValueHandling.Ignore)]
        public string Replace { get; set; }

        /// <summary>The name of the mesh or texture of SRC, where it holds several.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>SRC is a .png or .csv of this layer of the SpellForce 1 map of --into: heights, tiles, decoration,
        /// movement or vision.</summary>
        [JsonProperty("layer", NullValueHandling = NullValueHandling.Ignore)]
        public string Layer { get; set; }

        /// <summary>SRC is a table of translations to this language: slot, code or name.</summary>
        [JsonProperty("language", NullValueHandling = NullValueHandling.Ignore)]
        public string Language { get; set; }

        /// <summary>The language that they were translated from [default: de, which is slot 0].</summary>
        [JsonProperty("source_language", NullValueHandling = NullValueHandling.Ignore)]
        public string SourceLanguage { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class ImportRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Objects that are new.</summary>
        [JsonProperty("created", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Created { get; set; }

        /// <summary>Objects that were replaced.</summary>
        [JsonProperty("replaced", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Replaced { get; set; }

        /// <summary>Objects that are used as they are.</summary>
        [JsonProperty("kept", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Kept { get; set; }

        /// <summary>Objects that are new under another name.</summary>
        [JsonProperty("renamed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Renamed { get; set; }

        /// <summary>Texts that changed.</summary>
        [JsonProperty("changed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Changed { get; set; }

        /// <summary>Texts that are new.</summary>
        [JsonProperty("added", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Added { get; set; }

        /// <summary>Texts that are the same.</summary>
        [JsonProperty("same", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Same { get; set; }

        /// <summary>Texts without a translation.</summary>
        [JsonProperty("untranslated", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Untranslated { get; set; }

        /// <summary>Texts whose translation is marked as uncertain.</summary>
        [JsonProperty("fuzzy", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Fuzzy { get; set; }

        /// <summary>Texts whose source changed since.</summary>
        [JsonProperty("stale", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Stale { get; set; }

        /// <summary>Texts that could not be taken.</summary>
        [JsonProperty("refused", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Refused { get; set; }

        /// <summary>The image files that were written, with `textures`.</summary>
        [JsonProperty("textures", NullValueHandling = NullValueHandling.Ignore)]
        public List<TextureFile> Textures { get; set; }
    }

    /// <summary>Facts about files: format, versions, sizes, counts, checksum, oddities</summary>
    public sealed class InfoRequest
    {
        /// <summary>Files, folders with -r, or - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>Search folders, and the folders in them; what is no container is passed over.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more file names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }

        /// <summary>The plugins and building blocks that Virtools files need and --registry lacks, instead of the rest;
        /// with --json beside it.</summary>
        [JsonProperty("missing_plugins", NullValueHandling = NullValueHandling.Ignore)]
        public bool? MissingPlugins { get; set; }

        /// <summary>The plugins and building blocks that are there, as JSON [default: none].</summary>
        [JsonProperty("registry", NullValueHandling = NullValueHandling.Ignore)]
        public string Registry { get; set; }

        /// <summary>Maps of SpellForce: what this GameData knows of them too (title, portals, players' places).</summary>
        [JsonProperty("gamedata", NullValueHandling = NullValueHandling.Ignore)]
        public string Gamedata { get; set; }

        /// <summary>The facts that matter most alone: a line for each file.</summary>
        [JsonProperty("short", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Short { get; set; }

        /// <summary>Rows for people: `lines`, texts that they read, in place of details.</summary>
        [JsonProperty("for_people", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ForPeople { get; set; }

        /// <summary>In `lines`, so many items of each list at the most.</summary>
        [JsonProperty("max_items", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? MaxItems { get; set; }
    }

    /// <summary>A file.</summary>
    public sealed class InfoRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Format of the file; where it cannot be opened, the one that it seems to have.</summary>
        [JsonProperty("format", NullValueHandling = NullValueHandling.Ignore)]
        public string Format { get; set; }

        /// <summary>The dialect of the format, where there are several.</summary>
        [JsonProperty("dialect", NullValueHandling = NullValueHandling.Ignore)]
        public string Dialect { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Facts that the file states about itself, by their names. Of the format virtools they are InfoVirtools:
        /// `ToObject&lt;InfoVirtools&gt;()`. Of the format snpak they are InfoSnpak: `ToObject&lt;InfoSnpak&gt;()`. Of the
        /// format spellforce-cff they are InfoSpellforceCff: `ToObject&lt;InfoSpellforceCff&gt;()`. Of the format
        /// spellforce-map they are InfoSpellforceMap: `ToObject&lt;InfoSpellforceMap&gt;()`. Of the format spellforce-save
        /// they are InfoSpellforceSave: `ToObject&lt;InfoSpellforceSave&gt;()`. Of the format spellforce-pak they are
        /// InfoSpellforcePak: `ToObject&lt;InfoSpellforcePak&gt;()`. Of the format spellforce-pakdata they are
        /// InfoSpellforcePakdata: `ToObject&lt;InfoSpellforcePakdata&gt;()`.</summary>
        [JsonProperty("details", NullValueHandling = NullValueHandling.Ignore)]
        public JObject Details { get; set; }

        /// <summary>Plugins and building blocks that it needs of an engine and that are missing there, where that was asked
        /// for; null for formats without plugins.</summary>
        [JsonProperty("missing_plugins", NullValueHandling = NullValueHandling.Ignore)]
        public List<MissingPlugin> MissingPlugins { get; set; }

        /// <summary>For people: how many plugins and building blocks it needs.</summary>
        [JsonProperty("needed_plugins", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NeededPlugins { get; set; }

        /// <summary>For people: ways to look at the file besides entries, fields and bytes: `scene`, `textures`, `tables`,
        /// `arrays`, `scripts`, `map`, `included`.</summary>
        [JsonProperty("aspects", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Aspects { get; set; }

        /// <summary>For people: what it inflates to, in the order of the file.</summary>
        [JsonProperty("spaces", NullValueHandling = NullValueHandling.Ignore)]
        public List<SpaceRow> Spaces { get; set; }

        /// <summary>For people: layers of a map, which `export` draws.</summary>
        [JsonProperty("layers", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Layers { get; set; }

        /// <summary>For people: what the file says of itself, as they read it.</summary>
        [JsonProperty("lines", NullValueHandling = NullValueHandling.Ignore)]
        public List<Line> Lines { get; set; }

        /// <summary>Edits that are kept of it; nothing where there are none.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public HistoryCounts History { get; set; }
    }

    /// <summary>What a file of the format snpak says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSnpak
    {
        /// <summary>1 in every generation.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public long? Version { get; set; }

        /// <summary>The oldest generation of writers that can have written the pack, by its content.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Number of asset entries, those that a later one hides included.</summary>
        [JsonProperty("asset_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? AssetCount { get; set; }

        /// <summary>Number of bulk entries.</summary>
        [JsonProperty("bulk_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? BulkCount { get; set; }

        /// <summary>Number of strings.</summary>
        [JsonProperty("string_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? StringCount { get; set; }

        /// <summary>Indexes from the active one to the oldest: one more than the appends.</summary>
        [JsonProperty("index_chain", NullValueHandling = NullValueHandling.Ignore)]
        public long? IndexChain { get; set; }

        /// <summary>The generation that is shown: its number, or merged; active where no other was asked for.</summary>
        [JsonProperty("view", NullValueHandling = NullValueHandling.Ignore)]
        public string View { get; set; }

        /// <summary>The states that the pack went through, one for each index of the chain, from the oldest on.</summary>
        [JsonProperty("generations", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoSnpakGenerations> Generations { get; set; }

        /// <summary>0x1: the pack has been appended to. 0x2: it has a type table, which was never used.</summary>
        [JsonProperty("flags", NullValueHandling = NullValueHandling.Ignore)]
        public string Flags { get; set; }

        /// <summary>Number of chunks of the index that is shown by compression.</summary>
        [JsonProperty("compression", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, long?> Compression { get; set; }

        /// <summary>Number of assets of what is shown by kind: its name, or its id where it has none.</summary>
        [JsonProperty("kinds", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, long?> Kinds { get; set; }

        /// <summary>Stored payloads of the index that is shown, each chunk once, without chunk headers. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Plain payloads of the index that is shown, each chunk once. In bytes.</summary>
        [JsonProperty("unpacked_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? UnpackedSize { get; set; }

        /// <summary>Bytes of the file that the header, string table, index and chunks of what is shown do not use. In
        /// bytes.</summary>
        [JsonProperty("wasted_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? WastedSize { get; set; }

        /// <summary>Number of assets that have dependencies; 0 in the older generations.</summary>
        [JsonProperty("dependency_owner_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? DependencyOwnerCount { get; set; }

        /// <summary>Number of dependencies; 0 in the older generations.</summary>
        [JsonProperty("dependency_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? DependencyCount { get; set; }

        /// <summary>Bytes behind the size that the header states. In bytes.</summary>
        [JsonProperty("trailing_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TrailingSize { get; set; }
    }

    /// <summary>The states that the pack went through, one for each index of the chain, from the oldest on.</summary>
    public sealed class InfoSnpakGenerations
    {
        /// <summary>Number of the generation, counted from 1.</summary>
        [JsonProperty("number", NullValueHandling = NullValueHandling.Ignore)]
        public long? Number { get; set; }

        /// <summary>Number of asset entries, those that a later one hides included.</summary>
        [JsonProperty("assets", NullValueHandling = NullValueHandling.Ignore)]
        public long? Assets { get; set; }

        /// <summary>Number of bulk entries.</summary>
        [JsonProperty("bulk", NullValueHandling = NullValueHandling.Ignore)]
        public long? Bulk { get; set; }

        /// <summary>Where its index starts. In bytes.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public long? Offset { get; set; }

        /// <summary>Size of its index. In bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public long? Size { get; set; }

        /// <summary>Whether it was appended as a delta, so that it hides what came before.</summary>
        [JsonProperty("delta", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Delta { get; set; }

        /// <summary>Whether the string table of its index is known.</summary>
        [JsonProperty("names", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Names { get; set; }
    }

    /// <summary>What a file of the format spellforce-cff says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSpellforceCff
    {
        /// <summary>Version of the container: 2 in GameData (chunks are raw), 3 in maps (chunks are packed).</summary>
        [JsonProperty("format_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FormatVersion { get; set; }

        /// <summary>2 or 0 in GameData, 1 in maps.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public long? Type { get; set; }

        /// <summary>1 in GameData, 11 in the one known SpellForce 1 map, a counter of saves in SpellForce 2 maps.</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileVersion { get; set; }

        /// <summary>0 in all real files; nothing checks it.</summary>
        [JsonProperty("checksum", NullValueHandling = NullValueHandling.Ignore)]
        public string Checksum { get; set; }

        /// <summary>Number of chunks.</summary>
        [JsonProperty("chunk_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? ChunkCount { get; set; }

        /// <summary>Number of packed chunks.</summary>
        [JsonProperty("packed_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? PackedCount { get; set; }

        /// <summary>Whether raw chunks have an unpacked length too.</summary>
        [JsonProperty("wide_headers", NullValueHandling = NullValueHandling.Ignore)]
        public bool? WideHeaders { get; set; }

        /// <summary>Rows of known categories and chunks of maps; nothing where rows are not known.</summary>
        [JsonProperty("rows", NullValueHandling = NullValueHandling.Ignore)]
        public long? Rows { get; set; }

        /// <summary>The languages of category 2016, by slot.</summary>
        [JsonProperty("languages", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoSpellforceCffLanguages> Languages { get; set; }

        /// <summary>The edition that the file is as it was sold, as `--profile` calls it; nothing for any other.</summary>
        [JsonProperty("edition", NullValueHandling = NullValueHandling.Ignore)]
        public string Edition { get; set; }

        /// <summary>Width and height of the map. In cells.</summary>
        [JsonProperty("map_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapSize { get; set; }

        /// <summary>Size of the data as it is stored. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Size of the data of all chunks, inflated. In bytes.</summary>
        [JsonProperty("unpacked_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? UnpackedSize { get; set; }

        /// <summary>Bytes behind the last readable chunk. In bytes.</summary>
        [JsonProperty("tail_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TailSize { get; set; }

        /// <summary>What the reader of this kind of file was checked on: `real files`, or `synthetic` where it rests on
        /// files made for tests, as no real one was available.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }

        /// <summary>`12 5E 5E DD`, as the specification prints it, or that of real files.</summary>
        [JsonProperty("magic", NullValueHandling = NullValueHandling.Ignore)]
        public string Magic { get; set; }

        /// <summary>Size of a chunk header: 11 as the table has it, 10 as the dump. In bytes.</summary>
        [JsonProperty("chunk_header_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? ChunkHeaderSize { get; set; }
    }

    /// <summary>The languages of category 2016, by slot.</summary>
    public sealed class InfoSpellforceCffLanguages
    {
        /// <summary>The language id of the rows.</summary>
        [JsonProperty("slot", NullValueHandling = NullValueHandling.Ignore)]
        public long? Slot { get; set; }

        /// <summary>Number of texts.</summary>
        [JsonProperty("rows", NullValueHandling = NullValueHandling.Ignore)]
        public long? Rows { get; set; }

        /// <summary>The language. `local` is the edition's own one, where its code page does not say which that is.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The code of the language, as `de`.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Number of texts that have the language.</summary>
        [JsonProperty("texts", NullValueHandling = NullValueHandling.Ignore)]
        public long? Texts { get; set; }

        /// <summary>Number of texts that only other slots have.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public long? Missing { get; set; }

        /// <summary>The code page of the texts.</summary>
        [JsonProperty("code_page", NullValueHandling = NullValueHandling.Ignore)]
        public string CodePage { get; set; }

        /// <summary>What the code page was chosen by: `request`, `profile`, `detection` or `custom`.</summary>
        [JsonProperty("chosen_by", NullValueHandling = NullValueHandling.Ignore)]
        public string ChosenBy { get; set; }
    }

    /// <summary>What a file of the format spellforce-map says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSpellforceMap
    {
        /// <summary>Version of the container: 2 in GameData (chunks are raw), 3 in maps (chunks are packed).</summary>
        [JsonProperty("format_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FormatVersion { get; set; }

        /// <summary>2 or 0 in GameData, 1 in maps.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public long? Type { get; set; }

        /// <summary>1 in GameData, 11 in the one known SpellForce 1 map, a counter of saves in SpellForce 2 maps.</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileVersion { get; set; }

        /// <summary>0 in all real files; nothing checks it.</summary>
        [JsonProperty("checksum", NullValueHandling = NullValueHandling.Ignore)]
        public string Checksum { get; set; }

        /// <summary>Number of chunks.</summary>
        [JsonProperty("chunk_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? ChunkCount { get; set; }

        /// <summary>Number of packed chunks.</summary>
        [JsonProperty("packed_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? PackedCount { get; set; }

        /// <summary>Whether raw chunks have an unpacked length too.</summary>
        [JsonProperty("wide_headers", NullValueHandling = NullValueHandling.Ignore)]
        public bool? WideHeaders { get; set; }

        /// <summary>Rows of known categories and chunks of maps; nothing where rows are not known.</summary>
        [JsonProperty("rows", NullValueHandling = NullValueHandling.Ignore)]
        public long? Rows { get; set; }

        /// <summary>The languages of category 2016, by slot.</summary>
        [JsonProperty("languages", NullValueHandling = NullValueHandling.Ignore)]
        public JArray Languages { get; set; }

        /// <summary>The edition that the file is as it was sold, as `--profile` calls it; nothing for any other.</summary>
        [JsonProperty("edition", NullValueHandling = NullValueHandling.Ignore)]
        public string Edition { get; set; }

        /// <summary>Width and height of the map. In cells.</summary>
        [JsonProperty("map_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapSize { get; set; }

        /// <summary>What the map has.</summary>
        [JsonProperty("map", NullValueHandling = NullValueHandling.Ignore)]
        public InfoSpellforceMapMap Map { get; set; }

        /// <summary>Size of the data as it is stored. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Size of the data of all chunks, inflated. In bytes.</summary>
        [JsonProperty("unpacked_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? UnpackedSize { get; set; }

        /// <summary>Bytes behind the last readable chunk. In bytes.</summary>
        [JsonProperty("tail_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TailSize { get; set; }

        /// <summary>What the reader of this kind of file was checked on: `real files`, or `synthetic` where it rests on
        /// files made for tests, as no real one was available.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }

        /// <summary>What the GameData knows of the map.</summary>
        [JsonProperty("world", NullValueHandling = NullValueHandling.Ignore)]
        public InfoSpellforceMapWorld World { get; set; }

        /// <summary>`12 5E 5E DD`, as the specification prints it, or that of real files.</summary>
        [JsonProperty("magic", NullValueHandling = NullValueHandling.Ignore)]
        public string Magic { get; set; }

        /// <summary>Size of a chunk header: 11 as the table has it, 10 as the dump. In bytes.</summary>
        [JsonProperty("chunk_header_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? ChunkHeaderSize { get; set; }

        /// <summary>Width of the map. In cells.</summary>
        [JsonProperty("map_width", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapWidth { get; set; }

        /// <summary>Height of the map. In cells.</summary>
        [JsonProperty("map_height", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapHeight { get; set; }
    }

    /// <summary>What the map has.</summary>
    public sealed class InfoSpellforceMapMap
    {
        /// <summary>What the map is for: `campaign`, `multiplayer` or `cooperative`.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Number of units.</summary>
        [JsonProperty("units", NullValueHandling = NullValueHandling.Ignore)]
        public long? Units { get; set; }

        /// <summary>Number of buildings.</summary>
        [JsonProperty("buildings", NullValueHandling = NullValueHandling.Ignore)]
        public long? Buildings { get; set; }

        /// <summary>Number of objects.</summary>
        [JsonProperty("objects", NullValueHandling = NullValueHandling.Ignore)]
        public long? Objects { get; set; }

        /// <summary>Number of bindstones, monuments and the like.</summary>
        [JsonProperty("interactive", NullValueHandling = NullValueHandling.Ignore)]
        public long? Interactive { get; set; }

        /// <summary>Number of portals.</summary>
        [JsonProperty("portals", NullValueHandling = NullValueHandling.Ignore)]
        public long? Portals { get; set; }

        /// <summary>Number of players' starting places.</summary>
        [JsonProperty("spawns", NullValueHandling = NullValueHandling.Ignore)]
        public long? Spawns { get; set; }

        /// <summary>Number of cells that block movement.</summary>
        [JsonProperty("movement_flags", NullValueHandling = NullValueHandling.Ignore)]
        public long? MovementFlags { get; set; }

        /// <summary>Number of cells that block vision.</summary>
        [JsonProperty("vision_flags", NullValueHandling = NullValueHandling.Ignore)]
        public long? VisionFlags { get; set; }

        /// <summary>Number of cells with decoration.</summary>
        [JsonProperty("decorated_cells", NullValueHandling = NullValueHandling.Ignore)]
        public long? DecoratedCells { get; set; }

        /// <summary>The lowest ground.</summary>
        [JsonProperty("lowest", NullValueHandling = NullValueHandling.Ignore)]
        public long? Lowest { get; set; }

        /// <summary>The highest ground.</summary>
        [JsonProperty("highest", NullValueHandling = NullValueHandling.Ignore)]
        public long? Highest { get; set; }

        /// <summary>Lakes, by what they are filled with.</summary>
        [JsonProperty("lakes", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, long?> Lakes { get; set; }

        /// <summary>Kinds of weather that the map has.</summary>
        [JsonProperty("weather", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, long?> Weather { get; set; }

        /// <summary>The teams that there may be.</summary>
        [JsonProperty("compositions", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Compositions { get; set; }

        /// <summary>Width and height of the minimap. In pixels.</summary>
        [JsonProperty("minimap", NullValueHandling = NullValueHandling.Ignore)]
        public string Minimap { get; set; }

        /// <summary>Width of the map. In cells.</summary>
        [JsonProperty("map_width", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapWidth { get; set; }

        /// <summary>Height of the map. In cells.</summary>
        [JsonProperty("map_height", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapHeight { get; set; }
    }

    /// <summary>What the GameData knows of the map.</summary>
    public sealed class InfoSpellforceMapWorld
    {
        /// <summary>Id of the map; nothing where the GameData does not know it.</summary>
        [JsonProperty("map_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapId { get; set; }

        /// <summary>The portals of the map.</summary>
        [JsonProperty("portals", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoSpellforceMapWorldPortals> Portals { get; set; }

        /// <summary>Where players start.</summary>
        [JsonProperty("players", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoSpellforceMapWorldPlayers> Players { get; set; }
    }

    /// <summary>Where players start.</summary>
    public sealed class InfoSpellforceMapWorldPlayers
    {
        /// <summary>Its cell. In cells.</summary>
        [JsonProperty("x", NullValueHandling = NullValueHandling.Ignore)]
        public long? X { get; set; }

        /// <summary>Its cell. In cells.</summary>
        [JsonProperty("y", NullValueHandling = NullValueHandling.Ignore)]
        public long? Y { get; set; }

        /// <summary>The text that the place is called.</summary>
        [JsonProperty("text_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? TextId { get; set; }

        /// <summary>What it is called; nothing where the GameData does not know it.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }
    }

    /// <summary>The portals of the map.</summary>
    public sealed class InfoSpellforceMapWorldPortals
    {
        /// <summary>Id of the portal.</summary>
        [JsonProperty("portal_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? PortalId { get; set; }

        /// <summary>Its cell. In cells.</summary>
        [JsonProperty("x", NullValueHandling = NullValueHandling.Ignore)]
        public long? X { get; set; }

        /// <summary>Its cell. In cells.</summary>
        [JsonProperty("y", NullValueHandling = NullValueHandling.Ignore)]
        public long? Y { get; set; }

        /// <summary>What it is called; nothing where the GameData does not know it.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }
    }

    /// <summary>What a file of the format spellforce-pak says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSpellforcePak
    {
        /// <summary>4 in the low byte.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public long? Version { get; set; }

        /// <summary>Number of entries.</summary>
        [JsonProperty("entry_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? EntryCount { get; set; }

        /// <summary>Start of the data in the file, and end of the name table. In bytes.</summary>
        [JsonProperty("data_start", NullValueHandling = NullValueHandling.Ignore)]
        public long? DataStart { get; set; }

        /// <summary>The checksum over header, entries and names.</summary>
        [JsonProperty("checksum", NullValueHandling = NullValueHandling.Ignore)]
        public InfoSpellforcePakChecksum Checksum { get; set; }

        /// <summary>Of unknown meaning.</summary>
        [JsonProperty("root_index", NullValueHandling = NullValueHandling.Ignore)]
        public long? RootIndex { get; set; }

        /// <summary>Sum of the sizes of all files. In bytes.</summary>
        [JsonProperty("data_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? DataSize { get; set; }

        /// <summary>Size of the whole file, a multiple of 4096. In bytes.</summary>
        [JsonProperty("file_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileSize { get; set; }

        /// <summary>Bytes behind the last file. In bytes.</summary>
        [JsonProperty("padding_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? PaddingSize { get; set; }

        /// <summary>What the reader was checked on: `synthetic`, as no real archive was available. Entries, order and the
        /// length of the names agree with a real `pakdata.dat`.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }

        /// <summary>Start of the index in the file. In bytes.</summary>
        [JsonProperty("index_offset", NullValueHandling = NullValueHandling.Ignore)]
        public long? IndexOffset { get; set; }

        /// <summary>Number of files that are stored as zlib streams.</summary>
        [JsonProperty("packed_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? PackedCount { get; set; }

        /// <summary>Sum of the stored sizes of all files. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Bytes behind the index. In bytes.</summary>
        [JsonProperty("trailing_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TrailingSize { get; set; }
    }

    /// <summary>The checksum over header, entries and names.</summary>
    public sealed class InfoSpellforcePakChecksum
    {
        /// <summary>CRC-32 over header, entries and names, see `docs/formats/pak.md#6-checksum`. Nothing is known to check
        /// it.</summary>
        [JsonProperty("stored", NullValueHandling = NullValueHandling.Ignore)]
        public string Stored { get; set; }

        /// <summary>Whether it is the one that a third-party packer computes.</summary>
        [JsonProperty("ok", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Ok { get; set; }
    }

    /// <summary>What a file of the format spellforce-pakdata says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSpellforcePakdata
    {
        /// <summary>Number of archives that can be read.</summary>
        [JsonProperty("pak_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? PakCount { get; set; }

        /// <summary>Number of entries of all of them.</summary>
        [JsonProperty("entry_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? EntryCount { get; set; }

        /// <summary>The archives, in the order of a directory listing.</summary>
        [JsonProperty("paks", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoSpellforcePakdataPaks> Paks { get; set; }

        /// <summary>Bytes behind the last archive. In bytes.</summary>
        [JsonProperty("trailing_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TrailingSize { get; set; }

        /// <summary>Version; no value of it is known.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public long? Version { get; set; }

        /// <summary>What the reader was checked on: `synthetic`, as no program writes such files.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }
    }

    /// <summary>The numbers behind key and path of an archive.</summary>
    public sealed class InfoSpellforcePakdataPaks
    {
        /// <summary>File name of the archive.</summary>
        [JsonProperty("key", NullValueHandling = NullValueHandling.Ignore)]
        public string Key { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("key_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string KeyBytes { get; set; }

        /// <summary>Where the archive was when the cache was made.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("path_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string PathBytes { get; set; }

        /// <summary>Number of entries.</summary>
        [JsonProperty("entry_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? EntryCount { get; set; }

        /// <summary>Start of the data in the archive. In bytes.</summary>
        [JsonProperty("data_start", NullValueHandling = NullValueHandling.Ignore)]
        public long? DataStart { get; set; }

        /// <summary>Size of the archive. In bytes.</summary>
        [JsonProperty("file_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileSize { get; set; }
    }

    /// <summary>What a file of the format spellforce-save says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoSpellforceSave
    {
        /// <summary>Version of the container: 2 in GameData (chunks are raw), 3 in maps (chunks are packed).</summary>
        [JsonProperty("format_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FormatVersion { get; set; }

        /// <summary>2 or 0 in GameData, 1 in maps.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public long? Type { get; set; }

        /// <summary>1 in GameData, 11 in the one known SpellForce 1 map, a counter of saves in SpellForce 2 maps.</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileVersion { get; set; }

        /// <summary>0 in all real files; nothing checks it.</summary>
        [JsonProperty("checksum", NullValueHandling = NullValueHandling.Ignore)]
        public string Checksum { get; set; }

        /// <summary>Number of chunks.</summary>
        [JsonProperty("chunk_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? ChunkCount { get; set; }

        /// <summary>Number of packed chunks.</summary>
        [JsonProperty("packed_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? PackedCount { get; set; }

        /// <summary>Whether raw chunks have an unpacked length too.</summary>
        [JsonProperty("wide_headers", NullValueHandling = NullValueHandling.Ignore)]
        public bool? WideHeaders { get; set; }

        /// <summary>Rows of known categories and chunks of maps; nothing where rows are not known.</summary>
        [JsonProperty("rows", NullValueHandling = NullValueHandling.Ignore)]
        public long? Rows { get; set; }

        /// <summary>The languages of category 2016, by slot.</summary>
        [JsonProperty("languages", NullValueHandling = NullValueHandling.Ignore)]
        public JArray Languages { get; set; }

        /// <summary>The edition that the file is as it was sold, as `--profile` calls it; nothing for any other.</summary>
        [JsonProperty("edition", NullValueHandling = NullValueHandling.Ignore)]
        public string Edition { get; set; }

        /// <summary>Width and height of the map. In cells.</summary>
        [JsonProperty("map_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? MapSize { get; set; }

        /// <summary>What is saved.</summary>
        [JsonProperty("save", NullValueHandling = NullValueHandling.Ignore)]
        public InfoSpellforceSaveSave Save { get; set; }

        /// <summary>Size of the data as it is stored. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Size of the data of all chunks, inflated. In bytes.</summary>
        [JsonProperty("unpacked_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? UnpackedSize { get; set; }

        /// <summary>Bytes behind the last readable chunk. In bytes.</summary>
        [JsonProperty("tail_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TailSize { get; set; }

        /// <summary>What the reader of this kind of file was checked on: `real files`, or `synthetic` where it rests on
        /// files made for tests, as no real one was available.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }
    }

    /// <summary>What is saved.</summary>
    public sealed class InfoSpellforceSaveSave
    {
        /// <summary>What is saved: a `free game`, a `campaign`, or `unknown`.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>The name of the game.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>A path of the game's own.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>When it was saved, in seconds since 1970. In s.</summary>
        [JsonProperty("time", NullValueHandling = NullValueHandling.Ignore)]
        public long? Time { get; set; }

        /// <summary>When it was saved, in UTC.</summary>
        [JsonProperty("saved_at", NullValueHandling = NullValueHandling.Ignore)]
        public string SavedAt { get; set; }

        /// <summary>What the lengths of name and path were found to count: `characters`, `bytes`, or `either` where both
        /// are 0.</summary>
        [JsonProperty("lengths_count", NullValueHandling = NullValueHandling.Ignore)]
        public string LengthsCount { get; set; }

        /// <summary>The name of the avatar.</summary>
        [JsonProperty("avatar", NullValueHandling = NullValueHandling.Ignore)]
        public string Avatar { get; set; }

        /// <summary>The level of the avatar.</summary>
        [JsonProperty("level", NullValueHandling = NullValueHandling.Ignore)]
        public long? Level { get; set; }

        /// <summary>Number of items that the avatar has.</summary>
        [JsonProperty("items", NullValueHandling = NullValueHandling.Ignore)]
        public long? Items { get; set; }

        /// <summary>Number of chunk files in chunks.</summary>
        [JsonProperty("nested_files", NullValueHandling = NullValueHandling.Ignore)]
        public long? NestedFiles { get; set; }

        /// <summary>How much is known of saves.</summary>
        [JsonProperty("known", NullValueHandling = NullValueHandling.Ignore)]
        public string Known { get; set; }
    }

    /// <summary>What a file of the format virtools says of itself; of a damaged one what could be read.</summary>
    public sealed class InfoVirtools
    {
        /// <summary>Layout of everything that follows; 8 in real files.</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? FileVersion { get; set; }

        /// <summary>Date of the engine; the hexadecimal digits read as day, month, year.</summary>
        [JsonProperty("ck_version", NullValueHandling = NullValueHandling.Ignore)]
        public string CkVersion { get; set; }

        /// <summary>Edition of the product; 0 in real files.</summary>
        [JsonProperty("product_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? ProductVersion { get; set; }

        /// <summary>Version of the product.</summary>
        [JsonProperty("product_build", NullValueHandling = NullValueHandling.Ignore)]
        public string ProductBuild { get; set; }

        /// <summary>ProductBuild as people write it, the highest part first.</summary>
        [JsonProperty("product", NullValueHandling = NullValueHandling.Ignore)]
        public string Product { get; set; }

        /// <summary>level: holds a CKLevel; scripts: holds nothing but scripts; objects: anything else.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Way in which the file was written; a bit set.</summary>
        [JsonProperty("write_mode", NullValueHandling = NullValueHandling.Ignore)]
        public string WriteMode { get; set; }

        /// <summary>Entries of the object table, and object records in the Data section.</summary>
        [JsonProperty("object_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? ObjectCount { get; set; }

        /// <summary>Manager records in the Data section.</summary>
        [JsonProperty("manager_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? ManagerCount { get; set; }

        /// <summary>MaxIDSaved: the largest id of the object table.</summary>
        [JsonProperty("max_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? MaxId { get; set; }

        /// <summary>The checksum.</summary>
        [JsonProperty("checksum", NullValueHandling = NullValueHandling.Ignore)]
        public InfoVirtoolsChecksum Checksum { get; set; }

        /// <summary>How sections are stored.</summary>
        [JsonProperty("packing", NullValueHandling = NullValueHandling.Ignore)]
        public InfoVirtoolsPacking Packing { get; set; }

        /// <summary>Headers and both sections, as far as the file holds them. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Headers and both sections if nothing were packed. In bytes.</summary>
        [JsonProperty("unpacked_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? UnpackedSize { get; set; }

        /// <summary>What follows the Data section. In bytes.</summary>
        [JsonProperty("tail_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? TailSize { get; set; }

        /// <summary>Objects of each class.</summary>
        [JsonProperty("classes", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, long?> Classes { get; set; }

        /// <summary>Plugins that the objects need, by category.</summary>
        [JsonProperty("plugins", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoVirtoolsPlugins> Plugins { get; set; }

        /// <summary>Files that follow the Data section.</summary>
        [JsonProperty("included_files", NullValueHandling = NullValueHandling.Ignore)]
        public List<InfoVirtoolsIncludedFiles> IncludedFiles { get; set; }

        /// <summary>Included files that the stub counts; 0 in real files, also where some follow the Data section.</summary>
        [JsonProperty("included_count", NullValueHandling = NullValueHandling.Ignore)]
        public long? IncludedCount { get; set; }

        /// <summary>What the reader of this FileVersion was checked on: `real files`, or `synthetic` where no real file of
        /// this kind was available; then it was tested with files built from the documented layout.</summary>
        [JsonProperty("evidence", NullValueHandling = NullValueHandling.Ignore)]
        public string Evidence { get; set; }
    }

    /// <summary>The checksum.</summary>
    public sealed class InfoVirtoolsChecksum
    {
        /// <summary>Adler-32 that starts at 0, over what the recipe of the product covers.</summary>
        [JsonProperty("stored", NullValueHandling = NullValueHandling.Ignore)]
        public string Stored { get; set; }

        /// <summary>Whether the recipe gives the stored checksum; nothing where that was not checked.</summary>
        [JsonProperty("ok", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Ok { get; set; }

        /// <summary>What the checksum covers: full, data-only, legacy; none where the FileVersion has no checksum; where it
        /// is wrong, what it should cover.</summary>
        [JsonProperty("recipe", NullValueHandling = NullValueHandling.Ignore)]
        public string Recipe { get; set; }

        /// <summary>Whether the checksum was checked: not where a file of a server was read as far as its headers.</summary>
        [JsonProperty("checked", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Checked { get; set; }
    }

    /// <summary>Files that follow the Data section.</summary>
    public sealed class InfoVirtoolsIncludedFiles
    {
        /// <summary>File name with extension.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("name_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NameBytes { get; set; }

        /// <summary>Bytes of the file; 0 also for one that was missing. In bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public long? Size { get; set; }

        /// <summary>The stub counts the file, so engines read it.</summary>
        [JsonProperty("counted", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Counted { get; set; }
    }

    /// <summary>How sections are stored.</summary>
    public sealed class InfoVirtoolsPacking
    {
        /// <summary>Header1: zlib or stored.</summary>
        [JsonProperty("header1", NullValueHandling = NullValueHandling.Ignore)]
        public string Header1 { get; set; }

        /// <summary>The Data section: zlib or stored.</summary>
        [JsonProperty("data", NullValueHandling = NullValueHandling.Ignore)]
        public string Data { get; set; }
    }

    /// <summary>The fixed part of a group of plugin dependencies; the GUIDs follow.</summary>
    public sealed class InfoVirtoolsPlugins
    {
        /// <summary>Kind of plugin.</summary>
        [JsonProperty("category", NullValueHandling = NullValueHandling.Ignore)]
        public long? Category { get; set; }

        /// <summary>What the category is called.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>GUIDs of plugins and building blocks.</summary>
        [JsonProperty("guids", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Guids { get; set; }
    }

    /// <summary>An item of a list that differs.</summary>
    public sealed class ItemChangeRow
    {
        /// <summary>Place of the item in the old list.</summary>
        [JsonProperty("old_index", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? OldIndex { get; set; }

        /// <summary>Place of the item in the new list.</summary>
        [JsonProperty("new_index", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? NewIndex { get; set; }

        /// <summary>Changes of the item.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public List<FieldChangeRow> Fields { get; set; }
    }

    /// <summary>Several files as one</summary>
    public sealed class JoinRequest
    {
        /// <summary>The files, in the order in which they are to be united; - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Policy for objects whose names are there already: rename, replace, use-current (the one that is there)
        /// or keep-both (of one name), for all types or for one (object, mesh, material, texture, group, other); repeatable
        /// [default: rename; textures go with materials and groups with other, unless they are named].</summary>
        [JsonProperty("on_conflict", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> OnConflict { get; set; }

        /// <summary>Take of the files behind the first one only this: geometry, which is all but animations; animations,
        /// which then move what is there under the names of what they moved; or behaviors, with no reference but to each
        /// other. One of `geometry`, `animations`, `behaviors`.</summary>
        [JsonProperty("only", NullValueHandling = NullValueHandling.Ignore)]
        public string Only { get; set; }

        /// <summary>Make a character of this name of the body parts and animations of each file behind the first one that
        /// has none.</summary>
        [JsonProperty("as_character", NullValueHandling = NullValueHandling.Ignore)]
        public string AsCharacter { get; set; }

        /// <summary>Load the files as engines do: names are compared with those of the same file too, only the first level
        /// of a file gets what it saved, and entries are left out for which engines create nothing.</summary>
        [JsonProperty("as_engines", NullValueHandling = NullValueHandling.Ignore)]
        public bool? AsEngines { get; set; }

        /// <summary>Go on where references cannot be followed, and report it, instead of refusing.</summary>
        [JsonProperty("lossy", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lossy { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class JoinRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }

        /// <summary>Numbers of the objects of each file, by what became of them.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<JoinedFile> Files { get; set; }
    }

    /// <summary>Numbers of the objects of a file, by what became of them.</summary>
    public sealed class JoinedFile
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Objects that were added.</summary>
        [JsonProperty("created")]
        public ulong Created { get; set; }

        /// <summary>Objects that were added under another name.</summary>
        [JsonProperty("renamed")]
        public ulong Renamed { get; set; }

        /// <summary>Objects that took the place of others.</summary>
        [JsonProperty("replaced")]
        public ulong Replaced { get; set; }

        /// <summary>Objects for which those that were there are used.</summary>
        [JsonProperty("used")]
        public ulong Used { get; set; }

        /// <summary>References by name that found their objects.</summary>
        [JsonProperty("resolved")]
        public ulong Resolved { get; set; }

        /// <summary>Objects that were left out.</summary>
        [JsonProperty("skipped")]
        public ulong Skipped { get; set; }
    }

    /// <summary>A rule that did not mend everything on purpose.</summary>
    public sealed class LeftRow
    {
        /// <summary>The code of the rule.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Number of further times that it could have been applied.</summary>
        [JsonProperty("count")]
        public ulong Count { get; set; }

        /// <summary>Reason why it was not.</summary>
        [JsonProperty("reason", NullValueHandling = NullValueHandling.Ignore)]
        public string Reason { get; set; }
    }

    /// <summary>A line of a walk as people read it.</summary>
    public sealed class Line
    {
        /// <summary>Number of groups that the line lies in.</summary>
        [JsonProperty("depth")]
        public ulong Depth { get; set; }

        /// <summary>The name of the field or group; `-` for an item of a list.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Value of the field; nothing for a group, whose lines follow.</summary>
        [JsonProperty("text", NullValueHandling = NullValueHandling.Ignore)]
        public string Text { get; set; }
    }

    /// <summary>An error number of the original software.</summary>
    public sealed class LintNative
    {
        /// <summary>Name of the condition: `CKERR_...`.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The number.</summary>
        [JsonProperty("number")]
        public int Number { get; set; }
    }

    /// <summary>Findings that a game would not like, although the bytes are sound</summary>
    public sealed class LintRequest
    {
        /// <summary>Files, folders with -r, or - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>Search folders, and the folders in them; what is no container is passed over.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more file names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>Look at the file at this generation, counted from 1 (the oldest), or all of them merged.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Apply this rule alone; repeatable.</summary>
        [JsonProperty("rule", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Rule { get; set; }

        /// <summary>Do not apply this rule; repeatable.</summary>
        [JsonProperty("allow", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Allow { get; set; }

        /// <summary>Look for the files of textures and sounds in this folder first; repeatable.</summary>
        [JsonProperty("search", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Search { get; set; }

        /// <summary>Look up the ids of SpellForce's maps in this GameData.</summary>
        [JsonProperty("gamedata", NullValueHandling = NullValueHandling.Ignore)]
        public string Gamedata { get; set; }

        /// <summary>Behind the files, list each file that was not found with the files that need it.</summary>
        [JsonProperty("missing_report", NullValueHandling = NullValueHandling.Ignore)]
        public bool? MissingReport { get; set; }

        /// <summary>Pass over findings that this file lists: lines of `CODE [GLOB of files [PATH]]`; they are counted.</summary>
        [JsonProperty("suppressions", NullValueHandling = NullValueHandling.Ignore)]
        public string Suppressions { get; set; }

        /// <summary>Pass over what BASE has too, an older version of the file, or a folder of older versions under the same
        /// names; it is counted.</summary>
        [JsonProperty("since", NullValueHandling = NullValueHandling.Ignore)]
        public string Since { get; set; }

        /// <summary>Write what is found to FILE, for --suppressions; none of it is a failure now.</summary>
        [JsonProperty("write_suppressions", NullValueHandling = NullValueHandling.Ignore)]
        public string WriteSuppressions { get; set; }

        /// <summary>List so many findings of one code in a file at the most; 0 lists all [default: 20, all with -v].</summary>
        [JsonProperty("max", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Max { get; set; }

        /// <summary>Form of a single document for all files, instead of lines. It is `sarif`.</summary>
        [JsonProperty("format", NullValueHandling = NullValueHandling.Ignore)]
        public string Format { get; set; }

        /// <summary>List the rules.</summary>
        [JsonProperty("list_rules", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ListRules { get; set; }

        /// <summary>Mend what is safe to mend, and list what is left.</summary>
        [JsonProperty("fix", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Fix { get; set; }

        /// <summary>With --fix, let equal objects whose names differ become one too; names are lost.</summary>
        [JsonProperty("merge_names", NullValueHandling = NullValueHandling.Ignore)]
        public bool? MergeNames { get; set; }

        /// <summary>With --fix, remove meshes, materials and textures that nothing uses, with their names.</summary>
        [JsonProperty("remove_unused", NullValueHandling = NullValueHandling.Ignore)]
        public bool? RemoveUnused { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace the files themselves, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A row of the verb: a file, or what an option asks for.</summary>
    public sealed class LintRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Whether there are no errors.</summary>
        [JsonProperty("ok", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Ok { get; set; }

        /// <summary>Findings; of a code that is found often, the first ones.</summary>
        [JsonProperty("findings", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Findings { get; set; }

        /// <summary>Numbers of findings, by severity.</summary>
        [JsonProperty("counts", NullValueHandling = NullValueHandling.Ignore)]
        public Counts Counts { get; set; }

        /// <summary>How often each code was found, errors first.</summary>
        [JsonProperty("codes", NullValueHandling = NullValueHandling.Ignore)]
        public List<CodeCount> Codes { get; set; }

        /// <summary>True where it could not be opened.</summary>
        [JsonProperty("unopened", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Unopened { get; set; }

        /// <summary>Number of findings that are known and passed over, where suppressions are named.</summary>
        [JsonProperty("suppressed", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Suppressed { get; set; }

        /// <summary>Number of times that each rule was applied, by its code.</summary>
        [JsonProperty("fixed", NullValueHandling = NullValueHandling.Ignore)]
        public Dictionary<string, ulong> Fixed { get; set; }

        /// <summary>Rules that could have mended more, and did not on purpose.</summary>
        [JsonProperty("left", NullValueHandling = NullValueHandling.Ignore)]
        public List<LeftRow> Left { get; set; }

        /// <summary>Name of the file.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Whether it was not written after all.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Name of the file.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public string Missing { get; set; }

        /// <summary>The files that need it.</summary>
        [JsonProperty("needed_by", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> NeededBy { get; set; }

        /// <summary>The code.</summary>
        [JsonProperty("code", NullValueHandling = NullValueHandling.Ignore)]
        public string Code { get; set; }

        /// <summary>Class of the code.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>Condition that the code stands for, in one line.</summary>
        [JsonProperty("title", NullValueHandling = NullValueHandling.Ignore)]
        public string Title { get; set; }

        /// <summary>Meaning of the code, and what can be done about it.</summary>
        [JsonProperty("help", NullValueHandling = NullValueHandling.Ignore)]
        public string Help { get; set; }

        /// <summary>The same condition in the original software.</summary>
        [JsonProperty("native", NullValueHandling = NullValueHandling.Ignore)]
        public LintNative Native { get; set; }

        /// <summary>Severity that findings of a rule have at most.</summary>
        [JsonProperty("severity", NullValueHandling = NullValueHandling.Ignore)]
        public string Severity { get; set; }

        /// <summary>Files that a rule is about.</summary>
        [JsonProperty("about", NullValueHandling = NullValueHandling.Ignore)]
        public string About { get; set; }

        /// <summary>Words for what mending does about it.</summary>
        [JsonProperty("fix", NullValueHandling = NullValueHandling.Ignore)]
        public string Fix { get; set; }

        /// <summary>Verbs that report it.</summary>
        [JsonProperty("told_by", NullValueHandling = NullValueHandling.Ignore)]
        public string ToldBy { get; set; }

        /// <summary>Link to the page that describes it, from the root of the repository.</summary>
        [JsonProperty("page", NullValueHandling = NullValueHandling.Ignore)]
        public string Page { get; set; }

        /// <summary>Meaning of the class.</summary>
        [JsonProperty("class_meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string ClassMeaning { get; set; }

        /// <summary>Severity that findings of a rule have at most, as people say it.</summary>
        [JsonProperty("at_most", NullValueHandling = NullValueHandling.Ignore)]
        public string AtMost { get; set; }

        [JsonProperty("$schema", NullValueHandling = NullValueHandling.Ignore)]
        public string Schema { get; set; }

        /// <summary>It is `2.1.0`.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public string Version { get; set; }

        [JsonProperty("runs", NullValueHandling = NullValueHandling.Ignore)]
        public JArray Runs { get; set; }
    }

    /// <summary>The entries of a file or of all files in a folder</summary>
    public sealed class LsRequest
    {
        /// <summary>A file, a folder, or - for standard input; the SpellForce archives of a folder are one tree, without
        /// -r.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Only entries that match one of these.</summary>
        [JsonProperty("globs", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Globs { get; set; }

        /// <summary>No entries that match this; repeatable.</summary>
        [JsonProperty("exclude", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Exclude { get; set; }

        /// <summary>Search the folders in a folder too.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Order of the entries: size (the largest first), path, name, type or another field, as --json calls it
        /// [default: the file's own].</summary>
        [JsonProperty("sort", NullValueHandling = NullValueHandling.Ignore)]
        public string Sort { get; set; }

        /// <summary>The other way round.</summary>
        [JsonProperty("reverse", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Reverse { get; set; }

        /// <summary>Columns to print, in this order: size, stored_size, type, path, name, title (the name of an entry where
        /// its path does not contain it), or other fields, as --json calls them.</summary>
        [JsonProperty("columns", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Columns { get; set; }

        /// <summary>Leave out so many entries at the beginning. Without it 0.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>So many entries at the most.</summary>
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Limit { get; set; }

        /// <summary>The building blocks that the scripts use, those used most first, instead of entries.</summary>
        [JsonProperty("blocks", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Blocks { get; set; }

        /// <summary>Only texts of this language, by slot, code or name (`spelunk info` lists them); entries that are named
        /// are listed row by row then [default entry: 2016].</summary>
        [JsonProperty("language", NullValueHandling = NullValueHandling.Ignore)]
        public string Language { get; set; }

        /// <summary>Exit code 1 where no entry is listed.</summary>
        [JsonProperty("require_match", NullValueHandling = NullValueHandling.Ignore)]
        public bool? RequireMatch { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>A row of the listing.</summary>
    public sealed class LsRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Size of the entry in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Content in few words, where the format has such a text.</summary>
        [JsonProperty("label", NullValueHandling = NullValueHandling.Ignore)]
        public string Label { get; set; }

        /// <summary>Position in the object table, which is what chunks store as a reference.</summary>
        [JsonProperty("index", NullValueHandling = NullValueHandling.Ignore)]
        public long? Index { get; set; }

        /// <summary>Id of the object when it was saved; negative for an object that is only referred to.</summary>
        [JsonProperty("id", NullValueHandling = NullValueHandling.Ignore)]
        public long? Id { get; set; }

        /// <summary>Class of the object.</summary>
        [JsonProperty("class_id", NullValueHandling = NullValueHandling.Ignore)]
        public long? ClassId { get; set; }

        /// <summary>Name of the class, or CKCID_ and its id.</summary>
        [JsonProperty("class", NullValueHandling = NullValueHandling.Ignore)]
        public string Class { get; set; }

        /// <summary>Name as stored; what people see ends at the first NUL.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("name_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NameBytes { get; set; }

        /// <summary>Bytes of an object that is packed on its own. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>The asset's key. Several entries may have it; the last one counts.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Id of the loader that the asset is for.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Name of the kind, where it is known.</summary>
        [JsonProperty("kind_name", NullValueHandling = NullValueHandling.Ignore)]
        public string KindName { get; set; }

        /// <summary>Type of the main payload.</summary>
        [JsonProperty("payload_type", NullValueHandling = NullValueHandling.Ignore)]
        public string PayloadType { get; set; }

        /// <summary>Name of the payload type, where it is known.</summary>
        [JsonProperty("payload_type_name", NullValueHandling = NullValueHandling.Ignore)]
        public string PayloadTypeName { get; set; }

        /// <summary>Version of the payload's own format.</summary>
        [JsonProperty("schema_version", NullValueHandling = NullValueHandling.Ignore)]
        public long? SchemaVersion { get; set; }

        /// <summary>Variant of the asset, where it has one.</summary>
        [JsonProperty("variant", NullValueHandling = NullValueHandling.Ignore)]
        public string Variant { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("variant_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string VariantBytes { get; set; }

        /// <summary>Compression of the payload.</summary>
        [JsonProperty("compression", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Compression { get; set; }

        /// <summary>The level at which the payload was packed.</summary>
        [JsonProperty("level", NullValueHandling = NullValueHandling.Ignore)]
        public long? Level { get; set; }

        /// <summary>XXH3-128 of the plain payload.</summary>
        [JsonProperty("hash", NullValueHandling = NullValueHandling.Ignore)]
        public string Hash { get; set; }

        /// <summary>0x01: the asset has bulk entries.</summary>
        [JsonProperty("flags", NullValueHandling = NullValueHandling.Ignore)]
        public long? Flags { get; set; }

        /// <summary>Whether a later entry has the same asset id.</summary>
        [JsonProperty("shadowed", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Shadowed { get; set; }

        /// <summary>The bulk chunks of an asset.</summary>
        [JsonProperty("bulk", NullValueHandling = NullValueHandling.Ignore)]
        public List<LsRowBulk> Bulk { get; set; }

        /// <summary>What an asset needs.</summary>
        [JsonProperty("dependencies", NullValueHandling = NullValueHandling.Ignore)]
        public List<LsRowDependencies> Dependencies { get; set; }

        /// <summary>The number among chunks of one id: 0, or the row in chunks 6 of a map.</summary>
        [JsonProperty("occurrence", NullValueHandling = NullValueHandling.Ignore)]
        public long? Occurrence { get; set; }

        /// <summary>Version of the layout of this id.</summary>
        [JsonProperty("data_type", NullValueHandling = NullValueHandling.Ignore)]
        public long? DataType { get; set; }

        /// <summary>Whether the data is a zlib stream.</summary>
        [JsonProperty("packed", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Packed { get; set; }

        /// <summary>Rows of known categories and chunks of maps; nothing where rows are not known.</summary>
        [JsonProperty("rows", NullValueHandling = NullValueHandling.Ignore)]
        public long? Rows { get; set; }

        /// <summary>Size of a row; nothing where rows vary or are not known. In bytes.</summary>
        [JsonProperty("row_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? RowSize { get; set; }

        /// <summary>Where the chunk starts in the file. In bytes.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public long? Offset { get; set; }

        /// <summary>Where the rows start in the data: behind their count. In bytes.</summary>
        [JsonProperty("rows_start", NullValueHandling = NullValueHandling.Ignore)]
        public long? RowsStart { get; set; }

        /// <summary>The directory, with backslashes.</summary>
        [JsonProperty("directory", NullValueHandling = NullValueHandling.Ignore)]
        public string Directory { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("directory_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string DirectoryBytes { get; set; }

        /// <summary>Path of the file, as the index has it.</summary>
        [JsonProperty("stored_path", NullValueHandling = NullValueHandling.Ignore)]
        public string StoredPath { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("stored_path_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string StoredPathBytes { get; set; }

        /// <summary>File name of the archive that holds the file.</summary>
        [JsonProperty("pak", NullValueHandling = NullValueHandling.Ignore)]
        public string Pak { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("pak_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string PakBytes { get; set; }

        /// <summary>GUID of the building block.</summary>
        [JsonProperty("prototype", NullValueHandling = NullValueHandling.Ignore)]
        public string Prototype { get; set; }

        /// <summary>Version of the building block.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public string Version { get; set; }

        /// <summary>Category of the block, with / between levels; null where the block is not known.</summary>
        [JsonProperty("category", NullValueHandling = NullValueHandling.Ignore)]
        public string Category { get; set; }

        /// <summary>Pins with which the block is made; null where it is not known.</summary>
        [JsonProperty("pins", NullValueHandling = NullValueHandling.Ignore)]
        public BlockPins Pins { get; set; }

        /// <summary>Number of behaviours made of it.</summary>
        [JsonProperty("count", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Count { get; set; }

        /// <summary>Names of the behaviours.</summary>
        [JsonProperty("names", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Names { get; set; }

        /// <summary>Files that use it.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Files { get; set; }

        /// <summary>What else there is, by its names.</summary>
        [JsonExtensionData]
        public IDictionary<string, JToken> Others { get; set; }
    }

    /// <summary>The bulk chunks of an asset.</summary>
    public sealed class LsRowBulk
    {
        /// <summary>Purpose of the chunk; 0x10000 and above are custom.</summary>
        [JsonProperty("semantic", NullValueHandling = NullValueHandling.Ignore)]
        public long? Semantic { get; set; }

        /// <summary>Level or number within the semantic; level 0 is the finest.</summary>
        [JsonProperty("sub_index", NullValueHandling = NullValueHandling.Ignore)]
        public long? SubIndex { get; set; }

        /// <summary>Plain size of its payload. In bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public long? Size { get; set; }

        /// <summary>Stored size of the payload, without the chunk's header. In bytes.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public long? StoredSize { get; set; }

        /// <summary>Compression of the payload.</summary>
        [JsonProperty("compression", NullValueHandling = NullValueHandling.Ignore)]
        public string Compression { get; set; }

        /// <summary>The level at which the payload was packed.</summary>
        [JsonProperty("level", NullValueHandling = NullValueHandling.Ignore)]
        public long? Level { get; set; }

        /// <summary>XXH3-128 of the plain payload.</summary>
        [JsonProperty("hash", NullValueHandling = NullValueHandling.Ignore)]
        public string Hash { get; set; }
    }

    /// <summary>What an asset needs.</summary>
    public sealed class LsRowDependencies
    {
        /// <summary>The asset that is needed; it may be in another pack.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Name of the asset that is needed, where it is known.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The stored bytes, where they are not exactly what is shown.</summary>
        [JsonProperty("name_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string NameBytes { get; set; }

        /// <summary>Strength of the need.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public long? Kind { get; set; }
    }

    /// <summary>Something that both sides changed, each in another way.</summary>
    public sealed class MergeConflictRow
    {
        /// <summary>Id of an asset.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The field; null where one side took the entry out.</summary>
        [JsonProperty("field", NullValueHandling = NullValueHandling.Ignore)]
        public string Field { get; set; }

        /// <summary>State in ours.</summary>
        [JsonProperty("ours", NullValueHandling = NullValueHandling.Ignore)]
        public string Ours { get; set; }

        /// <summary>State in theirs.</summary>
        [JsonProperty("theirs", NullValueHandling = NullValueHandling.Ignore)]
        public string Theirs { get; set; }
    }

    /// <summary>Changes of two sides to one file, as one</summary>
    public sealed class MergeRequest
    {
        /// <summary>The file that both sides began with.</summary>
        [JsonProperty("base", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef Base { get; set; }

        /// <summary>The file as our side changed it.</summary>
        [JsonProperty("ours", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef Ours { get; set; }

        /// <summary>The file as others changed it; several are merged one after the other.</summary>
        [JsonProperty("theirs", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Theirs { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace OURS itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Side whose change counts where both changed one thing: ours (or use-current), theirs (or replace), or
        /// nobody's, and nothing is written. One of `ours`, `theirs`, `refuse`. Without it `refuse`.</summary>
        [JsonProperty("on_conflict", NullValueHandling = NullValueHandling.Ignore)]
        public string OnConflict { get; set; }

        /// <summary>Write only the rows of a GameData that are not those of BASE, as mods have them.</summary>
        [JsonProperty("part", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Part { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>Outcome of a merge.</summary>
    public sealed class MergeRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Entries that only ours changed.</summary>
        [JsonProperty("from_ours", NullValueHandling = NullValueHandling.Ignore)]
        public List<MergedEntry> FromOurs { get; set; }

        /// <summary>Entries that only theirs changed.</summary>
        [JsonProperty("from_theirs", NullValueHandling = NullValueHandling.Ignore)]
        public List<MergedEntry> FromTheirs { get; set; }

        /// <summary>Entries that both changed alike.</summary>
        [JsonProperty("both", NullValueHandling = NullValueHandling.Ignore)]
        public List<MergedEntry> Both { get; set; }

        /// <summary>Entries that both changed, in different fields.</summary>
        [JsonProperty("merged", NullValueHandling = NullValueHandling.Ignore)]
        public List<MergedEntry> Merged { get; set; }

        /// <summary>Changes of both to one thing, each in another way.</summary>
        [JsonProperty("conflicts", NullValueHandling = NullValueHandling.Ignore)]
        public List<MergeConflictRow> Conflicts { get; set; }

        /// <summary>Names that two entries have now.</summary>
        [JsonProperty("collisions", NullValueHandling = NullValueHandling.Ignore)]
        public List<CollisionRow> Collisions { get; set; }

        /// <summary>Whether theirs holds a part of the tables, so that what it lacks stays.</summary>
        [JsonProperty("is_part", NullValueHandling = NullValueHandling.Ignore)]
        public bool? IsPart { get; set; }
    }

    /// <summary>An entry of a merge.</summary>
    public sealed class MergedEntry
    {
        /// <summary>Id of an asset.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Change of the entry, where that is one thing: added, removed, changed.</summary>
        [JsonProperty("change", NullValueHandling = NullValueHandling.Ignore)]
        public string Change { get; set; }
    }

    /// <summary>A plugin or building block that is not there.</summary>
    public sealed class MissingPlugin
    {
        /// <summary>Category of plugins: 4 are building blocks.</summary>
        [JsonProperty("category")]
        public uint Category { get; set; }

        /// <summary>Name of the category, where it is known.</summary>
        [JsonProperty("category_name", NullValueHandling = NullValueHandling.Ignore)]
        public string CategoryName { get; set; }

        /// <summary>GUID of the plugin or building block.</summary>
        [JsonProperty("guid", NullValueHandling = NullValueHandling.Ignore)]
        public string Guid { get; set; }

        /// <summary>Name of the plugin or building block, where it is known.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Behaviours of the file that need it.</summary>
        [JsonProperty("behaviors")]
        public ulong Behaviors { get; set; }
    }

    /// <summary>A pack, and what stands before the names in it.</summary>
    public sealed class Mounted
    {
        /// <summary>Prefix of the names in it, with or without a slash at the end.</summary>
        [JsonProperty("prefix", NullValueHandling = NullValueHandling.Ignore)]
        public string Prefix { get; set; }

        /// <summary>The pack.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }
    }

    /// <summary>Give an entry another name</summary>
    public sealed class MvRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Path of the entry, as `ls` prints it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>New name of the entry.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class MvRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>Several packs or archives, or the archives of a folder, as a game mounts them: which one provides each
    /// entry</summary>
    public sealed class OverlayRequest
    {
        /// <summary>The packs in the order in which they are mounted, the later ones over the earlier; or SpellForce
        /// archives, or one folder of them, of which those with higher numbers in their names are over the others.</summary>
        [JsonProperty("packs", NullValueHandling = NullValueHandling.Ignore)]
        public List<Mounted> Packs { get; set; }

        /// <summary>Only assets that match this; repeatable.</summary>
        [JsonProperty("only", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Only { get; set; }

        /// <summary>Show what each name means to a game that prefers these variants, in this order.</summary>
        [JsonProperty("prefer", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Prefer { get; set; }

        /// <summary>Only what contradicts: one id with different content or names, one name with different ids, one path
        /// with files that differ.</summary>
        [JsonProperty("conflicts", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Conflicts { get; set; }

        /// <summary>Only the paths of LIST, a pakdata.dat or a text with a path a line, that no archive of the folder has,
        /// nor a loose file.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public string Missing { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>A row about packs or archives that are mounted together.</summary>
    public sealed class OverlayRow
    {
        /// <summary>Path of the asset, as every verb takes it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Id of the asset.</summary>
        [JsonProperty("asset_id", NullValueHandling = NullValueHandling.Ignore)]
        public string AssetId { get; set; }

        /// <summary>Id of the loader that it is for.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Name of the kind, where it is known.</summary>
        [JsonProperty("kind_name", NullValueHandling = NullValueHandling.Ignore)]
        public string KindName { get; set; }

        /// <summary>Size of the payload in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>The pack that provides it.</summary>
        [JsonProperty("pack", NullValueHandling = NullValueHandling.Ignore)]
        public string Pack { get; set; }

        /// <summary>Packs whose assets it hides.</summary>
        [JsonProperty("shadows", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Shadows { get; set; }

        /// <summary>The name, behind the prefix of its mount.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>The variant that counts; null for the asset without one.</summary>
        [JsonProperty("variant", NullValueHandling = NullValueHandling.Ignore)]
        public string Variant { get; set; }

        /// <summary>In what way they contradict each other.</summary>
        [JsonProperty("conflict", NullValueHandling = NullValueHandling.Ignore)]
        public string Conflict { get; set; }

        /// <summary>The fields that differ.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Fields { get; set; }

        /// <summary>The asset that counts, then those that it hides.</summary>
        [JsonProperty("assets", NullValueHandling = NullValueHandling.Ignore)]
        public List<ConflictingAsset> Assets { get; set; }

        /// <summary>The archive or folder that provides it.</summary>
        [JsonProperty("archive", NullValueHandling = NullValueHandling.Ignore)]
        public string Archive { get; set; }

        /// <summary>In what they differ; null where they do not, or that was not looked at. One of `size`, `content`.</summary>
        [JsonProperty("differ", NullValueHandling = NullValueHandling.Ignore)]
        public string Differ { get; set; }

        /// <summary>The path.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public string Missing { get; set; }
    }

    /// <summary>A container from the folder that `extract` wrote, byte for byte, or a new pack of files</summary>
    public sealed class PackRequest
    {
        /// <summary>A folder, a manifest as `extract` writes it, or - for a list of files on standard input.</summary>
        [JsonProperty("source", NullValueHandling = NullValueHandling.Ignore)]
        public string Source { get; set; }

        /// <summary>The files of LIST, one a line; a tab and a name behind a file give it another name than its path.</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>The dialect that is written: `spec`, the written specification's own layout [default: that of what was
        /// extracted, or of the archives that a pakdata.dat lists; else that of real files].</summary>
        [JsonProperty("dialect", NullValueHandling = NullValueHandling.Ignore)]
        public string Dialect { get; set; }

        /// <summary>Packing of payloads: none, lz4, zstd, lz4hc, zstd-fast with :fast, :high or :max, or their content
        /// (texture, mesh, audio, packed, critical); repeatable, the last rule that matches counts [default: by extension,
        /// zstd where that says nothing, and plain where packing does not help].</summary>
        [JsonProperty("compress", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Compress { get; set; }

        /// <summary>Store payloads plain where packing makes them no smaller.</summary>
        [JsonProperty("only_if_smaller", NullValueHandling = NullValueHandling.Ignore)]
        public bool? OnlyIfSmaller { get; set; }

        /// <summary>Loader that assets are for: an id, a name (Texture) or NAMESPACE:NAME; repeatable.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Kind { get; set; }

        /// <summary>Type of payloads, called as a kind is; repeatable.</summary>
        [JsonProperty("payload_type", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> PayloadType { get; set; }

        /// <summary>Names of types, beside those that are known: an id, blanks and a name on each line.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Ids of assets that are given none: v5 (made of their names) or v4 (random). One of `v5`, `v4`. Without
        /// it `v5`.</summary>
        [JsonProperty("uuid", NullValueHandling = NullValueHandling.Ignore)]
        public string Uuid { get; set; }

        /// <summary>Readers that are to open it: v5, v4 (no dependencies) or compat (the first ones too). One of `v5`,
        /// `v4`, `compat`. Without it `v5`.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>Bytes that a payload has at the most, packed or not: 1000000000 for readers of the specification
        /// [default: 8G].</summary>
        [JsonProperty("block_limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BlockLimit { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class PackRow
    {
        /// <summary>The folder or list.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Assets of a new pack.</summary>
        [JsonProperty("assets", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Assets { get; set; }

        /// <summary>Files of an archive.</summary>
        [JsonProperty("entries", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Entries { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Files that are not as they were extracted.</summary>
        [JsonProperty("changed", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Changed { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }

        /// <summary>Archives that are listed.</summary>
        [JsonProperty("archives", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Archives { get; set; }
    }

    /// <summary>Names of known values of a part of a packed word.</summary>
    public sealed class PartChoices
    {
        /// <summary>Name of the part.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Names of its values.</summary>
        [JsonProperty("choices", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Choices { get; set; }
    }

    /// <summary>A part of a packed word.</summary>
    public sealed class PartRow
    {
        /// <summary>Name of the part.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Value of the part: a flag is true or false.</summary>
        [JsonProperty("value", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Value { get; set; }

        /// <summary>Meaning of the value.</summary>
        [JsonProperty("meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string Meaning { get; set; }

        /// <summary>Unit of the value.</summary>
        [JsonProperty("unit", NullValueHandling = NullValueHandling.Ignore)]
        public string Unit { get; set; }
    }

    /// <summary>Make the changes of a patch, or take them back</summary>
    public sealed class PatchRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>The patch, as `diff --patch` writes it.</summary>
        [JsonProperty("patch", NullValueHandling = NullValueHandling.Ignore)]
        public string Patch { get; set; }

        /// <summary>Take the patch back: from the new file to the old one.</summary>
        [JsonProperty("reverse", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Reverse { get; set; }

        /// <summary>Write what fits where not all of it does, and report the rest.</summary>
        [JsonProperty("partial", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Partial { get; set; }
    }

    /// <summary>Outcome of a patch.</summary>
    public sealed class PatchRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Whether it is the file that the patch is for.</summary>
        [JsonProperty("same_file")]
        public bool SameFile { get; set; }

        /// <summary>Changes that were made.</summary>
        [JsonProperty("made")]
        public ulong Made { get; set; }

        /// <summary>Changes that the file has already.</summary>
        [JsonProperty("made_before")]
        public ulong MadeBefore { get; set; }

        /// <summary>Changes that could not be made.</summary>
        [JsonProperty("conflicts")]
        public ulong Conflicts { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class QueryChangedRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Number of the rows of which a field has another value now.</summary>
        [JsonProperty("rows")]
        public ulong Rows { get; set; }

        /// <summary>Number of these fields.</summary>
        [JsonProperty("fields")]
        public ulong Fields { get; set; }
    }

    /// <summary>SQL on the tables of files.</summary>
    public sealed class QueryRequest
    {
        /// <summary>Files, folders with -r, or - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>Search folders, and the folders in them; what is no container is passed over.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more file names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>A single statement that reads, or with `update` an UPDATE.</summary>
        [JsonProperty("sql", NullValueHandling = NullValueHandling.Ignore)]
        public string Sql { get; set; }

        /// <summary>The tables that there are, with their columns, instead of a statement.</summary>
        [JsonProperty("tables", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Tables { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }

        /// <summary>Make the changes of an UPDATE to one FILE, all of them or none; --tables says which columns can be set.</summary>
        [JsonProperty("update", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Update { get; set; }

        /// <summary>With --update, the file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>With --update, replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A row of the answer, or a table that can be asked.</summary>
    public sealed class QueryRow
    {
        /// <summary>What else there is, by its names.</summary>
        [JsonExtensionData]
        public IDictionary<string, JToken> Others { get; set; }
    }

    /// <summary>Take edits in place back</summary>
    public sealed class RedoRequest
    {
        /// <summary>The file, which is replaced.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Number of edits. Without it 1.</summary>
        [JsonProperty("steps", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Steps { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class RedoRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>What was asked for in these edits, in the order in which they were taken back or made again.</summary>
        [JsonProperty("labels", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Labels { get; set; }

        /// <summary>Number of edits that can be taken back now.</summary>
        [JsonProperty("done")]
        public ulong Done { get; set; }

        /// <summary>Number of edits that can be made again now.</summary>
        [JsonProperty("undone")]
        public ulong Undone { get; set; }
    }

    /// <summary>A field that referred to removed entries.</summary>
    public sealed class ReferrerRow
    {
        /// <summary>Path of the entry before the removal.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Class or kind of the entry.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Name of the entry; empty for none.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Name of the field.</summary>
        [JsonProperty("field", NullValueHandling = NullValueHandling.Ignore)]
        public string Field { get; set; }

        /// <summary>Number of references from the field to removed entries.</summary>
        [JsonProperty("references")]
        public ulong References { get; set; }

        /// <summary>Path of the first of these entries before the removal.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>The field is null now, its list is shorter, or it keeps a value that leads nowhere. One of `null`,
        /// `left_out`, `dangling`.</summary>
        [JsonProperty("becomes", NullValueHandling = NullValueHandling.Ignore)]
        public string Becomes { get; set; }
    }

    /// <summary>References of entries, and references to them</summary>
    public sealed class RefsRequest
    {
        /// <summary>The file, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Path of the entry, as `ls` prints it; or message/NAME: who sends this message of Virtools, and who
        /// waits for it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Everything that it needs, directly and through others.</summary>
        [JsonProperty("closure", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Closure { get; set; }

        /// <summary>List the references to what is not there.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Missing { get; set; }

        /// <summary>Another pack in which assets find what they need; repeatable.</summary>
        [JsonProperty("with", NullValueHandling = NullValueHandling.Ignore)]
        public List<Mounted> With { get; set; }

        /// <summary>Leave out what assets of packs work without.</summary>
        [JsonProperty("no_optional", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoOptional { get; set; }

        /// <summary>Leave out what only tools want of packs.</summary>
        [JsonProperty("no_auxiliary", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoAuxiliary { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }

        /// <summary>Rows for people: what they know each entry by, and a row for the entry itself.</summary>
        [JsonProperty("for_people", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ForPeople { get; set; }
    }

    /// <summary>A reference, an entry that is needed, or a circle.</summary>
    public sealed class RefsRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Whether the entry that was asked for refers, is referred to, or what is referred to is missing; of a
        /// message whether the behaviour sends it, waits for it, or has it as a value. One of `refers_to`, `referred_by`,
        /// `missing`, `sent_by`, `awaited_by`, `held_by`, `closure`, `cycle`, `entry`, `message`.</summary>
        [JsonProperty("relation", NullValueHandling = NullValueHandling.Ignore)]
        public string Relation { get; set; }

        /// <summary>Path of the entry that refers.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The file that it is in.</summary>
        [JsonProperty("in", NullValueHandling = NullValueHandling.Ignore)]
        public string In { get; set; }

        /// <summary>The field that refers.</summary>
        [JsonProperty("field", NullValueHandling = NullValueHandling.Ignore)]
        public string Field { get; set; }

        /// <summary>Path of the entry that is referred to; null where there is none.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>The file that it is in.</summary>
        [JsonProperty("target_in", NullValueHandling = NullValueHandling.Ignore)]
        public string TargetIn { get; set; }

        /// <summary>Type of the entry that is referred to.</summary>
        [JsonProperty("target_type", NullValueHandling = NullValueHandling.Ignore)]
        public string TargetType { get; set; }

        /// <summary>Name of the entry that is referred to, or the one that is stored with the reference.</summary>
        [JsonProperty("target_name", NullValueHandling = NullValueHandling.Ignore)]
        public string TargetName { get; set; }

        /// <summary>Key by which the reference refers: an id, a position.</summary>
        [JsonProperty("key", NullValueHandling = NullValueHandling.Ignore)]
        public string Key { get; set; }

        /// <summary>Degree to which it is needed, in formats that have degrees.</summary>
        [JsonProperty("kind", NullValueHandling = NullValueHandling.Ignore)]
        public string Kind { get; set; }

        /// <summary>Whether what is referred to is not there.</summary>
        [JsonProperty("missing", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Missing { get; set; }

        /// <summary>For people: what people know the entry by that refers.</summary>
        [JsonProperty("label", NullValueHandling = NullValueHandling.Ignore)]
        public string Label { get; set; }

        /// <summary>For people: what people know the entry by that is referred to.</summary>
        [JsonProperty("target_label", NullValueHandling = NullValueHandling.Ignore)]
        public string TargetLabel { get; set; }

        /// <summary>Type of the entry.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Name of the entry; empty where it has none.</summary>
        [JsonProperty("name", NullValueHandling = NullValueHandling.Ignore)]
        public string Name { get; set; }

        /// <summary>Whether it was asked for, and not only needed.</summary>
        [JsonProperty("asked", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Asked { get; set; }

        /// <summary>Paths of the entries.</summary>
        [JsonProperty("paths", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Paths { get; set; }

        /// <summary>For people: what people know them by.</summary>
        [JsonProperty("labels", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Labels { get; set; }
    }

    /// <summary>A damaged SnPAK pack put right, as far as it goes</summary>
    public sealed class RepairRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Readers that are to open it: v5, v4 (no dependencies) or compat (the first ones too). One of `v5`,
        /// `v4`, `compat`. Without it `v5`.</summary>
        [JsonProperty("target", NullValueHandling = NullValueHandling.Ignore)]
        public string Target { get; set; }

        /// <summary>Bytes that a payload has at the most, packed or not: 1000000000 for readers of the specification
        /// [default: 8G].</summary>
        [JsonProperty("block_limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? BlockLimit { get; set; }
    }

    /// <summary>Outcome of a repair.</summary>
    public sealed class RepairRow
    {
        /// <summary>The pack that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The pack that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Whether anything was wrong with it.</summary>
        [JsonProperty("repaired")]
        public bool Repaired { get; set; }

        /// <summary>Repairs that were made, in words.</summary>
        [JsonProperty("mended", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Mended { get; set; }

        /// <summary>Size of the new pack in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>Put other bytes in the place of an entry's</summary>
    public sealed class ReplaceRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Path of the entry, as `ls` prints it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The file with its new bytes; those of an object are a chunk of its class. A picture or a model goes in
        /// with import --replace.</summary>
        [JsonProperty("source", NullValueHandling = NullValueHandling.Ignore)]
        public string Source { get; set; }

        /// <summary>Take the bytes whatever they are.</summary>
        [JsonProperty("raw", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Raw { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class ReplaceRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>Read everything and write it again: the same bytes, unless an option says otherwise</summary>
    public sealed class RewriteRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Inflate every packed part and pack it again, at the level that reproduces it.</summary>
        [JsonProperty("recompress", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recompress { get; set; }

        /// <summary>Replace IN itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Write this version of the format.</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public uint? FileVersion { get; set; }

        /// <summary>Write in this mode: a number, or names from uncompressed, chunk-compressed, external-textures, viewer,
        /// compressed, separated by commas.</summary>
        [JsonProperty("write_mode", NullValueHandling = NullValueHandling.Ignore)]
        public string WriteMode { get; set; }

        /// <summary>Pack every packed part at this level, 0 to 9.</summary>
        [JsonProperty("level", NullValueHandling = NullValueHandling.Ignore)]
        public byte? Level { get; set; }

        /// <summary>Leave out the included files.</summary>
        [JsonProperty("strip_included", NullValueHandling = NullValueHandling.Ignore)]
        public bool? StripIncluded { get; set; }

        /// <summary>Leave out what the wanted version cannot hold, and report it, instead of refusing.</summary>
        [JsonProperty("lossy", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lossy { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class RewriteRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>Remove entries</summary>
    public sealed class RmRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Paths of entries, as `ls` prints them, or globs; a class stands for all of its objects.</summary>
        [JsonProperty("paths", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Paths { get; set; }

        /// <summary>Read more paths, one on each line, or - for standard input.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>Change each file of the folder FILE and of the folders in it; those that have nothing of what is named
        /// stay as they are.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Change every file that LIST names, one a line (- for standard input); FILE is a path then, too.</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>Go on where references cannot be followed, and report it, instead of refusing.</summary>
        [JsonProperty("lossy", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lossy { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class RmRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Fields of entries that stay and that referred to what was removed, in the order of the file; at most
        /// 1000 of them.</summary>
        [JsonProperty("referrers", NullValueHandling = NullValueHandling.Ignore)]
        public List<ReferrerRow> Referrers { get; set; }

        /// <summary>Number of all such fields.</summary>
        [JsonProperty("referrer_count")]
        public ulong ReferrerCount { get; set; }
    }

    /// <summary>A SnPAK pack as it was before appends</summary>
    public sealed class RollbackRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>The generation to go back to, counted from the oldest, which is 1; `info` lists them. Without it 0.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public uint? Generation { get; set; }
    }

    /// <summary>The row of a verb that made another pack of one.</summary>
    public sealed class RollbackRow
    {
        /// <summary>The pack that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The pack that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the newer pack in bytes.</summary>
        [JsonProperty("size_before")]
        public ulong SizeBefore { get; set; }

        /// <summary>The generation that it is now, counted from the oldest, which is 1.</summary>
        [JsonProperty("generation")]
        public uint Generation { get; set; }

        /// <summary>Size of the new pack in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>Outcome of writing a file again.</summary>
    public sealed class Roundtrip
    {
        /// <summary>Whether every byte is the same.</summary>
        [JsonProperty("identical")]
        public bool Identical { get; set; }

        /// <summary>The first byte that is not.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>The path of its field, empty where there is none.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>The size of what was written, where the shorter one is the beginning of the longer one.</summary>
        [JsonProperty("length", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Length { get; set; }

        /// <summary>Why it could not be written.</summary>
        [JsonProperty("message", NullValueHandling = NullValueHandling.Ignore)]
        public string Message { get; set; }

        /// <summary>The fields that are others.</summary>
        [JsonProperty("changes", NullValueHandling = NullValueHandling.Ignore)]
        public List<ChangedField> Changes { get; set; }
    }

    /// <summary>Change fields of entries</summary>
    public sealed class SetRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>The file to write, or - for standard output; a folder where many files are changed.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Replace FILE itself, atomically.</summary>
        [JsonProperty("in_place", NullValueHandling = NullValueHandling.Ignore)]
        public bool? InPlace { get; set; }

        /// <summary>Keep the replaced file under its name with this suffix; with --in-place or --force.</summary>
        [JsonProperty("backup", NullValueHandling = NullValueHandling.Ignore)]
        public string Backup { get; set; }

        /// <summary>Keep the edit in a file beside it (FILE.history), so that `undo` takes it back, and those after it;
        /// with --in-place.</summary>
        [JsonProperty("history", NullValueHandling = NullValueHandling.Ignore)]
        public bool? History { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }

        /// <summary>Path of an entry or a glob, a slash, path of a field, and its new value. All paths mean FILE as it is,
        /// and all changes are made or none.</summary>
        [JsonProperty("changes", NullValueHandling = NullValueHandling.Ignore)]
        public List<FieldChange> Changes { get; set; }

        /// <summary>Change each file of the folder FILE and of the folders in it; those that have nothing of what is named
        /// stay as they are.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more changes, one PATH=VALUE on each line, or - for standard input.</summary>
        [JsonProperty("from", NullValueHandling = NullValueHandling.Ignore)]
        public string From { get; set; }

        /// <summary>Move along what stands below an entity whose position or axes are set.</summary>
        [JsonProperty("with_children", NullValueHandling = NullValueHandling.Ignore)]
        public bool? WithChildren { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class SetRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }
    }

    /// <summary>A file that another one hides.</summary>
    public sealed class ShadowedFile
    {
        /// <summary>The archive.</summary>
        [JsonProperty("archive", NullValueHandling = NullValueHandling.Ignore)]
        public string Archive { get; set; }

        /// <summary>Size in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>A field, as data, with its description, or for people.</summary>
    public sealed class ShowField
    {
        /// <summary>Path of the field inside the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the field: u8, i32, f32, word, guid, text, bytes ...</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>`file`, or the name of an inflated section.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Offset in the space, in bytes.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>Stored size in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>The value. Versions, flags, hashes and GUIDs are text; numbers that JSON lacks are objects with their
        /// bits.</summary>
        [JsonProperty("value", NullValueHandling = NullValueHandling.Ignore)]
        public JToken Value { get; set; }

        /// <summary>The stored bytes of a text, where they are not exactly what is shown.</summary>
        [JsonProperty("value_bytes", NullValueHandling = NullValueHandling.Ignore)]
        public string ValueBytes { get; set; }

        /// <summary>Meaning of the value.</summary>
        [JsonProperty("meaning", NullValueHandling = NullValueHandling.Ignore)]
        public string Meaning { get; set; }

        /// <summary>The parts of a packed word.</summary>
        [JsonProperty("parts", NullValueHandling = NullValueHandling.Ignore)]
        public List<PartRow> Parts { get; set; }

        /// <summary>Unit of the value.</summary>
        [JsonProperty("unit", NullValueHandling = NullValueHandling.Ignore)]
        public string Unit { get; set; }

        /// <summary>Description of the field, in a sentence or two.</summary>
        [JsonProperty("doc", NullValueHandling = NullValueHandling.Ignore)]
        public string Doc { get; set; }

        /// <summary>Names of known values, any of which may stand for the number. Others are legal.</summary>
        [JsonProperty("choices", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Choices { get; set; }

        /// <summary>The same for the parts of a packed word, those with names alone.</summary>
        [JsonProperty("part_choices", NullValueHandling = NullValueHandling.Ignore)]
        public List<PartChoices> PartChoices { get; set; }

        /// <summary>Whether it refers to an entry, which a value names by its path.</summary>
        [JsonProperty("refers", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Refers { get; set; }

        /// <summary>The value as people read it, with its unit and what it stands for.</summary>
        [JsonProperty("shown", NullValueHandling = NullValueHandling.Ignore)]
        public string Shown { get; set; }

        /// <summary>Whether the value stands for something.</summary>
        [JsonProperty("has_meaning", NullValueHandling = NullValueHandling.Ignore)]
        public bool? HasMeaning { get; set; }
    }

    /// <summary>Every known field of one entry</summary>
    public sealed class ShowRequest
    {
        /// <summary>The file, - for standard input, or a folder of SpellForce archives.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Path of the entry, as `ls` prints it.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Leave out so many fields at the beginning. Without it 0.</summary>
        [JsonProperty("offset", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Offset { get; set; }

        /// <summary>So many fields at the most.</summary>
        [JsonProperty("limit", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Limit { get; set; }

        /// <summary>Rows for people: `shown`, a text that they read, in place of values.</summary>
        [JsonProperty("for_people", NullValueHandling = NullValueHandling.Ignore)]
        public bool? ForPeople { get; set; }

        /// <summary>Fields with their descriptions, for whoever changes them: what they are, and names of values that they
        /// may have.</summary>
        [JsonProperty("described", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Described { get; set; }

        /// <summary>So many items of each list at the most.</summary>
        [JsonProperty("max_items", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? MaxItems { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>An entry with its fields.</summary>
    public sealed class ShowRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The path of the entry.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Kind of the entry.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Size of the entry in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Fields of the entry, in the order of their bytes.</summary>
        [JsonProperty("fields", NullValueHandling = NullValueHandling.Ignore)]
        public List<ShowField> Fields { get; set; }
    }

    /// <summary>A space that a packed section inflates to.</summary>
    public sealed class SpaceRow
    {
        /// <summary>Name of the space, as places have it before a colon.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Size of the space in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>A place in a file.</summary>
    public sealed class StoredAt
    {
        /// <summary>`file`, or the name of an inflated section.</summary>
        [JsonProperty("space", NullValueHandling = NullValueHandling.Ignore)]
        public string Space { get; set; }

        /// <summary>Offset in the space, in bytes.</summary>
        [JsonProperty("offset")]
        public ulong Offset { get; set; }

        /// <summary>Stored size in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>Some entries with all that they need, as a file of their own</summary>
    public sealed class SubsetRequest
    {
        /// <summary>The file to read, or - for standard input.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Paths of entries, as `ls` prints them, and globs.</summary>
        [JsonProperty("paths", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Paths { get; set; }

        /// <summary>The file to write, or - for standard output.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Virtools files: only refer to the parameters that loaders look up by class, name and type, for a
        /// program that has them already; all else that is needed comes along.</summary>
        [JsonProperty("references", NullValueHandling = NullValueHandling.Ignore)]
        public bool? References { get; set; }

        /// <summary>Virtools files: take along the entities below the entities too.</summary>
        [JsonProperty("children", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Children { get; set; }

        /// <summary>Virtools files: go on where references cannot be followed, and report it, instead of refusing.</summary>
        [JsonProperty("lossy", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lossy { get; set; }

        /// <summary>Packs: another one in which assets find what they need; repeatable.</summary>
        [JsonProperty("with", NullValueHandling = NullValueHandling.Ignore)]
        public List<Mounted> With { get; set; }

        /// <summary>Leave out what assets of packs work without.</summary>
        [JsonProperty("no_optional", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoOptional { get; set; }

        /// <summary>Leave out what only tools want of packs.</summary>
        [JsonProperty("no_auxiliary", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoAuxiliary { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class SubsetRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }

        /// <summary>Entries that were asked for.</summary>
        [JsonProperty("asked")]
        public ulong Asked { get; set; }

        /// <summary>Entries that those need.</summary>
        [JsonProperty("needed")]
        public ulong Needed { get; set; }

        /// <summary>Entries that are only referred to.</summary>
        [JsonProperty("referred")]
        public ulong Referred { get; set; }

        /// <summary>Objects to which the file could only refer and that no loader would find; references to them are null.</summary>
        [JsonProperty("lost")]
        public ulong Lost { get; set; }
    }

    /// <summary>A table that can be asked.</summary>
    public sealed class TableRow
    {
        /// <summary>The schema that it is in.</summary>
        [JsonProperty("schema", NullValueHandling = NullValueHandling.Ignore)]
        public string Schema { get; set; }

        /// <summary>Name of the table.</summary>
        [JsonProperty("table", NullValueHandling = NullValueHandling.Ignore)]
        public string Table { get; set; }

        /// <summary>Description of its rows.</summary>
        [JsonProperty("doc", NullValueHandling = NullValueHandling.Ignore)]
        public string Doc { get; set; }

        /// <summary>Columns of the table.</summary>
        [JsonProperty("columns", NullValueHandling = NullValueHandling.Ignore)]
        public List<ColumnRow> Columns { get; set; }
    }

    /// <summary>An image file of a texture that the file only names.</summary>
    public sealed class TextureFile
    {
        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }
    }

    /// <summary>A branch with those inside it.</summary>
    public sealed class TreeBranchRow
    {
        /// <summary>Label of the branch, without those of the branches above.</summary>
        [JsonProperty("label", NullValueHandling = NullValueHandling.Ignore)]
        public string Label { get; set; }

        /// <summary>Path of the entry; null where it is none.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the entry; empty where it is none.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Note behind the label; empty where there is none.</summary>
        [JsonProperty("note", NullValueHandling = NullValueHandling.Ignore)]
        public string Note { get; set; }

        /// <summary>Size in bytes; null where it is no entry.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Branches below it.</summary>
        [JsonProperty("children", NullValueHandling = NullValueHandling.Ignore)]
        public List<TreeBranchRow> Children { get; set; }
    }

    /// <summary>The entries of a file as a hierarchy: kinds, categories, folders; of Virtools files also the scene and the
    /// scripts</summary>
    public sealed class TreeRequest
    {
        /// <summary>The file, - for standard input, or a folder of SpellForce archives.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Only what lies below this entry, with what its bytes consist of; of Virtools files also scene or
        /// scripts.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>With --json, a line for each branch, with its depth, instead of one with branches inside each other.</summary>
        [JsonProperty("flat", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Flat { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>The hierarchy of a file, or a branch of it.</summary>
    public sealed class TreeRow
    {
        /// <summary>Label of the branch, without those of the branches above.</summary>
        [JsonProperty("label", NullValueHandling = NullValueHandling.Ignore)]
        public string Label { get; set; }

        /// <summary>Path of the entry; null where it is none.</summary>
        [JsonProperty("path", NullValueHandling = NullValueHandling.Ignore)]
        public string Path { get; set; }

        /// <summary>Type of the entry; empty where it is none.</summary>
        [JsonProperty("type", NullValueHandling = NullValueHandling.Ignore)]
        public string Type { get; set; }

        /// <summary>Note behind the label; empty where there is none.</summary>
        [JsonProperty("note", NullValueHandling = NullValueHandling.Ignore)]
        public string Note { get; set; }

        /// <summary>Size in bytes; null where it is no entry.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Branches below it.</summary>
        [JsonProperty("children", NullValueHandling = NullValueHandling.Ignore)]
        public List<TreeBranchRow> Children { get; set; }

        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Number of branches above it.</summary>
        [JsonProperty("depth", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Depth { get; set; }

        /// <summary>Whether it is the last one below the same branch.</summary>
        [JsonProperty("is_last", NullValueHandling = NullValueHandling.Ignore)]
        public bool? IsLast { get; set; }

        /// <summary>Bytes of the file that it takes, where it is packed.</summary>
        [JsonProperty("stored_size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? StoredSize { get; set; }
    }

    /// <summary>Take edits in place back</summary>
    public sealed class UndoRequest
    {
        /// <summary>The file, which is replaced.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public FileRef File { get; set; }

        /// <summary>Number of edits. Without it 1.</summary>
        [JsonProperty("steps", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Steps { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that a verb changed.</summary>
    public sealed class UndoRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>What was asked for in these edits, in the order in which they were taken back or made again.</summary>
        [JsonProperty("labels", NullValueHandling = NullValueHandling.Ignore)]
        public List<string> Labels { get; set; }

        /// <summary>Number of edits that can be taken back now.</summary>
        [JsonProperty("done")]
        public ulong Done { get; set; }

        /// <summary>Number of edits that can be made again now.</summary>
        [JsonProperty("undone")]
        public ulong Undone { get; set; }
    }

    /// <summary>Old file generations to the current one</summary>
    public sealed class UpgradeRequest
    {
        /// <summary>Files, folders with -r, or - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>Search folders, and the folders in them; what is no container is passed over.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more file names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>The folder to write to, with the folders that -r finds; made where it is missing.</summary>
        [JsonProperty("directory", NullValueHandling = NullValueHandling.Ignore)]
        public string Directory { get; set; }

        /// <summary>Write this FileVersion: 8 or 9 [default: 8, and 9 for files that have it].</summary>
        [JsonProperty("file_version", NullValueHandling = NullValueHandling.Ignore)]
        public uint? FileVersion { get; set; }

        /// <summary>Leave out what the current generation cannot hold, and report it.</summary>
        [JsonProperty("lossy", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Lossy { get; set; }

        /// <summary>Replace files that exist.</summary>
        [JsonProperty("force", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Force { get; set; }

        /// <summary>Report what would be written and write nothing.</summary>
        [JsonProperty("dry_run", NullValueHandling = NullValueHandling.Ignore)]
        public bool? DryRun { get; set; }

        /// <summary>Follow links: write to what an output names that is one, and read what those found in folders name.</summary>
        [JsonProperty("follow_links", NullValueHandling = NullValueHandling.Ignore)]
        public bool? FollowLinks { get; set; }
    }

    /// <summary>A file that was written.</summary>
    public sealed class UpgradeRow
    {
        /// <summary>The file that was read.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>The file that was written.</summary>
        [JsonProperty("output", NullValueHandling = NullValueHandling.Ignore)]
        public string Output { get; set; }

        /// <summary>Size of the file in bytes.</summary>
        [JsonProperty("size")]
        public ulong Size { get; set; }

        /// <summary>Findings: errors, warnings and notes.</summary>
        [JsonProperty("diagnostics", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Diagnostics { get; set; }

        /// <summary>Whether nothing was written.</summary>
        [JsonProperty("dry_run")]
        public bool DryRun { get; set; }
    }

    /// <summary>Read everything, check everything, report every finding</summary>
    public sealed class VerifyRequest
    {
        /// <summary>Files, folders with -r, or - for standard input.</summary>
        [JsonProperty("files", NullValueHandling = NullValueHandling.Ignore)]
        public List<FileRef> Files { get; set; }

        /// <summary>Search folders, and the folders in them; what is no container is passed over.</summary>
        [JsonProperty("recursive", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Recursive { get; set; }

        /// <summary>Read more file names from LIST, one a line (- for standard input).</summary>
        [JsonProperty("files_from", NullValueHandling = NullValueHandling.Ignore)]
        public string FilesFrom { get; set; }

        /// <summary>Also write each file again, to nowhere, and compare every byte.</summary>
        [JsonProperty("roundtrip", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Roundtrip { get; set; }

        /// <summary>Also compare each pakdata.dat with the SpellForce archives in DIR: what is gone, new, or another one
        /// now.</summary>
        [JsonProperty("against", NullValueHandling = NullValueHandling.Ignore)]
        public string Against { get; set; }

        /// <summary>Also count the bytes that are understood, padding, or opaque.</summary>
        [JsonProperty("coverage", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Coverage { get; set; }

        /// <summary>List so many findings of one code in a file at the most; 0 lists all [default: 20, all with -v].</summary>
        [JsonProperty("max", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Max { get; set; }

        /// <summary>Form of a single document for all files, instead of lines. It is `sarif`.</summary>
        [JsonProperty("format", NullValueHandling = NullValueHandling.Ignore)]
        public string Format { get; set; }

        /// <summary>Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists
        /// them.</summary>
        [JsonProperty("generation", NullValueHandling = NullValueHandling.Ignore)]
        public string Generation { get; set; }

        /// <summary>Show asset kinds and payload types of packs by the names in this file: lines of an id and a name.</summary>
        [JsonProperty("types", NullValueHandling = NullValueHandling.Ignore)]
        public string Types { get; set; }

        /// <summary>Order by which one of several files of one path counts in a folder of SpellForce archives: number (the
        /// highest wins, as in the game) or editor (its list for each kind of file) [default: number].</summary>
        [JsonProperty("archive_order", NullValueHandling = NullValueHandling.Ignore)]
        public string ArchiveOrder { get; set; }

        /// <summary>Leave out what lies beside the archives of a folder.</summary>
        [JsonProperty("no_loose", NullValueHandling = NullValueHandling.Ignore)]
        public bool? NoLoose { get; set; }
    }

    /// <summary>A row of the verb: a file, or what an option asks for.</summary>
    public sealed class VerifyRow
    {
        /// <summary>The file.</summary>
        [JsonProperty("file", NullValueHandling = NullValueHandling.Ignore)]
        public string File { get; set; }

        /// <summary>Whether there are no errors.</summary>
        [JsonProperty("ok", NullValueHandling = NullValueHandling.Ignore)]
        public bool? Ok { get; set; }

        /// <summary>Findings; of a code that is found often, the first ones.</summary>
        [JsonProperty("findings", NullValueHandling = NullValueHandling.Ignore)]
        public List<Diagnostic> Findings { get; set; }

        /// <summary>Numbers of findings, by severity.</summary>
        [JsonProperty("counts", NullValueHandling = NullValueHandling.Ignore)]
        public Counts Counts { get; set; }

        /// <summary>How often each code was found, errors first.</summary>
        [JsonProperty("codes", NullValueHandling = NullValueHandling.Ignore)]
        public List<CodeCount> Codes { get; set; }

        /// <summary>Number of findings about what engines do not load of a sound file; none where it could not be opened.</summary>
        [JsonProperty("lost", NullValueHandling = NullValueHandling.Ignore)]
        public ulong? Lost { get; set; }

        /// <summary>Outcome of writing it again.</summary>
        [JsonProperty("roundtrip", NullValueHandling = NullValueHandling.Ignore)]
        public Roundtrip Roundtrip { get; set; }

        /// <summary>Numbers of its bytes, by whether they are understood.</summary>
        [JsonProperty("coverage", NullValueHandling = NullValueHandling.Ignore)]
        public Coverage Coverage { get; set; }

        [JsonProperty("$schema", NullValueHandling = NullValueHandling.Ignore)]
        public string Schema { get; set; }

        /// <summary>It is `2.1.0`.</summary>
        [JsonProperty("version", NullValueHandling = NullValueHandling.Ignore)]
        public string Version { get; set; }

        [JsonProperty("runs", NullValueHandling = NullValueHandling.Ignore)]
        public JArray Runs { get; set; }
    }
}
