//! Several packs, or the archives of a folder, as a game mounts them.

use super::{
    FileName, FileRef,
    input::Input,
    mounted::Mounted,
    output::{Outcome, Output},
    request::Shown,
    run::Run,
    session::{Session, reading},
};
use crate::{Error, Result, Seg, archives, codes, overlay::Overlay, select::Select};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Several packs, or the archives of a folder, as a game mounts them: which one provides each entry
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The packs in the order in which they are mounted, the later ones over the earlier; or one folder of SpellForce
    /// archives
    #[cfg_attr(feature = "clap", arg(value_name = "[PREFIX=]PACK|DIR", required = true))]
    pub packs: Vec<Mounted>,
    /// Only assets that match this; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub only: Vec<String>,
    /// What each name means to a game that prefers these variants, in this order
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "VARIANT,...", value_delimiter = ',', conflicts_with = "conflicts")
    )]
    pub prefer: Option<Vec<String>>,
    /// Only what contradicts: one id with different content or names, one name with different ids, one path with files
    /// that differ
    #[cfg_attr(feature = "clap", arg(long))]
    pub conflicts: bool,
    /// Only the paths of LIST, a pakdata.dat or a text with a path a line, that no archive of the folder has, nor a loose file
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with_all = ["only", "prefer", "conflicts"]))]
    pub missing: Option<FileName>,
    /// How the files are shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// A path that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing<'a> {
    /// The path.
    pub missing: &'a str,
}

/// Hands out a row for each entry that counts, what each name means, what contradicts, or what is missing.
///
/// # Errors
/// Those of the output, and of what the request names beside the packs; [`ONLY_PACKS`](codes::ONLY_PACKS).
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("overlay", session, out);
    run.show(&request.shown)?;
    let select = Select::new(&request.only, &[])?;
    if let [only] = request.packs.as_slice() {
        let (_, file) = only.parts(session.files());
        let name = match &file {
            FileRef::Name(name) => name.clone(),
            FileRef::Open(handle) => session.name_of(*handle)?,
        };
        if session.files().is_folder(&name) {
            folder(&file, request, &select, &mut run)?;
            return run.finish();
        }
    }
    if let Some(list) = &request.missing {
        run.failed(&list.to_string(), Error::new(&codes::ONLY_ARCHIVES).found("packs"));
        return run.finish();
    }
    let Some(layers) = run.mount(&request.packs)? else { return run.finish() };
    let mut overlay = Overlay::new(layers, &run.options)?;
    let mut rows = 0_u64;
    let mut count = || rows = rows.saturating_add(1);
    let told = if let Some(variants) = &request.prefer {
        overlay.choices(&preferences(variants), &select, &mut |choice| {
            count();
            run.row(&choice.json())
        })
    } else if request.conflicts {
        overlay.conflicts(&select, &mut |clash| {
            count();
            run.row(&clash.json())
        })
    } else {
        overlay.assets(&select, &mut |row| {
            count();
            run.row(&row.json())
        })
    };
    match (rows, request.conflicts) {
        (0, true) => run.note("no conflicts"),
        (0, false) => run.note("no asset matches"),
        (_, true) => run.found(),
        _ => {}
    }
    run.settle("overlay", overlay.findings());
    told?;
    run.finish()
}

/// The archives of a folder: which one provides each path, and which ones it hides.
fn folder(file: &FileRef, request: &Request, select: &Select, run: &mut Run<'_>) -> Result<()> {
    let Some(mut file) = run.open(&Input::named(file))? else { return Ok(()) };
    let opened = file.held.get()?;
    let mut rows = 0_u64;
    let mut count = || rows = rows.saturating_add(1);
    let told = if let Some(list) = &request.missing {
        let options = run.options.clone();
        let source = run.session.files().open(list, reading(&options));
        let source = source.map_err(|error| error.within(Seg::Key(list.to_string().into())))?;
        archives::missing(opened, source, &options, &mut |path| {
            count();
            run.row(&Missing { missing: path })
        })
    } else {
        let wanted = |path: &str| select.matches(path, "file", "");
        archives::rows(opened, request.conflicts, wanted, &mut |row| {
            count();
            run.row(&row.json())
        })
    };
    if (request.conflicts || request.missing.is_some()) && rows > 0 {
        run.found();
    }
    run.settle(&file.name, &opened.take_findings());
    if let Err(error) = told {
        if error.io_error().is_some() {
            return Err(error);
        }
        run.failed(&file.name, error);
    } else if rows == 0 {
        run.note(match (request.conflicts, &request.missing) {
            (true, _) => "no conflicts",
            (_, Some(_)) => "nothing is missing",
            _ => "no file matches",
        });
    }
    Ok(())
}

/// The variants in their order; an empty one is none, and comes last where it is not named.
fn preferences(variants: &[String]) -> Vec<Option<Vec<u8>>> {
    let some = |text: &String| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    let mut wanted: Vec<_> = variants.iter().map(some).collect();
    if !wanted.contains(&None) {
        wanted.push(None);
    }
    wanted
}
