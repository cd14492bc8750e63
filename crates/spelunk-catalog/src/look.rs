//! Reading of one file: its rows in all tables.

use crate::{
    part,
    rows::{CatalogueCell, Rows},
    schema::{self, TABLES},
    seen::{CatalogFile, how},
};
use serde_json::{Map, Value};
use spelunk::{
    Buffers, Bytes, Cancel, Code, Container, Entry, Error, Field, Limits, Node, Of, Opened,
    Options, Profile, Result, Severity, Source, Span, Task, Val, Walk,
    core::text::{CodePages, until_nul},
    core::walk::{Group, Halt, Shape, Step, Walked, finish},
    open::codes,
    open::detect,
    open::json::{self, Diagnostic},
    verbs::Files,
};
use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};
use twox_hash::XxHash3_128;

/// Summary of a file beside its rows.
#[derive(Clone, Default, Debug)]
pub(crate) struct Facts {
    /// XXH3-128 of its bytes.
    pub(crate) hash: Option<Bytes>,
    /// Whether it is of a known format.
    pub(crate) is_container: bool,
    pub(crate) entries: u64,
    pub(crate) objects: u64,
    pub(crate) findings: u64,
    pub(crate) ok: Option<bool>,
    /// The error that ended the opening or the reading.
    pub(crate) error: Option<(&'static Code, String)>,
}

/// A file that was looked at.
pub(crate) struct Looked {
    pub(crate) facts: Facts,
    /// In the order of [`TABLES`].
    pub(crate) rows: [Rows; 4],
}

/// Looks at a file. Whatever happens there is reported in its rows.
pub(crate) fn look(
    seen: &CatalogFile,
    (files, options): (&dyn Files, &Options),
    buffers: &mut Buffers,
) -> Looked {
    guarded(seen, || {
        let mut file = Look::new(seen);
        let source = match files.open(&seen.file, how(options)) {
            Ok(source) => source,
            Err(error) => return file.refused(&error, None),
        };
        file.size = Some(source.len());
        file.hash = match hash_of(&*source, options) {
            Ok(hash) => Some(hash.into()),
            Err(error) => return file.refused(&error, None),
        };
        match Opened::open_reusing(source.clone(), options, std::mem::take(buffers)) {
            Ok(mut opened) => {
                let looked = file.opened(&mut opened);
                *buffers = opened.into_buffers();
                looked
            }
            Err(error) => file.refused(&error, options.formats.claimed(&*source)),
        }
    })
}

/// Looks at a file; a panic becomes an error of the file.
fn guarded(seen: &CatalogFile, look: impl FnOnce() -> Looked) -> Looked {
    catch_unwind(AssertUnwindSafe(look))
        .unwrap_or_else(|_| Look::new(seen).refused(&Error::new(&codes::PANICKED), None))
}

/// XXH3-128 of all bytes, as text.
pub(crate) fn hash_of(source: &dyn Source, options: &spelunk::Options) -> Result<String> {
    const STEP: u64 = 1 << 20;
    let mut hash = XxHash3_128::new();
    let mut at = 0;
    while at < source.len() {
        let end = source.len().min(at.saturating_add(STEP));
        options.cancel.as_ref().map_or(Ok(()), Cancel::check)?;
        hash.write(&source.read(at..end, &mut spelunk::Budget::new(Limits::for_len(0)))?);
        at = end;
    }
    Ok(format!("{:032x}", hash.finish_128()))
}

/// A file that is looked at.
struct Look<'f> {
    seen: &'f CatalogFile,
    size: Option<u64>,
    hash: Option<Bytes>,
    rows: [Rows; 4],
}

