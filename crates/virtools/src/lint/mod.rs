//! Rules about what games do not like although the bytes are sound (`spelunk lint`), and mending what is safe.
//!
//! One file for each group of rules; the comment of [`codes`] says which numbers belong to which. A rule is a code there, an item of
//! [`RULES`], and a function that its file calls. Their tests are with those of the verb, `crates/spelunk/tests/suite/lint*.rs`,
//! as they read files as the verb does. Rules go by typed values, by the [scene](crate::scene) and by what refers to what,
//! which is put together once. Each rule has a code, and [`RULES`] says which ones [`fix`](fix::fix) mends.

mod ballance;
pub mod codes;
mod elements;
mod facts;
mod files;
pub mod fix;
mod geometry;
mod loading;
mod looks;
mod names;
mod out;
mod pictures;
mod pixels;
mod plugins;
mod redirect;
mod references;
mod sectors;

pub use facts::sector_number;
pub use files::IsThere;
pub use spelunk_core::lint::{Rule, Selection};

use crate::file::File;
use facts::Facts;
use out::FileLintSink;
use spelunk_core::{Result, Severity, Task, text::CodePages};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::mended(&codes::UNUSED, Severity::Info, "removes the object, with `--remove-unused`"),
    Rule::mended(
        &codes::DUPLICATE,
        Severity::Info,
        "keeps one of those that have one name; with `--merge-names` one of all",
    ),
    Rule::reported(&codes::MISSING_FILE, Severity::Warning),
    Rule::mended(&codes::ISOLATED_VERTICES, Severity::Warning, "removes them"),
    Rule::mended(&codes::DEGENERATE_FACES, Severity::Info, "drops the faces"),
    Rule::mended(&codes::FACE_VERTICES, Severity::Error, "drops the faces"),
    Rule::mended(&codes::FACE_SLOTS, Severity::Error, "gives the faces the first slot"),
    Rule::reported(&codes::COLLINEAR_FACES, Severity::Info),
    Rule::reported(&codes::SCALED, Severity::Warning),
    Rule::reported(&codes::NO_MESH, Severity::Error),
    Rule::reported(&codes::SEVERAL_PHYSICS, Severity::Warning),
    Rule::reported(&codes::SECTOR_COUNT, Severity::Error),
    Rule::reported(&codes::SECTOR_GAP, Severity::Error),
    Rule::reported(&codes::LEVEL_START, Severity::Error),
    Rule::reported(&codes::LEVEL_END, Severity::Error),
    Rule::reported(&codes::RESET_POINTS, Severity::Error),
    Rule::reported(&codes::CHECKPOINTS, Severity::Error),
    Rule::reported(&codes::NUMBERING, Severity::Warning),
    Rule::reported(&codes::WRONG_GROUP, Severity::Warning),
    Rule::reported(&codes::NO_SECTOR, Severity::Warning),
    Rule::reported(&codes::SEVERAL_SECTORS, Severity::Warning),
    Rule::reported(&codes::RAILS, Severity::Warning),
    Rule::reported(&codes::STOPPER_SOUND, Severity::Warning),
    Rule::reported(&codes::SHARED, Severity::Warning),
    Rule::reported(&codes::SAME_NAME, Severity::Warning),
    Rule::reported(&codes::NOT_IN_CODE_PAGE, Severity::Warning),
    Rule::reported(&codes::CONTROL_BYTES, Severity::Warning),
    Rule::reported(&codes::UNLISTED_BLOCK, Severity::Warning),
    Rule::mended(&codes::SAVE_OPTION, Severity::Info, "sets the global setting"),
    Rule::reported(&codes::NO_PICTURE, Severity::Warning),
    Rule::reported(&codes::PIXEL_FORMAT, Severity::Info),
    Rule::reported(&codes::LIGHT, Severity::Warning),
    Rule::reported(&codes::CAMERA, Severity::Info),
    Rule::reported(&codes::LIGHT_CONE, Severity::Warning),
    Rule::reported(&codes::FLAT_AXES, Severity::Error),
    Rule::reported(&codes::TWICE_IN_GROUP, Severity::Warning),
    Rule::reported(&codes::OUTSIDE, Severity::Error),
    Rule::reported(&crate::codes::PARENTS, Severity::Error),
    Rule::reported(&crate::codes::NO_DATA, Severity::Error),
    Rule::reported(&crate::codes::NEVER_FOUND, Severity::Error),
    Rule::reported(&crate::codes::READ_AS_NULL, Severity::Error),
    Rule::reported(&crate::codes::UNCOUNTED, Severity::Error),
    Rule::reported(&crate::codes::UNSEEN_PICTURE, Severity::Error),
];

/// Applies the rules to a file. Findings go to the sink of the task. Whether external files are there is for `is_there`
/// to find; without it they are not looked for.
///
/// # Errors
/// When Data cannot be read; limits; what the sink makes of a finding.
pub fn lint(
    file: &File,
    selection: &Selection,
    pages: &CodePages,
    is_there: Option<IsThere<'_>>,
    task: &mut Task<'_>,
) -> Result<()> {
    let facts = Facts::of(file, task)?;
    let mut out = FileLintSink { file, selection, pages, task };
    references::unused(&facts, &mut out)?;
    references::duplicates(&facts, &mut out)?;
    if let Some(is_there) = is_there {
        files::missing(&facts, is_there, &mut out)?;
    }
    geometry::meshes(&facts, &mut out)?;
    loading::loading(&facts, &mut out)?;
    ballance::physics(&facts, &mut out)?;
    if facts.is_ballance_map() {
        sectors::sectors(&facts, &mut out)?;
        ballance::groups(&facts, &mut out)?;
        elements::elements(&facts, &mut out)?;
        pixels::formats(&facts, &mut out)?;
        looks::textures(&facts, &mut out)?;
        looks::lights_and_cameras(&facts, &mut out)?;
    }
    names::names(&mut out)?;
    plugins::blocks(&mut out)
}
