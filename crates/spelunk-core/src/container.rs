//! Traits that every container format implements, and that every tool is written against.
//!
//! The traits are object safe: entries have opaque ids and are handed to callbacks, so that a million
//! of them cost no million strings. What a small format does not do in a way of its own follows from the rest: a format
//! has a [`Profile`], a layout, entries and their bytes, and by these alone all tools work on it that look at files.

pub use crate::entry::{
    Details, Each, EachRef, Entry, Node, Of, Outline, Reference, View, WhenGone, kind,
};
use crate::{
    codes, defaults,
    edit::Edit,
    error::{Error, Result},
    field::Field,
    finding::Task,
    place::{Space, Span},
    profile::{CodeFamily, Profile},
    signature::FileType,
    source::Source,
    text::CodePages,
    walk::{Walk, Walked},
    zlib::KnownPacking,
};
use bytes::Bytes;
use std::{any::Any, fmt, io, str::FromStr, sync::Arc};

/// Options for writing a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WriteOptions {
    /// Inflate every packed part and pack it again at the level that reproduces it. Parts that no level
    /// reproduces keep their stored bytes, which is noted.
    pub recompress: bool,
    /// Form in which the written file differs from the opened one.
    pub convert: Convert,
}

/// The form in which a container is written, where it is to be another one than that of the opened file. Without
/// any of these the same bytes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Convert {
    /// Version of the file format.
    pub version: Option<u32>,
    /// Write mode that the file names: a bit set of the format.
    pub mode: Option<u32>,
    /// Level at which packed parts are packed.
    pub level: Option<u8>,
    /// Bring what the entries hold to the current layouts too, as far as these are known for it.
    pub chunks: bool,
    /// Leave out files that the container carries along without needing them.
    pub strip_included: bool,
    /// Leave out what the wanted version cannot hold, and report it, instead of refusing.
    pub lossy: bool,
}

impl Convert {
    /// Whether anything is to have another form.
    pub fn is_wanted(&self) -> bool {
        *self != Convert { lossy: self.lossy, ..Convert::default() }
    }

    /// Refuses everything that is wanted, for formats that exist in one form only.
    ///
    /// # Errors
    /// [`codes::ONE_FORM`] when something is wanted.
    pub fn refuse(&self) -> Result<()> {
        if self.is_wanted() { Err(Error::new(&codes::ONE_FORM)) } else { Ok(()) }
    }
}

/// State to be seen of those that a file went through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Revision {
    /// The state of this number, counted from the oldest, which is 1.
    Nth(u32),
    /// All of them as one: what newer states lack is taken from the older ones.
    Merged,
}

impl FromStr for Revision {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Revision, String> {
        match text {
            "merged" => Ok(Revision::Merged),
            _ => text
                .parse()
                .map(Revision::Nth)
                .map_err(|_| "a generation is a number, counted from 1, or `merged`".to_owned()),
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Revision::Nth(number) => number.fmt(f),
            Revision::Merged => f.write_str("merged"),
        }
    }
}

/// An opened container.
pub trait Container: Any + Send + Sync {
    /// Facts about the format that tools need.
    fn profile(&self) -> &'static Profile;

