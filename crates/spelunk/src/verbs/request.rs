//! Parts of requests that several verbs have.

use super::handle::Handle;
use crate::{
    Error, Options, Result, Revision,
    containers::archives::{Mounting, Preference},
    core::folder::Links,
    core::replace::Existing,
    core::{source::Mapping, text::CodePages},
    entries::refs::Needs,
    open::files::FileName,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{ffi::OsString, num::NonZeroUsize};

/// Options for opening files in a [`Session`](super::Session), as programs write them; they are [`Options`] then. Limits are in bytes
/// for each file, and a factor for each packed section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SessionOptions {
    /// Whether the first damage is an error.
    pub strict: bool,
    /// Whether errors in files that can be read are no failures, and extensions of a format that are not known are passed over.
    pub lenient: bool,
    /// The memory limit.
    pub max_memory: Option<u64>,
    /// The expansion limit.
    pub max_ratio: Option<u32>,
    /// Code pages by their labels: `gbk,cp1252`.
    pub code_pages: Option<String>,
    /// The state to be seen of those that a file went through.
    #[serde(with = "as_text")]
    pub generation: Option<Revision>,
    /// How many threads may share the work of one call.
    pub threads: Option<NonZeroUsize>,
    /// Whether large files are read range by range, and not mapped.
    pub no_map: bool,
}

impl TryFrom<SessionOptions> for Options {
    type Error = Error;

    /// # Errors
    /// Those of [`CodePages::from_labels`].
    fn try_from(options: SessionOptions) -> Result<Options> {
        Ok(Options {
            strict: options.strict,
            lenient: options.lenient,
            max_memory: options.max_memory,
            max_ratio: options.max_ratio,
            pages: options.code_pages.as_deref().map(CodePages::from_labels).transpose()?,
            revision: options.generation,
            threads: options.threads,
            mapping: if options.no_map { Mapping::Never } else { Mapping::Large },
            ..Options::default()
        })
    }
}

/// A file of a request: its name, or a file that the session keeps open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FileRef {
    /// A file that the session has open, with what was changed in it.
    Open(Handle),
    /// A file that is opened for this.
    Name(FileName),
}

impl Default for FileRef {
    fn default() -> FileRef {
        FileRef::Name(FileName::default())
    }
}

impl<T: Into<OsString>> From<T> for FileRef {
    fn from(name: T) -> FileRef {
        FileRef::Name(name.into().into())
    }
}

impl From<Handle> for FileRef {
    fn from(handle: Handle) -> FileRef {
        FileRef::Open(handle)
    }
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "How a file is shown.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Shown {
    /// Show the file at this generation, counted from 1 (the oldest), or all of them merged; `info` lists them
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|merged"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub generation: Option<Revision>,
    /// Show asset kinds and payload types of packs by the names in this file: lines of an id and a name
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub types: Option<FileName>,
    /// Order by which one of several files of one path counts in a folder of SpellForce archives: number (the highest wins, as in
    /// the game) or editor (its list for each kind of file) [default: number]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ORDER"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub archive_order: Option<Preference>,
    /// Leave out what lies beside the archives of a folder
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_loose: bool,
}

impl Shown {
    /// Returns the options for opening folders of archives.
    pub fn mounting(&self) -> Mounting {
        Mounting { preference: self.archive_order.unwrap_or_default(), no_loose: self.no_loose }
    }
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "Any number of files, and folders that are searched.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct FileList {
    /// Files, folders with -r, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE", required_unless_present = "files_from"))]
    pub files: Vec<FileRef>,
    /// Search folders, and the folders in them; what is no container is passed over
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Read more file names from LIST, one a line (- for standard input)
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_from: Option<FileName>,
}

impl<T: Into<FileRef>> FromIterator<T> for FileList {
    fn from_iter<I: IntoIterator<Item = T>>(files: I) -> FileList {
        FileList { files: files.into_iter().map(Into::into).collect(), ..FileList::default() }
    }
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "What may happen to files that are written.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct OutputOptions {
    /// Replace files that exist
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
    /// Report what would be written and write nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub dry_run: bool,
    /// Follow links: write to what an output names that is one, and read what those found in folders name
    #[cfg_attr(feature = "clap", arg(long))]
    pub follow_links: bool,
}

impl OutputOptions {
    /// Returns whether files that exist are replaced or refused.
    pub fn existing(&self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Refuse }
    }

    /// Returns whether links in folders are followed or passed over.
    pub fn links(&self) -> Links {
        Links::followed(self.follow_links)
    }
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "Which dependencies of packs are followed.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Following {
    /// Leave out what assets of packs work without
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_optional: bool,
    /// Leave out what only tools want of packs
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_auxiliary: bool,
}

impl Following {
    /// Returns the choice of the references that count.
    pub const fn needs(self) -> Needs {
        Needs { optional: !self.no_optional, auxiliary: !self.no_auxiliary }
    }
}

/// Values as texts that are read again, for serde.
pub(super) mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::{fmt::Display, str::FromStr};

    pub(in super::super) fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => to.collect_str(value),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<T>, D::Error> {
        // A number is taken as its digits.
        let value = Option::<serde_json::Value>::deserialize(from)?;
        let text = match &value {
            None | Some(serde_json::Value::Null) => return Ok(None),
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        text.parse().map(Some).map_err(D::Error::custom)
    }
}
