//! Servers that fail, and files that change.

use super::{code, content, files, open, options, read, serving};
use spelunk_open::files::{Create, Files, Reading};
use spelunk_remote::RemoteOptions;
use std::time::Duration;
use test_support::http::server::{Fault, ServedFile};

#[test]
fn what_passes_is_waited_for() {
    let bytes = content(1 << 20);
    for tag in [None, Some("\"1\"".to_owned())] {
        let server = serving(ServedFile { tag, ..ServedFile::new(bytes.clone()) });
        let first = [Fault::Status(503), Fault::Cut(1000), Fault::Slow(Duration::from_millis(300))];
        server.fail("/file", first);
        let files = files(options());
        let source = open(&files, &server).unwrap();
        assert!(read(&*source, 0, 60_000).unwrap() == bytes[..60_000]);
        server.fail("/file", [Fault::Cut(10), Fault::Status(503)]);
        assert!(read(&*source, 500_000, 100_000).unwrap() == bytes[500_000..600_000]);
        // The repetitions count.
        assert_eq!(files.traffic().requests(), server.asked().len() as u64);
    }
}

#[test]
fn what_does_not_pass_is_an_error() {
    let server = serving(ServedFile::new(content(1 << 20)));
    let files = files(options());
    let opened = |faults: Vec<Fault>| {
        server.fail("/file", faults);
        let result = open(&files, &server);
        let text = result.as_ref().err().map(ToString::to_string).unwrap_or_default();
        (code(result), text, server.asked().len())
    };
    let (code, text, asked) = opened(vec![Fault::Status(503); 3]);
    assert_eq!((code, asked), ("SP203", 3), "{text}");
    assert!(text.contains("503 Service Unavailable"), "{text}");
    let (code, text, asked) = opened(vec![Fault::Status(403)]);
    assert_eq!((code, asked), ("SP203", 1), "{text}");
    let (code, text, _) = opened(vec![Fault::OtherRange]);
    assert_eq!(code, "SP204", "{text}");
    assert!(text.contains("bytes 1-1/1000000"), "{text}");
    let missing = files.open(&server.url("/none").into(), Reading::default());
    let text = missing.as_ref().err().unwrap().to_string();
    assert_eq!(super::code(missing), "SP203");
    assert!(text.contains("404 Not Found"), "{text}");
}

#[test]
fn nobody_is_led_to_the_credentials_of_a_machine() {
    let server = serving(ServedFile::new(content(1000)));
    let files = files(options());
    let there = ["http://169.254.169.254/latest/", "http://metadata.google.internal./x"];
    for there in there {
        server.fail("/file", [Fault::Redirect(there.to_owned())]);
        let error = open(&files, &server).err().unwrap();
        assert!(error.to_string().contains("credentials of a virtual machine"), "{error}");
        assert_eq!(server.asked().len(), 1);
        let named = files.open(&there.into(), Reading::default());
        assert_eq!(code(named), "SP205");
    }
}

#[test]
fn silence_is_not_waited_out() {
    let server = serving(ServedFile::new(content(1 << 20)));
    let patience = Duration::from_millis(300);
    let files = files(RemoteOptions { patience, retries: 0, ..options() });
    let long = Duration::from_secs(3);
    for fault in [Fault::Slow(long), Fault::Silent(long)] {
        server.fail("/file", [fault]);
        let error = open(&files, &server).err().unwrap();
        assert!(["SP202", "SP209"].contains(&error.code().id), "{error}");
        assert!(error.to_string().contains("no answer in time"), "{error}");
    }
    drop(server);
    let gone = files.open(&"http://127.0.0.1:9/file".into(), Reading::default());
    assert_eq!(code(gone), "SP202");
}

#[test]
fn an_endless_answer_is_given_up_soon() {
    let server = serving(ServedFile::new(content(1 << 20)));
    server.fail("/file", vec![Fault::Endless; 9]);
    let files = files(RemoteOptions { first: 50_000, ..options() });
    let error = open(&files, &server).err().unwrap();
    assert_eq!(error.code().id, "SP204", "{error}");
    assert!(error.to_string().contains("more bytes than the answer says"), "{error}");
    assert!(files.traffic().bytes() < 4 << 20, "{}", files.traffic().bytes());
}

#[test]
fn a_file_that_changes_is_an_error() {
    let old = ServedFile::new(content(1 << 20));
    let new = ServedFile { tag: Some("\"2\"".to_owned()), ..old.clone() };
    let plain = |file: &ServedFile| ServedFile { tag: None, ..file.clone() };
    let weak = |tag: &str| ServedFile { tag: Some(tag.to_owned()), ..old.clone() };
    let later = Some("Fri, 02 Jan 2026 00:00:00 GMT".to_owned());
    let lax = |file: &ServedFile| ServedFile { has_conditions: false, ..file.clone() };
    let dated = ServedFile { modified: later.clone(), ..plain(&old) };
    let cases = [
        (old.clone(), new.clone()),
        (lax(&old), lax(&new)),
        (weak("W/\"1\""), weak("W/\"2\"")),
        (plain(&old), dated.clone()),
        (lax(&plain(&old)), lax(&dated)),
        (plain(&old), ServedFile { content: content(700_000), ..plain(&old) }),
        (plain(&old), ServedFile { content: content(70_000), ..plain(&old) }),
    ];
    for (nth, (before, after)) in cases.into_iter().enumerate() {
        let server = serving(before);
        let files = files(options());
        let source = open(&files, &server).unwrap();
        read(&*source, 200_000, 10).unwrap();
        server.fail("/file", [Fault::Changed(after)]);
        assert_eq!(code(read(&*source, 500_000, 10)), "SP200", "case {nth}");
        // What came already is of one file.
        read(&*source, 200_000, 10).unwrap();
    }
    // The same file is the same, whatever its tag is worth.
    for file in [weak("W/\"1\""), ServedFile { modified: None, ..plain(&old) }] {
        let server = serving(file);
        let files = files(options());
        let source = open(&files, &server).unwrap();
        read(&*source, 500_000, 10).unwrap();
    }
}

