//! Other values for fields of entries.

use super::{
    FileName,
    destination::Destination,
    edit::{edited, lines, matching, with_files},
    listing::ManyFiles,
    output::{Outcome, Output},
    run::{Run, bad_path},
    session::Session,
    writing::NoMore,
};
use crate::{
    Opened, Result, Val,
    edit::batch::{Batch, PlaceSet},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{convert::Infallible, str::FromStr};

/// Change fields of entries
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to change, and where the changed one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// Path of an entry or a glob, a slash, path of a field, and its new value. All paths mean FILE as it is, and all changes are
    /// made or none
    #[cfg_attr(feature = "clap", arg(value_name = "PATH=VALUE", required_unless_present = "from"))]
    pub changes: Vec<FieldChange>,
    /// Change each file of the folder FILE and of the folders in it; those that have nothing of what is named stay as they are
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Read more changes, one PATH=VALUE on each line, or - for standard input
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub from: Option<FileName>,
    /// Move along what stands below an entity whose position or axes are set
    #[cfg_attr(feature = "clap", arg(long))]
    pub with_children: bool,
}

/// New value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FieldChange {
    /// `PATH=VALUE`: the path of an entry, a slash, the path of a field, and its value as people write it.
    Text(String),
    /// The same in parts, which may hold slashes and equals signs.
    Parts {
        /// The path of the entry.
        entry: String,
        /// The path of the field.
        field: String,
        /// New value as people write it.
        value: String,
    },
}

impl FromStr for FieldChange {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<FieldChange, Infallible> {
        Ok(FieldChange::Text(text.to_owned()))
    }
}

impl FieldChange {
    /// The entry, the field and the value.
    fn parts(&self) -> Result<[&str; 3]> {
        match self {
            FieldChange::Parts { entry, field, value } => Ok([entry, field, value]),
            FieldChange::Text(text) => parts(text),
        }
    }
}

/// The entry, the field and the value of `PATH=VALUE`.
fn parts(text: &str) -> Result<[&str; 3]> {
    let (path, value) = text.split_once('=').ok_or_else(|| bad_path("PATH=VALUE", text))?;
    let expected = "the path of an entry, a slash and the path of a field";
    let (entry, field) = path.rsplit_once('/').ok_or_else(|| bad_path(expected, path))?;
    Ok([entry, field, value])
}

/// Sets fields of a file, all of them or none, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("set", request, session, out);
    let Some(listed) = lines(request.from.as_ref(), &request.to, &mut run) else {
        return run.finish();
    };
    let many = ManyFiles {
        is_recursive: request.recursive,
        from: None,
        links: request.to.out.links(),
        is_to_folder: request.to.output.is_some(),
    };
    with_files(&request.to, &many, &mut run, |file, opened, run| {
        let given = request.changes.iter().map(|change| (file, change.parts()));
        let listed = listed.iter().map(|line| (line.of.as_str(), parts(&line.text)));
        let mut batch = Batch::new();
        for (of, parts) in given.chain(listed) {
            let [entry, field, value] = match parts {
                Ok(parts) => parts,
                Err(error) => {
                    run.failed(of, error);
                    return Ok(None);
                }
            };
            if of == file && is_whole_entry(opened, entry, field) {
                let expected = format!("a field behind it, as `{entry}/{field}/FIELD=VALUE`");
                run.failed(file, bad_path(expected, &format!("{entry}/{field}")));
                return Ok(None);
            }
            let Some(entries) = matching(file, opened, entry, run) else { return Ok(None) };
            for entry in entries {
                let value = Val::from(value.to_owned());
                batch = match request.with_children {
                    true => batch.set_with_children(entry, field, value),
                    false => batch.set(entry, field, value),
                };
            }
        }
        Ok(make(file, opened, &batch, run).then_some(NoMore {}))
    })?;
    run.finish()
}

/// Whether what should end in a field is the path of an entry.
fn is_whole_entry(opened: &mut Opened, entry: &str, field: &str) -> bool {
    let pages = opened.code_pages();
    let path = format!("{entry}/{field}");
    let found = |path: &str, opened: &mut Opened| {
        let found = opened.run_silent(|container, task| container.find(path, &pages, task));
        found.is_ok_and(|found| !found.is_empty())
    };
    !found(entry, opened) && found(&path, opened)
}

/// Sets the fields of a batch, and says what of it moved along with entities or stayed behind. Returns whether they are set; what
/// goes wrong is reported and counted.
pub(super) fn make(file: &str, opened: &mut Opened, batch: &Batch, run: &mut Run<'_>) -> bool {
    let Some(outcome) = edited(file, opened, batch, run) else { return false };
    for PlaceSet { entry, moved, left_behind } in &outcome.places {
        if *moved > 0 {
            run.note(&format!("{file}: {entry}: {} moved along", below(*moved)));
        }
        if *left_behind > 0 {
            run.note(&format!(
                "{file}: {entry}: {} stay where they are (--with-children moves them along)",
                below(*left_behind)
            ));
        }
    }
    true
}

/// Entries below another one, as a message counts them.
fn below(count: u64) -> String {
    match count {
        1 => "1 entry below".to_owned(),
        count => format!("{count} entries below"),
    }
}
