//! A toy format that registers itself and gets every verb that looks at files: `cargo run -p spelunk --example new_format`

use spelunk::{
    Bytes, Container, Each, Entry, Error, Field, Format, Node, Of, Options, Profile, Result,
    Source, Span, Task, Ty, Val, Walk, Walked,
    core::text::{CodePages, until_nul},
    open::codes,
    verbs::{self, CollectedOutput, Memory, Outcome, Session},
};
use spelunk_core::{Described, Probe, ResultExt, Space, cursor::Cursor, record};
use std::sync::Arc;
use zerocopy::IntoBytes;

record! {
    /// The beginning of a chest.
    struct Head: "head", "docs/formats/README.md", 12 {
        /// Always `CHST`.
        magic: Text<4>,
        /// How many things there are.
        count: U32,
        /// Sum of all bytes behind the head.
        checksum: Word,
    }
}
record! {
    /// A thing in a chest. What things hold lies back to back behind the table.
    struct Thing: "thing", "docs/formats/README.md", 20 {
        /// Name, filled up with NULs.
        name: Text<16>,
        /// Length of the content.
        size: U32 { unit: "bytes" },
    }
}
static CONTENT: Field = Field::new("content", Ty::Bytes, "What a thing holds.").unit("bytes");
spelunk_core::codes! {
    /// The bytes behind the head are others than those that were counted.
    CHECKSUM = "CH001" Malformed "the checksum is wrong", "The file was damaged, or changed by hand.";
}

/// Chests as a format.
#[derive(Debug)]
pub struct Chests;
static CHESTS: Profile = Profile { extensions: &["chest"], ..Profile::new("chest", "Chests") };
impl Format for Chests {
    fn profile(&self) -> &'static Profile {
        &CHESTS
    }
    fn probe(&self, head: &[u8], _: u64) -> Probe {
        if head.starts_with(b"CHST") { Probe::Yes } else { Probe::No }
    }
    fn open(&self, source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Box<dyn Container>> {
        let file = source.read(0..source.len(), &mut task.budget)?;
        let mut cursor = Cursor::new(&file, Space::FILE, 0);
        let head: Head = *cursor.record()?;
        let sum = file.iter().skip(12).fold(0, |sum: u32, byte| sum.wrapping_add((*byte).into()));
        if sum != head.checksum.get() {
            let error = Error::new(&CHECKSUM).at(Span::file(8, 4)).expected(Val::Word(sum));
            task.error(error.found(Val::Word(head.checksum.get())))?;
        }
        cursor.expect_items(head.count.get().into(), 20, "count")?;
        let mut things: Vec<Thing> = task.budget.vec(head.count.get().into())?;
        for nth in 0..head.count.get() as usize {
            things.push(*cursor.record().item("things", nth)?);
        }
        let mut contents = task.budget.vec(u64::from(head.count.get()) + 1)?;
        for (nth, thing) in things.iter().enumerate() {
            let content = cursor.bytes(thing.size.get() as usize, "content").item("things", nth)?;
            contents.push(file.slice_ref(content));
        }
        contents.push(file.slice_ref(cursor.rest()));
        Ok(Box::new(Chest { size: source.len(), head, things, contents }))
    }
}

/// An opened chest. The last of the contents is what lies behind all things and belongs to none.
struct Chest {
    size: u64,
    head: Head,
    things: Vec<Thing>,
    contents: Vec<Bytes>,
}
impl Container for Chest {
    fn profile(&self) -> &'static Profile {
        &CHESTS
    }
    fn size(&self) -> u64 {
        self.size
    }
    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let things = if matches!(of, Of::Listing | Of::Root) { &self.things[..] } else { &[] };
        (0..).zip(things).try_for_each(|(nth, thing)| {
            let details = |_: &mut Task<'_>, walk: &mut dyn Walk| {
                Thing::RECORD.walk(thing.as_bytes(), Span::file(12 + nth * 20, 20), walk)
            };
            let (mut path, name) = (String::new(), until_nul(&thing.name.0));
            pages.path_step(name, &mut path);
            let entry = Entry::new(Node(nth), &path, "thing", thing.size.get().into(), &details);
            each(&Entry { name: Some(name), ..entry }, task)
        })
    }
    fn bytes(&self, node: Node, _: &mut Task<'_>) -> Result<Bytes> {
        let things = &self.contents[..self.things.len()];
        things.get(node.0 as usize).cloned().ok_or_else(|| Error::new(&codes::core::NOT_FOUND))
    }
    fn layout(&self, _: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.record("head", &self.head, Span::file(0, 12))?;
        let mut at = Span::file(12, self.things.len() as u64 * 20);
        walk.records("things", &self.things, at)?;
        self.contents.iter().try_for_each(|content| {
            at = Span::file(at.end(), content.len() as u64);
            walk.field(&CONTENT, Some(at), Val::Bytes(content.as_ref().into()))
        })
    }
}

/// Runs a verb on files in memory, with a request in JSON.
pub fn run(files: &Memory, verb: &str, request: &str) -> Result<(Outcome, CollectedOutput)> {
    let session = Session::new(files.clone()).with_options(Options::default().with_format(&Chests));
    let mut rows = CollectedOutput::default();
    Ok((verbs::call(&session, verb, request, &mut rows)?, rows))
}

/// Requests to each verb that looks at files.
pub const REQUESTS: &[(&str, &str)] = &[
    ("info", r#"{"files": ["a.chest"]}"#),
    ("ls", r#"{"file": "a.chest"}"#),
    ("tree", r#"{"file": "a.chest"}"#),
    ("show", r#"{"file": "a.chest", "path": "sword"}"#),
    ("cat", r#"{"file": "a.chest", "path": "sword"}"#),
    ("extract", r#"{"file": "a.chest", "directory": "out"}"#),
    ("verify", r#"{"files": ["a.chest"], "roundtrip": true, "coverage": true}"#),
    ("rewrite", r#"{"file": "a.chest", "output": "again.chest"}"#),
    ("explain", r#"{"subject": "a.chest", "place": "28"}"#),
    ("diff", r#"{"old": "a.chest", "new": "b.chest"}"#),
    ("find", r#"{"pattern": "sword", "files": ["a.chest"]}"#),
    ("query", r#"{"files": ["a.chest"], "sql": "SELECT name, size FROM entries"}"#),
];

fn main() -> Result<()> {
    let files = Memory::new();
    let thing = |content: &[u8]| [b"sword\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0", content].concat();
    files.put("a.chest", [&b"CHST\x01\0\0\0\x0c\x03\0\0"[..], &thing(b"ok")].concat());
    files.put("b.chest", [&b"CHST\x01\0\0\0\x0d\x03\0\0"[..], &thing(b"ol")].concat());
    for (verb, request) in REQUESTS {
        println!("{verb}: {:#?}", run(&files, verb, request)?);
    }
    Ok(())
}
