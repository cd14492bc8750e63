//! What is done to the files: for every verb command lines with the options that matter.

mod reading;
mod words;
mod writing;

use super::one;
use spelunk_fixtures::{
    generate::{self, Generator, Kind},
    mutate,
    random::Random,
};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// The verbs that read or write files.
pub const VERBS: [&str; 36] = [
    "info", "ls", "tree", "show", "cat", "extract", "verify", "refs", "find", "overlay", "lint",
    "rewrite", "diff", "patch", "set", "rm", "mv", "add", "replace", "export", "import", "query",
    "join", "merge", "subset", "pack", "append", "compact", "repair", "rollback", "upgrade",
    "catalog", "explain", "undo", "redo", "history",
];

/// One execution.
#[derive(Default, Clone)]
pub struct Step {
    /// The arguments; the first one is the verb.
    pub args: Vec<OsString>,
    /// Files and folders that may be written.
    pub writes: Vec<String>,
    /// Whether all of the output is lines of JSON.
    pub json: bool,
    /// What the files are like.
    pub shape: String,
    /// A file that is changed before, and how.
    damage: Option<(String, u64)>,
}

impl Step {
    /// The step of a line of arguments, with blanks between them.
    fn new(line: &str) -> Step {
        Step { args: line.split_whitespace().map(OsString::from).collect(), ..Step::default() }
    }

    fn arg(mut self, arg: impl Into<OsString>) -> Step {
        self.args.push(arg.into());
        self
    }

    /// One of these lines of options, which may be empty.
    fn one_of(mut self, r: &mut Random, lines: &[&str]) -> Step {
        self.args.extend(lines[r.below(lines.len())].split_whitespace().map(OsString::from));
        self
    }

    fn writes(mut self, name: &str) -> Step {
        self.writes.push(name.to_owned());
        self
    }

    fn damaged(mut self, name: &str, r: &mut Random) -> Step {
        self.damage = Some((name.to_owned(), r.next()));
        self
    }

    /// With `--json`, now and then.
    fn json(mut self, r: &mut Random) -> Step {
        self.json = r.below(2) == 0;
        if self.json { self.arg("--json") } else { self }
    }

    /// Where a changed file goes: to a new one, or in the place of the old one.
    fn to(self, r: &mut Random, file: &str) -> Step {
        let ending = file.rsplit('.').next().unwrap_or_default();
        match r.below(9) {
            0 => self.arg("--in-place").writes(file),
            7 => {
                let history = format!("{file}.history");
                self.arg("--in-place").arg("--history").writes(file).writes(&history)
            }
            1 => self.arg("--in-place").arg("--backup").writes(file).writes(&format!("{file}.bak")),
            2 => self.arg("-o").arg("-"),
            3 => self.arg("-o").arg(format!("out.{ending}")).arg("--dry-run"),
            _ => {
                let out = format!("out.{ending}");
                self.arg("-o").arg(&out).writes(&out)
            }
        }
    }

    pub fn verb(&self) -> &'static str {
        let first = self.args.first().and_then(|first| first.to_str()).unwrap_or_default();
        VERBS.into_iter().find(|verb| *verb == first).unwrap_or("other")
    }

    /// Changes the file that is to be changed before.
    pub fn prepare(&self, dir: &Path) -> io::Result<()> {
        let Some((name, seed)) = &self.damage else { return Ok(()) };
        let path = dir.join(name);
        if let Ok(bytes) = fs::read(&path) {
            fs::write(path, mutate::mutate(&bytes, *seed))?;
        }
        Ok(())
    }
}

/// The arguments as a shell takes them.
pub fn quoted(args: &[OsString]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+".contains(c);
    let quote = |arg: &OsString| match arg.to_string_lossy() {
        text if !text.is_empty() && text.chars().all(plain) => text.into_owned(),
        text => format!("'{}'", text.replace('\'', r"'\''")),
    };
    args.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// Sets scenes.
pub struct Scenes {
    generator: Generator,
    program: PathBuf,
}

/// The files of a scene: their kind, what they are like, and their names in the folder.
struct Stage<'a> {
    kind: Kind,
    shape: String,
    names: Vec<String>,
    dir: &'a Path,
    generator: &'a Generator,
    /// Paths of entries of the first file, where it was listed.
    listed: Vec<String>,
}

