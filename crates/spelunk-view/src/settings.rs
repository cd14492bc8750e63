//! What is asked of the server.

use spelunk::verbs::FileName;
use std::time::Duration;

/// Options of the server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The file or the folder that is looked at.
    pub subject: FileName,
    /// The port; any that is free, where there is none.
    pub port: Option<u16>,
    /// Whether nothing is written but to the temporary folder.
    pub is_read_only: bool,
    /// Time without a request and without a running call after which the server ends.
    pub idle: Option<Duration>,
}
