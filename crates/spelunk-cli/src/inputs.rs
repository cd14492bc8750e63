//! Which files are meant.

use crate::{args::Files, output::Session};
use spelunk::{
    Bytes, Error, Opened, Options, Result, Source, archives,
    folder::{Below, Links, list},
    json, source,
};
use std::{
    io::{self, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file that is meant, and whether it was named or found in a folder.
#[derive(Debug)]
pub struct Input {
    pub path: PathBuf,
    /// Found files that are no container are passed over.
    pub found: bool,
    /// Why nothing can be read there, where that is known already: a folder that cannot be listed.
    unreadable: Option<io::Error>,
}

impl Input {
    /// A file that was named.
    pub fn named(path: &Path) -> Input {
        Input { path: path.to_owned(), found: false, unreadable: None }
    }

    /// Its name in messages and in JSON.
    pub fn name(&self) -> String {
        json::path(&self.path)
    }

    /// Whether it is standard input, which can be read once.
    pub fn is_stdin(&self) -> bool {
        is_stdin(&self.path)
    }

    /// Its bytes.
    pub fn source(&self, options: &Options) -> Result<Arc<dyn Source>> {
        if let Some(error) = &self.unreadable {
            return Err(Error::io(io::Error::new(error.kind(), error.to_string())));
        }
        if self.is_stdin() {
            let limit = options.max_memory.unwrap_or(source::STREAM_LIMIT);
            return Ok(Arc::new(source::read_stream(&mut io::stdin().lock(), limit)?));
        }
        source::open(&self.path, options.mapping)
    }

    /// All its bytes.
    pub fn bytes(&self, options: &Options) -> Result<Bytes> {
        let source = self.source(options)?;
        let len = source.len();
        source.read(0..len, &mut options.budget(len))
    }

    /// Opens it; a folder of SpellForce archives as all of them together.
    pub fn open(&self, options: &Options) -> Result<Opened> {
        if self.path.is_dir()
            && let Some(opened) = archives::open(&self.path, options)?
        {
            return Ok(opened);
        }
        Opened::open(self.source(options)?, options)
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The files that the arguments mean, in their order; folders are sorted by name. What links name that were found in folders is
/// left out, unless those are followed: what is made of the files would hold what lies elsewhere. They are named.
pub fn found(args: &Files, follow_links: bool, session: &Session) -> Result<Vec<Input>> {
    let (inputs, passed) = expanded(args, Links::followed(follow_links))?;
    passed.iter().for_each(|link| session.pass_link(&json::path(link)));
    Ok(inputs)
}

/// The files that the arguments mean, and the links that are not followed.
fn expanded(args: &Files, links: Links) -> Result<(Vec<Input>, Vec<PathBuf>)> {
    let mut named = args.files.clone();
    if let Some(list) = &args.files_from {
        named.extend(read_list(list)?);
    }
    let (mut inputs, mut passed) = (Vec::new(), Vec::new());
    for path in &named {
        if args.recursive && path.is_dir() {
            passed.extend(below(path, true, links, &mut inputs));
        } else {
            inputs.push(Input::named(path));
        }
    }
    Ok((inputs, passed))
}

/// The names in a list: one a line, or separated by NUL. Names need not be UTF-8.
fn read_list(list: &Path) -> Result<Vec<PathBuf>> {
    let named = |error: io::Error| {
        Error::io(io::Error::new(error.kind(), format!("{}: {error}", list.display())))
    };
    let mut bytes = Vec::new();
    if is_stdin(list) {
        io::stdin().lock().read_to_end(&mut bytes).map_err(named)?;
    } else {
        bytes = std::fs::read(list).map_err(named)?;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let end = if bytes.contains(&0) { 0 } else { b'\n' };
    let lines = bytes.split(|byte| *byte == end);
    let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    lines.filter(|line| !line.is_empty()).map(to_path).collect()
}

#[cfg(unix)]
fn to_path(name: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

#[cfg(not(unix))]
fn to_path(name: &[u8]) -> Result<PathBuf> {
    let text = std::str::from_utf8(name).map_err(|error| Error::io(io::Error::other(error)))?;
    Ok(PathBuf::from(text))
}

/// The files in a folder, and in its folders where `recursive`; gives links that are not followed. A folder that cannot be
/// listed is an input that cannot be read.
fn below(path: &Path, recursive: bool, links: Links, inputs: &mut Vec<Input>) -> Vec<PathBuf> {
    let depth = if recursive { usize::MAX } else { 1 };
    let mut passed = Vec::new();
    let mut add = |file: PathBuf, unreadable| {
        inputs.push(Input { path: file, found: true, unreadable });
    };
    for below in list(path, depth, links) {
        match below {
            Below::File(file) => add(file, None),
            Below::Link(link) => passed.push(link),
            Below::Unreadable(path, error) => add(path, Some(error)),
        }
    }
    passed
}