impl<'f> Look<'f> {
    fn new(seen: &'f CatalogFile) -> Look<'f> {
        Look { seen, size: seen.size, hash: None, rows: TABLES.map(Rows::new) }
    }

    /// Rows of a file that was not opened.
    fn refused(self, error: &Error, format: Option<&'static Profile>) -> Looked {
        let format = format.map(|profile| profile.name);
        let is_foreign = detect::is_foreign(error);
        let findings = match is_foreign {
            true => Vec::new(),
            false => vec![json::diagnostic(Severity::Error, error)],
        };
        let counts = [u64::from(!is_foreign), 0, 0];
        let ok = (!is_foreign).then_some(false);
        let findings = &mut findings.into_iter();
        self.looked(format, None, (findings, counts), (ok, Some(error)), None)
    }

    fn opened(mut self, opened: &mut Opened) -> Looked {
        let pages = opened.code_pages();
        let (details, described) = opened.run(|container, task| {
            // They stay as long as the file is open.
            task.keeping(|task, most| {
                let walked = |walk: &mut dyn Walk| container.info(task, walk);
                let (details, held, described) = json::object_within(&pages, most, walked);
                ((details, described), held)
            })
        });
        let [_, entries, objects, _] = &mut self.rows;
        let name = &self.seen.name;
        let listed = described.and_then(|()| {
            opened.run(|container, task| {
                let mut list = ContainerLister {
                    container,
                    file: name,
                    pages: &pages,
                    entries,
                    objects,
                    details: KnownDetails::default(),
                    text: Vec::new(),
                    held: 0,
                };
                list.all(task)
            })
        });
        let checked = opened.run(|container, task| container.verify(task));
        let fatal: Vec<Error> = [checked.err(), listed.err()].into_iter().flatten().collect();
        let mut ended_by: Vec<Diagnostic> =
            fatal.iter().map(|error| json::diagnostic(Severity::Error, error)).collect();
        // Both may have met the same.
        ended_by.dedup();
        let found = opened.take_findings();
        let counts = [Severity::Error, Severity::Warning, Severity::Info].map(|wanted| {
            let counts = found.counts().iter().filter(|(_, severity, _)| *severity == wanted);
            counts.fold(0_u64, |sum, (_, _, count)| sum.saturating_add(*count))
        });
        let [errors, warnings, notes] = counts;
        let counts = [errors.saturating_add(ended_by.len() as u64), warnings, notes];
        let findings = &mut found.findings.iter().map(json::finding).chain(ended_by);
        let ok = Some(counts[0] == 0);
        let container = opened.container();
        let kind = (container.format(), container.dialect());
        self.looked(Some(kind.0), kind.1, (findings, counts), (ok, fatal.first()), Some(details))
    }

    fn looked(
        mut self,
        format: Option<&'static str>,
        dialect: Option<&'static str>,
        (findings, [errors, warnings, notes]): (&mut dyn Iterator<Item = Diagnostic>, [u64; 3]),
        (ok, error): (Option<bool>, Option<&Error>),
        details: Option<Map<String, Value>>,
    ) -> Looked {
        let [files, entries, objects, found] = &mut self.rows;
        let name = &self.seen.name[..];
        for (number, finding) in (0_i64..).zip(findings) {
            let Diagnostic { severity, code, space, offset, path, message } = finding;
            found.push([
                name.into(),
                number.into(),
                severity.into(),
                code.into(),
                space.as_deref().into(),
                offset.into(),
                Some(&*path).filter(|path| !path.is_empty()).into(),
                (&*message).into(),
            ]);
        }
        let version = details.as_ref().and_then(|details| {
            ["version", "format_version", "file_version"].iter().find_map(|key| details.get(*key))
        });
        let (version, details) =
            (version.map(shown), details.map(|details| Value::Object(details).to_string()));
        let message = error.map(Error::message);
        files.push([
            name.into(),
            self.size.into(),
            self.seen.modified.into(),
            self.hash.as_ref().into(),
            format.into(),
            dialect.into(),
            version.as_deref().into(),
            (entries.len as u64).into(),
            (objects.len as u64).into(),
            errors.into(),
            warnings.into(),
            notes.into(),
            ok.into(),
            error.map(|error| error.code().id).into(),
            message.as_deref().into(),
            details.as_deref().into(),
        ]);
        let facts = Facts {
            hash: self.hash,
            is_container: format.is_some(),
            entries: entries.len as u64,
            objects: objects.len as u64,
            findings: errors.saturating_add(warnings).saturating_add(notes),
            ok,
            error: error.map(Error::code).zip(message),
        };
        Looked { facts, rows: self.rows }
    }
}

/// A value without the quotes of a text.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Memory for writing the rows of a file and its findings: a group of rows and the same packed, or this part of a memory that is
/// small.
const WRITER: u64 = 2 * part::GROUP_BYTES;
const WRITER_PART: u64 = 4;

/// Lists the entries and objects of a container.
struct ContainerLister<'l> {
    container: &'l dyn Container,
    file: &'l str,
    pages: &'l CodePages,
    entries: &'l mut Rows,
    objects: &'l mut Rows,
    /// The details of an entry that have columns.
    details: KnownDetails,
    /// The details of an entry as JSON.
    text: Vec<u8>,
    /// Memory of the rows that the budget agreed to.
    held: u64,
}

