//! What a catalogue of very many files takes before and after the files themselves are read: names without bytes, and costs that were
//! measured.
//!
//! `cargo run --release -p spelunk-catalog --example scale -- 1000000 64` makes up a million names of files with sizes, has them planned by
//! the library, hands the tasks to 64 workers that only take the time that such files took (docs/guides/cluster.md says where that comes from), and
//! writes the manifest. Nothing is opened.

use serde_json::json;
use spelunk::{
    Error, Result, Source,
    core::folder::Links,
    open::codes,
    verbs::{
        Create, FileName, FileStamp, Files, FolderItem, InPlace, Memory, NewFile, Reading, Turn,
    },
};
use spelunk_catalog::{Input, Options, PartTask, WrittenPart, catalog_by, schema::TABLES};
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
    env, io,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

/// Kinds of files: extension, share of all, bytes, and what a catalogue of them took in processor time: microseconds for each file, and
/// nanoseconds for each KiB.
const KINDS: [(&str, u64, u64, u64, u64); 4] = [
    ("nmo", 70, 250_000, 2_000, 90_000),
    ("snpak", 20, 20_000_000, 2_000, 3_300),
    ("pak", 9, 60_000_000, 2_000, 3_300),
    ("cff", 1, 65_000_000, 2_000, 17_000),
];
/// Bytes of a part on an average: what 12,000 small files made, for each file.
const PART_BYTES: u64 = 7_500;

/// The files: names with sizes, and a catalogue in memory.
struct Named {
    sizes: HashMap<FileName, u64>,
    memory: Memory,
}

impl Files for Named {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        match self.sizes.contains_key(name) {
            true => Err(Error::new(&codes::core::IO).found("a file without bytes")),
            false => self.memory.open(name, how),
        }
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.sizes.get(name).copied().or_else(|| self.memory.len(name))
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        self.sizes.get(name).map(|_| SystemTime::UNIX_EPOCH)
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        self.memory.seen(name)
    }

    fn is_folder(&self, _: &FileName) -> bool {
        false
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        self.memory.folders(name)
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        self.memory.around(name)
    }

    fn list(
        &self,
        name: &FileName,
        depth: usize,
        links: Links,
    ) -> Box<dyn Iterator<Item = FolderItem> + '_> {
        self.memory.list(name, depth, links)
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        self.memory.create(name, how)
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        Files::remove(&self.memory, name)
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        self.memory.turn(name, force)
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        self.memory.grow(name, force)
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        self.memory.locate(folder, path)
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        self.memory.lies_in(name, folder)
    }
}

/// Names, sizes between a quarter and four times the usual, and the time that each takes.
fn make_up(count: u64) -> Vec<(Input, u64, Duration)> {
    let mut state = 1_u64;
    let mut random = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut file = |nth: u64| {
        let mut kind = random(100);
        let kind = KINDS.iter().find(|(_, share, ..)| {
            let found = kind < *share;
            kind = kind.saturating_sub(*share);
            found
        });
        let (extension, _, usual, each, kib) = *kind.unwrap_or(&KINDS[0]);
        let size = usual / 4 * (1 << random(5)) / 4 + random(usual / 4);
        let name = format!(
            "s3://games/archive/{:03}/title-{:05}/data/{nth:08}.{extension}",
            nth % 997,
            nth / 160
        );
        let time = Duration::from_micros(each) + Duration::from_nanos(size / 1024 * kib);
        (Input { file: name.as_str().into(), name }, size, time)
    };
    (0..count).map(&mut file).collect()
}

/// Has tasks done by so many workers in this order: the time until the last one is done, and that of all of them together.
fn schedule(times: impl Iterator<Item = Duration>, workers: usize) -> (Duration, Duration) {
    let mut free: BinaryHeap<Reverse<Duration>> =
        (0..workers).map(|_| Reverse(Duration::ZERO)).collect();
    let mut sum = Duration::ZERO;
    for time in times {
        let Reverse(at) = free.pop().unwrap_or_default();
        sum += time;
        free.push(Reverse(at + time));
    }
    let last = free.into_iter().map(|Reverse(at)| at).max();
    (last.unwrap_or_default(), sum)
}

