//! The command with files of a server.
#![cfg(feature = "remote")]

use super::common::samples;
use serde_json::Value;
use spelunk_fixtures::{
    chunk::Chunk,
    corpus,
    random::Random,
    virtools::{Checksum, IncludedFile, ObjectEntry, Packing, VirtoolsFile},
};
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};
use test_support::http::server::{Fault, ServedFile, Server};

/// The command without what the environment says of servers.
fn apart() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy().to_ascii_uppercase();
        let of_others = ["AWS_", "GOOGLE_", "AZURE_", "SPELUNK_INSTANCE"];
        if text.ends_with("_PROXY") || of_others.iter().any(|start| text.starts_with(start)) {
            command.env_remove(name);
        }
    }
    command
}

/// The command with the settings of a store on this machine.
fn spelunk(server: &Server, dir: &Path, args: &[&str]) -> Output {
    let mut command = apart();
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

/// Whatever is not for the store goes to the proxy, so that no attempt of this test leaves the machine.
#[test]
fn nobody_but_the_store_is_asked_for_credentials_unless_that_is_wanted() {
    let (store, proxy) = (Server::start().unwrap(), Server::start().unwrap());
    let run = |url: &str, value: &str| {
        let mut command = apart();
        command.env("AWS_ENDPOINT", store.url("")).env("AWS_ALLOW_HTTP", "true");
        command.env("AWS_REGION", "here").env("AZURE_STORAGE_ACCOUNT_NAME", "account");
        command.env("HOME", store.url("/none")).env("NO_PROXY", "127.0.0.1");
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            command.env(name, proxy.url(""));
        }
        command.env("SPELUNK_INSTANCE_CREDENTIALS", value);
        let ended = command.args(["info", url]).stdin(Stdio::null()).output().unwrap();
        (text(&ended.stderr), proxy.asked().len(), store.asked().len())
    };
    for url in ["s3://bucket/a", "gs://bucket/a", "az://container/a"] {
        let (said, others, asked) = run(url, "0");
        assert!(
            said.contains("SP205") && said.contains("SPELUNK_INSTANCE_CREDENTIALS=1"),
            "{said}"
        );
        assert_eq!((others, asked), (0, 0), "{url}");
    }
    let (said, others, _) = run("s3://bucket/a", "1");
    assert!(others > 0, "{said}");
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
    // All of it is little more than its size, in far fewer requests than there are assets, whichever way threads overtake each other.
    let (requests, bytes, _) = taken(&["verify", &url]);
    assert!(requests < 200 && bytes < 11_500_000, "{requests}, {bytes}");
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

/// A level with four megabytes that cannot be packed, and a file behind its sections.
fn heavy() -> VirtoolsFile {
    let mut file = spelunk_fixtures::samples::level();
    let mut random = Random(7);
    for id in 100..140 {
        let words: Vec<u32> = (0..25_000).map(|_| random.next() as u32).collect();
        let chunk = Chunk::object(32).identifier(0x2000).words(&words);
        file.objects.push(ObjectEntry::new(id, 32, b"Noise", chunk));
    }
    file.records = vec![IncludedFile { name: b"vtthumbnail.jpg".to_vec(), data: vec![7; 300] }];
    file
}

/// Rows of a verb about a file, without its name and without whether its checksum was checked, which is told beside them.
fn facts(server: &Server, dir: &Path, args: &[&str], name: &str) -> (Vec<Value>, Option<bool>) {
    let args: Vec<&str> = args.iter().map(|arg| if *arg == "FILE" { name } else { *arg }).collect();
    let ended = spelunk(server, dir, &[&args[..], &["--json"]].concat());
    let (printed, mut checked) = (text(&ended.stdout).replace(name, "FILE"), None);
    let rows = printed.lines().map(|line| {
        let mut row: Value = serde_json::from_str(line).unwrap();
        row.as_object_mut().unwrap().remove("file");
        if let Some(checksum) = row.pointer_mut("/details/checksum") {
            let checksum = checksum.as_object_mut().unwrap();
            checked = checksum.remove("checked").unwrap().as_bool();
            if checked == Some(false) {
                assert!(checksum.insert("ok".to_owned(), true.into()).unwrap().is_null());
            }
        }
        row
    });
    let rows = rows.collect();
    (rows, checked)
}

/// Headers are all that comes of a file for who asks for no more; what does not come is not checked, and that is said.
#[test]
fn a_virtools_file_is_read_as_far_as_its_headers() {
    let dir = tempfile::tempdir().unwrap();
    let built = heavy().build();
    let (len, headers) = (built.bytes.len() as u64, built.range_of("data").start as u64);
    assert!(len > 3_900_000 && headers < 2_000, "{headers} of {len}");
    let server = Server::start().unwrap();
    fs::write(dir.path().join("heavy.nmo"), &built.bytes).unwrap();
    server.put("/heavy.nmo", ServedFile::new(built.bytes));
    let url = server.url("/heavy.nmo");
    let compare = |args: &[&str]| {
        server.asked();
        let (rows, checked) = facts(&server, dir.path(), args, &url);
        let asked = server.asked();
        let (on_disk, is_checked) = facts(&server, dir.path(), args, "heavy.nmo");
        assert!(!rows.is_empty(), "{args:?}");
        assert_eq!(rows, on_disk, "{args:?}");
        assert_eq!(is_checked, checked.map(|_| true));
        (asked.len(), asked.iter().map(|asked| asked.sent).sum::<u64>(), checked)
    };
    for args in [
        &["info", "FILE"][..],
        &["ls", "FILE"],
        &["ls", "FILE", "CKMesh"],
        &["ls", "FILE", "plugins"],
        &["show", "FILE", "header1"],
        &["show", "FILE", "plugins/4"],
        &["show", "FILE", "included/vtthumbnail.jpg"],
    ] {
        let (requests, bytes, checked) = compare(args);
        // The first request brings 64 KiB, whatever lies there, and the second one the file behind the sections.
        assert!(requests == 2 && bytes < 66_000, "{args:?}: {requests}, {bytes}");
        assert_eq!(checked, (args[0] == "info").then_some(false));
    }
    for args in [
        &["show", "FILE", "CKMaterial/Wood"][..],
        &["ls", "FILE", "#3/*"],
        &["ls", "FILE", "managers"],
        &["tree", "FILE"],
        &["find", "Wood", "FILE"],
        &["verify", "FILE"],
        &["info", "FILE", "--missing-plugins"],
    ] {
        let (requests, bytes, checked) = compare(args);
        assert!(requests < 10 && bytes >= len, "{args:?}: {requests}, {bytes} of {len}");
        assert_eq!(checked, (args[0] == "info").then_some(true));
    }
}

/// What headers cannot be believed for is read whole, and told as it is on the disk.
#[test]
fn odd_virtools_files_are_read_whole() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start().unwrap();
    let with = |change: &dyn Fn(&mut VirtoolsFile)| {
        let mut file = heavy();
        change(&mut file);
        file.build().bytes
    };
    let cut = |bytes: Vec<u8>, len: usize| bytes[..len].to_vec();
    let odd = [
        ("index", with(&|file| file.objects[7].file_index = Some(5))),
        ("product", with(&|file| file.product_build = 0x0909_0909)),
        ("largest", with(&|file| file.max_id = Some(3))),
        ("tail", with(&|file| file.tail = vec![0; 100_000])),
        ("mode", with(&|file| file.write_mode = Some(0))),
        ("old", with(&|file| file.file_version = 7)),
        ("short", cut(with(&|_| ()), 1_000_000)),
        ("shorter", cut(with(&|_| ()), 300)),
    ];
    for (kind, bytes) in odd {
        let name = format!("{kind}.nmo");
        fs::write(dir.path().join(&name), &bytes).unwrap();
        server.put(&format!("/{name}"), ServedFile::new(bytes));
        for args in [&["info", "FILE"][..], &["ls", "FILE"], &["show", "FILE", "header1"]] {
            let of_url = facts(&server, dir.path(), args, &server.url(&format!("/{name}")));
            assert_eq!(of_url, facts(&server, dir.path(), args, &name), "{args:?} of {kind}");
        }
    }
    // A wrong checksum is told by those who read what it covers.
    server.put("/wrong.nmo", ServedFile::new(with(&|file| file.checksum = Checksum::Wrong)));
    let said = |verb: &str| {
        let ended = spelunk(&server, dir.path(), &[verb, &server.url("/wrong.nmo")]);
        text(&ended.stdout) + &text(&ended.stderr)
    };
    assert!(!said("info").contains("VT005") && said("verify").contains("VT005"));
    let plain = with(&|file| file.packing = Packing::Stored);
    fs::write(dir.path().join("plain.nmo"), &plain).unwrap();
    server.put("/plain.nmo", ServedFile::new(plain));
    for args in [&["info", "FILE"][..], &["ls", "FILE"]] {
        let (rows, checked) = facts(&server, dir.path(), args, &server.url("/plain.nmo"));
        assert_eq!(rows, facts(&server, dir.path(), args, "plain.nmo").0);
        assert_eq!(checked, (args[0] == "info").then_some(false));
    }
}