impl Stage<'_> {
    /// The path of an entry: one that is there, or one that is there in many files.
    fn path(&self, r: &mut Random) -> String {
        match self.listed.len() {
            0 => words::path(self.kind, r).to_owned(),
            count if r.below(5) > 0 => self.listed[r.below(count)].clone(),
            _ => words::path(self.kind, r).to_owned(),
        }
    }

    /// A field of an entry and what it is to be.
    fn change(&self, r: &mut Random) -> String {
        let known = words::change(self.kind, r);
        if self.listed.is_empty() || r.below(4) == 0 {
            return known.to_owned();
        }
        let field = words::FIELDS[r.below(words::FIELDS.len())];
        format!("{}/{field}", self.path(r))
    }

    /// The name of the first file.
    fn a(&self) -> &str {
        &self.names[0]
    }

    /// The name of another file: a copy of the first one, a damaged one, or one of its own.
    fn other(&mut self, r: &mut Random) -> io::Result<String> {
        let name = format!("{}.{}", char::from(b'a' + self.names.len() as u8), self.kind.ending());
        let first = fs::read(self.dir.join(self.a()))?;
        let bytes = match r.below(5) {
            0 | 1 => first,
            2 | 3 => generate::damaged(&first, r),
            _ => self.generator.file(self.kind, r).bytes,
        };
        fs::write(self.dir.join(&name), bytes)?;
        self.names.push(name.clone());
        Ok(name)
    }

    /// What `import` takes, as a file.
    fn source(&mut self, r: &mut Random) -> io::Result<String> {
        let made = self.generator.source(r);
        let name = format!("source.{}", made.ending);
        fs::write(self.dir.join(&name), made.bytes)?;
        self.shape = format!("{}, {}", self.shape, made.shape);
        Ok(name)
    }
}

/// The verbs for which the first file is listed before.
const BY_PATH: [&str; 15] = [
    "show", "cat", "refs", "set", "rm", "mv", "add", "replace", "subset", "export", "tree",
    "explain", "undo", "redo", "history",
];

impl Scenes {
    /// Scenes for this command.
    pub fn new(program: PathBuf) -> Scenes {
        Scenes { generator: Generator::default(), program }
    }

    /// The paths of the first entries of a file.
    fn listed(&self, dir: &Path, name: &str) -> io::Result<Vec<String>> {
        let args = ["ls", "--json", "--limit", "200", name].map(OsString::from);
        one::execute(&self.program, dir, &args, 4 << 30, one::SECONDS)?;
        let mut text = Vec::new();
        File::open(dir.with_extension(one::STREAMS[0]))?.take(1 << 20).read_to_end(&mut text)?;
        let path = |line: &[u8]| -> Option<String> {
            let entry: serde_json::Value = serde_json::from_slice(line).ok()?;
            Some(entry.get("path")?.as_str()?.to_owned())
        };
        let paths = text.split(|byte| *byte == b'\n').filter_map(path);
        // Systems take arguments of some length alone, and what looks like an option is one.
        let fits = |path: &String| path.len() < 32 << 10 && !path.starts_with('-');
        Ok(paths.filter(|path| fits(path) && !path.contains('\0')).collect())
    }

    /// Writes the files of a scene to a folder and gives what is executed there.
    pub fn set(&self, verb: &'static str, dir: &Path, r: &mut Random) -> io::Result<Vec<Step>> {
        let kind = match verb {
            "append" | "compact" | "repair" | "rollback" if r.below(6) > 0 => Kind::Pack,
            "overlay" if r.below(4) > 0 => Kind::Pack,
            "upgrade" | "join" if r.below(4) > 0 => Kind::Virtools,
            "import" | "export" if r.below(3) == 0 => [Kind::GameData, Kind::Virtools][r.below(2)],
            _ => Kind::ALL[r.below(12) % [6, 5, 4][r.below(3)]],
        };
        let made = self.generator.file(kind, r);
        let name = format!("a.{}", made.ending);
        fs::write(dir.join(&name), &made.bytes)?;
        let shape = format!("{} KiB of {}: {}", made.bytes.len() >> 10, made.ending, made.shape);
        let generator = &self.generator;
        let by_path = BY_PATH.contains(&verb) && r.below(4) > 0;
        let listed = if by_path { self.listed(dir, &name)? } else { Vec::new() };
        let mut stage = Stage { kind, shape, names: vec![name], dir, generator, listed };
        let mut steps = match reading::steps(verb, &mut stage, r)? {
            Some(steps) => steps,
            None => writing::steps(verb, &mut stage, r)?,
        };
        for step in &mut steps {
            step.args.extend(["--threads", "2"].map(OsString::from));
            step.shape.clone_from(&stage.shape);
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_verb_is_attacked() {
        let path = xtask::tools::root().join("crates/spelunk-cli/api.json");
        let api: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let verbs: BTreeSet<&str> =
            api["verbs"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(super::VERBS.into_iter().collect::<BTreeSet<_>>(), verbs);
    }
}
