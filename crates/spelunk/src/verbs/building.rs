//! Parts that the verbs share that build, grow, shrink and mend packs: their options, and the writing.

use super::{
    FileName,
    destination::Destination,
    run::Run,
    writing::{self, Waiting},
};
use crate::{
    Collect, Error, Result,
    containers::pack::rules::Rules,
    containers::packs,
    open::codes,
    open::files::content::reading_error,
    open::json::{self, Diagnostic},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "Which readers packs are for.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct ReaderOptions {
    /// Readers that are to open it: v5, v4 (no dependencies) or compat (the first ones too)
    #[cfg_attr(feature = "clap", arg(long, value_name = "READERS", default_value = "v5"))]
    pub target: Readers,
    /// Bytes that a payload has at the most, packed or not: 1000000000 for readers of the specification [default: 8G]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE", value_parser = crate::core::text::size))]
    #[schemars(range(min = 1, max = 8_589_934_592_u64))]
    pub block_limit: Option<u64>,
}

/// Readers that open a pack.
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
    /// Returns the options for packs that these readers open.
    ///
    /// # Errors
    /// [`BAD_REQUEST`](codes::BAD_REQUEST) for a limit that is none.
    pub(super) fn options(self, run: &Run<'_>) -> Result<packs::Options> {
        let most = snpak::chunk::MAX_SIZE;
        if self.block_limit.is_some_and(|limit| !(1..=most).contains(&limit)) {
            let error = Error::new(&codes::BAD_REQUEST);
            return Err(error
                .expected(format!("a `block_limit` of 1 to {most} bytes"))
                .found(self.block_limit.unwrap_or_default()));
        }
        let target = match self.target {
            Readers::V5 => packs::Target::V5,
            Readers::V4 => packs::Target::V4,
            Readers::Compat => packs::Target::Compat,
        };
        let ReaderOptions { block_limit, .. } = self;
        Ok(packs::Options { target, threads: run.options.threads, block_limit })
    }
}

/// The row of a verb that made another pack of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RemadeRow<'a, M> {
    /// The pack that was read.
    pub file: &'a str,
    /// The pack that was written.
    pub output: String,
    /// Further fields of the verb.
    #[serde(flatten)]
    pub more: M,
    /// Size of the new pack in bytes.
    pub size: u64,
    /// Findings: errors, warnings and notes.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// Lets a pack take its place that was made of `file`, and reports findings, and a row with the size and what `more` gives.
pub(super) fn report<T, M: Serialize>(
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
    if !writing::has_row(output, to.out.dry_run) {
        return Ok(());
    }
    let diagnostics = findings.findings.iter().map(json::finding).collect();
    let (output, dry_run) = (output.to_string(), to.out.dry_run);
    run.row(&RemadeRow { file, output, more, size, diagnostics, dry_run })
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "How files become assets.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct RuleOptions {
    /// Packing of payloads: none, lz4, zstd, lz4hc, zstd-fast with :fast, :high or :max, or their content (texture,
    /// mesh, audio, packed, critical); repeatable, the last rule that matches counts [default: by extension, zstd where
    /// that says nothing, and plain where packing does not help]
    #[cfg_attr(feature = "clap", arg(long, value_name = "[GLOB=]CODEC"))]
    pub compress: Vec<String>,
    /// Store payloads plain where packing makes them no smaller
    #[cfg_attr(feature = "clap", arg(long))]
    pub only_if_smaller: bool,
    /// Loader that assets are for: an id, a name (Texture) or NAMESPACE:NAME; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "[GLOB=]TYPE"))]
    pub kind: Vec<String>,
    /// Type of payloads, called as a kind is; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "[GLOB=]TYPE"))]
    pub payload_type: Vec<String>,
    /// Names of types, beside those that are known: an id, blanks and a name on each line
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub types: Option<FileName>,
    /// Ids of assets that are given none: v5 (made of their names) or v4 (random)
    #[cfg_attr(feature = "clap", arg(long, value_name = "VERSION", default_value = "v5"))]
    pub uuid: IdVersion,
}

/// Versions of the ids of new assets.
// To the command, documentation comments at its values would be help.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum IdVersion {
    #[cfg_attr(not(feature = "clap"), doc = "Made of the name of the asset: the same each time.")]
    #[default]
    V5,
    #[cfg_attr(not(feature = "clap"), doc = "Random: others each time.")]
    V4,
}

impl RuleOptions {
    /// The rules, where there are any.
    pub(super) fn rules(&self, run: &Run<'_>) -> Result<Option<Rules>> {
        // Names alone say nothing of a file.
        if (RuleOptions { types: None, ..self.clone() }) == RuleOptions::default() {
            return Ok(None);
        }
        let mut rules = Rules::default();
        if let Some(types) = &self.types {
            rules.names = run.type_names(types)?;
        }
        rules.random_ids = self.uuid == IdVersion::V4;
        rules.only_if_smaller = self.only_if_smaller;
        self.compress.iter().try_for_each(|rule| rules.codec(rule))?;
        self.kind.iter().try_for_each(|rule| rules.kind(rule))?;
        self.payload_type.iter().try_for_each(|rule| rules.payload_type(rule))?;
        Ok(Some(rules))
    }
}

/// The text of a list of files.
pub(super) fn list_text(list: &FileName, run: &Run<'_>) -> Result<String> {
    let bytes = run.read(list).map_err(|error| reading_error(list, error))?;
    String::from_utf8(bytes.to_vec()).map_err(|_| {
        let wrong =
            io::Error::new(io::ErrorKind::InvalidData, "stream did not contain valid UTF-8");
        reading_error(list, Error::io(wrong))
    })
}