    /// Name of the format, one of the contract's (`virtools`, `snpak`, `spellforce-cff`, ...).
    fn format(&self) -> &'static str {
        self.profile().name
    }

    /// Name of the dialect, where the file is not in the format's usual form.
    fn dialect(&self) -> Option<&'static str> {
        None
    }

    /// The extensions that files with such content have, in lower case and without a dot: those of the format, unless the
    /// content says more.
    fn extensions(&self) -> &'static [&'static str] {
        self.profile().extensions
    }

    /// Size of the file in bytes.
    fn size(&self) -> u64;

    /// The same file as it was in another state that it still holds. Listings, paths and entries are those of that
    /// state; the [layout](Container::layout) and what is written stay those of the whole file.
    ///
    /// # Errors
    /// [`codes::ONE_STATE`] where files of the format hold no older states; when there is no such state, or it is
    /// damaged; limits.
    fn revision(&self, which: Revision, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        let _ = (which, task);
        Err(Error::new(&codes::ONE_STATE).found(self.format()))
    }

    /// The code pages that names are in when nothing else is asked for.
    fn code_pages(&self) -> CodePages {
        CodePages::cp1252()
    }

    /// Walks the summary: the `details` of `info`.
    ///
    /// # Errors
    /// [`Halt`](crate::Halt), with the error of the part that could not be read.
    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let _ = (task, walk);
        Ok(())
    }

    /// Outline of the content in its own terms: all of the kind that `of` names, or one entry. Nothing where the format has no
    /// such view of it.
    ///
    /// # Errors
    /// When what is needed for it cannot be read; limits.
    fn outline(
        &self,
        of: View<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Outline>> {
        let _ = (of, pages, task);
        Ok(Vec::new())
    }

    /// Hands the entries of `of` to `each`, in the file's own order. Entries whose sizes lie in a damaged part
    /// are handed out all the same; the damage goes to the task's sink.
    ///
    /// # Errors
    /// What `each` returns; limits and reading errors.
    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked;

    /// Hands one entry to `each`. By default it is looked for in the listing, then in the hierarchy.
    ///
    /// # Errors
    /// What `each` returns; [`codes::NOT_FOUND`] for a foreign id.
    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        defaults::entry(self, node, pages, task, each)
    }

    /// The entries that `path` names: none, one, or all that share it. By default these are the entries of the listing with
    /// this path, else those of the hierarchy; where none has it, case makes no difference.
    ///
    /// # Errors
    /// When the tables behind it cannot be read.
    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        defaults::find(self, path, pages, task)
    }

    /// The entries that each of these paths names, in the order of the paths, as [`Container::find`] gives them. Where one
    /// path costs a look at every entry, all of them together cost no more than that. Who finds paths in a way of its own has
    /// this too: [`find_each`](crate::entries::find_each) will do where one path costs little.
    ///
    /// # Errors
    /// Those of [`Container::find`].
    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        defaults::find_all(self, paths, pages, task)
    }

    /// The plain bytes of an entry.
    ///
    /// # Errors
    /// When they are damaged, cannot be read, or pass a limit.
    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes>;

    /// Walks one entry: every field that is known of it. By default these are the fields that its listing has.
    ///
    /// # Errors
    /// [`Halt`](crate::Halt), with the error of the part that could not be read.
    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let pages = self.code_pages();
        self.entry(node, &pages, task, &mut |entry, task| entry.details.walk(task, walk))
    }

    /// The spaces that packed sections declare, as spans from 0 over their whole length. Nothing is read for it:
    /// a section that turns out to be damaged has no bytes there.
    fn spaces(&self) -> Vec<Span> {
        Vec::new()
    }

    /// The bytes of an inflated space, inflated now if they were not before.
    ///
    /// # Errors
    /// [`codes::BAD_PLACE`] where the container has no such space; when it cannot be inflated; limits.
    fn space_bytes(&self, space: Space, task: &mut Task<'_>) -> Result<Bytes> {
        let _ = task;
        Err(Error::new(&codes::BAD_PLACE).found(space.to_string()))
    }

    /// Walks the whole file in the order of its bytes. The fields cover every byte of the file, and every
    /// byte of every inflated space, exactly once.
    ///
    /// # Errors
    /// [`Halt`](crate::Halt), with the error of the part that could not be read.
    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked;

    /// Whether the value of a field of the [layout](Container::layout) follows from others, so that it is made anew
    /// when they change: a size, a count, a checksum, the place of a record.
    fn is_derived(&self, field: &Field) -> bool {
        let _ = field;
        false
    }

    /// Whether entries of the format refer to each other.
    fn has_refs(&self) -> bool {
        false
    }

    /// Hands out what these entries refer to, with the position of the entry among `nodes`, in their order. Entries that
    /// cannot be read refer to nothing; that is for [`Container::verify`] to report.
    ///
    /// # Errors
    /// What `each` returns; [`codes::NOT_FOUND`] for a foreign id; limits and reading errors.
    fn refs(&self, nodes: &[Node], task: &mut Task<'_>, each: EachRef<'_, usize>) -> Result<()> {
        let _ = (nodes, task, each);
        Ok(())
    }

    /// Hands out what all entries that count refer to, those that no listing shows included, with the entry that does.
    ///
    /// # Errors
    /// What `each` returns; limits and reading errors.
    fn all_refs(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        let _ = (task, each);
        Ok(())
    }

    /// Returns the entries of the listings of both that the other container does not store alike, each in the order of its
    /// listing; `None` where the format cannot find that without reading all of them. What is left out is the same in both:
    /// names, details, what lies below it, and bytes.
    ///
    /// # Errors
    /// Limits; reading errors.
    fn differing(
        &self,
        new: &dyn Container,
        task: &mut Task<'_>,
    ) -> Result<Option<[Vec<Node>; 2]>> {
        let _ = (new, task);
        Ok(None)
    }

    /// Reads everything, checks everything, and reports every finding that opening did not. By default that is the layout, and
    /// the bytes of each entry.
    ///
    /// # Errors
    /// What the task's sink makes of a finding; reading errors.
    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        defaults::verify(self, task)
    }

    /// Lays the file out from the model and writes it. Without options and edits these are the bytes that
    /// were opened. By default the values of the [layout](Container::layout) are written, field by field, which is all of a file
    /// without packed sections.
    ///
    /// # Errors
    /// Reading and writing errors; [`codes::NO_SUCH_OPERATION`] where the layout does not show the bytes of a field.
    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        defaults::write(self, out, task)
    }

    /// The level at which every packed part of the file was packed, and `None` where there is no such level:
    /// because nothing is packed, because parts have different levels, or because another packer made them.
    ///
    /// # Errors
    /// When a packed part cannot be read; limits.
    fn level(&self, task: &mut Task<'_>) -> Result<Option<u8>> {
        let _ = task;
        Ok(None)
    }

    /// The packings that were found out, of all parts or of some, so that nobody has to pack the same bytes again
    /// ([`Task::packings`]). What they hold is shared.
    fn packings(&self) -> Vec<KnownPacking> {
        Vec::new()
    }

    /// Ends the work on the file and gives its buffers for the next one ([`Task::spare`]).
    fn recycle(self: Box<Self>, spare: &mut Vec<Vec<u8>>) {
        let _ = spare;
    }

    /// The same state once more, to be changed while others still read this one; `None` where the format has no editing side.
    /// What both hold is shared as far as it can be, and what the copy takes beside that is charged.
    ///
    /// # Errors
    /// Limits.
    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        let _ = task;
        Ok(None)
    }

    /// The editing side, where the format has one.
    fn edit(&mut self) -> Option<&mut dyn Edit> {
        None
    }
}

