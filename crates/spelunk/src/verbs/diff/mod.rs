//! Changes between two files, or between the files of two folders.

mod folders;

pub use folders::FileRow;

use super::{
    FileName, FileRef,
    input::Input,
    output::{Outcome, Output},
    request::{OutputOptions, as_text},
    run::{OpenFile, Run},
    session::{Held, Session, reading},
    writing::{self, OutputDestination},
};
use crate::{
    Collect, Error, Result, Revision, Source,
    compare::blocks::{self, Asset, Chunks, Count, Fate},
    compare::diff::{
        self,
        json::{ChangeRow, DifferenceForm, lines},
        stat::Stat,
    },
    compare::patch::AnyPatch,
    containers::pack::Origin,
    open::codes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufWriter, Seek, Write},
    sync::Arc,
};

/// Changes between two files of one format, or between the files of two folders
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The old file or folder, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "A"))]
    pub old: FileRef,
    /// The new file or folder, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "B"))]
    pub new: FileRef,
    /// Take the old file at this generation, counted from 1 (the oldest), or all of them merged
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|merged", conflicts_with = "patch"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub old_generation: Option<Revision>,
    /// Take the new file at this generation, counted from 1 (the oldest), or all of them merged
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|merged", conflicts_with = "patch"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub new_generation: Option<Revision>,
    /// Bytes that a store has to send of B to those who have A, block by block, instead of what changed
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = crate::core::text::size, num_args = 0..=1, default_missing_value = "1M",
        require_equals = true, conflicts_with_all = ["patch", "old_generation", "new_generation", "max_items"]))]
    pub blocks: Option<u64>,
    /// Numbers of changes, by the types of entries, instead of the changes
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "blocks"))]
    pub stat: bool,
    /// Number of changed items of each list to show; all are counted [default: 10]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNT"))]
    pub max_items: Option<usize>,
    /// Write what makes B of A, and A of B, as a patch
    #[cfg_attr(feature = "clap", arg(long, value_name = "OUT"))]
    pub patch: Option<FileName>,
    /// Rows for people: values as they read them beside the others
    #[cfg_attr(feature = "clap", arg(skip))]
    pub for_people: bool,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// A row of the verb: a change, or what an option asks for instead.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// The file as a whole, or an entry.
    Change(ChangeRow<'a>),
    /// Of two folders: a file that only one has, or that is no container.
    File(FileRow<'a>),
    /// With `stat`: how much changed.
    Stat(StatRow<'a>),
    /// With `patch`: the patch that was written.
    Patch(PatchRow<'a>),
    /// With `blocks`: what a store has to send.
    Blocks(BlocksRow<'a>),
    /// With `blocks`: an asset that is not as it was.
    BlockAsset(BlockAssetRow<'a>),
}

/// Number of changes of a type of entries, or of all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatRow<'a> {
    /// `stat`.
    #[schemars(extend("const" = "stat"))]
    pub change: &'static str,
    /// Of two folders: path of the file in them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// Type of the entries; null for all together.
    #[serde(rename = "type")]
    pub kind: Option<&'a str>,
    /// Numbers of changes, by their kinds.
    #[serde(flatten)]
    pub counts: Stat,
}

/// Bytes that a store has to send of the new file to those who have the old one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlocksRow<'a> {
    /// The old file.
    pub old: &'a str,
    /// The new file.
    pub new: &'a str,
    /// Size of the old file in bytes.
    pub old_size: u64,
    /// Size of the new file in bytes.
    pub new_size: u64,
    /// Size of a block in bytes.
    pub block_size: u64,
    /// Blocks that are the same in the same place.
    pub same_blocks: Count,
    /// Blocks that the old file has in another place.
    pub moved_blocks: Count,
    /// Blocks that the old file does not have.
    pub new_blocks: Count,
    /// Assets that are as they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_assets: Option<u64>,
    /// Numbers and bytes of all chunks, by what became of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<Chunks>,
}

/// An asset that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockAssetRow<'a> {
    /// Id of the asset.
    #[schemars(extend("format" = "uuid"))]
    pub asset_id: String,
    /// Path of the asset.
    pub path: &'a str,
    /// Change of the asset.
    #[schemars(extend("enum" = ["added", "removed", "changed", "moved"]))]
    pub change: &'static str,
    /// Fields that changed.
    pub fields: Vec<&'static str>,
    /// Numbers and bytes of its chunks, by what became of them.
    pub chunks: Chunks,
}

impl<'a> BlockAssetRow<'a> {
    fn of(asset: &'a Asset) -> BlockAssetRow<'a> {
        BlockAssetRow {
            asset_id: asset.id.to_string(),
            path: &asset.path,
            change: asset.fate.name(),
            fields: match &asset.fate {
                Fate::Changed(fields) => fields.names().collect(),
                _ => Vec::new(),
            },
            chunks: asset.chunks,
        }
    }
}

/// The row of a patch that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PatchRow<'a> {
    /// `patch`.
    #[schemars(extend("const" = "patch"))]
    pub change: &'static str,
    /// The file that was written.
    pub output: &'a str,
    /// Size of the patch in bytes.
    pub size: u64,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// Hands out a row for each entry that differs, with the fields that do, and writes a patch where one is wanted.
///
/// # Errors
/// Those of the output; [`BAD_REQUEST`](codes::BAD_REQUEST) for a patch of generations.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("diff", session, out);
    if let Some(both) = folders::both([&request.old, &request.new], &run) {
        if request.patch.is_some() || request.blocks.is_some() {
            let error = Error::new(&codes::BAD_REQUEST);
            return Err(error.expected("files, for a patch or for blocks").found("folders"));
        }
        let each = |[old, new]: [OpenFile<'_>; 2], file: &str, run: &mut Run<'_>| {
            compare(old, new, Some(file), request, run)
        };
        folders::run(both, &each, &mut run)?;
        return run.finish();
    }
    if let Some(block) = request.blocks {
        in_blocks(request, block, &mut run)?;
        return run.finish();
    }
    let of_generations = request.old_generation.is_some() || request.new_generation.is_some();
    if request.patch.is_some() && of_generations {
        let error = Error::new(&codes::BAD_REQUEST).expected("files as they are, for a patch");
        return Err(error.found("a generation"));
    }
    // Both are reported where neither can be opened.
    run.options.revision = request.old_generation;
    let mut old = run.open(&Input::named(&request.old))?;
    if matches!(&request.old, FileRef::Open(_)) && request.old == request.new {
        // Compared with itself, it is there once more.
        let own = |OpenFile { name, held }| {
            Ok::<_, Error>(OpenFile { name, held: Held::own(held.into_own()?) })
        };
        old = old.map(own).transpose()?;
    }
    run.options.revision = request.new_generation;
    let new = run.open(&Input::named(&request.new))?;
    let (Some(old), Some(new)) = (old, new) else { return run.finish() };
    compare(old, new, None, request, &mut run)?;
    run.finish()
}

/// Compares two files; of those of two folders `file` is their path in them.
fn compare(
    mut old: OpenFile<'_>,
    mut new: OpenFile<'_>,
    file: Option<&str>,
    request: &Request,
    run: &mut Run<'_>,
) -> Result<()> {
    let usual = diff::Options::default();
    let options = diff::Options { max_items: request.max_items.unwrap_or(usual.max_items) };
    let (a, b) = (old.held.get()?, new.held.get()?);
    let compared = diff::diff(a, b, &options);
    run.settle(&old.name, &a.take_findings());
    run.settle(&new.name, &b.take_findings());
    let found = match compared {
        Ok(found) => found,
        Err(error) => {
            run.failed(&new.name, error);
            return Ok(());
        }
    };
    let is_shown = match file {
        Some(_) => !found.is_empty(),
        None => !request.patch.as_ref().is_some_and(FileName::is_stream),
    };
    if is_shown {
        run.begin(file.unwrap_or(&new.name), file.is_some(), &[])?;
        if request.stat {
            let (types, sum) = diff::stat::stats(&found);
            let rows = types.iter().map(|(ty, stat)| (Some(*ty), stat)).chain([(None, &sum)]);
            rows.into_iter().try_for_each(|(kind, stat)| {
                run.row(&StatRow { change: "stat", file, kind, counts: *stat })
            })?;
        } else {
            let [old_pages, new_pages] = [a.code_pages(), b.code_pages()];
            let how = DifferenceForm {
                pages: [&old_pages, &new_pages],
                file,
                for_people: request.for_people,
            };
            for line in lines(&found, how) {
                // Whoever shows it to people has it as a value, and what is written is reported.
                let is_held = request.for_people || request.patch.is_some();
                let held = if is_held { line.held() } else { 0 };
                if let Err(error) = a.charge(held) {
                    run.failed(&new.name, error);
                    return Ok(());
                }
                run.row(&line)?;
                a.release(held);
            }
        }
        run.end()?;
    }
    let is_empty = found.is_empty();
    let is_stored_alike = a.has_bytes_of(b).ok().flatten().unwrap_or(true);
    drop(found);
    let sources = request.patch.as_ref().map(|target| (target, a.bytes_now(), b.bytes_now()));
    // Making a patch opens both files again and has all of the memory for that.
    drop((old.held, new.held));
    if let Some((target, old, new_bytes)) = sources {
        match old.and_then(|old| patch(&old, &new_bytes?, run)) {
            Ok(patch) => put(target, &patch, request, run)?,
            Err(error) => run.failed(&new.name, error),
        }
    }
    if !is_empty {
        run.found();
    } else if !is_stored_alike {
        let note = "the same content; how it is stored differs";
        match file {
            Some(file) => run.note(&format!("{file}: {note}")),
            None => run.note(note),
        }
    }
    Ok(())
}

/// Returns the patch that makes each of the files of the other.
fn patch(old: &Arc<dyn Source>, new: &Arc<dyn Source>, run: &Run<'_>) -> Result<AnyPatch> {
    let [old, new] = [old, new].map(|source| Origin { source, options: &run.options });
    AnyPatch::between(&old, &new)
}

/// Writes the patch and says so.
fn put(target: &FileName, patch: &AnyPatch, request: &Request, run: &mut Run<'_>) -> Result<()> {
    let (output, dry_run) = (target.to_string(), request.out.dry_run);
    let to = OutputDestination::new(target.clone(), &request.out);
    let made = writing::make(to, dry_run, run, |out| {
        let mut out = BufWriter::new(out);
        patch.write(&mut out)?;
        out.flush()?;
        Ok(out.stream_position()?)
    });
    let is_closed_pipe =
        |error: &Error| error.io_error().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe);
    match writing::committed(made, run) {
        Ok(size) => match target.is_stream() {
            true => Ok(()),
            false => run.row(&PatchRow { change: "patch", output: &output, size, dry_run }),
        },
        // Who read it has enough.
        Err(error) if target.is_stream() && is_closed_pipe(&error) => Ok(()),
        Err(error) => {
            run.failed(&output, error);
            Ok(())
        }
    }
}

/// Hands out what a store has to send of the new file, in blocks of `block` bytes.
fn in_blocks(request: &Request, block: u64, run: &mut Run<'_>) -> Result<()> {
    let names = [run.name(&request.old)?, run.name(&request.new)?];
    let mut sources = Vec::new();
    for (file, name) in [&request.old, &request.new].into_iter().zip(&names) {
        let source = match file {
            FileRef::Name(name) => run.files().open(name, reading(&run.options)),
            FileRef::Open(handle) => {
                run.session.lend(*handle).and_then(|mut held| held.get()?.bytes_now())
            }
        };
        match source {
            Ok(source) => sources.push(source),
            // Both are reported where neither can be read.
            Err(error) => run.unopened(name, error),
        }
    }
    let ([old, new], [old_name, file]) = (sources.as_slice(), names) else { return Ok(()) };
    let mut budget = run.options.budget(old.len().saturating_add(new.len()));
    let report = match blocks::compare(&**old, &**new, block, &mut budget) {
        Ok(report) => report,
        Err(error) => {
            run.failed(&file, error);
            return Ok(());
        }
    };
    let mut findings = Collect::default();
    let assets = blocks::assets(old.clone(), new.clone(), &run.options, &mut findings);
    run.settle(&file, &findings);
    let assets = assets.unwrap_or_else(|error| {
        run.failed(&file, error);
        None
    });
    if !report.is_same() {
        run.found();
    }
    run.row(&BlocksRow {
        old: &old_name,
        new: &file,
        old_size: report.old_size,
        new_size: report.new_size,
        block_size: report.block,
        same_blocks: report.same,
        moved_blocks: report.moved,
        new_blocks: report.new,
        same_assets: assets.as_ref().map(|assets| assets.same),
        chunks: assets.as_ref().map(|assets| assets.chunks),
    })?;
    let mut rows = assets.iter().flat_map(|assets| &assets.assets);
    rows.try_for_each(|asset| run.row(&BlockAssetRow::of(asset)))
}
