//! Which files are listed, read and written.

use super::{Running, settings};
use serde_json::{Value, json};
use spelunk_fixtures::samples;
use spelunk_view::Settings;
use std::{fs, path::Path};

/// `game/levels` with a level and a text, and `game/other` and `out` beside it.
fn game(dir: &Path) {
    for folder in ["game/levels/inner", "game/other", "out"] {
        fs::create_dir_all(dir.join(folder)).unwrap();
    }
    let level = samples::level().build().bytes;
    for file in ["game/levels/a.nmo", "game/levels/inner/b.nmo", "game/other/c.nmo", "out/d.nmo"] {
        fs::write(dir.join(file), &level).unwrap();
    }
    fs::write(dir.join("game/levels/notes.txt"), "none").unwrap();
}

fn names(server: &Running) -> Vec<String> {
    let files = server.json("GET", "/api/files", &Value::Null);
    let shown =
        |file: &Value| file.get("label").unwrap_or(&file["name"]).as_str().map(str::to_owned);
    files.as_array().unwrap().iter().filter_map(shown).collect()
}

#[test]
fn containers_of_the_folder_are_listed_and_the_folder_of_a_file() {
    let dir = tempfile::tempdir().unwrap();
    game(dir.path());
    let folder = dir.path().join("game/levels");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let server = Running::of(settings(&folder));
    assert_eq!(names(&server), ["a.nmo", "inner/b.nmo"]);
    assert_eq!(server.rest, "");
    let server = Running::of(settings(&folder.join("a.nmo")));
    assert_eq!(names(&server), ["a.nmo"]);
    assert_eq!(server.rest, format!("&file={}", path("a.nmo")));
    // A text that was named is there as what it is.
    let server = Running::of(settings(&folder.join("notes.txt")));
    assert_eq!(names(&server), ["a.nmo", "notes.txt"]);
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_no_text_is_opened_by_what_it_is_called() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let dir = tempfile::tempdir().unwrap();
    let name = OsStr::from_bytes(b"gr\xfcn.nmo");
    fs::write(dir.path().join(name), samples::level().build().bytes).unwrap();
    let server = Running::of(settings(dir.path()));
    assert_eq!(names(&server), ["gr\\xFCn.nmo"]);
    let listed = server.json("GET", "/api/files", &Value::Null);
    let file = server.json("POST", "/api/open", &json!({ "name": listed[0]["name"] }));
    assert_eq!(server.lines("ls", &json!({ "file": file["handle"] })).len(), 10);
}

#[test]
fn nothing_is_written_outside_of_the_folder_and_read_only_beside_it() {
    let dir = tempfile::tempdir().unwrap();
    game(dir.path());
    let folder = dir.path().join("game/levels");
    let server = Running::of(settings(&folder));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let rewrite = |file: String, output: String| json!({ "file": file, "output": output });
    let level = || path("a.nmo");
    let is_refused =
        |request: &Value| server.refusal("rewrite", request).as_deref() == Some("SP029");
    for output in
        ["../new.nmo", "../../out/new.nmo", "inner/../../new.nmo", "new/../../../out/new.nmo"]
    {
        assert!(is_refused(&rewrite(level(), path(output))), "{output}");
    }
    let out = dir.path().join("out/new.nmo").to_str().unwrap().to_owned();
    assert!(is_refused(&rewrite(level(), out.clone())));
    assert!(
        is_refused(&rewrite(level(), "-".to_owned())),
        "the streams of the command are not the page's"
    );
    assert!(!Path::new(&out).exists() && !folder.join("new").exists());
    // What lies beside the folder is read, as textures are; what is further away is not.
    assert_eq!(server.refusal("info", &json!({ "files": [path("../other/c.nmo")] })), None);
    for name in [path("../../out/d.nmo"), "/etc/passwd".to_owned(), "-".to_owned()] {
        let request = json!({ "files": [name] });
        assert_eq!(server.refusal("info", &request).as_deref(), Some("SP029"), "{name}");
    }
    assert_eq!(server.ask("GET", "/api/file?name=/etc/passwd", b"").status, 422);
    // In the folder it is written, and over what is there when that is asked for.
    assert_eq!(server.refusal("rewrite", &rewrite(level(), path("inner/new.nmo"))), None);
    assert_eq!(fs::read(folder.join("inner/new.nmo")).unwrap(), fs::read(level()).unwrap());
    assert_eq!(
        server.refusal("rewrite", &rewrite(level(), path("inner/new.nmo"))).as_deref(),
        Some("SP021")
    );
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    game(dir.path());
    let folder = dir.path().join("game/levels");
    std::os::unix::fs::symlink(dir.path().join("out"), folder.join("away")).unwrap();
    std::os::unix::fs::symlink(dir.path().join("out/none.nmo"), folder.join("dangling.nmo"))
        .unwrap();
    let server = Running::of(settings(&folder));
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let code = |verb: &str, request: Value| server.refusal(verb, &request);
    let output =
        |name: &str| json!({ "file": path("a.nmo"), "output": path(name), "follow_links": true });
    assert_eq!(code("info", json!({ "files": [path("away/d.nmo")] })).as_deref(), Some("SP029"));
    assert_eq!(code("rewrite", output("away/new.nmo")).as_deref(), Some("SP029"));
    assert_eq!(code("rewrite", output("dangling.nmo")).as_deref(), Some("SP029"));
    assert_eq!(fs::read_dir(dir.path().join("out")).unwrap().count(), 1);
    assert_eq!(names(&server).len(), 2);
}

