//! Files as they are seen before they are read.

use crate::sent;
use serde::{Deserialize, Serialize};
use spelunk::{
    Options,
    verbs::{FileName, Files, Reading},
};
use std::time::{SystemTime, UNIX_EPOCH};

/// A file that there is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CatalogFile {
    #[serde(with = "sent::file_name")]
    pub(crate) file: FileName,
    pub(crate) name: String,
    /// Bytes; nothing where the size is unknown.
    pub(crate) size: Option<u64>,
    /// Microseconds since 1970.
    pub(crate) modified: Option<i64>,
}

impl CatalogFile {
    pub(crate) fn new(files: &dyn Files, file: FileName, name: String) -> CatalogFile {
        let size = files.len(&file).filter(|_| !files.is_folder(&file));
        let modified = size.and_then(|_| files.modified(&file)).and_then(micros);
        CatalogFile { file, name, size, modified }
    }
}

/// Returns the options for reading files.
pub(crate) fn how(options: &Options) -> Reading {
    Reading { mapping: options.mapping, ..Reading::default() }
}

fn micros(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).ok(),
        Err(before) => i64::try_from(before.duration().as_micros()).ok()?.checked_neg(),
    }
}
