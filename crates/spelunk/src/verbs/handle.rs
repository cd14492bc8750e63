//! Handles of files that a session keeps open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file that a session keeps open.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Handle(pub(super) u64);
