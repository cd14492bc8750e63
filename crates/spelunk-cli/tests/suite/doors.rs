//! One list of requests, through every door, on every sample: what comes out is the same.

mod cases;

use cases::{Case, cases, of_entry};
use serde_json::{Value, json};
use spelunk::{
    core::folder::Links,
    open::files::{Files, FolderItem, Reading},
    verbs::{self, CollectedOutput, Disk, FileName, Memory, Outcome, Session},
};
use spelunk_fixtures::write_samples;
use spelunk_remote::{Remote, RemoteOptions};
use spelunk_view::{Server, Settings, Stop};
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
    thread::{self, JoinHandle},
};
use test_support::http::{self, server};

/// What a door gives: an exit code, rows, and bytes, those of the file that it wrote among them.
type Given = (u8, Vec<Value>, Vec<u8>);

/// What the file is called that a verb writes.
const NEW: &str = "new.out";

/// A way to the verbs.
trait Door {
    fn name(&self) -> &'static str;

    /// Whether it has what a request asks for.
    fn has(&self, case: &Case, file: &str) -> bool {
        let _ = (case, file);
        true
    }

    /// Whether what it writes is packed as the command does it. Codecs in pure Rust give other bytes.
    fn packs_alike(&self) -> bool {
        true
    }

    /// `None` where it was built without what packs with the compression that is asked for.
    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given>;
}

/// The command.
struct Program;

impl Door for Program {
    fn name(&self) -> &'static str {
        "the command"
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let args = case.args.iter().map(|arg| arg.replace("FILE", file).replace("NEW", NEW));
        let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
        let output = command.arg(case.verb).args(args).arg("--json").current_dir(dir).output();
        let output = output.unwrap();
        let code = u8::try_from(output.status.code().unwrap()).unwrap();
        if case.verb == "cat" {
            return Some((code, Vec::new(), output.stdout));
        }
        let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let rows = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
        Some((code, rows, taken(&dir.join(NEW))))
    }
}

/// The library, with files in memory or on the disk.
struct Library(bool);

/// Files that are named where nothing is written.
const UNWRITTEN: [&str; 4] = ["out-of-it", "patch.json", "it.po", "it.nothing"];

/// What files of a case are called where a door has other names for them, beside their own.
struct Names(Vec<(&'static str, FileName)>);

impl Names {
    /// These names of the file and of the new one.
    fn new(file: FileName, new: FileName) -> Names {
        Names(vec![("FILE", file), ("NEW", new)])
    }

    /// Full paths.
    fn in_folder(dir: &Path, file: &str) -> Names {
        let mut names = Names::new(dir.join(file).into(), dir.join(NEW).into());
        names.0.extend(UNWRITTEN.map(|name| (name, dir.join(name).into())));
        names
    }

    /// The request with these names.
    fn request(&self, case: &Case) -> String {
        self.0.iter().fold(case.request.to_string(), |request, (word, name)| {
            request.replace(&format!("\"{word}\""), &serde_json::to_string(name).unwrap())
        })
    }

    /// What a session of this process gives.
    fn called(&self, session: &Session, case: &Case, file: &str) -> Given {
        let mut rows = CollectedOutput::default();
        let outcome = verbs::call(session, case.verb, &self.request(case), &mut rows);
        let outcome = outcome.unwrap_or_else(|error| {
            let mut ended = Outcome::default();
            ended.failed(&error);
            ended
        });
        let found = rows.rows.iter().map(|row| self.in_row(row, file)).collect();
        (outcome.code(), found, rows.bodies.into_iter().flat_map(|(_, bytes)| bytes).collect())
    }

    /// A row with the names that the other doors have.
    fn in_row(&self, row: &Value, file: &str) -> Value {
        let text = self.0.iter().fold(row.to_string(), |text, (word, name)| {
            let other = match *word {
                "FILE" => file,
                "NEW" => NEW,
                word => word,
            };
            text.replace(&name.to_string(), other)
        });
        serde_json::from_str(&text).unwrap()
    }
}

impl Door for Library {
    fn name(&self) -> &'static str {
        if self.0 { "the library in memory" } else { "the library" }
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let files = Memory::new();
        let (session, names) = if self.0 {
            files.put(file, fs::read(dir.join(file)).unwrap());
            (Session::new(files.clone()), Names::new(file.into(), NEW.into()))
        } else {
            (Session::new(Disk), Names::in_folder(dir, file))
        };
        let (code, rows, mut bytes) = names.called(&session, case, file);
        bytes.extend(match self.0 {
            true => files.get(NEW).map(|bytes| bytes.to_vec()).unwrap_or_default(),
            false => taken(&dir.join(NEW)),
        });
        Some((code, rows, bytes))
    }
}

/// The library with files of a server, where every part is asked for by itself.
struct OnServer {
    /// The URL of the folder.
    folder: FileName,
    /// The server, where it is one of this process.
    own_server: Option<server::Server>,
}

impl OnServer {
    /// The files of a folder on a server of this process.
    fn of(dir: &Path) -> OnServer {
        let on_server = server::Server::start().unwrap();
        for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            if let (Ok(bytes), Ok(name)) = (fs::read(entry.path()), entry.file_name().into_string())
            {
                on_server.put(&format!("/{name}"), server::ServedFile::new(bytes));
            }
        }
        OnServer { folder: on_server.url("/").into(), own_server: Some(on_server) }
    }

    /// Whether new files are written there.
    fn is_store(&self) -> bool {
        !self.folder.to_string().starts_with("http")
    }
}

