//! The verb `mount`, at real folders. Where the machine cannot mount, tests say so.
#![cfg(all(target_os = "linux", feature = "mount"))]

use super::common::{samples, spelunk};
use serde_json::Value;
use spelunk_fixtures::{
    corpus,
    snpak::{Asset, Pack, uuid},
};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};
use test_support::fuse;

/// A command that has something mounted.
struct Running {
    child: Child,
    point: PathBuf,
    /// What it printed when it was ready.
    row: Value,
    told: Option<thread::JoinHandle<String>>,
}

impl Running {
    /// Starts the command in a folder, with a point that is made; `None` where this machine mounts nothing.
    fn start(dir: &Path, point: &str, args: &[&str]) -> Option<Running> {
        if !fuse::is_usable() {
            return None;
        }
        fs::create_dir(dir.join(point)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
        command.arg("mount").args(args).args([point, "--json"]).current_dir(dir);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Servers of this machine are asked themselves.
        command.env("NO_PROXY", "127.0.0.1").env("no_proxy", "127.0.0.1");
        let mut child = command.spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let told = thread::spawn(move || {
            let mut told = String::new();
            let _ = stderr.read_to_string(&mut told);
            told
        });
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if line.is_empty() {
            child.wait().unwrap();
            let told = told.join().unwrap();
            assert!(told.contains("SP212"), "{args:?}: {told}");
            fuse::was_refused(told);
            return None;
        }
        let row = serde_json::from_str(&line).unwrap();
        Some(Running { child, point: dir.join(point), row, told: Some(told) })
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &id]).status().unwrap().success());
    }

    /// Waits for its end; gives the exit code and what it said.
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        (code, self.told.take().unwrap().join().unwrap())
    }

    /// Ends it as users do.
    fn interrupt(self) -> String {
        let point = self.point.clone();
        self.signal("INT");
        let (code, told) = self.end();
        assert_eq!(code, Some(0), "{told}");
        assert!(!is_mounted(&point), "{told}");
        told
    }
}

impl Drop for Running {
    /// Leaves nothing behind where a test fails.
    fn drop(&mut self) {
        if self.told.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
            let _ = unmount(&self.point);
        }
    }
}

