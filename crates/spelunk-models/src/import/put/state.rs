//! State of an import into a file.

use super::{files::ImageFiles, names::ObjectNames};
use crate::import::options::{Options, Policies, Report};
use spelunk_core::{Task, text::CodePages};
use std::collections::BTreeSet;
use virtools::File;

/// Result of an import.
#[derive(Default)]
pub(in crate::import) struct ImportOutcome {
    pub report: Report,
    pub files: ImageFiles,
}

/// A model on its way into a file.
pub(in crate::import) struct Put<'a, 't> {
    pub file: &'a mut File,
    pub options: &'a Options,
    pub task: &'a mut Task<'t>,
    pub done: ImportOutcome,
    pub(super) pages: &'a CodePages,
    pub(super) policies: Policies,
    pub(super) names: ObjectNames,
    pub(super) textures: Vec<u32>,
    pub(super) materials: Vec<u32>,
    /// The meshes of each shape.
    pub(super) meshes: Vec<Vec<u32>>,
    /// The entity of each one, and those that hold further parts of its mesh.
    pub(super) entities: Vec<(u32, Vec<u32>)>,
    /// All entities of the model.
    pub(super) imported: BTreeSet<u32>,
}

/// Treatment of an object of the model.
pub(super) enum ObjectPlacement {
    /// A new object, or one whose place is taken.
    Write(u32),
    /// The one that is there is used.
    Keep(u32),
}
