//! How packs are written: what the verbs that build, grow, shrink and mend them share.

use super::{
    edit::Destination,
    files::FileName,
    run::Run,
    writing::{self, Waiting},
};
use crate::{Collect, Result, json, packs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "Which readers packs are for.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct ReaderOptions {
    /// Which readers are to open it: v5, v4 (no dependencies) or compat (the first ones too)
    #[cfg_attr(feature = "clap", arg(long, value_name = "READERS", default_value = "v5"))]
    pub target: Readers,
}

/// Which readers open a pack.
// To the command, documentation comments at its values would be help.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Readers {
    #[cfg_attr(not(feature = "clap"), doc = "The newest ones.")]
    #[default]
    V5,
    #[cfg_attr(not(feature = "clap"), doc = "Those that know no dependencies.")]
    V4,
    #[cfg_attr(not(feature = "clap"), doc = "The first ones too.")]
    Compat,
}

impl ReaderOptions {
    /// How packs are written for these readers.
    pub(super) fn options(self, run: &Run<'_>) -> packs::Options {
        let target = match self.target {
            Readers::V5 => packs::Target::V5,
            Readers::V4 => packs::Target::V4,
            Readers::Compat => packs::Target::Compat,
        };
        packs::Options { target, threads: run.options.threads, ..packs::Options::default() }
    }
}

/// The row of a verb that made another pack of one.
#[derive(Serialize)]
struct Row<'a, M> {
    file: &'a str,
    output: String,
    #[serde(flatten)]
    more: M,
    size: u64,
    diagnostics: Vec<Value>,
    dry_run: bool,
}

/// Lets a pack take its place that was made of `file`, and tells it: findings, and a row with the size and what `more` gives.
pub(super) fn tell<T, M: Serialize>(
    file: &str,
    to: (&Destination, &FileName),
    findings: &Collect,
    made: Result<(T, Waiting)>,
    more: impl FnOnce(T) -> (u64, M),
    run: &mut Run<'_>,
) -> Result<()> {
    let (to, output) = to;
    let made = writing::committed(made, run);
    run.settle(file, findings);
    let (size, more) = match made {
        Ok(made) => more(made),
        Err(error) => return writing::refused(file, output, error, run),
    };
    if output.is_stream() {
        return Ok(());
    }
    let diagnostics = findings.findings.iter().map(json::finding).collect();
    let (output, dry_run) = (output.to_string(), to.out.dry_run);
    run.row(&Row { file, output, more, size, diagnostics, dry_run })
}