impl dyn Container {
    /// The model of the format, for what only one format has; `None` where the container is another one.
    pub fn model<M: Container>(&self) -> Option<&M> {
        (self as &dyn Any).downcast_ref()
    }
}

/// Verdict of a format on the first bytes of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// Something else.
    No,
    /// Something else that could be taken for it; the text says why it is not.
    LooksLike(&'static str),
    /// A file of this format: opening gives a container or an error that names the damage.
    Yes,
}

/// A format that can be opened.
pub trait Format: Send + Sync {
    /// Facts about the format that tools need; of formats that share a container, those of the most general one.
    fn profile(&self) -> &'static Profile;

    /// Facts about the other formats that share the container, which differ by the content of their files.
    fn closer(&self) -> &'static [&'static Profile] {
        &[]
    }

    /// Name of the format, one of the contract's; of those that share a container, the most general one.
    fn name(&self) -> &'static str {
        self.profile().name
    }

    /// File types by which other programs recognise files of the format.
    fn file_types(&self) -> &'static [FileType] {
        &[]
    }

    /// The codes of its errors, findings and rules.
    fn families(&self) -> &'static [CodeFamily] {
        &[]
    }

    /// Judges by the first bytes (up to [`PROBE_LEN`]) and the length of a file, never by its name.
    fn probe(&self, head: &[u8], len: u64) -> Probe;

    /// Opens a file.
    ///
    /// # Errors
    /// What makes the file unreadable, located; what is only damaged goes to the task's sink.
    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>>;
}

/// Most first bytes that [`Format::probe`] gets.
pub const PROBE_LEN: u64 = 4096;

fn _object_safe(_: &dyn Container, _: &dyn Format, _: &dyn Details) {}
