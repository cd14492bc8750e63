//! Parts of requests that several verbs have.

use super::files::FileName;
use crate::{
    Revision,
    archives::{Mounting, Preference},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Which of several files of one path counts in a folder of SpellForce archives: number (the highest wins, as in the
    /// game) or editor (its list for each kind of file) [default: number]
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
    /// How folders of archives are opened.
    pub fn mounting(&self) -> Mounting {
        Mounting { preference: self.archive_order.unwrap_or_default(), no_loose: self.no_loose }
    }
}

/// What has a text that is read again, as that text.
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
