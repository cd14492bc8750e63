//! Small files that ask for much get a limit, not the memory.

use peak_alloc::PeakAlloc;
use spelunk_core::{
    Bytes, Class, Container, Of, Task, Walk,
    limits::Limits,
    walk::{Group, Halt, Shape, Step, Walked, finish},
};
use spelunk_fixtures::virtools::{IncludedFile, VirtoolsFile, zlib};
use test_support::{memory, task::with_limits};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Sees everything and keeps nothing.
struct Nothing;

impl Walk for Nothing {
    fn enter(&mut self, _: &Group<'_>) -> Result<Step, Halt> {
        Ok(Step::Into)
    }
    fn field(
        &mut self,
        _: &'static spelunk_core::Field,
        _: Option<spelunk_core::Span>,
        _: spelunk_core::Val<'_>,
    ) -> Walked {
        Ok(())
    }
    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// A file whose packed sections hold these bytes.
fn packed(objects: u32, managers: u32, header1: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = VirtoolsFile::default().build().bytes[..64].to_vec();
    let (stored_header1, stored_data) = (zlib(header1, 1), zlib(data, 1));
    for (at, value) in [
        (24, 8),
        (28, stored_header1.len() as u32),
        (32, stored_data.len() as u32),
        (36, data.len() as u32),
        (40, managers),
        (44, objects),
        (60, header1.len() as u32),
    ] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes.extend(stored_header1);
    bytes.extend(stored_data);
    bytes
}

type Work = fn(&virtools::File, &mut Task<'_>) -> spelunk_core::Result<()>;

const WORK: [(&str, Work); 7] = [
    ("info", |file, task| finish(file.info(task, &mut Nothing))),
    ("list", |file, task| {
        finish(file.children(Of::Listing, &file.code_pages(), task, &mut |_, _| Ok(())))
    }),
    ("find", |file, task| {
        file.find("CKCID_0/", &file.code_pages(), task)?;
        file.find("plugins/0", &file.code_pages(), task)?;
        file.find("included/a", &file.code_pages(), task)?;
        file.find("managers/00000000-00000000", &file.code_pages(), task).map(drop)
    }),
    ("tree", |file, task| {
        let mut nodes = Vec::new();
        let mut push = |entry: &spelunk_core::Entry<'_>, _: &mut Task<'_>| {
            nodes.push(entry.node);
            Ok(())
        };
        finish(file.children(Of::Root, &file.code_pages(), task, &mut push))?;
        for node in nodes.into_iter().take(50) {
            finish(file.children(Of::Node(node), &file.code_pages(), task, &mut |_, _| Ok(())))?;
        }
        Ok(())
    }),
    ("layout", |file, task| finish(file.layout(task, &mut Nothing))),
    ("verify", |file, task| file.verify(task)),
    ("write", |file, task| file.write(&mut std::io::sink(), &Default::default(), task)),
];

#[test]
fn nothing_takes_more_than_the_limit() {
    let zeros = vec![0; 80 << 20];
    let classes: Vec<u8> =
        (0..700_000_u32).flat_map(|id| [id, id, 0, 0]).flat_map(u32::to_le_bytes).collect();
    let record = IncludedFile { name: b"a".to_vec(), data: Vec::new() };
    let tail = VirtoolsFile { records: vec![record; 1_000_000], ..VirtoolsFile::default() };
    let group_count = [&900_000_u32.to_le_bytes()[..], &zeros[..900_000 * 8]].concat();
    let files = [
        ("many objects", packed(800_000, 0, &zeros[..800_000 * 16], &zeros[..800_000 * 4])),
        ("too many objects", packed(5_000_000, 0, &zeros[..5_000_000 * 16], &[])),
        ("many classes", packed(700_000, 0, &classes, &zeros[..700_000 * 4])),
        ("large data", packed(0, 0, &zeros[..12], &zeros)),
        ("half the limit of data", packed(0, 0, &zeros[..12], &zeros[..30 << 20])),
        ("many managers", packed(0, 900_000, &zeros[..12], &zeros[..900_000 * 12])),
        ("many groups", packed(0, 0, &group_count, &[])),
        ("many included files", tail.build().bytes),
    ];
    for (name, bytes) in files {
        let limits = Limits::for_len(bytes.len() as u64);
        let bytes = Bytes::from(bytes);
        for (verb, work) in WORK {
            let (result, peak) = memory::peak(&ALLOCATOR, || {
                let work = |task: &mut Task<'_>| {
                    virtools::File::read_from(&bytes, task).and_then(|file| work(&file, task))
                };
                with_limits(limits, work).0
            });
            assert!(peak as u64 <= limits.memory + (1 << 20), "{name}, {verb}: {peak} bytes");
            if let Err(error) = result {
                let class = error.code().class;
                assert!(matches!(class, Class::Limit), "{name}, {verb}: {error}");
            }
        }
    }
}