/// Headers of real files tell what all of the file tells.
#[test]
fn real_virtools_files_are_told_alike_from_afar() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start().unwrap();
    let (mut unchecked, mut sent, mut all) = (0, 0, 0);
    for file in files {
        let name = Path::new(&file.name).file_name().unwrap().to_str().unwrap();
        fs::write(dir.path().join(name), &file.bytes).unwrap();
        let url = server.url(&format!("/{name}"));
        let (len, path) = (file.bytes.len() as u64, format!("/{name}"));
        server.put(&path, ServedFile::new(file.bytes));
        for args in [&["info", "FILE"][..], &["ls", "FILE"], &["show", "FILE", "header1"]] {
            server.asked();
            let (rows, checked) = facts(&server, dir.path(), args, &url);
            let came: u64 = server.asked().iter().map(|asked| asked.sent).sum();
            assert_eq!(rows, facts(&server, dir.path(), args, name).0, "{args:?} of {name}");
            if checked == Some(false) {
                unchecked += 1;
                sent += came;
                all += len;
            }
        }
    }
    assert!(unchecked >= 10, "{unchecked}");
    assert!(sent < all / 4, "{sent} of {all}");
    eprintln!("info of {unchecked} files: {sent} bytes of {all}");
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
    let (done, _, said) = run(&["append", "s3://bucket/new/a.snpak", "level.nmo", "--force"]);
    assert!(!done && said.contains("SP208"), "{said}");
    assert!(on_disk("s3:").is_none() && !dir.path().join("s3:").exists());
    assert_eq!(server.uploads(), 0);
}