impl Door for OnServer {
    fn name(&self) -> &'static str {
        if self.is_store() { "the library with a store" } else { "the library with a server" }
    }

    /// Files grow and are changed on the disk alone, and SQLite works there.
    fn has(&self, case: &Case, _: &str) -> bool {
        let is_read = READING.contains(&case.verb) || case.verb == "query";
        let is_new = case.args.contains(&"NEW") && case.request["to"] != "sqlite";
        (is_read || self.is_store() && is_new) && !case.args.contains(&"--in-place")
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        // Real servers take their time.
        let first = if self.own_server.is_some() { 64 } else { RemoteOptions::default().first };
        let options = RemoteOptions { first, proxies: false, ..RemoteOptions::default() };
        let files = Remote::new(Disk, options.clone());
        let session = Session::new(Remote::new(Disk, options));
        let mut names = Names::in_folder(dir, file);
        names.0[0].1 = self.folder.join(file);
        let new = self.folder.join(NEW);
        if self.is_store() {
            names.0[1].1 = new.clone();
        }
        let (code, rows, mut bytes) = names.called(&session, case, file);
        if self.is_store()
            && case.args.contains(&"NEW")
            && let Ok(source) = files.open(&new, Reading::default())
        {
            let mut written = vec![0; source.len() as usize];
            source.read_at(0, &mut written).unwrap();
            bytes.extend(written);
            files.remove(&new).unwrap();
        }
        Some((code, rows, bytes))
    }
}

/// The server of the page, asked as the page does it.
struct Served {
    host: String,
    token: String,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// The server of a folder.
    fn of(dir: &Path) -> Served {
        let settings = Settings { subject: dir.into(), ..Settings::default() };
        let server = Server::bind(&settings, Session::new).unwrap();
        let address = server.address();
        let (host, token) =
            address.strip_prefix("http://").and_then(|it| it.split_once("/#token=")).unwrap();
        let (host, token, stop) = (host.to_owned(), token.to_owned(), server.stop());
        let thread = Some(thread::spawn(|| server.run().unwrap()));
        Served { host, token, stop, thread }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
        self.thread.take().into_iter().for_each(|it| it.join().unwrap());
    }
}

impl Door for Served {
    fn name(&self) -> &'static str {
        "the server of the page"
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let names = Names::in_folder(dir, file);
        let token = format!("Bearer {}", self.token);
        let (path, request) = (format!("/api/call/{}", case.verb), names.request(case));
        let headers = [("Authorization", token.as_str())];
        let answer = http::ask(&self.host, "POST", &path, &headers, request.as_bytes()).unwrap();
        let mut rest = &answer.body[..];
        let (mut code, mut rows, mut bytes) = (None, Vec::new(), Vec::new());
        while !rest.is_empty() {
            let end = rest.iter().position(|byte| *byte == b'\n').unwrap();
            let line: Value = serde_json::from_slice(&rest[..end]).unwrap();
            rest = &rest[end + 1..];
            if let Some(row) = line.get("row") {
                rows.push(names.in_row(row, file));
            }
            if let Some(len) = line.get("body") {
                let (body, after) = rest.split_at(len.as_u64().unwrap() as usize);
                bytes.extend_from_slice(body);
                rest = after;
            }
            code = line["code"].as_u64().or(code);
        }
        bytes.extend(taken(&dir.join(NEW)));
        Some((code.unwrap() as u8, rows, bytes))
    }
}

