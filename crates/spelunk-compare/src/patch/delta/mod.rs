//! The bytes of one file, made of those of another one: stretches of it, and blocks of what it does not have.

mod pieces;
mod runs;

use super::form::{Print, VERSION, bad, parsed, print, write};
use base64::{Engine, prelude::BASE64_STANDARD};
pub(super) use pieces::made;
pub use runs::Run;
pub(super) use runs::{BlockPool, MatchIndex, RunWriter};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use spelunk_core::{Bytes, Collect, Error, Result, Task};
use spelunk_open::{
    Opened, codes,
    document::silent,
    skeleton::{self, Origin},
};
use std::io::{self, Write};

/// Patch of one file to another one: its bytes, for the very file that the patch was made from, and changes of what is in it, for
/// other ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaPatch<C> {
    /// 1.
    pub spelunk_patch: u32,
    /// The format of both files.
    pub format: String,
    /// The file that it was made from.
    pub old: Print,
    /// The file that it makes.
    pub new: Print,
    /// Changes of the entries.
    pub changes: Vec<C>,
    /// The bytes of the new file.
    pub to_new: Vec<Run>,
    /// The bytes of the old file.
    pub to_old: Vec<Run>,
    /// Bytes that only one of the files has, in base64.
    pub blocks: Vec<String>,
}

/// A change of which both sides stand in a patch.
pub trait Reversible {
    /// The change that takes this one back.
    #[must_use]
    fn reversed(self) -> Self;
}

impl<C: Serialize + DeserializeOwned + Reversible> DeltaPatch<C> {
    /// Reads a patch from its text.
    ///
    /// # Errors
    /// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH).
    pub fn parse(text: &[u8]) -> Result<Self> {
        parsed(text, |patch: &Self| patch.spelunk_patch)
    }

    /// Writes the text of the patch, in which lines can be read and compared.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write(self, out)
    }

    /// The patch that takes this one back.
    #[must_use]
    pub fn reversed(self) -> Self {
        DeltaPatch {
            old: self.new,
            new: self.old,
            changes: self.changes.into_iter().map(C::reversed).collect(),
            to_new: self.to_old,
            to_old: self.to_new,
            ..self
        }
    }
}

/// Content of a patch of two files.
pub(super) struct Delta<C> {
    pub changes: Vec<C>,
    pub to_new: Vec<Run>,
    pub to_old: Vec<Run>,
}

/// The patch that makes `new` of `old`, both of one format; `compare` looks at them.
///
/// # Errors
/// [`OTHER_FORMAT`](codes::OTHER_FORMAT); what `compare` returns; what keeps the files from being read; limits.
pub(super) fn between<C>(
    old: &Origin<'_>,
    new: &Origin<'_>,
    compare: impl FnOnce([&Opened; 2], &mut BlockPool, &mut Task<'_>) -> Result<Delta<C>>,
) -> Result<DeltaPatch<C>> {
    let prints = [print(old)?, print(new)?];
    let [a, b] = [old, new].map(|origin| Opened::open(origin.source.clone(), origin.options));
    let (a, b) = (a?, b?);
    let [format, other] = [&a, &b].map(|opened| opened.container().format());
    if format != other {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(format).found(other));
    }
    let len = old.source.len().saturating_add(new.source.len());
    let options = skeleton::roomy(old.options, len.saturating_mul(2));
    let mut findings = Collect::default();
    let mut blocks = BlockPool::default();
    let delta = compare([&a, &b], &mut blocks, &mut silent(&options, &mut findings))?;
    let ([old, new], Delta { changes, to_new, to_old }) = (prints, delta);
    let (spelunk_patch, format, blocks) = (VERSION, format.to_owned(), blocks.texts);
    Ok(DeltaPatch { spelunk_patch, format, old, new, changes, to_new, to_old, blocks })
}

/// The bytes of a block.
pub(super) fn block(blocks: &[String], number: u32) -> Result<Bytes> {
    let text = blocks.get(number as usize);
    let text = text.ok_or_else(|| bad(format!("block {number}, which is not there")))?;
    let bytes = BASE64_STANDARD.decode(text);
    Ok(bytes.map_err(|error| bad(format!("block {number} with an error: {error}")))?.into())
}

/// Returns the bytes of blocks as they are stored.
pub(super) fn stored(blocks: &[String]) -> u64 {
    blocks.iter().map(String::len).fold(0, usize::saturating_add) as u64
}
