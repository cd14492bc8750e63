//! The command with files of a server.
#![cfg(feature = "remote")]

use super::common::samples;
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};
use test_support::http::server::{ServedFile, Server};

/// The command with the settings of a store on this machine, and without what the environment says of others.
fn spelunk(server: &Server, dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy().to_ascii_uppercase();
        if text.ends_with("_PROXY") || text.starts_with("AWS_") {
            command.env_remove(name);
        }
    }
    command.env("AWS_ENDPOINT", server.url("")).env("AWS_ALLOW_HTTP", "true");
    command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "hush");
    command.env("AWS_REGION", "here");
    command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A server with the samples, at `/` and in a bucket.
fn serving(dir: &Path) -> Server {
    let server = Server::start().unwrap();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if let Ok(bytes) = fs::read(entry.path()) {
            let name = entry.file_name().into_string().unwrap();
            for folder in ["", "/bucket/all"] {
                server.put(&format!("{folder}/{name}"), ServedFile::new(bytes.clone()));
            }
        }
    }
    server
}

/// What is printed of a URL is what is printed of a file, names aside.
#[test]
fn verbs_read_urls() {
    let dir = samples();
    let server = serving(dir.path());
    for (args, file) in [
        (&["info", "FILE"][..], "level.nmo"),
        (&["ls", "FILE"], "forest.snpak"),
        (&["tree", "FILE"], "level.nmo"),
        (&["show", "FILE", "CKMaterial/Wood"], "level.nmo"),
        (&["cat", "FILE", "CKMaterial/Wood"], "level.nmo"),
        (&["verify", "FILE"], "GameData.cff"),
        (&["find", "Wood", "FILE"], "level.nmo"),
        (&["query", "FILE", "SELECT count(*) FROM items"], "GameData.cff"),
        (&["diff", "FILE", "forest-appended.snpak"], "forest.snpak"),
        (&["FILE"], "sf22.pak"),
    ] {
        let run = |name: &str| {
            let args: Vec<String> = args.iter().map(|arg| arg.replace("FILE", name)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ended = spelunk(&server, dir.path(), &args);
            (ended.status.code(), text(&ended.stdout).replace(name, file), text(&ended.stderr))
        };
        let (code, printed, said) = run(file);
        assert!(!printed.is_empty(), "{args:?}: {said}");
        let url = format!("{}/{file}", server.url("").replace("//", "//me:hush@"));
        let (of_url, shown) = (run(&format!("{url}?sig=hush")), server.url(&format!("/{file}")));
        assert_eq!((of_url.0, of_url.1.replace(&shown, file)), (code, printed.clone()), "{args:?}");
        assert!(!(of_url.1 + &of_url.2).contains("hush"), "{args:?}");
        let of_key = run(&format!("s3://bucket/all/{file}"));
        assert_eq!((of_key.0, of_key.1), (code, printed), "{args:?}: {}", of_key.2);
    }
}

#[test]
fn a_small_file_takes_one_request_and_v_says_so() {
    let dir = samples();
    let server = serving(dir.path());
    let ended = spelunk(&server, dir.path(), &["info", "-v", &server.url("/level.nmo")]);
    assert!(text(&ended.stderr).contains("1 request, 741 B of answers"), "{ended:?}");
    assert_eq!(server.asked().len(), 1);
    let args = ["info", &server.url("/level.nmo"), &server.url("/forest.snpak")];
    assert!(spelunk(&server, dir.path(), &args).status.success());
    assert_eq!(server.asked().len(), 2);
    let limited =
        ["info", &server.url("/level.nmo"), &server.url("/GameData.cff"), "--max-requests", "1"];
    let ended = spelunk(&server, dir.path(), &limited);
    assert!(text(&ended.stderr).contains("SP201"), "{ended:?}");
    assert_eq!(server.asked().len(), 1);
}

/// Of a pack come its tables, and of an asset its bytes.
#[test]
fn a_large_pack_is_not_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let assets = dir.path().join("assets");
    fs::create_dir(&assets).unwrap();
    for nth in 0..2000_u32 {
        // What cannot be packed.
        let mut state = nth | 0x10_0000;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as u8
        };
        let bytes: Vec<u8> = (0..5000).map(|_| next()).collect();
        fs::write(assets.join(format!("asset-{nth:05}.bin")), bytes).unwrap();
    }
    let server = Server::start().unwrap();
    let packed = spelunk(&server, dir.path(), &["pack", "assets", "-o", "big.snpak"]);
    assert!(packed.status.success(), "{packed:?}");
    let pack = fs::read(dir.path().join("big.snpak")).unwrap();
    // Where the tables lie stands in the header: offset and size of the index from byte 28 on, those of the strings from 44 on.
    let number = |at: usize| u64::from_le_bytes(pack[at..at + 8].try_into().unwrap());
    let tables = 180 + number(36) + number(52);
    assert!(tables > 100_000 && pack.len() > 9_000_000, "{tables} of {}", pack.len());
    server.put("/big.snpak", ServedFile::new(pack));
    let url = server.url("/big.snpak");
    let taken = |args: &[&str]| {
        let ended = spelunk(&server, dir.path(), args);
        assert!(ended.status.success(), "{ended:?}");
        let asked = server.asked();
        (asked.len(), asked.iter().map(|asked| asked.sent).sum::<u64>(), ended.stdout)
    };
    let (requests, bytes, _) = taken(&["ls", &url]);
    // The first request brings 64 KiB, whatever lies there.
    assert!(requests <= 3 && bytes <= tables + (64 << 10), "{requests}, {bytes} of {tables}");
    let (more, with_asset, found) = taken(&["cat", &url, "asset-01234.bin"]);
    assert!(found == fs::read(assets.join("asset-01234.bin")).unwrap());
    assert_eq!(more, requests + 1);
    assert!(with_asset <= bytes + (16 << 10), "{with_asset}");
    // All of it is little more than its size, in few requests.
    let (requests, bytes, _) = taken(&["verify", &url]);
    assert!(requests < 60 && bytes < 11_500_000, "{requests}, {bytes}");
}

