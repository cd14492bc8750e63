//! A file that was made of content, on its way to where it is to go.

use super::{
    request::Request,
    row::{ImportedRow, ObjectCounts, TextureFile},
};
use crate::{
    Collect, Error, Opened, Result, WriteOptions,
    models::export::OutputFile,
    open::codes,
    open::json,
    verbs::{
        FileName, FileRef,
        keeping::put_open,
        outputs::Outputs,
        run::{OpenFile, Run},
        session::Held,
        writing::{self, Onto, OpenRow, OutputDestination, Writing, is_apart},
    },
};

/// Destination of the file that is made.
pub(super) enum ImportDestination {
    /// To a file.
    File(OutputDestination),
    /// Nowhere: it stays open in the session, and is not written.
    Open,
}

impl ImportDestination {
    /// `None` where it cannot go there, which is reported and counted.
    pub(super) fn of(request: &Request, run: &mut Run<'_>) -> Result<Option<ImportDestination>> {
        let Request { output, into, in_place, .. } = request;
        if matches!(into, Some(FileRef::Open(_))) && output.is_none() && !in_place {
            return Ok(Some(ImportDestination::Open));
        }
        let source = FileRef::Name(request.source.clone());
        let input = into.as_ref().unwrap_or(&source);
        let name = match output {
            Some(output) => output.clone(),
            None => run.file_name(input)?,
        };
        if !is_apart(&request.source, &name, false, run) {
            return Ok(None);
        }
        let (in_place, out) = (*in_place && output.is_none(), request.out);
        let onto = Onto { output: output.as_ref(), in_place, keep: &request.keep, out };
        Ok(OutputDestination::over(input, onto, run)?.map(ImportDestination::File))
    }
}

/// A file that was made of content.
pub(super) struct ImportedFile {
    /// The file that messages and rows are about.
    pub(super) file: String,
    pub(super) opened: Opened,
    pub(super) options: WriteOptions,
    /// Findings of the work, which are reported already.
    pub(super) findings: Collect,
    pub(super) row: ImportedRow,
    /// Image files that go to the folder of textures.
    pub(super) textures: Vec<OutputFile>,
}

impl ImportedFile {
    /// Puts it where it goes.
    pub(super) fn put(
        self,
        request: &Request,
        place: ImportDestination,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let ImportedFile { file, opened, options, findings, mut row, textures } = self;
        let dry_run = request.out.dry_run;
        let Some(staged) = staged(request, &textures, &place, run)? else { return Ok(()) };
        let (images, listed) = staged;
        row.textures = request.textures.as_ref().map(|_| listed);
        let said = row.objects;
        match place {
            ImportDestination::Open => {
                committed(images, run)?;
                if let (false, Some(FileRef::Open(handle))) = (dry_run, &request.into) {
                    put_open(*handle, opened, &request.keep, run)?;
                }
                run.row(&OpenRow { file, more: row })?;
            }
            ImportDestination::File(target) => {
                let writing = Writing { target, options, dry_run };
                let open = OpenFile { name: file, held: Held::own(opened) };
                let Some(mut written) = writing::write(open, writing, run)? else { return Ok(()) };
                committed(images, run)?;
                let before = findings.findings.iter().map(json::finding);
                written.diagnostics.splice(0..0, before);
                written.report(row, run)?;
            }
        }
        if let Some(counts) = said {
            run.note(&objects(&counts));
        }
        Ok(())
    }
}

/// Image files that wait to take their places, and what is said of them. `None` where one of them cannot be written, which is
/// reported and counted: then nothing else is.
fn staged<'r>(
    request: &'r Request,
    files: &[OutputFile],
    place: &ImportDestination,
    run: &mut Run<'_>,
) -> Result<Option<(Option<Outputs<'r>>, Vec<TextureFile>)>> {
    let Some(folder) = &request.textures else { return Ok(Some((None, Vec::new()))) };
    let into = request.into.as_ref().map(|into| run.file_name(into)).transpose()?;
    let target = match place {
        ImportDestination::File(target) => Some(&target.name),
        ImportDestination::Open => None,
    };
    let others = [Some(&request.source), into.as_ref(), target];
    let (mut outputs, mut listed) = (Outputs::new(folder, request.out), Vec::new());
    for OutputFile { name, content } in files {
        let name = folder.join(name);
        // A name out of a model is not to replace a file that it is made of.
        let is_other = |other: &&FileName| **other == name || run.files().is_same(other, &name);
        let added = match others.iter().flatten().any(is_other) {
            true => Err(Error::new(&codes::core::BAD_TARGET).expected("another folder")),
            false => outputs.add(name.clone(), run, |out| Ok(out.write_all(content)?)),
        };
        let output = name.to_string();
        if let Err(error) = added {
            run.failed(&output, error);
            return Ok(None);
        }
        listed.push(TextureFile { output, size: content.len() as u64 });
    }
    Ok(Some((Some(outputs), listed)))
}

fn committed(images: Option<Outputs<'_>>, run: &mut Run<'_>) -> Result<()> {
    images.map_or(Ok(0), |images| images.commit(run)).map(drop)
}

/// Returns the numbers of the objects of a model, by what became of them, in words.
fn objects(counts: &ObjectCounts) -> String {
    let ObjectCounts { created, replaced, kept, renamed } = *counts;
    let mut text = match created {
        1 => "1 new object".to_owned(),
        count => format!("{count} new objects"),
    };
    for (count, what) in [(replaced, "replaced"), (kept, "used as they are"), (renamed, "renamed")]
    {
        if count > 0 {
            text.push_str(&format!(", {count} {what}"));
        }
    }
    text
}
