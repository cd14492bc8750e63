//! The one error type: a code, a place, a path of fields, what was expected and what was found.

pub use crate::code::{Class, Code};
use crate::{place::Span, val::Val};
use std::{borrow::Cow, fmt, io, path::Path};

/// A step of a path through a file: which field, which of many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seg<'a> {
    /// A field or section by its name in the format's own terms (`name_length`).
    Field(&'static str),
    /// The item at this 0-based position.
    Index(u64),
    /// The item that a key names (an id, an asset, a chunk).
    Key(Cow<'a, str>),
}

/// A result whose error is an [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// Something is wrong at a place. Eight bytes, so that results stay small.
pub struct Error(Box<Inner>);

struct Inner {
    code: &'static Code,
    at: Option<Span>,
    /// Innermost step first: steps are pushed while the error travels outwards.
    path: Vec<Seg<'static>>,
    expected: Val<'static>,
    found: Val<'static>,
    io: Option<io::Error>,
}

impl Error {
    /// An error of this code, still without a place.
    #[cold]
    pub fn new(code: &'static Code) -> Error {
        Error(Box::new(Inner {
            code,
            at: None,
            path: Vec::new(),
            expected: Val::None,
            found: Val::None,
            io: None,
        }))
    }

    /// An error of the operating system.
    #[cold]
    pub fn io(error: io::Error) -> Error {
        let mut new = Error::new(&crate::codes::IO);
        new.0.io = Some(error);
        new
    }

    /// An error of the operating system with a file.
    #[cold]
    pub fn io_of(path: &Path, error: io::Error) -> Error {
        let text = format!("{}: {error}", path.display());
        Error::io(io::Error::new(error.kind(), text))
    }

    /// Sets the place, unless one that is nearer to the cause was set before.
    #[must_use]
    pub fn at(mut self, span: Span) -> Error {
        self.0.at.get_or_insert(span);
        self
    }

    /// Sets what should have been there.
    #[must_use]
    pub fn expected(mut self, value: impl Into<Val<'static>>) -> Error {
        self.0.expected = value.into();
        self
    }

    /// Sets what was there.
    #[must_use]
    pub fn found(mut self, value: impl Into<Val<'static>>) -> Error {
        self.0.found = value.into();
        self
    }

    /// Adds the next outer step of the path.
    #[must_use]
    pub fn within(mut self, seg: Seg<'static>) -> Error {
        self.0.path.push(seg);
        self
    }

    /// Adds the field of this name as the next outer step of the path.
    #[must_use]
    pub fn field(self, name: &'static str) -> Error {
        self.within(Seg::Field(name))
    }

    /// Adds the thing that a key names as the next outer step of the path.
    #[must_use]
    pub fn within_key(self, key: &str) -> Error {
        self.within(Seg::Key(key.to_owned().into()))
    }

    /// The same error under another code, for who knows better whose fault it is.
    #[must_use]
    pub fn with_code(mut self, code: &'static Code) -> Error {
        self.0.code = code;
        self
    }

    /// The code.
    pub fn code(&self) -> &'static Code {
        self.0.code
    }

    /// Whether somebody ended the work: the error says nothing of any file.
    pub fn is_cancelled(&self) -> bool {
        self.0.code.id == crate::codes::CANCELLED.id
    }

    /// Whether work that goes on past damage ends here: the machine, a limit or somebody who does not want it any more stopped
    /// it, and what the bytes are is not known.
    pub fn ends_work(&self) -> bool {
        matches!(self.0.code.class, Class::Io | Class::Limit) || self.is_cancelled()
    }

    /// Place of the error, if it is known.
    pub fn place(&self) -> Option<Span> {
        self.0.at
    }

    /// Expected value.
    pub fn expected_value(&self) -> &Val<'static> {
        &self.0.expected
    }

    /// Value that was found.
    pub fn found_value(&self) -> &Val<'static> {
        &self.0.found
    }

    /// The error of the operating system behind it, if there is one.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.io.as_ref()
    }

    /// The path, outermost step first, as `object[17].name_length`; empty where there is none.
    pub fn path(&self) -> String {
        dotted(self.0.path.iter().rev())
    }

    /// Title, expectation and finding in one line, without place, path and code.
    pub fn message(&self) -> String {
        let mut text = String::from(self.0.code.title);
        // What is not found is no news to be told as found.
        let found = if text.ends_with("not found") { "" } else { "found " };
        let facts = [("expected ", &self.0.expected), (found, &self.0.found)];
        let mut glue = ": ";
        for (word, value) in facts {
            if !matches!(value, Val::None) {
                text.push_str(&format!("{glue}{word}{value}"));
                glue = ", ";
            }
        }
        if let Some(io) = &self.0.io {
            text.push_str(&format!(": {io}"));
        }
        text
    }
}

