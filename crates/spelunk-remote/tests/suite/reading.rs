//! Requests and bytes that reading takes.

use super::{code, content, files, open, options, read, serving};
use spelunk_core::Cancel;
use spelunk_open::files::{Files, Reading};
use spelunk_remote::RemoteOptions;
use std::{
    ops::Range,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};
use test_support::http::server::{Asked, Fault, ServedFile};

/// The ranges that were asked for.
fn ranges(asked: &[Asked]) -> Vec<Range<u64>> {
    let range = |asked: &Asked| {
        let (start, last) = asked.headers["range"].strip_prefix("bytes=")?.split_once('-')?;
        Some(start.parse().ok()?..last.parse::<u64>().ok()? + 1)
    };
    asked.iter().map(|asked| range(asked).unwrap()).collect()
}

#[test]
fn a_small_file_is_one_request_however_often_it_is_looked_at() {
    let bytes = content(1000);
    let server = serving(ServedFile::new(bytes.clone()));
    let files = files(options());
    let name = server.url("/file?with=query").into();
    assert_eq!(files.len(&name), Some(1000));
    assert!(!files.is_folder(&name) && files.modified(&name).is_some());
    let source = files.open(&name, Reading::default()).unwrap();
    assert_eq!(read(&*source, 10, 500).unwrap(), bytes[10..510]);
    assert_eq!(source.lend(0..1000).unwrap(), bytes);
    assert_eq!(code(read(&*source, 990, 11)), "SP001");
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].target, "/file?with=query");
    assert_eq!((files.traffic().requests(), files.traffic().bytes()), (1, 1000));
    // Opened again it may be another one.
    server.put("/file", ServedFile::new(&b"new"[..]));
    assert_eq!(files.open(&name, Reading::default()).unwrap().len(), 3);
}

#[test]
fn only_what_is_read_comes() {
    let bytes = content(3 << 20);
    let server = serving(ServedFile::new(bytes.clone()));
    let files = files(options());
    let source = open(&files, &server).unwrap();
    assert_eq!(source.len(), 3 << 20);
    for (offset, len) in [(0, 100), (65_000, 536), (2 << 20, 40_000), ((3 << 20) - 7, 7), (100, 0)]
    {
        let found = read(&*source, offset, len).unwrap();
        assert!(found == bytes[offset as usize..offset as usize + len], "{offset}");
    }
    let wanted = [0..65_536, 2 << 20..(2 << 20) + 40_000, (3 << 20) - 7..3 << 20];
    assert_eq!(ranges(&server.asked()), wanted);
    // What is there is there.
    read(&*source, (2 << 20) + 20_000, 20_000).unwrap();
    assert!(server.asked().is_empty());
    assert!(source.lend(0..10).is_none());
    assert_eq!(code(read(&*source, 3 << 20, 1)), "SP001");
}

#[test]
fn announced_ranges_come_together_where_they_are_near() {
    let bytes = content(3 << 20);
    let server = serving(ServedFile::new(bytes.clone()));
    let files = files(options());
    let source = open(&files, &server).unwrap();
    let far = 1 << 20;
    source.prefetch(&[far + 60_000..far + 70_000, far..far + 1000, 2 * far..2 * far + 10, 5..50]);
    let mut asked = ranges(&server.asked());
    asked.sort_by_key(|range| range.start);
    assert_eq!(asked, [0..65_536, far..far + 70_000, 2 * far..2 * far + 10]);
    assert!(read(&*source, far, 70_000).unwrap() == bytes[1 << 20..][..70_000]);
    // Behind the end there is nothing to announce.
    source.prefetch(&[9 << 20..10 << 20, 3 << 20..4 << 20, 5..5]);
    assert!(server.asked().is_empty());
}

#[test]
fn reading_in_order_asks_for_more_and_more() {
    let bytes = content(8 << 20);
    let server = serving(ServedFile::new(bytes.clone()));
    let files = files(options());
    let source = open(&files, &server).unwrap();
    for (nth, expected) in bytes.chunks(4096).enumerate() {
        assert!(read(&*source, nth as u64 * 4096, 4096).unwrap() == expected);
    }
    let asked = ranges(&server.asked());
    assert!(asked.len() < 12, "{asked:?}");
    assert!(asked.windows(2).all(|two| two[0].end == two[1].start), "{asked:?}");
    assert_eq!(files.traffic().bytes(), 8 << 20);
}

#[test]
fn large_parts_come_in_pieces_and_little_is_kept() {
    let bytes = content(6 << 20);
    let server = serving(ServedFile::new(bytes.clone()));
    let files = files(RemoteOptions { piece: 256 << 10, kept: 512 << 10, ..options() });
    let source = open(&files, &server).unwrap();
    assert!(read(&*source, 1, (6 << 20) - 1).unwrap() == bytes[1..]);
    let asked = ranges(&server.asked());
    assert!(asked.iter().all(|range| range.end - range.start <= 256 << 10), "{asked:?}");
    assert_eq!(files.traffic().bytes(), 6 << 20);
    // The start is gone from memory.
    assert!(read(&*source, 1 << 20, 100).unwrap() == bytes[1 << 20..][..100]);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn threads_share_what_comes() {
    let bytes = content(4 << 20);
    let server = serving(ServedFile::new(bytes.clone()));
    server.fail("/file", [Fault::None, Fault::Slow(Duration::from_millis(200))]);
    let files = files(options());
    let source = open(&files, &server).unwrap();
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for thread in 0..8_u64 {
            let (source, bytes, start) = (&source, &bytes, &start);
            scope.spawn(move || {
                start.wait();
                for step in 0..16 {
                    let offset = ((thread + step) % 16) * (256 << 10);
                    let found = read(&**source, offset, 200_000).unwrap();
                    assert!(found == bytes[offset as usize..][..200_000]);
                }
            });
        }
    });
    // Nothing came twice.
    let mut asked = ranges(&server.asked());
    asked.sort_by_key(|range| range.start);
    assert!(asked.windows(2).all(|two| two[0].end <= two[1].start), "{asked:?}");
}

#[test]
fn limits_end_the_work() {
    let server = serving(ServedFile::new(content(4 << 20)));
    let few = files(RemoteOptions { max_requests: Some(2), ..options() });
    let source = open(&few, &server).unwrap();
    read(&*source, 1 << 20, 10).unwrap();
    assert_eq!(code(read(&*source, 2 << 20, 10)), "SP201");
    assert_eq!(code(open(&few, &server)), "SP201");
    assert_eq!((server.asked().len(), few.traffic().requests()), (2, 2));

    let small = files(RemoteOptions { max_bytes: Some(100_000), ..options() });
    let source = open(&small, &server).unwrap();
    assert_eq!(code(read(&*source, 1 << 20, 1 << 20)), "SP201");
    assert_eq!(code(read(&*source, 3 << 20, 1)), "SP201");
}

#[test]
fn who_cancels_does_not_wait() {
    let server = serving(ServedFile::new(content(4 << 20)));
    server.fail("/file", [Fault::None, Fault::Silent(Duration::from_secs(15))]);
    let cancel = Cancel::default();
    let files = files(RemoteOptions {
        cancel: cancel.clone(),
        patience: Duration::from_secs(60),
        ..options()
    });
    let source = open(&files, &server).unwrap();
    let begun = Instant::now();
    let found = thread::scope(|scope| {
        let reader = scope.spawn(|| read(&*source, 1 << 20, 10));
        while server.asked().is_empty() && begun.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
        reader.join().unwrap()
    });
    assert_eq!(code(found), "SP014");
    assert!(begun.elapsed() < Duration::from_secs(14));
}