/// The details that have columns of their own.
const KNOWN: [&str; 8] =
    ["class_id", "asset_id", "kind", "id", "variant", "payload_type", "hash", "offset"];

/// Values of an entry that have columns of their own, as they are shown.
#[derive(Default)]
struct KnownDetails {
    texts: String,
    /// The name of each, its place in the texts, and what it is where it is a number from 0 on.
    found: Vec<(&'static str, Range<usize>, Option<u64>)>,
}

impl KnownDetails {
    fn clear(&mut self) {
        self.texts.clear();
        self.found.clear();
    }

    fn add(&mut self, name: &'static str, value: &Val<'_>, pages: &CodePages) {
        let start = self.texts.len();
        let mut number = None;
        match value {
            Val::None => {}
            Val::Text(bytes) => self.texts.push_str(&pages.show(until_nul(bytes))),
            Val::Str(text) => self.texts.push_str(text),
            _ => {
                let value = value.to_json(pages);
                number = value.as_u64();
                match value.as_str() {
                    Some(text) => self.texts.push_str(text),
                    None => self.texts.push_str(&value.to_string()),
                }
            }
        }
        self.found.retain(|(known, ..)| *known != name);
        if !matches!(value, Val::None) {
            self.found.push((name, start..self.texts.len(), number));
        }
    }

    fn get(&self, name: &str) -> Option<&(&'static str, Range<usize>, Option<u64>)> {
        self.found.iter().find(|(known, ..)| *known == name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(self.get(name)?.1.clone())
    }
}

/// Hands a walk on, and takes note of what has a column.
struct DetailRecorder<'w> {
    walk: &'w mut dyn Walk,
    pages: &'w CodePages,
    depth: usize,
    found: &'w mut KnownDetails,
}

impl Walk for DetailRecorder<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let step = self.walk.enter(group)?;
        if let Step::Into = step {
            self.depth = self.depth.saturating_add(1);
        }
        Ok(step)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        if self.depth == 0 && KNOWN.contains(&field.name) {
            self.found.add(field.name, &value, self.pages);
        }
        self.walk.field(field, at, value)
    }

    fn leave(&mut self, shape: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        self.walk.leave(shape)
    }
}

/// Identity of an object: the cells that distinguish it from others.
struct ObjectIdentity<'o> {
    kind: CatalogueCell<'o>,
    id: CatalogueCell<'o>,
    name: CatalogueCell<'o>,
    variant: CatalogueCell<'o>,
    payload_type: CatalogueCell<'o>,
}

/// An entry whose hash or contents are read when the listing is over.
struct DeferredEntry {
    node: Node,
    /// Whether the details of the listing contain the hash of its bytes.
    is_hashed: bool,
    /// Whether it is no object itself, and may hold some.
    may_hold: bool,
    /// The number of the category and the like.
    kind: Option<Box<str>>,
}

