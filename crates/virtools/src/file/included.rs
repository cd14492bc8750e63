//! Bytes behind the Data section: included files, or bytes that nothing explains.

use super::part::{count, leaf};
use crate::codes;
use spelunk_core::{
    Bytes, Error, Field, Group, Record, Result, Span, Task, Ty, Val, Walk, Walked, cursor::Cursor,
};
use std::io::Write;

const PAGE: &str = "docs/formats/virtools.md#6-trailing-records";

/// Longest name that engines read.
const NAME_MAX: usize = 511;

/// Files behind the Data section.
static INCLUDED: Record = Record::group("included", PAGE, "Files that were included.");
/// An included file.
static RECORD: Record = Record::group("included_file", PAGE, "A file that was included.");
pub(crate) static NAME_LENGTH: Field =
    Field::new("name_length", Ty::U32, "Bytes of the name.").unit("bytes");
/// The name of an included file.
pub(crate) static NAME: Field = Field::new("name", Ty::Text, "File name with extension.");
/// The size of an included file.
pub(crate) static FILE_SIZE: Field =
    Field::new("file_size", Ty::U32, "Bytes of the file; 0 also for one that was missing.")
        .unit("bytes");
/// Whether the stub counts an included file.
pub(crate) static COUNTED: Field =
    Field::new("counted", Ty::Bool, "The stub counts the file, so engines read it.");
static CONTENT: Field = Field::new("content", Ty::Bytes, "The file, not packed.");
static REST: Field = Field::new("rest", Ty::Bytes, "Bytes behind Data that nothing explains.");

/// Everything behind the Data section.
#[derive(Clone, Debug)]
pub struct Tail {
    /// Place of the bytes behind the Data section.
    pub at: Span,
    /// The included files, in the order in which they are stored: first those that the stub counts.
    pub included: Vec<Included>,
    /// Bytes behind the included files; empty in real files.
    pub rest: Bytes,
}

/// A file inside the file.
#[derive(Clone, Debug)]
pub struct Included {
    /// Offset of the record in the file.
    pub at: u64,
    /// The stored name. It may be a path, and must not be used as one.
    pub name: Bytes,
    /// The content.
    pub content: Bytes,
    /// Whether the stub counts it. Engines read no other; the development tool writes one picture of the file that it
    /// does not count.
    pub counted: bool,
}

/// Takes a record: name and content. The cursor stays where it is when one is cut short.
fn take<'a>(cursor: &mut Cursor<'a>) -> Option<(&'a [u8], &'a [u8])> {
    let mut ahead = cursor.clone();
    let len = ahead.u32("name_length").ok()?;
    let name = ahead.bytes(len as usize, "name").ok()?;
    let size = ahead.u32("file_size").ok()?;
    let content = ahead.bytes(size as usize, "content").ok()?;
    *cursor = ahead;
    Some((name, content))
}

/// Returns the name behind the folders of a path of the author's machine.
pub(crate) fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()
}

/// Whether a name looks like one.
fn plausible(name: &[u8]) -> bool {
    (1..=NAME_MAX).contains(&name.len()) && name.iter().all(|byte| *byte >= b' ')
}

impl Tail {
    /// Reads `bytes`, which lie at `at` behind the Data section, as the `counted` included files that the
    /// stub counts. What is left is taken as included files too if that explains every byte of it,
    /// since engines write some without counting them.
    ///
    /// # Errors
    /// Limits, and what the sink makes of a finding.
    pub fn read(bytes: &Bytes, at: Span, counted: u32, task: &mut Task<'_>) -> Result<Tail> {
        let mut ahead = Cursor::new(bytes, at.space, at.start);
        let mut count = 0_u64;
        while count < counted.into() && take(&mut ahead).is_some() {
            count = count.saturating_add(1);
            task.budget.steps(1)?;
        }
        if count < counted.into() {
            task.error(
                Error::new(&codes::INCLUDED_COUNT)
                    .at(ahead.span(ahead.remaining() as u64))
                    .expected(counted)
                    .found(count),
            )?;
        } else {
            count = count.saturating_add(uncounted(&ahead, task)?);
        }
        let mut cursor = Cursor::new(bytes, at.space, at.start);
        let mut included = task.budget.vec(count)?;
        while (included.len() as u64) < count {
            let at = cursor.offset();
            let Some((name, content)) = take(&mut cursor) else { break };
            let (name, content) = (bytes.slice_ref(name), bytes.slice_ref(content));
            let counted = (included.len() as u64) < counted.into();
            included.push(Included { at, name, content, counted });
        }
        let rest_at = cursor.span(cursor.remaining() as u64);
        let tail = Tail { at, included, rest: bytes.slice_ref(cursor.rest()) };
        tail.check(rest_at, count >= counted.into(), task)?;
        Ok(tail)
    }

