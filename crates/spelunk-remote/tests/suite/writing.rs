//! Files that are written to object stores.

use super::{
    code, content, options,
    stores::{store, store_with},
};
use spelunk_core::{Cancel, Result, replace::Existing};
use spelunk_open::files::{Create, Disk, ExtractionFolder, Files, Reading};
use spelunk_remote::{Remote, RemoteOptions};
use std::{
    io::{Seek, SeekFrom, Write},
    thread,
    time::{Duration, Instant},
};
use test_support::http::server::{Fault, ServedFile, Server};

const NAME: &str = "s3://bucket/a b/new.snpak";
const PATH: &str = "/bucket/a%20b/new.snpak";

fn write(files: &Remote<Disk>, existing: Existing, bytes: &[u8]) -> Result<()> {
    let mut new = files.create(&NAME.into(), Create { existing, ..Create::default() })?;
    new.write_all(bytes)?;
    new.commit().map(drop)
}

/// The methods and queries of what was asked for.
fn methods(server: &Server) -> Vec<String> {
    server.asked().into_iter().map(|asked| asked.method).collect()
}

#[test]
fn files_are_there_when_they_are_complete() {
    for len in [0, 1000, 8 << 20, (20 << 20) + 7] {
        let server = Server::start().unwrap();
        let files = store(&server);
        let bytes = content(len);
        let mut new = files.create(&NAME.into(), Create::default()).unwrap();
        // A header is written last.
        new.write_all(&vec![0; len]).unwrap();
        new.seek(SeekFrom::Start(0)).unwrap();
        new.write_all(&bytes).unwrap();
        assert_eq!((server.content(PATH), server.uploads()), (None, 0));
        new.commit().unwrap();
        assert!(server.content(PATH).unwrap() == bytes, "{len}");
        assert_eq!((server.uploads(), files.traffic().sent() >= len as u64), (0, true));
        let methods = methods(&server);
        let wanted = match len {
            // With what it has to be asked before: no file may be there.
            0x140_0007 => vec!["HEAD", "POST", "PUT", "PUT", "PUT", "HEAD", "POST"],
            _ => vec!["HEAD", "PUT"],
        };
        assert_eq!(methods, wanted, "{len}");
        assert_eq!(files.traffic().requests(), methods.len() as u64);
        let read = files.open(&NAME.into(), Reading::default()).unwrap();
        assert_eq!(read.len(), len as u64);
    }
}

#[test]
fn what_is_there_is_not_replaced_unless_that_is_asked_for() {
    for len in [10, 9 << 20] {
        let server = Server::start().unwrap();
        let files = store(&server);
        let old = || ServedFile::new(&b"old"[..]);
        server.put(PATH, old());
        assert_eq!(code(write(&files, Existing::Refuse, b"new")), "SP021");
        assert_eq!(methods(&server), ["HEAD"]);
        // It came while the new one was written.
        server.fail(PATH, [Fault::Status(404)]);
        let error = write(&files, Existing::Refuse, &content(len)).unwrap_err();
        assert_eq!(error.code().id, "SP021", "{error}");
        assert!(error.to_string().contains(NAME), "{error}");
        assert_eq!((server.content(PATH).unwrap(), server.uploads()), (b"old".to_vec(), 0));
        write(&files, Existing::Replace, &content(len)).unwrap();
        assert!(server.content(PATH).unwrap() == content(len));

        server.put(PATH, old());
        write(&files, Existing::Backup(".bak".into()), b"new").unwrap();
        let backup = format!("{PATH}.bak");
        assert_eq!(server.content(&backup).unwrap(), b"old");
        let again = write(&files, Existing::Backup(".bak".into()), b"newer");
        assert_eq!(code(again), "SP021");
        assert_eq!(server.content(PATH).unwrap(), b"new");
    }
}

#[test]
fn a_store_without_conditions_is_asked_before() {
    let server = Server::start().unwrap();
    let settings = vec![("aws_conditional_put".to_owned(), "disabled".to_owned())];
    let files = store_with(&server, RemoteOptions { settings, ..options() });
    write(&files, Existing::Refuse, b"new").unwrap();
    assert_eq!(methods(&server), ["HEAD", "HEAD", "PUT"]);
    server.fail(PATH, [Fault::Status(404)]);
    assert_eq!(code(write(&files, Existing::Refuse, b"newer")), "SP021");
    assert_eq!(server.content(PATH).unwrap(), b"new");
}