/// What a worker would send back.
fn written(task: &serde_json::Value, files: usize) -> WrittenPart {
    let part = &task["part"];
    let number = part.as_u64().unwrap_or_default();
    let table = |table: &spelunk_catalog::schema::Table| {
        json!({
            "path": format!("{}/part-{number:05}-{number:016x}.parquet", table.name),
            "size": PART_BYTES * files as u64 / TABLES.len() as u64,
            "rows": files,
            "xxh3": format!("{number:032x}"),
        })
    };
    let summary = spelunk_catalog::Summary { containers: files, ..Default::default() };
    let tables: Vec<_> = TABLES.iter().map(|it| table(it)).collect();
    serde_json::from_value(json!({ "part": part, "tables": tables, "summary": summary })).unwrap()
}

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1).map(|text| text.parse().unwrap());
    let count = arguments.next().unwrap_or(1_000_000);
    let workers = arguments.next().unwrap_or(64) as usize;
    let made_up = make_up(count);
    let sizes: HashMap<FileName, u64> =
        made_up.iter().map(|(input, size, _)| (input.file.clone(), *size)).collect();
    let times: HashMap<String, Duration> =
        made_up.iter().map(|(input, _, time)| (input.name.clone(), *time)).collect();
    let inputs: Vec<Input> = made_up.into_iter().map(|(input, ..)| input).collect();
    println!("{count} files, {:.1} TB", sizes.values().sum::<u64>() as f64 / 1e12);
    let files = Named { sizes, memory: Memory::new() };
    let begun = Instant::now();
    let mut planned = Duration::ZERO;
    let report = catalog_by(
        &files,
        &inputs,
        &"catalogue".into(),
        &Options::default(),
        &mut |tasks| {
            planned = begun.elapsed();
            let mut bytes = 0;
            let mut costs: Vec<(u64, Duration)> = Vec::new();
            let done = tasks.iter().map(|task| {
                let sent = serde_json::to_value(task).unwrap();
                bytes += serde_json::to_vec(task).unwrap().len();
                let names = sent["files"].as_array().into_iter().flatten();
                let time = names.filter_map(|file| times.get(file["seen"]["name"].as_str()?)).sum();
                costs.push((task.sizes().max().unwrap_or_default(), time));
                written(&sent, task.sizes().count())
            });
            let done: Vec<WrittenPart> = done.collect();
            costs.sort();
            let (last, sum) = schedule(costs.iter().map(|(_, time)| *time), workers);
            println!(
                "planned in {:.1} s: {} tasks, {:.1} MB in all",
                planned.as_secs_f64(),
                tasks.len(),
                bytes as f64 / 1e6
            );
            println!(
                "{workers} workers: {:.2} h of processor time, done after {:.2} h, {:.1} % of what they could do",
                sum.as_secs_f64() / 3600.0,
                last.as_secs_f64() / 3600.0,
                100.0 * sum.as_secs_f64() / (last.as_secs_f64() * workers as f64)
            );
            let sizes = PartTask::sizes;
            let most = tasks
                .iter()
                .map(|task| sizes(task).max().unwrap_or_default())
                .max()
                .unwrap_or_default();
            println!(
                "memory of a task at the most: {:.1} GB",
                ((64 << 20) + 8 * most) as f64 / 1e9
            );
            Ok(done)
        },
    )?;
    let manifest = files.memory.len(&"catalogue/spelunk-catalog.json".into()).unwrap_or_default();
    println!(
        "{} files; manifest {:.1} MB; all of it took {:.1} s",
        report.files,
        manifest as f64 / 1e6,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
