//! The package for Python, which `SPELUNK_PYTHON` names a Python with, beside the same work in Rust and beside a reader in Python.

use crate::{
    clock::{Measured, measured},
    jobs::Jobs,
    line::{Case, Line},
    work::Work,
};
use spelunk::{
    File, Halt, Of, Opened, Options, Shape, Step, Val, Walk,
    core::{
        text::CodePages,
        walk::{Group, finish},
    },
};
use std::{
    cell::RefCell,
    env,
    hint::black_box,
    io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    process::Command,
};

/// Meshes as arrays, and rows as columns.
pub const CASES: &[Case] = &[
    Case {
        sides: &["Python", "Rust"],
        lines: &[Line::ratio("python-meshes", "open + all meshes as arrays", "the same in Rust")
            .at_most(1.3)],
        measure: meshes,
    },
    Case {
        sides: &["Arrow", "walk", "objects in Python"],
        lines: &[
            Line::ratio(
                "python-tables",
                "GameData: open + all rows as Arrow",
                "open + a walk over all entries in Rust",
            )
            .at_most(1.5),
            Line::ratio(
                "python-objects",
                "a reader in Python with an object a row",
                "all rows as Arrow",
            )
            .by(|t, _| t[2] / t[0])
            .at_least(50.0),
        ],
        measure: tables,
    },
];

/// Python with the package, which does a job over files; `None` where no Python with the package is named.
fn start() -> io::Result<Option<Jobs>> {
    let Some(program) = env::var_os("SPELUNK_PYTHON") else { return Ok(None) };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/tools/bench.py");
    let mut command = Command::new(program);
    command.arg(script.canonicalize()?).current_dir(env::temp_dir());
    Jobs::start(&mut command).map(Some)
}

/// The line of a job over files.
fn line(job: &str, paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| format!("\t{}", path.display()));
    format!("{job}{}", paths.collect::<String>())
}

const NO_PYTHON: &str = "SPELUNK_PYTHON names no Python that has the package";

fn meshes(work: &Work) -> io::Result<Measured> {
    let Some(python) = start()? else { return Measured::absent(NO_PYTHON) };
    let names: Vec<String> = work.virtools()?.iter().map(|(name, _)| name.clone()).collect();
    let named = |path: &&PathBuf| names.contains(&crate::work::name_of(path));
    let files: Vec<PathBuf> = work.files()?.iter().filter(named).cloned().collect();
    let python = RefCell::new(python);
    let in_python =
        || python.borrow_mut().run(&line("meshes", &files)).expect("files that are sound");
    assert_eq!(in_python().1, meshes_of(&files), "both read the same");
    Measured::timed(
        work.rounds,
        [&mut || in_python().0, &mut || {
            measured(|| {
                black_box(meshes_of(&files));
            })
        }],
    )
    .with(format!("{} files", files.len()))
}

/// Opens files and reads all meshes. Returns the number of vertices and faces.
fn meshes_of(files: &[PathBuf]) -> u64 {
    let mut count = 0;
    for path in files {
        let file = File::options().threads(NonZeroUsize::MIN).open(path).expect("a sound file");
        for entry in file.select(&["CKMesh"]).expect("a sound file").iter() {
            let mesh = entry.mesh().expect("a sound mesh");
            count += mesh.positions.len() / 12 + mesh.faces.len() / 8;
        }
    }
    count as u64
}

fn tables(work: &Work) -> io::Result<Measured> {
    let Some(python) = start()? else { return Measured::absent(NO_PYTHON) };
    let Some(path) = work.file("GameData-1.54-en.cff")? else {
        return Measured::absent("there is no real GameData");
    };
    let file = [path.to_owned()];
    let python = RefCell::new(python);
    let job = |name: &str| python.borrow_mut().run(&line(name, &file)).expect("a sound file");
    let (rows, read) = (job("tables").1, job("objects").1);
    // Rows that are no fixed number of bytes are nothing for a reader of slices.
    assert!(read <= rows && read * 100 > rows * 99, "{read} rows of {rows}");
    Measured::timed(
        work.rounds,
        [&mut || job("tables").0, &mut || measured(|| walk(path)), &mut || job("objects").0],
    )
    .with(format!("GameData 1.54, {rows} rows"))
}

/// Opens a file and walks through the fields of all entries.
fn walk(path: &Path) {
    struct Count(u64);
    impl Walk for Count {
        fn field(
            &mut self,
            _: &'static spelunk::Field,
            _: Option<spelunk::Span>,
            value: Val<'_>,
        ) -> Result<(), Halt> {
            black_box(value);
            self.0 += 1;
            Ok(())
        }
        fn enter(&mut self, _: &Group<'_>) -> Result<Step, Halt> {
            Ok(Step::Into)
        }
        fn leave(&mut self, _: Shape) -> Result<(), Halt> {
            Ok(())
        }
    }
    let mut opened = Opened::open_path(path, &Options::default()).expect("a sound file");
    opened.run(|container, task| {
        let mut nodes = Vec::new();
        let listing =
            container.children(Of::Listing, &CodePages::cp1252(), task, &mut |entry, _| {
                nodes.push(entry.node);
                Ok(())
            });
        finish(listing).expect("a sound file");
        let mut count = Count(0);
        for node in nodes {
            finish(container.walk(node, task, &mut count)).expect("a sound entry");
        }
        black_box(count.0);
    });
}
