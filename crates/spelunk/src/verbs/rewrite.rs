//! A file that is read whole and written again.

use super::{
    FileName, FileRef,
    input::Input,
    keeping::KeepOptions,
    output::{Outcome, Output},
    request::{OutputOptions, as_text},
    run::Run,
    session::Session,
    writing::{self, NoMore, Onto, OutputDestination, Writing},
};
use crate::{Convert, Result, WriteOptions, core::value::integer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Read everything and write it again: the same bytes, unless an option says otherwise
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to read, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "IN"))]
    pub file: FileRef,
    /// The file to write, or - for standard output
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "OUT", required_unless_present = "in_place", conflicts_with = "in_place")
    )]
    pub output: Option<FileName>,
    /// Inflate every packed part and pack it again, at the level that reproduces it
    #[cfg_attr(feature = "clap", arg(long))]
    pub recompress: bool,
    /// Replace IN itself, atomically
    #[cfg_attr(feature = "clap", arg(long))]
    pub in_place: bool,
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// The form in which it is written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub form: Form,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "The form of a file that is written.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Form {
    /// Write this version of the format
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub file_version: Option<u32>,
    /// Write in this mode: a number, or names from uncompressed, chunk-compressed, external-textures, viewer,
    /// compressed, separated by commas
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub write_mode: Option<WriteMode>,
    /// Pack every packed part at this level, 0 to 9
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=9)))]
    pub level: Option<u8>,
    /// Leave out the included files
    #[cfg_attr(feature = "clap", arg(long))]
    pub strip_included: bool,
    /// Leave out what the wanted version cannot hold, and report it, instead of refusing
    #[cfg_attr(feature = "clap", arg(long))]
    pub lossy: bool,
}

impl Form {
    /// Returns the conversion that these options ask for.
    fn convert(&self) -> Convert {
        Convert {
            version: self.file_version,
            mode: self.write_mode.map(|mode| mode.0),
            level: self.level,
            strip_included: self.strip_included,
            chunks: false,
            lossy: self.lossy,
        }
    }
}

/// A write mode of Virtools files: a number, or the names of its bits with commas between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteMode(pub u32);

impl fmt::Display for WriteMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for WriteMode {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<WriteMode, String> {
        if let Some(number) = integer(text).and_then(|number| u32::try_from(number).ok()) {
            return Ok(WriteMode(number));
        }
        let bits = text.split(',').try_fold(0, |bits, name| {
            let bit = match name {
                "uncompressed" => 0,
                "chunk-compressed" => 1,
                "external-textures" => 2,
                "viewer" => 4,
                "compressed" => 8,
                _ => {
                    return Err(format!(
                        "`{name}` is no write mode; say a number, or some of uncompressed, chunk-compressed, \
                         external-textures, viewer, compressed"
                    ));
                }
            };
            Ok(bits | bit)
        });
        bits.map(WriteMode)
    }
}

/// Reads a file whole and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("rewrite", request, session, out);
    rewrite(request, &mut run)?;
    run.finish()
}

fn rewrite(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let onto = Onto {
        output: request.output.as_ref(),
        in_place: request.in_place,
        keep: &request.keep,
        out: request.out,
    };
    let Some(target) = OutputDestination::over(&request.file, onto, run)? else { return Ok(()) };
    let Some(mut file) = run.open(&Input::named(&request.file))? else { return Ok(()) };
    if !writing::check(&file.name, file.held.get()?, run) {
        return Ok(());
    }
    let options = WriteOptions { recompress: request.recompress, convert: request.form.convert() };
    let writing = Writing { target, options, dry_run: request.out.dry_run };
    match writing::write(file, writing, run)? {
        Some(written) => written.report(NoMore {}, run),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_modes_have_names_and_numbers() {
        let mode = |text: &str| text.parse().map(|WriteMode(mode)| mode);
        assert_eq!(mode("uncompressed"), Ok(0));
        assert_eq!(mode("viewer,compressed"), Ok(12));
        assert_eq!(mode("9"), Ok(9));
        assert_eq!(mode("0x0000000c"), Ok(12));
        assert!(mode("packed").is_err() && mode("").is_err() && mode("viewer,").is_err());
    }
}