#[test]
fn read_only_writes_to_temporary_files_alone() {
    let dir = tempfile::tempdir().unwrap();
    game(dir.path());
    let folder = dir.path().join("game/levels");
    let server = Running::of(Settings { is_read_only: true, ..settings(&folder) });
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let before = fs::read(path("a.nmo")).unwrap();
    let output = json!({ "file": path("a.nmo"), "output": path("new.nmo") });
    assert_eq!(server.refusal("rewrite", &output).as_deref(), Some("SP029"));
    let in_place = json!({ "file": path("a.nmo"), "in_place": true, "changes": ["CKMaterial/Wood/material.specular_power=3"] });
    assert_eq!(server.refusal("set", &in_place).as_deref(), Some("SP029"));
    assert_eq!(fs::read(path("a.nmo")).unwrap(), before);
    // It is changed all the same, and the changed one is had.
    let file = server.json("POST", "/api/open", &json!({ "name": path("a.nmo") }));
    let change =
        json!({ "file": file["handle"], "changes": ["CKMaterial/Wood/material.specular_power=3"] });
    assert_eq!(server.refusal("set", &change), None);
    let request = json!({ "file": file["handle"] }).to_string();
    let made =
        server.ask("POST", "/api/make/rewrite?extension=nmo&output=output", request.as_bytes());
    assert_eq!(made.status, 200);
    assert!(made.body.starts_with(b"Nemo Fi") && made.body != before);
}

#[test]
fn what_is_handed_in_is_a_file_of_its_own_and_goes_with_the_server() {
    let dir = tempfile::tempdir().unwrap();
    game(dir.path());
    let server = Running::of(settings(&dir.path().join("game/levels")));
    let bytes = samples::gameplay().build().bytes;
    let answer = server.ask("PUT", "/api/file?name=mods/other.nmo", &bytes);
    let answer: Value = serde_json::from_slice(&answer.body).unwrap();
    let name = answer["name"].as_str().unwrap().to_owned();
    assert!(names(&server).contains(&"mods/other.nmo".to_owned()));
    assert_eq!(server.ask("GET", &format!("/api/file?name={name}"), b"").body, bytes);
    assert_eq!(server.refusal("verify", &json!({ "files": [name] })), None);
    // In the place of the first one, and not on the list where the page keeps it for itself.
    server.ask("PUT", "/api/file?name=mods/other.nmo", b"other");
    assert_eq!(server.ask("GET", &format!("/api/file?name={name}"), b"").body, b"other");
    server.ask("PUT", "/api/file?name=.steps/1.patch", b"{}");
    assert_eq!(names(&server).len(), 3);
    for bad in ["", "../out.nmo", "/etc/x", "a/../../x", "a%5Cb"] {
        assert_eq!(server.ask("PUT", &format!("/api/file?name={bad}"), b"x").status, 422, "{bad}");
    }
    drop(server);
    assert!(!Path::new(&name).exists(), "{name}");
}
