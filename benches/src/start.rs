//! What `spelunk info` of a small file costs beside a process that does nothing but call the library and print.

use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    packs,
    work::Work,
};
use spelunk::{Opened, Options, core::source, open::json};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

/// The verbs that make this program the bare processes.
const BARE: &str = "bare-info";
const NOTHING: &str = "nothing";

/// Lines for a sample of each format.
macro_rules! case {
    ($name:literal, $file:literal) => {
        Case {
            sides: &["spelunk info", "bare", "nothing"],
            lines: &[Line::ratio(
                concat!("start-", $name),
                concat!("`spelunk info ", $file, "`"),
                "a process that calls the library",
            )],
            measure: |work| one(work, $file),
        }
    };
}

/// A file of each format, and the size of the command.
pub const CASES: &[Case] = &[
    case!("virtools", "level.nmo"),
    case!("snpak", "forest.snpak"),
    case!("cff", "GameData.cff"),
    case!("pak", "sf22.pak"),
    Case {
        sides: &[],
        lines: &[Line::number("start-size", "size of the command", Unit::Mebibytes, 0)],
        measure: size,
    },
];

/// Is the process that is measured or compared with, where the first argument asks for it.
pub fn as_process(args: &[String]) -> Option<ExitCode> {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        [NOTHING, _] => Ok(()),
        [BARE, file] => bare(Path::new(file)),
        [packs::PEAK_OF_PACKING, folder, threads] => packs::peak_of_packing(folder, threads),
        _ => return None,
    };
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    })
}

/// The library call: the file is opened, and its facts are printed.
fn bare(file: &Path) -> io::Result<()> {
    let options = Options::default();
    let opened = source::open(file, options.mapping).and_then(|it| Opened::open(it, &options));
    let mut opened = opened.map_err(io::Error::other)?;
    let pages = opened.code_pages();
    let (details, shown) =
        opened.run(|container, task| json::object(&pages, |walk| container.info(task, walk)));
    shown.map_err(io::Error::other)?;
    println!("{}", serde_json::Value::Object(details));
    Ok(())
}

/// The command: the one that was named, or the one beside this program, which is built first.
fn command(work: &Work) -> io::Result<PathBuf> {
    if let Some(program) = &work.program {
        return Ok(program.clone());
    }
    let mut build = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build.args(["build", "--quiet", "--release", "--package", "spelunk-cli", "--bin", "spelunk"]);
    let is_built = build.current_dir(env!("CARGO_MANIFEST_DIR")).status()?.success();
    let beside = env::current_exe()?.with_file_name("spelunk");
    if is_built && beside.exists() {
        return Ok(beside);
    }
    Err(io::Error::other(NO_COMMAND))
}

const NO_COMMAND: &str = "the command could not be built: name one with --program";

fn size(work: &Work) -> io::Result<Measured> {
    let Ok(command) = command(work) else { return Measured::absent(NO_COMMAND) };
    Ok(Measured::numbers(vec![fs::metadata(command)?.len() as f64]))
}

fn one(work: &Work, name: &str) -> io::Result<Measured> {
    let Ok(spelunk) = command(work) else { return Measured::absent(NO_COMMAND) };
    let dir = work.folder("samples")?;
    spelunk_fixtures::write_samples(&dir)?;
    let file = dir.join(name);
    let this = env::current_exe()?;
    let start = |program: &Path, args: &[&str]| {
        let mut command = Command::new(program);
        command.args(args).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let done = command.status().expect("it starts");
        assert!(done.success(), "{program:?} {args:?}");
    };
    Measured::of(
        work.rounds * 3,
        [&mut || start(&spelunk, &["info", "--json"]), &mut || start(&this, &[BARE]), &mut || {
            start(&this, &[NOTHING])
        }],
    )
    .with(name)
}
