//! Samples and their catalogue, and what is in it.

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use spelunk_catalog::{Input, Options, Summary, catalog, schema::TABLES};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    ops::Range,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// A folder of samples and a folder for the catalogue.
pub struct Place {
    pub dir: tempfile::TempDir,
    /// How many samples there are.
    pub samples: usize,
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        let samples = spelunk_fixtures::write_samples(&dir.path().join("in")).unwrap().len();
        Place { dir, samples }
    }

    /// Writes small files.
    pub fn notes(&self, numbers: Range<usize>) {
        for nth in numbers {
            let path = self.file(&format!("note-{nth:03}.txt"));
            if !path.exists() {
                fs::write(path, format!("note {nth}")).unwrap();
            }
        }
    }

    /// Removes those of them that are there.
    pub fn no_notes(&self, numbers: Range<usize>) {
        for nth in numbers {
            let _ = fs::remove_file(self.file(&format!("note-{nth:03}.txt")));
        }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("in").join(name)
    }

    pub fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    pub fn inputs(&self) -> Vec<Input> {
        let files = fs::read_dir(self.dir.path().join("in")).unwrap();
        let input = |path: PathBuf| Input {
            name: path.file_name().unwrap().to_str().unwrap().to_owned(),
            file: path.into(),
        };
        files.map(|entry| input(entry.unwrap().path())).collect()
    }

    pub fn run(&self) -> Summary {
        self.run_to(&self.out(), &Options::default())
    }

    pub fn run_to(&self, out: &Path, options: &Options) -> Summary {
        catalog(&self.inputs(), out, options, &mut |_, _| {}).unwrap()
    }
}

/// All files below a folder.
pub fn below(dir: &Path) -> Vec<Input> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { below(&path) } else { vec![Input::new(&path)] })
        .collect()
}

/// The rows of a table, by another way of the library than the one that wrote them.
pub fn rows(out: &Path, table: &str) -> Vec<Row> {
    let mut parts: Vec<PathBuf> =
        fs::read_dir(out.join(table)).unwrap().map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    let read = |path: PathBuf| {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(read).collect()
}

/// A row as an object.
pub fn value(row: &Row) -> serde_json::Value {
    let value = |field: &Field| match field {
        Field::Null => serde_json::Value::Null,
        Field::Bool(truth) => (*truth).into(),
        Field::Long(number) | Field::TimestampMicros(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("no column has values such as {other:?}"),
    };
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

pub fn values(out: &Path, table: &str) -> Vec<serde_json::Value> {
    rows(out, table).iter().map(value).collect()
}

/// All files of a catalogue with their bytes and times.
pub fn state(out: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let tables = TABLES.iter().flat_map(|table| fs::read_dir(out.join(table.name)).unwrap());
    let all = tables.chain(fs::read_dir(out).unwrap()).map(|entry| entry.unwrap().path());
    let file = |path: PathBuf| {
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
        (name, (fs::read(&path).unwrap(), time))
    };
    all.filter(|path| path.is_file()).map(file).collect()
}

/// The same without times, and without the numbers of the runs that wrote the parts.
pub fn bytes(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let plain = |(name, (bytes, _)): (String, (Vec<u8>, _))| {
        let is_manifest = name == MANIFEST;
        let bytes = if is_manifest {
            without_runs(&String::from_utf8(bytes).unwrap()).into()
        } else {
            bytes
        };
        (without_runs(&name), bytes)
    };
    state(out).into_iter().map(plain).collect()
}

pub const MANIFEST: &str = "spelunk-catalog.json";

/// A text with the names of parts as if there were no runs.
pub fn without_runs(text: &str) -> String {
    let pieces: Vec<&str> = text.split(".parquet").collect();
    let Some((last, parts)) = pieces.split_last() else { return String::new() };
    let part = |part: &&str| {
        let (start, run) = part.split_at(part.len() - 17);
        assert!(run.starts_with('-') && run[1..].bytes().all(|byte| byte.is_ascii_hexdigit()));
        format!("{start}.parquet")
    };
    parts.iter().map(part).chain([(*last).to_owned()]).collect()
}

/// The parts of a table as the manifest has them: path below the folder, size and number of rows.
pub fn parts(out: &Path, table: &str) -> Vec<(String, u64, u64)> {
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join(MANIFEST)).unwrap()).unwrap();
    let parts = manifest["tables"][table].as_array().unwrap();
    let part = |part: &serde_json::Value| {
        let number = |name: &str| part[name].as_u64().unwrap();
        (part["path"].as_str().unwrap().to_owned(), number("size"), number("rows"))
    };
    parts.iter().map(part).collect()
}

/// The first part of a table.
pub fn first(out: &Path, table: &str) -> PathBuf {
    out.join(&parts(out, table)[0].0)
}

pub fn counts(summary: &Summary) -> [usize; 6] {
    let Summary { new, changed, touched, unchanged, gone, written, .. } = *summary;
    [new, changed, touched, unchanged, gone, written]
}

/// After any change a catalogue is the one that a first run makes.
pub fn same_as_new(place: &Place) {
    let other = place.dir.path().join("other");
    let _ = fs::remove_dir_all(&other);
    place.run_to(&other, &Options::default());
    assert!(bytes(&place.out()) == bytes(&other));
}
