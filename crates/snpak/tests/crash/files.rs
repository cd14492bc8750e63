//! The same with real files, processes and disks.

use super::common::{findings, model::*, open};
use snpak::{
    Codec, Pack,
    build::{Asset, Options, Payload},
    codes,
    edit::{Draft, append::Growing},
};
use spelunk_core::{
    Result, Severity,
    replace::{Existing, Lock, Replacement},
    scalar::Uuid,
    source::FileSource,
};
use spelunk_fixtures::samples;
use std::{
    fs::{self, File},
    path::Path,
    sync::{Arc, MutexGuard, PoisonError},
};
use test_support::{
    memory::ALONE,
    task::{unlimited, with_task},
};

/// A process that begins holds the locks of this one for a moment, so these tests run one after the other.
fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many assets the packs of these tests have.
const ASSETS: u64 = 8;

/// The asset that the append of this number puts.
fn numbered(number: u64) -> Asset {
    let plain = number.to_le_bytes().repeat(1 + (number as usize * 631) % 4000);
    let id = (number % ASSETS) as u8;
    // With a string of its own now and then.
    let name = format!("asset {id}, {}", number / 100);
    Asset::new(Uuid([id; 16]), name, Payload::new(plain, Codec::NONE))
}

/// Writes a pack anew and lets it take the place of the old one.
fn replace(path: &Path, draft: Draft) -> Result<()> {
    let mut out = Replacement::begin(path, Existing::Replace)?;
    with_task(1 << 20, |task| draft.write(&mut out, Options::default(), task)).0?;
    out.commit().map(drop)
}

/// A draft of the pack in a file.
fn opened(path: &Path) -> Draft {
    let source = Arc::new(FileSource::new(File::open(path).expect("a file")).expect("a file"));
    let len = fs::metadata(path).expect("a file").len() as usize;
    draft(with_task(len, |task| Pack::read_from(source, task)).0.expect("a pack"))
}

/// The last number that was put, where the pack is what it has to be after that one.
fn last_number(bytes: &[u8]) -> u64 {
    let trailing = codes::TRAILING.id;
    let found = findings(bytes).expect("a pack that opens");
    let bad = found.iter().find(|(id, severity)| *severity > Severity::Info && *id != trailing);
    assert_eq!(bad, None);
    let numbers: Vec<u64> = state(&open(bytes).0.expect("a pack"))
        .iter()
        .map(|asset| u64::from_le_bytes(*asset.data.first_chunk().expect("a number")))
        .collect();
    assert_eq!(numbers.len() as u64, ASSETS);
    let last = numbers.iter().copied().max().unwrap_or_default();
    for (id, number) in (0..).zip(numbers) {
        assert!(number % ASSETS == id && number + ASSETS > last, "{number} with {last}");
    }
    last
}

/// What the process does that is going to be killed.
const WRITER: &str = "SPELUNK_TEST_WRITER";

/// Not a test: the process that is killed again and again.
#[test]
fn writer() {
    let Some(what) = std::env::var_os(WRITER) else { return };
    let what = what.into_string().expect("text");
    let (way, path) = what.split_once(' ').expect("a way and a path");
    let path = Path::new(path);
    let mut number = last_number(&fs::read(path).expect("a pack")) + 1;
    println!("\nready");
    loop {
        if way == "append" {
            let growing = with_task(1 << 20, |task| Growing::open(path, task)).0.expect("a pack");
            let mut draft =
                with_task(1 << 20, |task| Draft::of(growing.pack().clone(), &mut task.budget))
                    .0
                    .expect("a draft");
            draft.put(numbered(number), &mut unlimited()).expect("an asset");
            with_task(1 << 20, |task| growing.append(draft, Options::default(), task))
                .0
                .expect("an append");
        } else {
            let mut draft = opened(path);
            draft.put(numbered(number), &mut unlimited()).expect("an asset");
            replace(path, draft).expect("a pack");
        }
        number += 1;
    }
}

#[cfg(unix)]
#[test]
fn a_writer_that_is_killed_leaves_a_sound_pack() {
    use std::{
        io::{BufRead, BufReader},
        process::{Command, Stdio},
        time::{Duration, Instant},
    };
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("growing.snpak");
    let mut draft = Draft::default();
    for number in 0..ASSETS {
        draft.add(numbered(number)).expect("an asset");
    }
    replace(&path, draft).expect("a pack");
    let started = Instant::now();
    let mut numbers = super::Numbers(7);
    let (mut last, mut appended, mut rounds) = (ASSETS - 1, 0, 0);
    while rounds < 200 {
        // A slow disk gets fewer rounds, not a test without an end.
        if rounds >= 40 && started.elapsed() > Duration::from_secs(20) {
            eprintln!("{rounds} rounds took {:?}", started.elapsed());
            break;
        }
        // A few appends, then the pack is made small again.
        let way = if rounds % 4 == 3 { "fresh" } else { "append" };
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "files::writer", "--nocapture", "--test-threads=1"])
            .env(WRITER, format!("{way} {}", path.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let mut said = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let ready = said.by_ref().any(|line| line.is_ok_and(|line| line == "ready"));
        assert!(ready, "round {rounds}: the writer could not begin");
        std::thread::sleep(Duration::from_micros(numbers.next() % 30_000));
        child.kill().expect("a process");
        child.wait().expect("a process");
        let now = last_number(&fs::read(&path).expect("a pack"));
        assert!(now >= last, "round {rounds}: what was there is gone");
        appended += u64::from(now > last);
        last = now;
        rounds += 1;
    }
    assert!(appended * 4 > rounds, "{appended} of {rounds} writers wrote something");
    keep("killed-junk", &fs::read(&path).expect("a pack"));
}

