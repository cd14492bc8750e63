//! Files that take their places together.

use super::{
    FileName,
    request::OutputOptions,
    run::Run,
    writing::{OutputDestination, Waiting, make},
};
use crate::{
    Result,
    containers::pack::Origin,
    document,
    models::export::{OutputFile, gltf},
};
use std::io::Write;

/// Files and their content. The first one is that which was asked for.
pub(super) type OutputFiles<'c> = Vec<(FileName, OutputContent<'c>)>;

/// Content of a file.
pub(super) enum OutputContent<'c> {
    Bytes(Vec<u8>),
    /// Written part by part.
    Document(Origin<'c>),
    /// Written as it is: no copy of all vertices is made.
    Glb(Box<gltf::Gltf>),
}

impl OutputContent<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            OutputContent::Bytes(bytes) => Ok(out.write_all(bytes)?),
            OutputContent::Document(origin) => document::write(origin, out),
            OutputContent::Glb(model) => model.write_glb(out),
        }
    }
}

/// Number of files that wait to take their places, at the most: each of them is open meanwhile, and systems let a process have
/// some hundreds.
const WAITING: usize = 200;

/// Files that were made and wait to take their places: all of them or none. More than [`WAITING`] take their places in groups.
pub(super) struct Outputs<'o> {
    /// Name of the file that was asked for, or of the folder of the others.
    output: &'o FileName,
    out: OutputOptions,
    waiting: Vec<Waiting>,
    size: u64,
}

impl<'o> Outputs<'o> {
    pub(super) fn new(output: &'o FileName, out: OutputOptions) -> Outputs<'o> {
        Outputs { output, out, waiting: Vec::new(), size: 0 }
    }

    /// Writes a file. What is written to a folder of its own makes it.
    pub(super) fn add(
        &mut self,
        name: FileName,
        run: &mut Run<'_>,
        write: impl FnOnce(&mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let path = name.as_path();
        let folder = match (path == self.output.as_path(), path.starts_with(self.output.as_path()))
        {
            (true, _) => run.below.clone(),
            (_, true) => Some(self.output.clone()),
            // Beside it, or in a folder beside it.
            _ => self.output.as_path().parent().map(FileName::from),
        };
        let target = OutputDestination::new(name, &self.out);
        let target = match folder {
            Some(folder) => target.below(&folder),
            None => target,
        };
        let (size, waiting) = make(target, self.out.dry_run, run, |mut out| {
            write(&mut out)?;
            Ok(out.stream_position()?)
        })?;
        self.size = self.size.saturating_add(size);
        self.waiting.push(waiting);
        if self.waiting.len() >= WAITING {
            self.settle(run)?;
        }
        Ok(())
    }

    /// Puts the files that wait in their places.
    fn settle(&mut self, run: &mut Run<'_>) -> Result<()> {
        self.waiting.drain(..).try_for_each(|waiting| waiting.commit(run))
    }

    /// Puts all files in their places; returns their size in bytes.
    pub(super) fn commit(mut self, run: &mut Run<'_>) -> Result<u64> {
        self.settle(run)?;
        Ok(self.size)
    }
}

/// Writes files as [`Outputs`] does; returns their size in bytes.
pub(super) fn put(
    output: &FileName,
    out: OutputOptions,
    files: &OutputFiles<'_>,
    run: &mut Run<'_>,
) -> Result<u64> {
    let mut outputs = Outputs::new(output, out);
    for (name, content) in files {
        outputs.add(name.clone(), run, |out| content.write(out))?;
    }
    outputs.commit(run)
}

/// Files in a folder.
pub(super) fn below(folder: &FileName, made: Vec<OutputFile>) -> OutputFiles<'static> {
    let file = |file: OutputFile| (folder.join(file.name), OutputContent::Bytes(file.content));
    made.into_iter().map(file).collect()
}