#[test]
fn what_fails_leaves_nothing() {
    let server = Server::start().unwrap();
    let files = store(&server);
    let bytes = content(20 << 20);
    let put = |faults: Vec<Fault>| {
        server.asked();
        server.fail(PATH, faults);
        write(&files, Existing::Replace, &bytes)
    };
    // What passes is tried again.
    let begun = Instant::now();
    put(vec![Fault::None, Fault::Busy(1), Fault::HangUp]).unwrap();
    assert!(begun.elapsed() >= Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(server.content(PATH).unwrap() == bytes);
    assert_eq!((methods(&server).len(), server.uploads()), (7, 0));
    files.remove(&NAME.into()).unwrap();
    for (faults, wanted) in [
        (vec![Fault::Status(403)], "SP203"),
        (vec![Fault::None, Fault::Status(403)], "SP203"),
        (vec![Fault::None, Fault::None, Fault::None, Fault::None, Fault::Status(400)], "SP203"),
    ] {
        assert_eq!(code(put(faults.clone())), wanted, "{faults:?}");
        assert_eq!((server.content(PATH), server.uploads()), (None, 0), "{faults:?}");
    }
    // The connection breaks more often than is tried again.
    let cut = [vec![Fault::None], vec![Fault::HangUp; 9]].concat();
    assert_eq!(code(put(cut)), "SP202");
    assert_eq!(server.content(PATH), None);
    server.fail(PATH, vec![]);
}

#[test]
fn a_file_that_is_dropped_was_never_there() {
    let server = Server::start().unwrap();
    let files = store(&server);
    let mut new = files.create(&NAME.into(), Create::default()).unwrap();
    new.write_all(&content(9 << 20)).unwrap();
    drop(new);
    let dry = Create { is_dry_run: true, ..Create::default() };
    files.create(&NAME.into(), dry).unwrap().commit().unwrap();
    assert_eq!(methods(&server), ["HEAD", "HEAD"]);
}

#[test]
fn who_cancels_an_upload_takes_it_back() {
    let server = Server::start().unwrap();
    let cancel = Cancel::default();
    let files = store_with(&server, RemoteOptions { cancel: cancel.clone(), ..options() });
    let slow = Fault::Slow(Duration::from_secs(2));
    server.fail(PATH, [Fault::None, Fault::None, slow.clone(), slow.clone(), slow]);
    let ended = thread::scope(|scope| {
        let writer = scope.spawn(|| write(&files, Existing::Refuse, &content(20 << 20)));
        let begun = Instant::now();
        while server.uploads() == 0 && begun.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        writer.join().unwrap()
    });
    assert_eq!(code(ended), "SP014");
    assert_eq!((server.content(PATH), server.uploads()), (None, 0));
}

#[test]
fn in_place_only_what_was_read_is_replaced() {
    for len in [10, 9 << 20] {
        let server = Server::start().unwrap();
        let files = store(&server);
        let edit = |changed: Option<ServedFile>| {
            server.put(PATH, ServedFile::new(&b"old"[..]));
            let turn = files.turn(&NAME.into(), false).unwrap().unwrap();
            assert_eq!(files.open(&NAME.into(), Reading::default()).unwrap().len(), 3);
            let mut new = turn.begin(Existing::Replace).unwrap();
            new.write_all(&content(len)).unwrap();
            if let Some(file) = changed {
                server.put(PATH, file);
            }
            new.commit().map(drop)
        };
        edit(None).unwrap();
        assert!(server.content(PATH).unwrap() == content(len));
        let other = ServedFile { tag: Some("\"2\"".to_owned()), ..ServedFile::new(&b"theirs"[..]) };
        assert_eq!(code(edit(Some(other))), "SP037");
        assert_eq!((server.content(PATH).unwrap(), server.uploads()), (b"theirs".to_vec(), 0));
        server.put(PATH, ServedFile::new(&b"old"[..]));
        let turn = files.turn(&NAME.into(), false).unwrap().unwrap();
        files.remove(&NAME.into()).unwrap();
        let new = turn.begin(Existing::Replace).unwrap();
        assert_eq!(code(new.commit()), "SP037");
        assert!(files.turn(&NAME.into(), false).unwrap().is_none());
        assert_eq!(code(files.grow(&NAME.into(), false)), "SP208");
    }
}

#[test]
fn what_is_extracted_lies_below_the_folder() {
    let server = Server::start().unwrap();
    let files = store(&server);
    let to = |folder: &'static str, force| ExtractionFolder {
        folder: folder.as_ref(),
        force,
        follow_links: false,
    };
    let sink = files.sink();
    let mut outputs = ["deep/50% #1.png", "b"].into_iter();
    let folder = to("s3://bucket/out/", false);
    sink.refuse_existing(&folder, &mut outputs).unwrap();
    let put = |folder, bytes: &[u8]| {
        sink.write(&folder, "deep/50% #1.png", &mut |out| out.write_all(bytes))
    };
    put(folder, b"one").unwrap();
    let path = "/bucket/out/deep/50%25%20%231.png";
    assert_eq!(server.content(path).unwrap(), b"one");
    assert_eq!(code(put(to("s3://bucket/out", false), b"two")), "SP021");
    put(to("s3://bucket/out", true), b"two").unwrap();
    assert_eq!(server.content(path).unwrap(), b"two");
    let mut outputs = ["b", "deep/50% #1.png"].into_iter();
    let refused = sink.refuse_existing(&to("s3://bucket/out", false), &mut outputs);
    assert!(refused.unwrap_err().to_string().contains("s3://bucket/out/deep/50%25 %231.png"));
    let failed = sink.write(&to("s3://bucket/out", false), "c", &mut |out| {
        out.write_all(b"half")?;
        Err(std::io::ErrorKind::Other.into())
    });
    assert!(failed.is_err() && server.content("/bucket/out/c").is_none());
    for bad in ["../c", "a//b", ""] {
        assert!(sink.write(&to("s3://bucket/out", true), bad, &mut |_| Ok(())).is_err(), "{bad}");
    }
}
