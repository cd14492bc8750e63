//! The written specification's own layouts (`docs/formats/spec.md`): the dialect `spec`.
//!
//! No game writes such files. Where the specification tells a whole layout that no real file has, files of that layout are
//! read, checked and written back as what they are, and never taken for real ones. The readers here share with those of real
//! files what any reader needs, and no layout.
//!
//! * [`Kind`]: the kinds of chunk files, whose form is [`Form`](crate::cff::Form), and the map chunks that are described;
//! * [`pak`]: archives with their index at the end;

pub mod pak;

mod entry;
mod kind;

pub use kind::{CATEGORIES, Entity, HeightsHead, Kind, LayerHead};
pub(crate) use kind::{HEIGHT, check, map_size, place_of_height, walk_heights};

/// Name of the dialect.
pub const DIALECT: &str = "spec";

/// What the readers were checked on.
pub(crate) const EVIDENCE: &str = "synthetic";

crate::fields::fields! {
    EVIDENCE_FIELD: "evidence" Str "What the reader was checked on: `synthetic`, as no program writes such files.";
}

/// What a path that is asked for finds among those that are there: those that are equal, else those that differ in the case
/// of their letters.
#[derive(Default)]
struct Matches<'p> {
    path: &'p str,
    lower: String,
    exact: Vec<spelunk_core::Node>,
    alike: Vec<spelunk_core::Node>,
}

impl<'p> Matches<'p> {
    fn of(path: &'p str) -> Matches<'p> {
        Matches { path, lower: path.to_lowercase(), ..Matches::default() }
    }

    fn see(&mut self, path: &str, node: spelunk_core::Node) {
        if path == self.path {
            self.exact.push(node);
        } else if path.to_lowercase() == self.lower {
            self.alike.push(node);
        }
    }

    fn found(self) -> Vec<spelunk_core::Node> {
        if self.exact.is_empty() { self.alike } else { self.exact }
    }
}

fn not_found() -> spelunk_core::Error {
    spelunk_core::Error::new(&spelunk_core::codes::NOT_FOUND)
}