/// A catalogue of files of a store, in the store: the one of the disk, made once, and brought up to date without a look at what did
/// not change.
#[test]
fn catalogues_lie_in_stores() {
    let dir = samples();
    let server = serving(dir.path());
    let run = |to: &str, more: &[&str]| {
        let args = ["catalog", "s3://bucket/all/", "-o", to, "--json"];
        let ended = spelunk(&server, dir.path(), &[&args[..], more].concat());
        let rows = text(&ended.stdout);
        let row: Value = serde_json::from_str(rows.lines().next().unwrap_or("null")).unwrap();
        (row, text(&ended.stderr))
    };
    let same = |mut row: Value| {
        row.as_object_mut().unwrap().remove("catalog");
        row
    };
    let (first, said) = run("s3://bucket/catalogue", &[]);
    assert!(first["files"].as_u64() > Some(10) && first["new"] == first["files"], "{said}");
    assert_eq!(same(first.clone()), same(run("catalogue", &[]).0));
    let parts = |manifest: &[u8]| {
        let manifest: Value = serde_json::from_slice(manifest).unwrap();
        let tables = manifest["tables"].as_object().unwrap().values();
        let parts = tables.flat_map(|parts| parts.as_array().unwrap().clone());
        parts.map(|part| part["xxh3"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let manifest = || server.content("/bucket/catalogue/spelunk-catalog.json").unwrap();
    let on_disk = fs::read(dir.path().join("catalogue/spelunk-catalog.json")).unwrap();
    assert_eq!(parts(&manifest()), parts(&on_disk));
    // Nothing has changed.
    server.asked();
    let before = manifest();
    let (second, said) = run("s3://bucket/catalogue", &[]);
    assert_eq!((&second["unchanged"], &second["written"]), (&first["files"], &0.into()), "{said}");
    let asked = server.asked();
    let opened = asked.iter().filter(|asked| asked.target.starts_with("/bucket/all/"));
    assert_eq!(opened.count(), 0);
    assert!(manifest() == before && asked.len() < 8, "{}", asked.len());
    // What cannot be read at the moment is not made anew for that.
    let (before, text) = (manifest(), String::from_utf8(manifest()).unwrap());
    let start = text.find("files/part-").unwrap();
    let part = &text[start..start + text[start..].find('"').unwrap()];
    server.fail(&format!("/bucket/catalogue/{part}"), [Fault::Status(403)]);
    let (none, said) = run("s3://bucket/catalogue", &[]);
    assert!(none.is_null() && said.contains("SP203") && manifest() == before, "{said}");
    server.asked();
    // One has.
    server.put("/bucket/all/level.nmo", ServedFile::new(&b"other"[..]));
    let (third, said) = run("s3://bucket/catalogue", &[]);
    assert_eq!((&third["changed"], &third["new"]), (&1.into(), &0.into()), "{said}");
    let read =
        server.asked().iter().filter(|asked| asked.target.starts_with("/bucket/all/")).count();
    assert_eq!(read, 1, "one file was opened");
    let row = |dir: &str| same(run(dir, &["--dry-run"]).0);
    assert_eq!(row("s3://bucket/catalogue")["unchanged"], first["files"]);
}