/// A program that reads a request a line and answers with one.
struct Piped {
    running: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
    process: Child,
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Piped {
    fn of(command: &mut Command) -> Piped {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (requests, answers) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Piped { running: Mutex::new((requests, BufReader::new(answers))), process }
    }

    /// The answer to a line, with the exit code, the rows and the bytes in it.
    fn ask(&self, line: &str) -> (Value, Given) {
        let mut running = self.running.lock().unwrap();
        writeln!(running.0, "{line}").unwrap();
        let mut answer = String::new();
        running.1.read_line(&mut answer).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let body = answer["body"].as_str().unwrap();
        let byte = |at: usize| u8::from_str_radix(&body[at..at + 2], 16).unwrap();
        let bytes = (0..body.len()).step_by(2).map(byte).collect();
        let row = |row: &Value| serde_json::from_str(row.as_str().unwrap()).unwrap();
        let rows = answer["rows"].as_array().unwrap().iter().map(row).collect();
        let code = answer["code"].as_u64().unwrap() as u8;
        (answer, (code, rows, bytes))
    }
}

/// A program beside this crate.
fn program(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// WebAssembly in Node.js.
struct Node(Piped);

impl Node {
    /// The door, where `SPELUNK_WASM` names the package that `cargo xtask wasm` made.
    fn of_package() -> Option<Node> {
        let package = std::env::var_os("SPELUNK_WASM")?;
        let mut node = Command::new("node");
        Some(Node(Piped::of(node.arg(program(".ci/wasm/call.mjs")).arg(package))))
    }
}

impl Door for Node {
    fn name(&self) -> &'static str {
        "WebAssembly"
    }

    /// SQLite is C code, which is not built for it.
    fn has(&self, case: &Case, file: &str) -> bool {
        let is_database = case.verb == "query" || case.request["to"] == "sqlite";
        let of_database = case.verb == "import" && file.ends_with(".sqlite");
        !is_database && !of_database
    }

    fn packs_alike(&self) -> bool {
        false
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let request = Names::new(file.into(), NEW.into()).request(case);
        let request: Value = serde_json::from_str(&request).unwrap();
        let asked = json!({
            "verb": case.verb,
            "request": request,
            "files": { file: dir.join(file) },
            "wanted": NEW,
        });
        let (answer, given) = self.0.ask(&asked.to_string());
        answer["is_built"].as_bool().unwrap().then_some(given)
    }
}

/// The package for Python.
struct Python(Piped);

impl Python {
    /// The door, where `SPELUNK_PYTHON` names a Python that has the package.
    fn of_environment() -> Option<Python> {
        let mut python = Command::new(std::env::var_os("SPELUNK_PYTHON")?);
        Some(Python(Piped::of(python.arg(program("python/tests/door.py")))))
    }
}

impl Door for Python {
    fn name(&self) -> &'static str {
        "Python"
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let names = Names::in_folder(dir, file);
        let request: Value = serde_json::from_str(&names.request(case)).unwrap();
        let asked = json!({ "verb": case.verb, "request": request });
        Some(on_disk(self.0.ask(&asked.to_string()).1, &names, dir, file))
    }
}

/// What a program gave that works on the disk, with the names that the other doors have and the file that it wrote.
fn on_disk(given: Given, names: &Names, dir: &Path, file: &str) -> Given {
    let (code, rows, mut bytes) = given;
    bytes.extend(taken(&dir.join(NEW)));
    (code, rows.iter().map(|row| names.in_row(row, file)).collect(), bytes)
}

/// A program over the interface for C, which takes a verb and its request in a line.
struct Linked {
    name: &'static str,
    piped: Piped,
}

