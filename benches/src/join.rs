//! Many files as one: the time for each must not grow with their number.

use crate::{
    clock::Measured,
    folder::Printed,
    line::{Case, Line, Unit},
    work::Work,
};
use serde_json::json;
use spelunk::verbs::{self, Memory, Session};
use std::io;

/// Size of the file that is joined, at the least, where there is one.
const SIZE: usize = 20_000;

/// Copies of one file.
pub const CASES: &[Case] = &[Case {
    sides: &["100 files", "200 files", "400 files"],
    lines: &[
        Line::ratio("join-200", "`join` of 200 files, a file", "of 100, a file")
            .by(|t, _| t[1] / t[0] / 2.0)
            .at_most(1.2),
        Line::ratio("join-400", "`join` of 400 files, a file", "of 100, a file")
            .by(|t, _| t[2] / t[0] / 4.0)
            .at_most(1.2),
        Line::time("join-file", "`join` of 100 files, a file", Unit::Microseconds)
            .by(|t, _| t[0] / 100.0),
    ],
    measure,
}];

fn measure(work: &Work) -> io::Result<Measured> {
    let files = work.virtools()?;
    let large = files.iter().filter(|(_, bytes)| bytes.len() >= SIZE);
    let found = large.min_by_key(|(_, bytes)| bytes.len()).or_else(|| files.first());
    let (name, bytes) = found.ok_or_else(|| io::Error::other("no Virtools file can be read"))?;
    let memory = Memory::new();
    let copies: Vec<String> = (0..400).map(|nth| format!("{nth}.nmo")).collect();
    for copy in &copies {
        memory.put(copy, bytes.clone());
    }
    // A context of hundreds of thousands of objects, of copies that pack to nearly nothing, is above what is promised by default.
    let options = spelunk::Options { max_memory: Some(4 << 30), ..spelunk::Options::default() };
    let session = Session::new(memory.clone()).with_options(options);
    let join = |count: usize| {
        let request = json!({ "files": copies[..count], "output": "joined.nmo" });
        let mut printed = Printed::default();
        let done = verbs::call(&session, "join", &request.to_string(), &mut printed);
        done.expect("the files are joined");
        assert_eq!(printed.failed, None);
        assert!(memory.remove("joined.nmo").is_some());
    };
    Measured::of(work.rounds, [&mut || join(100), &mut || join(200), &mut || join(400)])
        .with(format!("{name}, {} bytes", bytes.len()))
}