#[test]
fn a_server_without_ranges_is_read_whole() {
    for len in [0, 1, 1000, 300_000] {
        let bytes = content(len);
        let file = ServedFile { has_ranges: false, ..ServedFile::new(bytes.clone()) };
        let server = serving(file);
        let files = files(options());
        let source = open(&files, &server).unwrap();
        assert_eq!(source.len(), len as u64);
        assert!(read(&*source, 0, len).unwrap() == bytes);
        assert!(source.lend(0..len as u64).unwrap() == bytes);
        let asked = server.asked().len();
        assert_eq!(asked, if len == 0 { 2 } else { 1 }, "{len}");
    }
    let server = serving(ServedFile { has_ranges: false, ..ServedFile::new(content(300_000)) });
    let files = files(RemoteOptions { whole: 200_000, ..options() });
    assert_eq!(code(open(&files, &server)), "SP206");
    assert!(files.traffic().bytes() < 200_001);
}

#[test]
fn a_file_without_bytes_is_one() {
    let server = serving(ServedFile::new(Vec::new()));
    let files = files(options());
    let source = open(&files, &server).unwrap();
    assert!(source.is_empty() && source.lend(0..0).is_some());
}

#[test]
fn secrets_go_to_the_server_and_nowhere_else() {
    let bytes = content(200_000);
    let login = Some("Basic bWU6aHVzaCE=".to_owned());
    let server = serving(ServedFile { login, ..ServedFile::new(bytes.clone()) });
    let files = files(options());
    let url = |user: &str| format!("http://{user}{}/file?signature=hush!", server.host);
    let source = files.open(&url("me:hush%21@").into(), Reading::default()).unwrap();
    assert!(read(&*source, 150_000, 100).unwrap() == bytes[150_000..150_100]);
    let asked = server.asked();
    assert!(asked.iter().all(|asked| asked.target == "/file?signature=hush!"));
    assert!(!format!("{source:?}{files:?}", source = source.len()).contains("hush"));
    server.fail("/file", [Fault::Status(500), Fault::Status(500), Fault::Status(500)]);
    let errors = [
        files.open(&url("").into(), Reading::default()).err().unwrap(),
        files.open(&url("me:wrong-hush@").into(), Reading::default()).err().unwrap(),
        files
            .open(&"http://me:hush@127.0.0.1:9/hush?hush".into(), Reading::default())
            .err()
            .unwrap(),
        files.open(&"https://me:hush@[::1/x?hush".into(), Reading::default()).err().unwrap(),
        files.open(&"s3://key:hush@/x?hush".into(), Reading::default()).err().unwrap(),
        files.create(&url("me:hush@").into(), Create::default()).err().unwrap(),
    ];
    for error in errors {
        let all = format!("{error} {error:?} {}", error.message());
        assert!(!all.contains("hush"), "{all}");
    }
}

#[test]
fn nothing_is_written_to_web_servers() {
    let server = serving(ServedFile::new(&b"old"[..]));
    let files = files(options());
    let name = server.url("/file").into();
    assert_eq!(code(files.create(&name, Create::default())), "SP208");
    assert_eq!(code(files.remove(&name)), "SP208");
    assert_eq!(code(files.turn(&name, true)), "SP208");
    assert_eq!(code(files.grow(&name, true)), "SP208");
    let folder = spelunk_open::files::ExtractionFolder {
        folder: name.as_path(),
        force: true,
        follow_links: false,
    };
    let written = files.sink().write(&folder, "x", &mut |_| Ok(()));
    assert_eq!(code(written), "SP208");
    assert!(files.disk_path(&name).is_none());
    assert!(server.asked().is_empty());
}

#[test]
fn other_addresses_are_followed() {
    let bytes = content(200_000);
    let server = serving(ServedFile::new(bytes.clone()));
    let from = server.url("/from").into();
    server.put("/from", ServedFile::new(Vec::new()));
    server.fail("/from", vec![Fault::Redirect(server.url("/file")); 2]);
    let files = files(options());
    let source = files.open(&from, Reading::default()).unwrap();
    assert!(read(&*source, 150_000, 1000).unwrap() == bytes[150_000..151_000]);
    // But not in a circle.
    server.fail("/from", vec![Fault::Redirect(server.url("/from")); 100]);
    assert_eq!(code(files.open(&from, Reading::default())), "SP202");
    assert!(server.asked().len() < 60);
}
