//! What is stored more than once, in one file and over many.

use super::{
    super::{input::Input, run::Run},
    row::{DuplicateContent, Row},
};
use crate::{
    Budget, Entry, Of, Result,
    core::{
        text::{human, until_nul},
        walk,
    },
    open::hashes::ContentHashes,
};
use std::collections::HashMap;

/// The kind of a whole file.
const FILE: &str = "file";

/// A place with content.
struct Copy {
    /// Position of the file among those that were looked at.
    file: usize,
    path: String,
    kind: String,
    name: String,
    /// Position of the content.
    content: usize,
}

impl Copy {
    /// Memory that it takes, with its place in lists.
    fn held(&self) -> u64 {
        let texts = [&self.path, &self.kind, &self.name].map(|text| text.capacity());
        texts.iter().sum::<usize>().saturating_add(2 * size_of::<Copy>()) as u64
    }
}

/// What a file has: its own hashes, and those of its entries.
struct HashedFile {
    name: String,
    whole: (u64, ContentHashes),
    entries: Vec<(Copy, u64, ContentHashes)>,
}

/// Hands out a row for each place of what several have: whole files, then entries, of each what takes most first.
pub(super) fn find(inputs: &[Input], requires_match: bool, run: &mut Run<'_>) -> Result<()> {
    let size = |input: &Input| input.name().and_then(|name| run.files().len(name)).unwrap_or(0);
    let all = inputs.iter().map(size).fold(0, u64::saturating_add);
    let mut found = Found { budget: run.options.budget(all), ..Found::default() };
    run.each_file(inputs, &hashed, &mut |_, file| match file {
        Some(file) => found.take(file),
        None => Ok(()),
    })?;
    let (count, saved) = found.hand_out(run)?;
    if count > 0 {
        let contents =
            if count == 1 { "1 content".to_owned() } else { format!("{count} contents") };
        run.note(&format!("{contents} more than once: {} more than needed", human(saved)));
    } else {
        run.note("nothing is stored more than once");
        if requires_match {
            run.found();
        }
    }
    Ok(())
}

/// Looks at a file. `None` where it cannot be opened, which is reported.
fn hashed(run: &mut Run<'_>, input: &Input) -> Result<Option<HashedFile>> {
    let Some(mut file) = run.open(input)? else { return Ok(None) };
    let opened = file.held.get()?;
    let pages = opened.code_pages();
    let source = opened.bytes_now()?;
    let whole = ContentHashes::of_source(&*source, run.options.cancel.as_ref())?;
    let mut entries = Vec::new();
    let looked = opened.run(|container, task| {
        walk::finish(container.children(
            Of::Listing,
            &pages,
            task,
            &mut |entry: &Entry<'_>, task| {
                let hashes = ContentHashes::of_entry(container, entry.node, task)?;
                let Some((size, hashes)) = hashes.filter(|(size, _)| *size > 0) else {
                    return Ok(());
                };
                let copy = Copy {
                    file: 0,
                    path: entry.path.to_owned(),
                    kind: entry.kind.to_owned(),
                    name: pages.show(until_nul(entry.name.unwrap_or_default())).into_owned(),
                    content: 0,
                };
                task.budget.memory(copy.held())?;
                entries.push((copy, size, hashes));
                Ok(())
            },
        ))
    });
    run.settle(&file.name, &opened.take_findings());
    if let Err(error) = looked {
        run.failed(&file.name, error);
    }
    let whole = (source.len(), whole);
    Ok(Some(HashedFile { name: file.name, whole, entries }))
}

/// Everything that was looked at.
struct Found {
    budget: Budget,
    files: Vec<String>,
    contents: Vec<DuplicateContent>,
    /// Positions of contents by their hashes, of whole files and of entries apart.
    known: HashMap<(bool, String), usize>,
    copies: Vec<Copy>,
}

impl Default for Found {
    fn default() -> Found {
        Found {
            budget: Budget::new(crate::Limits::for_len(0)),
            files: Vec::new(),
            contents: Vec::new(),
            known: HashMap::new(),
            copies: Vec::new(),
        }
    }
}

impl Found {
    /// Takes up a file. One that is the same as another one is one copy, whatever is in it.
    fn take(&mut self, file: HashedFile) -> Result<()> {
        let HashedFile { name, whole: (size, hashes), entries } = file;
        let place = self.files.len();
        self.files.push(name);
        let is_known = self.known.contains_key(&(true, hashes.xxh3.clone()));
        let (path, kind, name) = (String::new(), FILE.to_owned(), String::new());
        self.add(Copy { file: place, path, kind, name, content: 0 }, true, size, hashes)?;
        if is_known {
            return Ok(());
        }
        entries.into_iter().try_for_each(|(copy, size, hashes)| {
            self.add(Copy { file: place, ..copy }, false, size, hashes)
        })
    }

    fn add(&mut self, copy: Copy, is_file: bool, size: u64, hashes: ContentHashes) -> Result<()> {
        let ContentHashes { xxh3, sha256 } = hashes;
        let next = self.contents.len();
        let content = *self.known.entry((is_file, xxh3.clone())).or_insert(next);
        self.budget.memory(copy.held())?;
        if content == next {
            self.budget.memory(2 * size_of::<DuplicateContent>() as u64 + 256)?;
            self.contents.push(DuplicateContent { copies: 0, size, sha256, xxh3 });
        }
        if let Some(known) = self.contents.get_mut(content) {
            known.copies = known.copies.saturating_add(1);
        }
        self.copies.push(Copy { content, ..copy });
        Ok(())
    }

    /// Hands out what several have; gives the number of contents, and how many bytes more than needed they take.
    fn hand_out(mut self, run: &mut Run<'_>) -> Result<(usize, u64)> {
        let saved = |content: &DuplicateContent| {
            content.size.saturating_mul(content.copies.saturating_sub(1))
        };
        let contents = &self.contents;
        self.copies
            .retain(|copy| contents.get(copy.content).is_some_and(|content| content.copies > 1));
        self.copies.sort_by_key(|copy| {
            let saved = contents.get(copy.content).map(saved).unwrap_or_default();
            (copy.kind != FILE, std::cmp::Reverse(saved), copy.content)
        });
        run.begin("", false, &[])?;
        for copy in &self.copies {
            let file = self.files.get(copy.file).map(String::as_str).unwrap_or_default();
            let duplicate = self.contents.get(copy.content);
            let Copy { path, kind, name, .. } = copy;
            run.row(&Row { file, path, kind, name, field: None, duplicate })?;
        }
        run.end()?;
        let several = self.contents.iter().filter(|content| content.copies > 1);
        Ok((several.clone().count(), several.map(saved).fold(0, u64::saturating_add)))
    }
}