#[test]
fn folders_of_stores_are_gone_through() {
    let dir = samples();
    let server = serving(dir.path());
    let files = |args: &[&str]| {
        let ended = spelunk(&server, dir.path(), args);
        let lines = text(&ended.stdout);
        let file = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["file"].as_str().unwrap().to_owned()
        };
        (lines.lines().map(file).collect::<Vec<_>>(), text(&ended.stderr))
    };
    let (all, _) = files(&["info", "-r", "s3://bucket/all/", "--json"]);
    assert!(
        all.len() > 10 && all.iter().all(|name| name.starts_with("s3://bucket/all/")),
        "{all:?}"
    );
    let (on_disk, _) = files(&["info", "-r", ".", "--json"]);
    let plain = |names: Vec<String>, start: &str| {
        let mut names: Vec<String> =
            names.iter().filter_map(|name| Some(name.strip_prefix(start)?.to_owned())).collect();
        names.retain(|name| !name.contains('/'));
        names
    };
    assert_eq!(plain(all, "s3://bucket/all/"), plain(on_disk, "./"));
    let list = format!("{}\ns3://bucket/all/forest.snpak\nlevel.nmo\n", server.url("/level.nmo"));
    fs::write(dir.path().join("list.txt"), list).unwrap();
    let (listed, _) = files(&["info", "--files-from", "list.txt", "--json"]);
    let wanted = [&server.url("/level.nmo"), "s3://bucket/all/forest.snpak", "level.nmo"];
    assert_eq!(listed, wanted);
    let (_, said) = files(&["info", "-r", &server.url("/all/"), "--json"]);
    assert!(said.contains("web servers do not list their files"), "{said}");
}

