//! Object stores, and folders.

use super::{code, content, files, options, read};
use spelunk_core::folder::Links;
use spelunk_open::files::{Disk, FileName, Files, FolderItem, Reading};
use spelunk_remote::{Remote, RemoteOptions};
use test_support::http::server::{Fault, ServedFile, Server};

/// Files of a server that speaks like S3.
pub(super) fn store(server: &Server) -> Remote<Disk> {
    store_with(server, options())
}

pub(super) fn store_with(server: &Server, options: RemoteOptions) -> Remote<Disk> {
    let settings = [
        ("aws_endpoint", server.url("")),
        ("aws_allow_http", "true".to_owned()),
        ("aws_region", "here".to_owned()),
        ("aws_access_key_id", "key".to_owned()),
        ("aws_secret_access_key", "hush".to_owned()),
    ];
    let settings = settings.map(|(key, value)| (key.to_owned(), value));
    let settings = settings.into_iter().chain(options.settings.clone()).collect();
    files(RemoteOptions { settings, ..options })
}

/// Names and paths within the folder.
fn listed(files: &Remote<Disk>, folder: &str, depth: usize) -> Vec<(String, String)> {
    let item = |item| match item {
        FolderItem::File(name, within) => (name.to_string(), within.to_string()),
        FolderItem::Unreadable(name, error) => (name.to_string(), error.to_string()),
        FolderItem::Link(name) => panic!("a link: {name}"),
    };
    files.list(&folder.into(), depth, Links::Passed).map(item).collect()
}

fn bucket() -> Server {
    let server = Server::start().unwrap();
    for key in [
        "packs/a.snpak",
        "packs/deep/er/c.snpak",
        "packs/b%20%231.snpak",
        "packs-2/d.snpak",
        "packs/deep/e",
    ] {
        server.put(&format!("/bucket/{key}"), ServedFile::new(content(100_000)));
    }
    server
}

#[test]
fn objects_are_read_and_listed() {
    let server = bucket();
    let files = store(&server);
    let source = files.open(&"s3://bucket/packs/a.snpak".into(), Reading::default()).unwrap();
    assert!(read(&*source, 80_000, 100).unwrap() == content(100_000)[80_000..80_100]);
    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert!(asked.iter().all(|asked| asked.headers.contains_key("authorization")));
    assert_eq!(asked[1].headers["if-match"], "\"1\"");

    let all: Vec<String> = listed(&files, "s3://bucket/packs/", usize::MAX)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let wanted = ["a.snpak", "b %231.snpak", "deep/e", "deep/er/c.snpak"];
    assert_eq!(all, wanted.map(|key| format!("s3://bucket/packs/{key}")));
    // What was listed can be opened, and its size is known.
    server.asked();
    for name in all {
        let name = FileName::from(name);
        assert_eq!(files.len(&name), Some(100_000));
        assert!(server.asked().is_empty());
        files.open(&name, Reading::default()).unwrap();
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn folders_are_listed_as_deep_as_that_is_wanted() {
    let server = bucket();
    let files = store(&server);
    let within = |folder: &str, depth| {
        let within = listed(&files, folder, depth).into_iter().map(|(_, within)| within);
        within.collect::<Vec<_>>()
    };
    assert_eq!(within("s3://bucket/packs/", 1), ["a.snpak", "b #1.snpak"]);
    assert_eq!(within("s3://bucket/packs/", 2), ["a.snpak", "b #1.snpak", "deep/e"]);
    assert_eq!(within("s3://bucket/", 2).len(), 3);
    // Page by page.
    server.set_page(2);
    server.asked();
    assert_eq!(within("s3://bucket", usize::MAX).len(), 5);
    assert_eq!(server.asked().len(), 3);
    let folders: Vec<String> =
        files.folders(&"s3://bucket/".into()).iter().map(ToString::to_string).collect();
    assert_eq!(folders, ["s3://bucket/packs-2/", "s3://bucket/packs/"]);
    assert!(
        files.is_folder(&"s3://bucket".into()) && !files.is_folder(&"s3://bucket/packs".into())
    );
    assert!(files.lies_in(&"s3://bucket/packs/a".into(), &"s3://bucket/packs/".into()));
    assert!(!files.lies_in(&"s3://bucket/packs-2/a".into(), &"s3://bucket/packs".into()));
}

#[test]
fn files_beside_one_are_found() {
    let server = bucket();
    let files = store(&server);
    let [beside, above] = files.around(&"s3://bucket/packs/deep/e".into());
    assert_eq!(beside.to_string(), "s3://bucket/packs/deep/");
    let found = files.locate(&above, "b #1.snpak").unwrap();
    assert_eq!(found.to_string(), "s3://bucket/packs/b %231.snpak");
    assert!(files.locate(&beside, "none").is_err());
    for bad in ["../a.snpak", "", "a//b", "/a"] {
        assert!(files.locate(&beside, bad).is_err(), "{bad}");
    }
    let [beside, _] = files.around(&server.url("/bucket/packs/deep/e?sig=x").into());
    assert_eq!(
        files.locate(&beside, "er/c.snpak").unwrap().to_string(),
        server.url("/bucket/packs/deep/er/c.snpak")
    );
}

#[test]
fn what_cannot_be_listed_says_why() {
    let server = bucket();
    let files = store(&server);
    let why = |folder: &str| listed(&files, folder, usize::MAX).remove(0).1;
    assert!(why(&server.url("/bucket/")).contains("web servers do not list their files"));
    assert!(why("s3://bucket/none/").contains("no object"));
    server.fail("/bucket", vec![Fault::Status(403); 3]);
    assert!(why("s3://bucket/packs/").contains("403 Forbidden"), "{}", why("s3://bucket/packs/"));
    assert!(why("s3://bucket//").contains("the URL names no file"), "{}", why("s3://bucket//"));
    let opened = files.open(&"s3://bucket/packs/".into(), Reading::default());
    assert_eq!(code(opened), "SP020");
    let missing = files.open(&"s3://bucket/none".into(), Reading::default());
    assert_eq!(code(missing), "SP203");
}

#[test]
fn settings_that_make_no_store_are_an_error() {
    let settings = vec![
        ("aws_endpoint".to_owned(), "hush".to_owned()),
        ("aws_access_key_id".to_owned(), "hush".to_owned()),
    ];
    let files = files(RemoteOptions { settings, retries: 0, ..options() });
    let error = files.open(&"s3://bucket/a".into(), Reading::default()).err().unwrap();
    assert!(["SP205", "SP202", "SP204"].contains(&error.code().id), "{error}");
    assert!(!error.to_string().contains("hush"), "{error}");
}
