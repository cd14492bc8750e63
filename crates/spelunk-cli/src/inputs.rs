//! Which files are meant.

use crate::args::Files;
use spelunk::{Bytes, Error, Opened, Options, Result, Source, source};
use std::{
    io::{self, BufRead, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file that is meant, and whether it was named or found in a folder.
#[derive(Debug, Clone)]
pub struct Input {
    pub path: PathBuf,
    /// Found files that are no container are passed over silently.
    pub found: bool,
}

impl Input {
    /// A file that was named.
    pub fn named(path: &Path) -> Input {
        Input { path: path.to_owned(), found: false }
    }

    /// Its name in messages and in JSON.
    pub fn name(&self) -> String {
        if is_stdin(&self.path) { "-".to_owned() } else { self.path.display().to_string() }
    }

    /// Its bytes.
    pub fn source(&self, options: &Options) -> Result<Arc<dyn Source>> {
        if is_stdin(&self.path) {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(Arc::new(Bytes::from(bytes)));
        }
        source::open(&self.path, options.mapping)
    }

    /// Opens it.
    pub fn open(&self, options: &Options) -> Result<Opened> {
        Opened::open(self.source(options)?, options)
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The files that the arguments mean, in their order; folders are sorted by name.
pub fn expand(args: &Files) -> Result<Vec<Input>> {
    let mut named = args.files.clone();
    if let Some(list) = &args.files_from {
        let lines: Vec<String> = if is_stdin(list) {
            io::stdin().lock().lines().collect::<io::Result<_>>()?
        } else {
            std::fs::read_to_string(list)?.lines().map(str::to_owned).collect()
        };
        named.extend(lines.into_iter().filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    let mut inputs = Vec::new();
    for path in &named {
        if args.recursive && path.is_dir() {
            folder(path, true, &mut inputs)?;
        } else {
            inputs.push(Input::named(path));
        }
    }
    Ok(inputs)
}

/// The files in a folder, and in its folders where `recursive`. Links are not followed.
pub fn folder(path: &Path, recursive: bool, inputs: &mut Vec<Input>) -> Result<()> {
    let depth = if recursive { usize::MAX } else { 1 };
    for entry in walkdir::WalkDir::new(path).min_depth(1).max_depth(depth).sort_by_file_name() {
        let entry = entry.map_err(|error| Error::io(error.into()))?;
        if entry.file_type().is_file() {
            inputs.push(Input { path: entry.into_path(), found: true });
        }
    }
    Ok(())
}