impl ContainerLister<'_> {
    fn all(&mut self, task: &mut Task<'_>) -> Result<()> {
        // Rows wait for the writer, which packs a group of them at a time, and findings are rows too.
        task.budget.memory((task.budget.left().memory / WRITER_PART).min(WRITER))?;
        let mut listed = Vec::new();
        finish(self.container.children(Of::Listing, self.pages, task, &mut |entry, task| {
            listed.push(self.entry(entry, task)?);
            Ok(())
        }))?;
        let [hash_at, path_at] =
            ["hash", "path"].map(|name| schema::ENTRIES.place(name).unwrap_or_default());
        let mut path = Vec::new();
        for (number, entry) in listed.into_iter().enumerate() {
            let DeferredEntry { node, is_hashed, may_hold, kind } = entry;
            if !is_hashed && let Some(hash) = self.hash(node, task)? {
                self.entries.set(number, hash_at, &*hash);
                self.charge(task)?;
            }
            if may_hold {
                path.clear();
                path.extend_from_slice(self.entries.text(number, path_at).unwrap_or_default());
                self.below(node, number as u64, kind.as_deref(), &path, task)?;
            }
        }
        Ok(())
    }

    /// Takes from the budget what the rows have grown by.
    fn charge(&mut self, task: &mut Task<'_>) -> Result<()> {
        let held = self.entries.held().saturating_add(self.objects.held());
        let more = held.saturating_sub(self.held);
        self.held = self.held.max(held);
        if more == 0 { Ok(()) } else { task.budget.memory(more) }
    }

    /// Returns the XXH3-128 of the bytes of an entry; `None` where they are missing or damaged, which the checks report.
    fn hash(&self, node: Node, task: &mut Task<'_>) -> Result<Option<String>> {
        let hashed: spelunk::Result<String> = task.transient(|task| {
            let bytes = self.container.bytes(node, task)?;
            task.budget.touch(bytes.len() as u64)?;
            Ok(format!("{:032x}", XxHash3_128::oneshot(&bytes)))
        });
        match hashed {
            Ok(hash) => Ok(Some(hash)),
            Err(error) if error.ends_work() => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn entry(&mut self, entry: &Entry<'_>, task: &mut Task<'_>) -> Result<DeferredEntry> {
        let mut details = std::mem::take(&mut self.details);
        details.clear();
        let appended = task.keeping(|task, most| {
            let before = self.text.capacity();
            self.text.clear();
            self.text.push(b'{');
            let walked = |walk: &mut dyn Walk| {
                let pages = self.pages;
                entry
                    .details
                    .walk(task, &mut DetailRecorder { walk, pages, depth: 0, found: &mut details })
            };
            let appended = json::append(self.pages, &mut self.text, most, &[], walked);
            self.text.push(b'}');
            (appended, self.text.capacity().saturating_sub(before) as u64)
        });
        appended?;
        let number = self.entries.len as u64;
        let name = entry.name.map(|name| self.pages.show(until_nul(name)));
        let (class, asset) = (details.text("class_id"), details.text("asset_id"));
        let is_object = class.is_some() || asset.is_some();
        if is_object {
            let identity = ObjectIdentity {
                kind: class.or_else(|| details.text("kind")).into(),
                id: asset.or_else(|| details.text("id")).unwrap_or_default().into(),
                name: name.as_deref().into(),
                variant: details.text("variant").into(),
                payload_type: details.text("payload_type").into(),
            };
            self.object(entry, number, identity, task)?;
        }
        let hash = details.text("hash");
        self.entries.push([
            self.file.into(),
            number.into(),
            entry.path.into(),
            entry.kind.into(),
            name.as_deref().into(),
            entry.label.into(),
            entry.size.into(),
            entry.stored_size.into(),
            details.get("offset").and_then(|(_, _, offset)| *offset).into(),
            hash.into(),
            self.text.as_slice().into(),
        ]);
        self.charge(task)?;
        let kind = details.text("id").filter(|_| !is_object);
        let listed = size_of::<DeferredEntry>().saturating_mul(2);
        let listed = listed.saturating_add(kind.map_or(0, str::len));
        task.budget.memory(listed as u64)?;
        let entry = DeferredEntry {
            node: entry.node,
            is_hashed: hash.is_some(),
            may_hold: !is_object,
            kind: kind.map(Into::into),
        };
        self.details = details;
        Ok(entry)
    }

    /// Adds an object, which the entry of this number stores.
    fn object(
        &mut self,
        entry: &Entry<'_>,
        number: u64,
        ObjectIdentity { kind, id, name, variant, payload_type }: ObjectIdentity<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.objects.push([
            self.file.into(),
            (self.objects.len as u64).into(),
            number.into(),
            entry.path.into(),
            entry.kind.into(),
            kind,
            id,
            name,
            variant,
            payload_type,
            entry.size.into(),
        ]);
        self.charge(task)
    }

    /// Lists the objects that an entry holds one by one.
    fn below(
        &mut self,
        node: Node,
        number: u64,
        kind: Option<&str>,
        path: &[u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        finish(self.container.children(Of::Node(node), self.pages, task, &mut |entry, task| {
            let name = entry.name.map(|name| self.pages.show(until_nul(name)));
            let id = str::from_utf8(path).ok().and_then(|path| entry.path.strip_prefix(path));
            let identity = ObjectIdentity {
                kind: kind.into(),
                id: id.unwrap_or(entry.path).trim_start_matches('/').into(),
                name: entry.label.or(name.as_deref()).into(),
                variant: CatalogueCell::Null,
                payload_type: CatalogueCell::Null,
            };
            Ok(self.object(entry, number, identity, task)?)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk::verbs::Memory;

    #[test]
    fn a_file_that_ends_the_work_is_a_row() {
        let seen =
            CatalogFile { file: "a".into(), name: "a".into(), size: Some(7), modified: None };
        let looked = guarded(&seen, || panic!("on purpose"));
        assert_eq!(looked.facts.error.unwrap().0.id, codes::PANICKED.id);
        let [files, entries, _, findings] = looked.rows;
        assert_eq!((files.len, entries.len, findings.len), (1, 0, 1));
        assert_eq!(files.get(0, 1), CatalogueCell::Int(7));
    }

    #[test]
    fn what_ends_the_listing_and_what_ends_the_checks_are_both_reported() {
        let files = Memory::new();
        files.put("forest.snpak", spelunk_fixtures::samples::pack().build().bytes);
        let seen = CatalogFile::new(&files, "forest.snpak".into(), "forest.snpak".to_owned());
        // Enough to open it, and for neither.
        let options = Options { max_memory: Some(1000), ..Options::default() };
        let Looked { facts, rows: [files, _, _, findings] } =
            look(&seen, (&files, &options), &mut Buffers::default());
        let place = |column| schema::FINDINGS.place(column).unwrap();
        let reported: Vec<[CatalogueCell<'_>; 2]> = (0..findings.len)
            .map(|row| ["code", "message"].map(|column| findings.get(row, place(column))))
            .collect();
        let [checked, listed, ..] = &reported[..] else { panic!("{reported:?}") };
        assert!(
            reported.iter().all(|[code, _]| *code == CatalogueCell::from(codes::core::MEMORY.id))
        );
        assert_ne!(checked[1], listed[1]);
        let message = facts.error.unwrap().1;
        let error = CatalogueCell::from(&*message);
        assert!(reported.iter().any(|[_, message]| *message == error), "{reported:?}");
        assert_eq!(
            files.get(0, schema::FILES.place("errors").unwrap()),
            CatalogueCell::Int(reported.len() as i64)
        );
    }
}
