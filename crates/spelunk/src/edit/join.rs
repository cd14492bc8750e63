//! Several Virtools files as one.
//!
//! The objects of all files stand behind each other, in the order of the files. Where a name is there already,
//! [`Modes`] say what happens, and [`Policies`] what is taken of them. Attributes and messages are united by their names,
//! and what objects say of them follows.

use crate::{
    Error, Opened, Options, Result,
    open::{codes, model},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use spelunk_core::text::CodePages;
use virtools::{
    class::GROUP,
    profile::PROFILE,
    runtime::{
        Joining, Load,
        load::{Outcome, Report, flags},
    },
};

pub use virtools::runtime::{Mode, Modes};

/// Part that is taken of the files behind the first one.
// To the command, documentation comments here would be help.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), allow(missing_docs))]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Only {
    #[cfg_attr(not(feature = "clap"), doc = "All but animations.")]
    Geometry,
    #[cfg_attr(
        not(feature = "clap"),
        doc = "Animations, which move what is there under the names of what they moved."
    )]
    Animations,
    #[cfg_attr(
        not(feature = "clap"),
        doc = "Behaviours, whose references lead nowhere but to them."
    )]
    Behaviors,
}

/// Policies by which files become one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Policies {
    /// Modes for names that are there already; where a mode is `None`, both objects have the name.
    pub modes: Modes,
    /// Part that is taken of the files behind the first one; all where it is `None`.
    pub only: Option<Only>,
    /// Name of the character that is made of the body parts and the animations of each file behind the first one
    /// that has none.
    pub character: Option<String>,
    /// Whether files are loaded as by engines: names are compared with those of the same file too, only the first level gets
    /// what it saved, and entries for which engines create nothing are left out.
    pub as_engines: bool,
}

impl From<Modes> for Policies {
    fn from(modes: Modes) -> Policies {
        Policies { modes, ..Policies::default() }
    }
}

impl Policies {
    /// The same for the runtime, with names in these code pages.
    fn load(&self, pages: &CodePages) -> Result<Load> {
        let mut load = Load::everything(Some(self.modes));
        match self.only {
            None => {}
            Some(Only::Geometry) => load.flags &= !flags::ANIMATION,
            Some(Only::Animations) => load.flags &= !flags::GEOMETRY,
            Some(Only::Behaviors) => load.flags |= flags::ONLY_BEHAVIORS,
        }
        if let Some(name) = &self.character {
            let refuse = || Error::new(&codes::core::NOT_ENCODED).found(name.clone());
            load.flags |= flags::AS_CHARACTER;
            load.character = Some(pages.encode(name).ok_or_else(refuse)?);
        }
        if self.as_engines {
            load = Load { compare_own: true, all_levels: false, keep_entries: false, ..load };
        }
        Ok(load)
    }
}

/// Numbers of the objects of a file, by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JoinCounts {
    /// New ones with their names; those to which a file before refers among them.
    pub created: usize,
    /// New ones with other names.
    pub renamed: usize,
    /// Groups among these, which games find by their names.
    pub renamed_groups: usize,
    /// Objects that took the place of ones of other files.
    pub replaced: usize,
    /// Objects for which ones of other files are used.
    pub used: usize,
    /// Objects to which the file only refers, and that another one has.
    pub resolved: usize,
    /// Objects that were left out.
    pub skipped: usize,
}

impl JoinCounts {
    fn of(report: &Report) -> JoinCounts {
        let mut counts = JoinCounts::default();
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
            let is_group = entry.outcome == Outcome::Renamed && entry.class_id == GROUP;
            counts.renamed_groups = counts.renamed_groups.saturating_add(usize::from(is_group));
        }
        counts
    }
}

/// Files that become one, one after the other.
#[derive(Debug, Default)]
pub struct Join {
    policies: Policies,
    /// `None` until the first file is there.
    joining: Option<Joining>,
    /// Bytes of the files so far.
    size: u64,
}

impl Join {
    /// Begins with nothing.
    pub fn new(policies: Policies) -> Join {
        Join { policies, ..Join::default() }
    }

    /// Adds a file, and returns what became of its objects; findings are kept by `opened`. When that fails, nothing was
    /// added.
    ///
    /// # Errors
    /// [`NO_JOIN`](codes::NO_JOIN) for files of other formats, [`OTHER_FORMAT`](codes::OTHER_FORMAT) behind one of the
    /// right format; [`NOT_ENCODED`](codes::core::NOT_ENCODED) for the name of a character that the code pages of the first
    /// file lack; those of [`Joining::add`].
    pub fn add(&mut self, opened: &mut Opened) -> Result<JoinCounts> {
        let is_first = self.size == 0;
        let joining = match self.joining.take() {
            Some(joining) => joining,
            None => Joining::new(self.policies.load(&opened.code_pages())?),
        };
        let joining = self.joining.insert(joining);
        let report = opened.run(|container, task| {
            let file = match is_first {
                true => model::virtools(container, &codes::NO_JOIN),
                false => model::virtools(container, &codes::OTHER_FORMAT)
                    .map_err(|error| error.expected(PROFILE.name)),
            };
            joining.add(file?, task)
        })?;
        self.size = self.size.saturating_add(opened.container().size());
        Ok(JoinCounts::of(&report))
    }

    /// The file, of the product of the first one. Where it is `lossy`, what holds references of which nothing is known
    /// is kept as it was, and reported in the findings, instead of refused.
    ///
    /// # Errors
    /// Those of [`Joining::end`].
    pub fn end(self, lossy: bool, options: &Options) -> Result<Opened> {
        let joining = self.joining.unwrap_or_default();
        Opened::made(self.size, options, |task| Ok(Box::new(joining.end(lossy, task)?)))
    }
}