fn unmount(point: &Path) -> bool {
    let status = Command::new("umount").arg(point).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn is_mounted(point: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    mounts.lines().any(|line| line.split(' ').nth(4) == point.to_str())
}

/// What a file holds, or the number of the error of reading it.
type Content = Result<Vec<u8>, Option<i32>>;

/// Of more files than this, each eighth is read.
const MANY: usize = 2000;

/// Containers with more files than this are listed and not extracted.
const WHOLE: usize = 20_000;

/// All files below a folder, with what they hold.
fn read(folder: &Path) -> BTreeMap<PathBuf, Content> {
    let content = |path: PathBuf| (path.clone(), read_one(folder, &path));
    paths(folder).into_iter().map(content).collect()
}

fn read_one(folder: &Path, path: &Path) -> Content {
    fs::read(folder.join(path)).map_err(|error| error.raw_os_error())
}

/// The paths of all files below a folder, in their order.
fn paths(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).unwrap_or_else(|e| panic!("{}: {e}", next.display()));
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

const MANIFEST: &str = "spelunk-manifest.json";

/// A folder of a mount has what `extract` writes but for its manifest, and what that could not read cannot be read there either. Gives
/// the number of files.
fn assert_as_extracted(dir: &Path, file: &str, folder: &Path) -> usize {
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("out");
    let done = spelunk(dir, &["extract", file, "--no-skeleton", "-C", target.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(matches!(done.status.code(), Some(0 | 1)), "{file}: {told}");
    let mut extracted = paths(&target);
    let all = extracted.len();
    extracted.retain(|path| *path != Path::new(MANIFEST));
    assert_eq!(extracted.len() + 1, all, "{file}: {told}");
    let mounted = paths(folder);
    let mut written = extracted.iter().peekable();
    for (nth, path) in mounted.iter().enumerate() {
        let about = format!("{file}: {}", path.display());
        if written.next_if_eq(&path).is_none() {
            assert_eq!(read_one(folder, path), Err(Some(5)), "{about}");
            continue;
        }
        let size = |folder: &Path| fs::metadata(folder.join(path)).unwrap().len();
        assert_eq!(size(folder), size(&target), "{about}");
        if mounted.len() <= MANY || nth % 8 == 0 {
            assert!(read_one(folder, path) == read_one(&target, path), "{about} differs");
        }
    }
    assert_eq!(written.next(), None, "{file}");
    extracted.len()
}

#[test]
fn every_sample_is_what_extract_writes() {
    let dir = samples();
    let dir = dir.path();
    for file in ["level.nmo", "menu.cmo", "version2.nmo", "forest.snpak", "GameData.cff"]
        .into_iter()
        .chain(["liannon.map", "campaign.sav", "sf22.pak"])
    {
        let Some(running) = Running::start(dir, &format!("at-{file}"), &[file]) else { return };
        let count = assert_as_extracted(dir, file, &running.point);
        assert_eq!(running.row["entries"], count, "{file}");
        assert_eq!(running.row["file"], file);
        let point = fs::canonicalize(&running.point).unwrap();
        assert_eq!(running.row["point"], point.to_str().unwrap());
        let told = running.interrupt();
        let said = format!("{file} is mounted at at-{file}; Ctrl-C or `umount at-{file}` ends it");
        assert!(told.contains(&said), "{told}");
        fs::remove_dir(dir.join(format!("at-{file}"))).unwrap();
    }
    // All of them at once.
    let all = samples();
    let Some(running) = Running::start(dir, "all", &[all.path().to_str().unwrap()]) else { return };
    let mut count = 0;
    for sample in spelunk_fixtures::samples() {
        let folder = running.point.join(sample.name);
        if folder.is_dir() {
            count += 1;
            assert_as_extracted(all.path(), sample.name, &folder);
        } else {
            assert!(fs::read(folder).unwrap() == sample.fixture.bytes, "{}", sample.name);
        }
    }
    let whole = spelunk_fixtures::samples().len();
    assert!(count > whole * 3 / 4 && count < whole, "{count} of {whole}");
    running.interrupt();
}

#[test]
fn every_real_file_is_what_extract_writes() {
    let real = corpus::all();
    if real.is_empty() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path();
    fs::create_dir(path.join("all")).unwrap();
    for (nth, file) in real.iter().enumerate() {
        fs::write(path.join("all").join(format!("{nth:03}-{}", file.name)), &file.bytes).unwrap();
    }
    let Some(running) = Running::start(path, "point", &["all"]) else { return };
    let (mut files, mut containers) = (0, 0);
    for entry in fs::read_dir(&running.point).unwrap() {
        let folder = entry.unwrap().path();
        if folder.is_dir() {
            let file = format!("all/{}", folder.file_name().unwrap().to_str().unwrap());
            containers += 1;
            // Extracting hundreds of thousands of rows takes minutes: the corpus has the first rows of the same files, too.
            if paths(&folder).len() <= WHOLE {
                files += assert_as_extracted(path, &file, &folder);
            }
        }
    }
    // Caches of archives are files.
    assert!(containers >= real.len() - 2, "{containers} of {}", real.len());
    assert!(files > 10_000, "{files} files");
    running.interrupt();
}

#[test]
fn names_that_are_dangerous_are_harmless() {
    let dir = tempfile::tempdir().unwrap();
    let names =
        ["../../up", "/etc/passwd", "con", "a\\b", "C:\\x", "Wood", "wood", "dots...", "x/y", "x"];
    let asset = |(nth, name): (usize, &&str)| Asset {
        id: uuid(&format!("00000000-0000-4000-8000-{:012x}", nth + 1)),
        name: name.as_bytes().to_vec(),
        data: name.as_bytes().to_vec(),
        ..Asset::default()
    };
    let assets = names.iter().enumerate().map(asset).collect();
    let pack = Pack { assets, ..Pack::default() };
    fs::write(dir.path().join("evil.snpak"), pack.build().bytes).unwrap();
    let Some(running) = Running::start(dir.path(), "point", &["evil.snpak"]) else { return };
    let count = assert_as_extracted(dir.path(), "evil.snpak", &running.point);
    assert_eq!(count, names.len());
    running.interrupt();
}

/// A game whose archives hide each other, with loose files.
fn game(dir: &Path) {
    fs::create_dir_all(dir.join("game/pak")).unwrap();
    fs::create_dir_all(dir.join("game/mesh")).unwrap();
    for name in ["sf1.pak", "sf2.pak"] {
        fs::copy(dir.join("sf22.pak"), dir.join("game/pak").join(name)).unwrap();
    }
    fs::write(dir.join("game/mesh/tower.msb"), "loose").unwrap();
}

#[test]
fn every_option_is_that_of_extract() {
    let dir = samples();
    let dir = dir.path();
    game(dir);
    let types = "64bba09b-66b6-5b78-a657-8d3d517cd4fd SoundBank\n";
    fs::write(dir.join("types.txt"), types).unwrap();
    for (nth, args) in [
        &["game"][..],
        &["game", "--no-loose"],
        &["game", "--archive-order", "editor"],
        &["forest-appended.snpak", "--generation", "1"],
        &["forest-appended.snpak", "--generation", "merged"],
        &["forest.snpak", "--types", "types.txt"],
        &["level.nmo", "--threads", "1", "--no-map", "--strict"],
        &["level.nmo", "-v", "--max-memory", "64M", "--max-ratio", "4000"],
    ]
    .into_iter()
    .enumerate()
    {
        let point = format!("point{nth}");
        let Some(running) = Running::start(dir, &point, args) else { return };
        let out = tempfile::tempdir().unwrap();
        let mut extract = vec!["extract", args[0], "--no-skeleton", "-C"];
        extract.push(out.path().to_str().unwrap());
        extract.extend(&args[1..]);
        let done = spelunk(dir, &extract);
        assert!(done.status.success(), "{args:?}: {done:?}");
        let mut files = read(out.path());
        files.remove(Path::new(MANIFEST));
        assert!(files == read(&running.point), "{args:?}: {:?}", files.keys());
        assert_eq!(running.row["entries"], files.len(), "{args:?}");
        running.interrupt();
    }
    let Some(quiet) = Running::start(dir, "quiet", &["level.nmo", "-q"]) else { return };
    assert_eq!(quiet.interrupt(), "");
}

/// Whether this process ignores the end of its terminal.
fn is_hup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

#[test]
fn whoever_ends_it_leaves_no_mount() {
    let dir = samples();
    for (nth, name) in ["INT", "TERM", "HUP"].into_iter().enumerate() {
        // Who is run by `nohup` hands on that it is ignored, which counts.
        if name == "HUP" && is_hup_ignored() {
            continue;
        }
        let point = format!("point{nth}");
        let Some(running) = Running::start(dir.path(), &point, &["level.nmo"]) else { return };
        // What is open does not hold it up.
        let folder = fs::read_dir(&running.point).unwrap().next().unwrap().unwrap().path();
        let open =
            File::open(fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()).unwrap();
        running.signal(name);
        let point = running.point.clone();
        let (code, told) = running.end();
        assert_eq!((code, is_mounted(&point)), (Some(0), false), "{name}: {told}");
        drop(open);
        fs::remove_dir(point).unwrap();
    }
    let Some(running) = Running::start(dir.path(), "unmounted", &["level.nmo"]) else { return };
    assert!(unmount(&running.point));
    assert_eq!(running.end().0, Some(0));
}

#[test]
fn what_a_killed_one_leaves_is_said_and_unmounted() {
    let dir = samples();
    let Some(running) = Running::start(dir.path(), "point", &["level.nmo"]) else { return };
    let point = running.point.clone();
    running.signal("KILL");
    assert_eq!(running.end().0, None);
    assert!(is_mounted(&point));
    let again = spelunk(dir.path(), &["mount", "level.nmo", "point"]);
    let told = String::from_utf8(again.stderr).unwrap();
    assert!(again.status.code() == Some(2) && told.contains("whose process was killed"), "{told}");
    assert!(unmount(&point) && !is_mounted(&point));
    fs::remove_dir(&point).unwrap();
    let Some(running) = Running::start(dir.path(), "point", &["level.nmo"]) else { return };
    running.interrupt();
}

/// One that was started to outlive its terminal does.
#[test]
fn one_that_ignores_its_terminal_goes_on_without_it() {
    if !fuse::is_usable() {
        return;
    }
    let dir = samples();
    fs::create_dir(dir.path().join("point")).unwrap();
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_spelunk");
    command.args(["-c", "trap '' HUP; exec \"$0\" mount level.nmo point --json", program]);
    command.current_dir(dir.path()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let (row, point) = (Value::Null, dir.path().join("point"));
    if line.is_empty() {
        child.wait().unwrap();
        return;
    }
    let running = Running { child, point, row, told: Some(thread::spawn(String::new)) };
    running.signal("HUP");
    thread::sleep(std::time::Duration::from_millis(200));
    assert!(is_mounted(&running.point) && fs::read_dir(&running.point).unwrap().next().is_some());
    running.interrupt();
}

#[test]
fn what_cannot_be_mounted_is_said() {
    let dir = samples();
    let dir = dir.path();
    fs::create_dir(dir.join("point")).unwrap();
    fs::write(dir.join("notes.txt"), "no container").unwrap();
    for (args, code, said) in [
        (["level.nmo", "missing"], 2, "is not there [SP211]"),
        (["level.nmo", "notes.txt"], 2, "is no folder [SP211]"),
        (["level.nmo", "."], 2, "is not empty [SP211]"),
        ([".", "point"], 2, "lies in the folder that is mounted [SP211]"),
        (["pakdata.dat", "point"], 2, "lie elsewhere"),
        (["notes.txt", "point"], 3, "notes.txt: "),
        (["gone.nmo", "point"], 4, "gone.nmo: "),
    ] {
        let output = spelunk(dir, &["mount", args[0], args[1]]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {told}");
        assert!(told.contains(said) && output.stdout.is_empty(), "{args:?}: {told}");
    }
}

/// Damage is said while the mount is there.
#[test]
fn damage_is_said_when_it_is_met() {
    let dir = samples();
    let path = dir.path().join("forest.snpak");
    let mut bytes = fs::read(&path).unwrap();
    let out = tempfile::tempdir().unwrap();
    let target = out.path().to_str().unwrap();
    assert!(
        spelunk(dir.path(), &["extract", "forest.snpak", "--no-skeleton", "-C", target])
            .status
            .success()
    );
    // The longest file that is stored as it is.
    let mut files = read(out.path());
    files.remove(Path::new(MANIFEST));
    let stored = files.iter().filter_map(|(name, bytes)| Some((name, bytes.as_ref().ok()?)));
    let stored = stored.filter_map(|(name, plain)| {
        let at = bytes.windows(plain.len().max(1)).position(|window| window == *plain)?;
        Some((plain.len(), at, name))
    });
    let (_, at, name) = stored.max().unwrap();
    bytes[at] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let Some(running) = Running::start(dir.path(), "point", &["forest.snpak"]) else { return };
    let error = fs::read(running.point.join(name)).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(5));
    assert_as_extracted(dir.path(), "forest.snpak", &running.point);
    let told = running.interrupt();
    assert!(told.contains(&format!("error: forest.snpak: {}: ", name.display())), "{told}");
}

#[cfg(feature = "remote")]
#[test]
fn a_file_of_a_server_is_mounted() {
    use test_support::http::server::{ServedFile, Server};
    let dir = samples();
    let server = Server::start().unwrap();
    let pack = fs::read(dir.path().join("forest.snpak")).unwrap();
    server.put("/all/forest.snpak", ServedFile::new(pack));
    let url = server.url("/all/forest.snpak");
    let Some(running) = Running::start(dir.path(), "point", &[&url]) else { return };
    assert_as_extracted(dir.path(), "forest.snpak", &running.point);
    let told = running.interrupt();
    assert!(told.contains("/all/forest.snpak is mounted at point"), "{told}");
}