#[test]
fn two_writers_take_turns() {
    let _alone = alone();
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("forest.snpak");
    fs::write(&path, samples::pack().build().bytes).expect("a file");
    let open = || with_task(1 << 20, |task| Growing::open(&path, task)).0;
    let first = open().expect("a pack");
    assert!(Lock::try_take(&path).expect("a folder").is_none(), "one is writing");
    let mut draft = with_task(1 << 20, |task| Draft::of(first.pack().clone(), &mut task.budget))
        .0
        .expect("a draft");
    draft.put(numbered(0), &mut unlimited()).expect("an asset");
    let appended = with_task(1 << 20, |task| first.append(draft, Options::default(), task)).0;
    let appended = appended.expect("an append");
    assert_eq!(fs::metadata(&path).expect("a file").len(), appended.size);
    let second = open().expect("a file that nobody has");
    assert_eq!(second.pack().index().entries().len(), 7);
    drop(second);
    open().expect("a file that nobody has");
    assert_sound(&fs::read(&path).expect("a file"), &[]);
}

#[test]
fn a_file_that_cannot_be_written_stays_as_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("forest.snpak");
    let bytes = samples::pack().build().bytes;
    fs::write(&path, &bytes).expect("a file");
    let mut draft = opened(&path);
    draft.put(numbered(0), &mut unlimited()).expect("an asset");
    // Open for reading alone.
    let mut file = File::open(&path).expect("a file");
    let result = with_task(1 << 20, |task| draft.append(&mut file, Options::default(), task)).0;
    result.expect_err("a file that cannot be written");
    assert!(fs::read(&path).expect("a file") == bytes);
    let mut rights = fs::metadata(&path).expect("a file").permissions();
    rights.set_readonly(true);
    fs::set_permissions(&path, rights).expect("rights");
    if File::options().write(true).open(&path).is_ok() {
        return eprintln!("whoever runs this may write to everything: rights were not tried");
    }
    let error = with_task(1 << 20, |task| Growing::open(&path, task)).0;
    error.expect_err("a file that must not be written");
    assert!(fs::read(&path).expect("a file") == bytes);
}

/// A small disk, where there may be one.
#[cfg(target_os = "linux")]
struct Disk(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl Disk {
    fn new(size: &str) -> Option<Disk> {
        let dir = tempfile::tempdir().ok()?;
        let options = format!("size={size}");
        let mount = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "spelunk-test"])
            .arg(dir.path())
            .stderr(std::process::Stdio::null())
            .status();
        mount.is_ok_and(|status| status.success()).then_some(Disk(dir))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_keeps_the_old_pack() {
    let _alone = alone();
    let Some(disk) = Disk::new("64k") else {
        return eprintln!("no disk could be mounted: a full one was not tried");
    };
    let path = disk.0.path().join("forest.snpak");
    let bytes = samples::pack().build().bytes;
    fs::write(&path, &bytes).expect("a file");
    let grown = |mut draft: Draft| {
        let plain: Vec<u8> =
            (0..100_000_u32).flat_map(|n| n.wrapping_mul(n).to_le_bytes()).collect();
        draft.asset_mut(0, &mut unlimited()).expect("an asset").payload =
            Payload::new(plain, Codec::NONE);
        draft
    };
    let growing = with_task(1 << 20, |task| Growing::open(&path, task)).0.expect("a pack");
    let draft = grown(opened(&path));
    let error = with_task(1 << 20, |task| growing.append(draft, Options::default(), task)).0;
    error.expect_err("a full disk");
    assert!(fs::read(&path).expect("a file") == bytes, "after an append");
    replace(&path, grown(opened(&path))).expect_err("a full disk");
    assert!(fs::read(&path).expect("a file") == bytes, "after a whole pack");
    let left = fs::read_dir(disk.0.path()).expect("a folder").count();
    assert_eq!(left, 1, "nothing else is left");
    // What has room is written.
    let mut draft = opened(&path);
    draft.put(numbered(0), &mut unlimited()).expect("an asset");
    replace(&path, draft).expect("a pack");
    assert_sound(&fs::read(&path).expect("a file"), &[]);
}