#[test]
fn what_is_extracted_lies_on_the_disk_and_nothing_is_written_to_web_servers() {
    let dir = samples();
    let server = serving(dir.path());
    let url = server.url("/level.nmo?x=1");
    let extract = |from: &str, to: &str| spelunk(&server, dir.path(), &["extract", from, "-C", to]);
    assert!(
        extract(&url, "remote").status.success() && extract("level.nmo", "local").status.success()
    );
    let names = |folder: &str| {
        let entries = fs::read_dir(dir.path().join(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("remote"), names("local"));
    let before = names(".");
    for args in [
        &["rewrite", "level.nmo", &url][..],
        &["rewrite", &url, "--in-place"],
        &["extract", "level.nmo", "-C", &url],
        &["pack", "local", "-o", &url],
        &["append", &url, "level.nmo"],
        &["export", "level.nmo", "-o", &server.url("/new.json")],
        &["set", &url, "CKMaterial/Wood", "material.diffuse=0xff000000", "--in-place"],
    ] {
        let ended = spelunk(&server, dir.path(), args);
        let said = text(&ended.stderr);
        assert!(!ended.status.success() && said.contains("SP208"), "{args:?}: {said}");
    }
    assert_eq!(names("."), before);
}

/// What is written to a store is what is written to the disk.
#[test]
fn verbs_write_to_stores() {
    let dir = samples();
    let server = serving(dir.path());
    let run = |args: &[&str]| {
        let ended = spelunk(&server, dir.path(), args);
        (ended.status.success(), text(&ended.stdout), text(&ended.stderr))
    };
    let there = |path: &str| server.content(&format!("/bucket/{path}"));
    let on_disk = |path: &str| fs::read(dir.path().join(path)).ok();
    fs::create_dir(dir.path().join("new")).unwrap();
    for (args, outputs) in [
        (&["rewrite", "s3://bucket/all/level.nmo", "OUT/a.nmo"][..], &["a.nmo"][..]),
        (&["export", "level.nmo", "-o", "OUT/a.gltf"], &["a.gltf", "a.bin"]),
        (&["export", "level.nmo", "-o", "OUT/a.json"], &["a.json"]),
        (&["extract", "forest.snpak", "-C", "OUT/forest"], &["forest/spelunk-manifest.json"]),
        (&["pack", "new/forest", "-o", "OUT/a.snpak"], &["a.snpak"]),
    ] {
        let to =
            |folder: &str| args.iter().map(|arg| arg.replace("OUT", folder)).collect::<Vec<_>>();
        let run = |folder: &str| {
            let args = to(folder);
            run(&args.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let (local, remote) = (run("new"), run("s3://bucket/new"));
        assert_eq!(remote.1.replace("s3://bucket/new", "new"), local.1, "{args:?}: {}", remote.2);
        assert!(local.0 && remote.0, "{args:?}: {} {}", local.2, remote.2);
        for output in outputs {
            let path = format!("new/{output}");
            assert!(there(&path).is_some() && there(&path) == on_disk(&path), "{args:?}: {path}");
        }
        let again = run("s3://bucket/new");
        assert!(!again.0 && again.2.contains("SP021"), "{args:?}: {}", again.2);
    }
    let to = "s3://bucket/new/a.nmo";
    for file in [to, "new/a.nmo"] {
        let change = ["CKMaterial/Wood/material.diffuse=0xff00ff00", "--in-place", "--backup"];
        let (done, _, said) = run(&[&["set", file][..], &change].concat());
        assert!(done, "{said}");
    }
    assert_eq!(
        (there("new/a.nmo"), there("new/a.nmo.bak")),
        (on_disk("new/a.nmo"), on_disk("level.nmo"))
    );
    let (_, _, said) = run(&["rewrite", "level.nmo", to, "--force", "-v"]);
    assert!(said.contains("2 requests") || said.contains("1 request"), "{said}");
    assert!(said.contains(" sent"), "{said}");
    for (args, code) in [
        (["append", "s3://bucket/new/a.snpak", "level.nmo", "--force"], "SP208"),
        (["catalog", "level.nmo", "-o", "s3://bucket/new/catalogue"], "SP029"),
    ] {
        let (done, _, said) = run(&args);
        assert!(!done && said.contains(code), "{args:?}: {said}");
    }
    assert!(on_disk("s3:").is_none() && !dir.path().join("s3:").exists());
    assert_eq!(server.uploads(), 0);
}