    /// Reports what is odd.
    fn check(&self, rest_at: Span, complete: bool, task: &mut Task<'_>) -> Result<()> {
        for file in &self.included {
            if file.name.iter().any(|byte| matches!(byte, b'/' | b'\\' | b':')) {
                task.note(
                    Error::new(&codes::INCLUDED_PATH)
                        .at(file.span().part(4, file.name.len() as u64))
                        .found(Val::Text(file.name.to_vec().into())),
                )?;
            }
        }
        if rest_at.len > 0 && complete {
            let found = format!("{} bytes", rest_at.len);
            task.warn(Error::new(&codes::TAIL).at(rest_at).found(found))?;
        }
        Ok(())
    }

    /// Writes the tail.
    ///
    /// # Errors
    /// Writing errors.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        for file in &self.included {
            for bytes in [&file.name, &file.content] {
                out.write_all(&count(bytes.len()))?;
                out.write_all(bytes)?;
            }
        }
        out.write_all(&self.rest)?;
        Ok(())
    }

    /// Walks the tail in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        let rest = self.rest.len() as u64;
        let len = self.at.len.saturating_sub(rest);
        let list = Group::list("included", &INCLUDED, Some(self.at.part(0, len)));
        walk.group(&list, |walk| {
            for (index, file) in self.included.iter().enumerate() {
                walk.group(&Group::item(index, &RECORD, Some(file.span())), |walk| {
                    file.walk(walk)
                })?;
            }
            Ok(())
        })?;
        if rest > 0 {
            leaf(&REST, self.at.part(len, rest), &self.rest, walk)?;
        }
        Ok(())
    }
}

/// Number of records that explain all bytes from here to the end; 0 where they do not.
fn uncounted(cursor: &Cursor<'_>, task: &mut Task<'_>) -> Result<u64> {
    let mut ahead = cursor.clone();
    let mut count = 0_u64;
    while ahead.remaining() > 0 {
        if !take(&mut ahead).is_some_and(|(name, _)| plausible(name)) {
            return Ok(0);
        }
        count = count.saturating_add(1);
        task.budget.steps(1)?;
    }
    Ok(count)
}

impl Included {
    /// Agrees to a name.
    pub(crate) fn check_name(name: &[u8]) -> Result<()> {
        if plausible(name) {
            return Ok(());
        }
        Err(Error::new(&codes::INCLUDED_NAME)
            .field("name")
            .expected(format!("1 to {NAME_MAX} bytes, none of them a control byte"))
            .found(Val::Text(name.to_vec().into())))
    }

    /// Place of the record in the file.
    pub fn span(&self) -> Span {
        let len = (self.name.len() as u64).saturating_add(self.content.len() as u64);
        Span::file(self.at, len.saturating_add(8))
    }

    /// Walks the record.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        let at = self.span();
        let name = self.name.len() as u64;
        walk.field(&NAME_LENGTH, Some(at.part(0, 4)), Val::U(name))?;
        leaf(&NAME, at.part(4, 0), &self.name, walk)?;
        let at = at.part(name.saturating_add(4), 0);
        walk.field(&FILE_SIZE, Some(at.part(0, 4)), Val::from(self.content.len()))?;
        leaf(&CONTENT, at.part(4, 0), &self.content, walk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::{Budget, finding::Collect, limits::Limits};

    fn record(name: &[u8], content: &[u8]) -> Vec<u8> {
        let len = |bytes: &[u8]| (bytes.len() as u32).to_le_bytes();
        [&len(name)[..], name, &len(content)[..], content].concat()
    }

    fn read(bytes: Vec<u8>, counted: u32) -> (Tail, Vec<&'static str>) {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let bytes = Bytes::from(bytes);
        let at = Span::file(100, bytes.len() as u64);
        let tail = Tail::read(&bytes, at, counted, &mut task).unwrap();
        let mut out = Vec::new();
        tail.write(&mut out).unwrap();
        assert_eq!(bytes, out);
        (tail, sink.findings.iter().map(|finding| finding.error.code().id).collect())
    }

    #[test]
    fn files_are_found_with_and_without_a_count() {
        let two = [record(b"a.jpg", b"picture"), record(b"b.txt", b"")].concat();
        for counted in 0..=2 {
            let (tail, findings) = read(two.clone(), counted);
            assert_eq!(tail.included.len(), 2);
            assert_eq!(tail.included[1].at, 100 + 20);
            assert!(findings.is_empty());
        }
        let (tail, findings) = read(two, 3);
        assert_eq!((tail.included.len(), findings), (2, vec!["VT030"]));
    }

    #[test]
    fn what_explains_not_every_byte_is_opaque() {
        for odd in [b"\0".to_vec(), record(b"", b"no name"), record(b"bell\x07", b"")] {
            let bytes = [record(b"a.jpg", b"picture"), odd].concat();
            let (tail, findings) = read(bytes.clone(), 0);
            assert_eq!((tail.included.len(), tail.rest.len()), (0, bytes.len()));
            assert_eq!(findings, ["VT031"]);
            let (tail, findings) = read(bytes, 1);
            assert_eq!((tail.included.len(), findings), (1, vec!["VT031"]));
        }
    }

    #[test]
    fn names_that_are_paths_are_noted() {
        let (tail, findings) = read(record(b"C:\\Users\\me\\vtthumbnail.jpg", b"x"), 0);
        assert_eq!((tail.included.len(), findings), (1, vec!["VT032"]));
    }
}
