//! Several Virtools files as one.
//!
//! The objects of all files stand behind each other, in the order of the files. Where a name is there already,
//! [`Modes`] say what happens. Attributes and messages are united by their names, and what objects say of them follows.

use crate::{Error, Opened, Options, Result, codes};
use virtools::{
    File,
    runtime::{
        Joining,
        load::{Outcome, Report},
    },
};

pub use virtools::runtime::{Mode, Modes};

/// What became of the objects of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// New ones with their names; those to which a file before refers among them.
    pub created: usize,
    /// New ones with other names.
    pub renamed: usize,
    /// Those that took the place of ones of other files.
    pub replaced: usize,
    /// Those for which ones of other files are used.
    pub used: usize,
    /// Those to which the file only refers, and that another one has.
    pub resolved: usize,
    /// Those that were left out.
    pub skipped: usize,
}

impl Counts {
    /// All of them with their names, as JSON has them.
    pub const fn named(&self) -> [(&'static str, usize); 6] {
        let Counts { created, renamed, replaced, used, resolved, skipped } = *self;
        [
            ("created", created),
            ("renamed", renamed),
            ("replaced", replaced),
            ("used", used),
            ("resolved", resolved),
            ("skipped", skipped),
        ]
    }

    fn of(report: &Report) -> Counts {
        let mut counts = Counts::default();
        for entry in &report.entries {
            let count = match entry.outcome {
                Outcome::Created | Outcome::Awaited => &mut counts.created,
                Outcome::Renamed => &mut counts.renamed,
                Outcome::Replaced => &mut counts.replaced,
                Outcome::Used => &mut counts.used,
                Outcome::Resolved => &mut counts.resolved,
                Outcome::Skipped(_) => &mut counts.skipped,
            };
            *count = count.saturating_add(1);
        }
        counts
    }
}

/// Files that become one, one after the other.
#[derive(Debug, Default)]
pub struct Join {
    joining: Joining,
    /// Bytes of the files so far.
    size: u64,
}

impl Join {
    /// Begins with nothing. A mode that is `None` gives both objects the name.
    pub fn new(modes: Modes) -> Join {
        Join { joining: Joining::new(modes), size: 0 }
    }

    /// Adds a file, and tells what became of its objects; findings are kept by `opened`. When that fails, nothing was
    /// added.
    ///
    /// # Errors
    /// [`NO_JOIN`](codes::NO_JOIN) for files of other formats, [`OTHER_FORMAT`](codes::OTHER_FORMAT) behind one of the
    /// right format; those of [`Joining::add`].
    pub fn add(&mut self, opened: &mut Opened) -> Result<Counts> {
        let is_first = self.size == 0;
        let report = opened.run(|container, task| {
            let file = container.as_any().downcast_ref::<File>().ok_or_else(|| match is_first {
                true => Error::new(&codes::NO_JOIN).found(container.format()),
                false => {
                    Error::new(&codes::OTHER_FORMAT).expected("virtools").found(container.format())
                }
            })?;
            self.joining.add(file, task)
        })?;
        self.size = self.size.saturating_add(opened.container().size());
        Ok(Counts::of(&report))
    }

    /// The file, of the product of the first one. Where it is `lossy`, what holds references of which nothing is known
    /// is kept as it was, and told in the findings, instead of refused.
    ///
    /// # Errors
    /// Those of [`Joining::end`].
    pub fn end(self, lossy: bool, options: &Options) -> Result<Opened> {
        Opened::made(self.size, options, |task| Ok(Box::new(self.joining.end(lossy, task)?)))
    }
}