impl Linked {
    /// The doors that there are: `SPELUNK_CAPI` names a program in C, and `SPELUNK_DOTNET` one for Mono.
    fn of_environment() -> Vec<Linked> {
        let linked = |name, variable, runs: &str| {
            let program = std::env::var_os(variable)?;
            let mut command = match runs {
                "" => Command::new(program),
                runs => {
                    let mut command = Command::new(runs);
                    command.arg(program);
                    command
                }
            };
            Some(Linked { name, piped: Piped::of(&mut command) })
        };
        let doors = [linked("C", "SPELUNK_CAPI", ""), linked("C#", "SPELUNK_DOTNET", "mono")];
        doors.into_iter().flatten().collect()
    }
}

impl Door for Linked {
    fn name(&self) -> &'static str {
        self.name
    }

    fn call(&self, dir: &Path, case: &Case, file: &str) -> Option<Given> {
        let names = Names::in_folder(dir, file);
        let line = format!("{} {}", case.verb, names.request(case));
        Some(on_disk(self.piped.ask(&line).1, &names, dir, file))
    }
}

/// Verbs whose rows tell of the file as it is, whoever reads it.
const READING: [&str; 12] = [
    "info", "ls", "tree", "show", "cat", "verify", "diff", "find", "refs", "lint", "explain",
    "overlay",
];

/// A row without what depends on the codecs: the sizes of what was packed, and whether they give the stored bytes again.
fn without_codecs(row: &Value) -> Value {
    let mut row = row.clone();
    if let Some(fields) = row.as_object_mut() {
        fields.retain(|key, _| key != "size");
    }
    if let Some(told) = row.get_mut("diagnostics").and_then(Value::as_array_mut) {
        told.retain(|diagnostic| diagnostic["code"] != "SP041");
    }
    row
}

/// The bytes of a file, which is gone then.
fn taken(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap_or_default();
    let _ = fs::remove_file(path);
    bytes
}

#[test]
fn every_door_gives_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    write_samples(dir).unwrap();
    // Sources of imports.
    for (file, source) in
        [("level.nmo", "level.glb"), ("level.nmo", "level.json"), ("GameData.cff", "game.sqlite")]
    {
        let exported = Command::new(env!("CARGO_BIN_EXE_spelunk"))
            .args(["export", file, "-o", source])
            .current_dir(dir)
            .output();
        assert!(exported.unwrap().status.success(), "{source}");
    }
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let (node, python) = (Node::of_package(), Python::of_environment());
    let served = Served::of(dir);
    let on_server = OnServer::of(dir);
    let mut doors: Vec<&dyn Door> = vec![&Library(false), &Library(true), &served, &on_server];
    doors.extend(node.as_ref().map(|node| node as &dyn Door));
    doors.extend(python.as_ref().map(|python| python as &dyn Door));
    let linked = Linked::of_environment();
    doors.extend(linked.iter().map(|linked| linked as &dyn Door));
    let (mut requests, mut rows) = (0, 0);
    let mut tried = BTreeSet::new();
    for file in names.iter().filter(|name| dir.join(name).is_file()) {
        let mut cases = cases();
        let listed = Library(false).call(dir, &cases[0], file).unwrap().1;
        for entry in listed.iter().step_by(listed.len().div_ceil(4).max(1)) {
            let path = entry["path"].as_str().unwrap();
            cases.extend(of_entry(path, entry["class"].as_str().unwrap_or_default()));
        }
        for case in &cases {
            tried.insert(case.verb);
            let expected = Program.call(dir, case, file).unwrap();
            for door in doors.iter().filter(|door| door.has(case, file)) {
                let Some(found) = door.call(dir, case, file) else {
                    assert!(!door.packs_alike());
                    continue;
                };
                let about = format!("{}: {} {:?} of {file}", door.name(), case.verb, case.args);
                assert_eq!(found.0, expected.0, "{about}");
                if door.packs_alike() || case.verb == "cat" {
                    let found_rows = with_checksums(&found.1, &expected.1);
                    assert_eq!(found_rows, expected.1, "{about}");
                    assert!(found.2 == expected.2, "{about}: other bytes");
                } else {
                    assert_eq!(found.2.is_empty(), expected.2.is_empty(), "{about}");
                    let is_read = READING.contains(&case.verb);
                    let rows = |rows: &[Value]| match is_read {
                        true => rows.to_vec(),
                        false => rows.iter().map(without_codecs).collect(),
                    };
                    for (found, expected) in rows(&found.1).iter().zip(&rows(&expected.1)) {
                        assert_eq!(found, expected, "{about}");
                    }
                    assert_eq!(found.1.len(), expected.1.len(), "{about}");
                }
            }
            requests += 1;
            rows += expected.1.len();
        }
    }
    // A catalogue lies on a disk, which not every door has; it has a test of its own.
    let all = verbs::VERBS.iter().map(|verb| verb.name());
    assert_eq!(all.filter(|verb| !tried.contains(verb)).collect::<Vec<_>>(), [""; 0]);
    assert!(requests > 200 && rows > 500, "{requests} requests, {rows} rows");
}

