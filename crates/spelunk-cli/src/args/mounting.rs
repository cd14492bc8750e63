//! The command line of packs that are mounted.

use clap::Args;
use spelunk::refs::Needs;
pub use spelunk::verbs::Mounted;

// Which dependencies of packs are followed.
#[derive(Args, Debug, Clone, Copy)]
pub struct Following {
    /// Leave out what assets of packs work without
    #[arg(long)]
    pub no_optional: bool,
    /// Leave out what only tools want of packs
    #[arg(long)]
    pub no_auxiliary: bool,
}

impl Following {
    /// The same for the library.
    pub const fn needs(self) -> Needs {
        Needs { optional: !self.no_optional, auxiliary: !self.no_auxiliary }
    }
}
