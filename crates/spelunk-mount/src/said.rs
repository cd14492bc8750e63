//! What is said of files while they are mounted.

use spelunk::{Error, Finding};

/// Takes what is said of files while they are mounted, from any thread: whoever reads them learns no more than that there is an error.
pub trait Said: Send + Sync + 'static {
    /// Takes what was noticed of a container.
    fn found(&self, file: &str, finding: &Finding);

    /// Takes why a container cannot be opened, or a file in it cannot be read.
    fn failed(&self, file: &str, error: &Error);
}

/// Nobody who takes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Said for Silent {
    fn found(&self, _: &str, _: &Finding) {}

    fn failed(&self, _: &str, _: &Error) {}
}