/// Joins steps as `object[17].name_length`.
pub fn dotted<'a>(steps: impl Iterator<Item = &'a Seg<'a>>) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Seg::Index(index) => out.push_str(&format!("[{index}]")),
            Seg::Field(name) => push_dotted(&mut out, name),
            Seg::Key(key) => push_dotted(&mut out, key),
        }
    }
    out
}

fn push_dotted(out: &mut String, name: &str) {
    if !out.is_empty() {
        out.push('.');
    }
    out.push_str(name);
}

impl Clone for Error {
    /// The same error. Of one of input or output that wraps another error its kind and text are kept.
    fn clone(&self) -> Error {
        let Inner { code, at, path, expected, found, io } = &*self.0;
        let io = io.as_ref().map(|error| match error.raw_os_error() {
            Some(number) => io::Error::from_raw_os_error(number),
            None => io::Error::new(error.kind(), error.to_string()),
        });
        let (expected, found) = (expected.clone(), found.clone());
        Error(Box::new(Inner { code, at: *at, path: path.clone(), expected, found, io }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(at) = self.0.at {
            write!(f, "{at}: ")?;
        }
        for (nth, seg) in self.0.path.iter().rev().enumerate() {
            match seg {
                Seg::Index(index) => write!(f, " {index}")?,
                Seg::Field(name) => {
                    f.write_str(if nth == 0 { "" } else { " > " })?;
                    f.write_str(&name.replace('_', " "))?;
                }
                Seg::Key(key) => {
                    f.write_str(if nth == 0 { "" } else { " > " })?;
                    f.write_str(key)?;
                }
            }
        }
        if !self.0.path.is_empty() {
            f.write_str(": ")?;
        }
        write!(f, "{} [{}]", self.message(), self.0.code.id)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|io| io as &(dyn std::error::Error + 'static))
    }
}

impl From<io::Error> for Error {
    /// Restores an error of this type that went through `io`; wraps all others.
    fn from(error: io::Error) -> Error {
        error.downcast::<Error>().unwrap_or_else(Error::io)
    }
}

/// Adds path and place to the error of a result, only when there is one.
pub trait ResultExt<T> {
    /// Adds the field of this name as the next outer step.
    fn field(self, name: &'static str) -> Result<T>;
    /// Adds `name[index]` as the next outer steps.
    fn item(self, name: &'static str, index: usize) -> Result<T>;
    /// Sets the place unless a nearer one is known.
    fn at(self, span: Span) -> Result<T>;
}

impl<T> ResultExt<T> for Result<T> {
    fn field(self, name: &'static str) -> Result<T> {
        self.map_err(|error| error.field(name))
    }

    fn item(self, name: &'static str, index: usize) -> Result<T> {
        self.map_err(|error| error.within(Seg::Index(index as u64)).field(name))
    }

    fn at(self, span: Span) -> Result<T> {
        self.map_err(|error| error.at(span))
    }
}

const _: () = assert!(size_of::<Error>() == size_of::<usize>());