/// Real servers, which `.ci/remote.sh` starts: `SPELUNK_SERVED` is a folder, and `SPELUNK_SERVED_AT` has URLs of it.
#[test]
fn real_servers_give_what_the_disk_gives() {
    let Some(dir) = std::env::var_os("SPELUNK_SERVED").map(PathBuf::from) else { return };
    let urls = std::env::var("SPELUNK_SERVED_AT").unwrap();
    let doors =
        urls.split_whitespace().map(|url| OnServer { folder: url.into(), own_server: None });
    let doors: Vec<OnServer> = doors.collect();
    assert!(doors.iter().any(OnServer::is_store) && !doors.iter().all(OnServer::is_store));
    let (mut count, mut written) = (0, 0);
    for listed in Disk.list(&dir.as_path().into(), usize::MAX, Links::Passed) {
        let FolderItem::File(_, file) = listed else { continue };
        let file = file.to_string();
        let mut cases = cases();
        let listed = Library(false).call(&dir, &cases[0], &file).unwrap().1;
        for entry in listed.iter().step_by(listed.len().max(1)) {
            let path = entry["path"].as_str().unwrap();
            cases.extend(of_entry(path, entry["class"].as_str().unwrap_or_default()));
        }
        for case in cases.iter().filter(|case| doors.iter().any(|door| door.has(case, &file))) {
            let expected = Library(false).call(&dir, case, &file).unwrap();
            for door in doors.iter().filter(|door| door.has(case, &file)) {
                let about = format!("{}: {} {:?} of {file}", door.name(), case.verb, case.args);
                let found = door.call(&dir, case, &file).unwrap();
                assert_eq!(with_checksums(&found.1, &expected.1), expected.1, "{about}");
                assert_eq!(found.0, expected.0, "{about}");
                assert!(found.2 == expected.2, "{about}: other bytes");
                count += 1;
                written += usize::from(case.args.contains(&"NEW") && !found.2.is_empty());
            }
        }
    }
    println!("{count} requests, {written} files written");
    assert!(count > 1000 && written > 20, "{count} requests, {written} files written");
}

/// Rows with the checksums of others, where one was not checked, and that is said: it would take all of a file on a server.
fn with_checksums(rows: &[Value], others: &[Value]) -> Vec<Value> {
    let mut rows = rows.to_vec();
    for (row, other) in rows.iter_mut().zip(others) {
        let known = other.pointer("/details/checksum");
        if let (Some(checksum), Some(known)) = (row.pointer_mut("/details/checksum"), known)
            && checksum["checked"] == false
            && checksum["ok"].is_null()
        {
            checksum["checked"] = known["checked"].clone();
            checksum["ok"] = known["ok"].clone();
        }
    }
    rows
}

#[test]
fn requests_that_are_none_say_what_they_may_be() {
    let session = Session::new(Memory::new());
    let refused = |verb: &str, request: &str| {
        let error =
            verbs::call(&session, verb, request, &mut CollectedOutput::default()).unwrap_err();
        assert_eq!(error.code().id, "SP190", "{error}");
        error.to_string()
    };
    let known: Vec<&str> = session.verbs().iter().map(|verb| verb.name()).collect();
    assert!(refused("lz", "{}").contains(&known.join(", ")));
    assert!(refused("ls", r#"{"file": "a", "glob": ["x"]}"#).contains("globs"));
    assert!(refused("ls", r#"{"file": "a", "limit": "many"}"#).contains("many"));
    assert!(refused("ls", "[").contains("EOF"));
}
