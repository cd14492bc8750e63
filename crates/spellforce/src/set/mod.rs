//! The archives of a game as one tree (`docs/formats/pak.md#8-sets-of-archives`).
//!
//! A set is a list of archives and of loose files, and nothing else until something is asked for: look-ups ask one archive
//! after the other by bisection. Everything at once (listings, folders, what hides what) is one sorted list, made when it is
//! first wanted.

mod compare;
mod container;
pub(crate) mod details;
mod kinds;
mod layers;
mod listing;
mod place;
mod view;

pub use compare::{Copies, Differ, compare};
pub use kinds::{FilePurpose, Preference};
pub use layers::{Loose, Mounted, Set, UnreadArchive, number};
pub use place::LayerPosition;
pub use view::{Group, View};
