//! What is read of a container, when, and by how many at once.

use super::mounted::{mount, sizes};
use spelunk::{
    Bytes, Options, Result, Source,
    verbs::{CollectedOutput, Memory, Session, pack},
};
use spelunk_fixtures::{
    random::Random,
    samples,
    snpak::{Asset, Pack, uuid},
    workload,
};
use std::{
    fs::{self, File},
    io::{ErrorKind, Read},
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// A source that lends nothing, and counts what is read of it.
struct Counted {
    bytes: Bytes,
    read: AtomicU64,
}

impl Counted {
    fn new(bytes: impl Into<Bytes>) -> Arc<Counted> {
        Arc::new(Counted { bytes: bytes.into(), read: AtomicU64::new(0) })
    }

    fn read(&self) -> u64 {
        self.read.load(Ordering::SeqCst)
    }
}

impl Source for Counted {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::SeqCst);
        self.bytes.read_at(offset, buffer)
    }
}

/// Bytes that repeat, so that they are packed, and tell where they are.
fn repeating(len: usize) -> Vec<u8> {
    (0..len / 4).flat_map(|nth| (nth as u32 / 64).to_le_bytes()).collect()
}

/// A pack of these files, all of them packed.
fn packed(put: impl FnOnce(&mut dyn FnMut(String, Vec<u8>))) -> Bytes {
    let files = Memory::new();
    put(&mut |name, bytes| files.put(format!("all/{name}"), bytes));
    let session = Session::new(files.clone());
    let request = pack::Request {
        source: Some("all".into()),
        output: "all.snpak".into(),
        ..pack::Request::default()
    };
    let mut said = CollectedOutput::default();
    let outcome = pack::run(&session, &request, &mut said).unwrap();
    assert!(outcome.is_clean(), "{said:?}");
    files.get("all.snpak").unwrap()
}

const COUNT: usize = 60_000;
const LARGE: usize = 4 << 20;

#[test]
fn listing_many_entries_reads_none_of_them() {
    let large = repeating(LARGE);
    let pack = packed(|put| {
        for nth in 0..COUNT {
            let mut bytes = Vec::new();
            workload::tiny(7, nth, &mut bytes);
            put(workload::tiny_name(nth), bytes);
        }
        put("large.bin".to_owned(), large.clone());
    });
    let source = Counted::new(pack);
    let files = Memory::new();
    files.put_source("all.snpak", source.clone());
    let Some(mounted) = mount(Session::new(files), "all.snpak") else { return };
    let opened = source.read();
    assert!(opened < source.len(), "opening read {opened} of {} bytes", source.len());
    assert_eq!(mounted.mount.as_ref().unwrap().entries(), COUNT as u64 + 1);

    let listed = sizes(&mounted.point);
    assert_eq!(source.read(), opened, "listing read something");
    assert_eq!(listed.len(), COUNT + 1);
    let mut bytes = Vec::new();
    for nth in [0, 1, COUNT / 2, COUNT - 1] {
        workload::tiny(7, nth, &mut bytes);
        let path = PathBuf::from(workload::tiny_name(nth));
        assert_eq!(listed[&path], bytes.len() as u64, "{path:?}");
        assert!(fs::read(mounted.point.join(&path)).unwrap() == bytes, "{path:?}");
    }

    // What is far apart is not read ahead.
    let before = source.read();
    let file = File::open(mounted.point.join("large.bin")).unwrap();
    let mut part = [0; 4096];
    file.read_exact_at(&mut part, 0).unwrap();
    assert!(part == large[..4096]);
    let stored = source.read() - before;
    assert!(0 < stored && stored < LARGE as u64 / 4, "{stored} bytes were read");
    let end = LARGE - 4096;
    file.read_exact_at(&mut part, end as u64).unwrap();
    assert!(part == large[end..]);
    assert_eq!(source.read() - before, stored, "it was read twice while it was open");
    assert!(mounted.heard.take().is_empty());
}

/// A pack whose assets have these names and bytes, which are not packed.
fn plain(assets: &[(&str, Vec<u8>)]) -> Pack {
    let asset = |(nth, (name, data)): (usize, &(&str, Vec<u8>))| Asset {
        id: uuid(&format!("00000000-0000-4000-8000-{:012x}", nth + 1)),
        name: name.as_bytes().to_vec(),
        data: data.clone(),
        ..Asset::default()
    };
    Pack { assets: assets.iter().enumerate().map(asset).collect(), ..Pack::default() }
}

fn session(bytes: impl Into<Bytes>, options: Options) -> Session {
    let files = Memory::new();
    files.put_source("a.snpak", Counted::new(bytes));
    Session::new(files).with_options(options)
}

#[test]
fn several_threads_read_at_once() {
    let mut random = Random(3);
    let names: Vec<String> = (0..40).map(|nth| format!("many/{nth}")).collect();
    let assets: Vec<(&str, Vec<u8>)> = names
        .iter()
        .map(|name| {
            let len = 1 + random.below(600_000);
            (&**name, (0..len).map(|_| random.next() as u8).collect())
        })
        .collect();
    let bytes = plain(&assets).build().bytes;
    let Some(mounted) = mount(session(bytes, Options::default()), "a.snpak") else { return };
    let listed = sizes(&mounted.point);
    assert_eq!(listed.len(), assets.len());
    thread::scope(|scope| {
        for start in 0..8 {
            let (assets, point) = (&assets, &mounted.point);
            scope.spawn(move || {
                for nth in 0..assets.len() {
                    let (name, bytes) = &assets[(nth * 7 + start * 5) % assets.len()];
                    let read = fs::read(point.join(name)).unwrap();
                    assert!(read == *bytes, "{name} in thread {start}");
                }
            });
        }
    });
    assert!(mounted.heard.take().is_empty());
}

#[test]
fn open_files_share_the_memory_of_their_container() {
    let names = ["a", "b", "c"];
    let sizes = [2 << 20, 2 << 20, 5 << 20];
    let assets: Vec<(&str, Vec<u8>)> =
        names.into_iter().zip(sizes).map(|(name, size)| (name, repeating(size))).collect();
    let options = Options { max_memory: Some(3 << 20), ..Options::default() };
    let bytes = plain(&assets).build().bytes;
    let Some(mounted) = mount(session(bytes, options), "a.snpak") else { return };
    let open = |name: &str| File::open(mounted.point.join(name)).unwrap();
    let (first, second) = (open("a"), open("b"));
    let mut part = [0; 4096];
    // There is memory for one of them: each time the other one loses its bytes.
    for at in [0, 512 << 10, 1 << 20, 1536 << 10] {
        for (file, (name, bytes)) in [&first, &second].into_iter().zip(&assets) {
            file.read_exact_at(&mut part, at as u64).unwrap();
            assert!(part == bytes[at..at + 4096], "{name} at {at}");
        }
    }
    let told = mounted.heard.take();
    assert!(told.is_empty(), "{told:?}");
    let error = open("c").read(&mut part).unwrap_err();
    assert_eq!(error.raw_os_error(), Some(5), "{error}");
    let told = mounted.heard.take();
    assert!(told.iter().any(|text| text.starts_with("a.snpak: c: ")), "{told:?}");
    first.read_exact_at(&mut part, 256 << 10).unwrap();
    assert!(mounted.heard.take().is_empty());
}

#[test]
fn damage_is_an_error_of_what_is_damaged_alone() {
    let assets = [("sound", repeating(9000)), ("torn", repeating(9000)), ("whole", repeating(70))];
    let mut fixture = plain(&assets).build();
    let needle = &assets[1].1;
    let starts: Vec<usize> = (0..fixture.bytes.len() - needle.len())
        .filter(|at| fixture.bytes[*at..].starts_with(needle))
        .collect();
    // Both long ones hold the same.
    fixture.bytes[starts[1] + 100] ^= 1;
    let Some(mounted) = mount(session(fixture.bytes, Options::default()), "a.snpak") else {
        return;
    };
    let read = |name: &str| fs::read(mounted.point.join(name));
    assert!(read("sound").unwrap() == assets[0].1 && read("whole").unwrap() == assets[2].1);
    assert!(mounted.heard.take().is_empty());
    let error = read("torn").unwrap_err();
    assert_eq!(error.raw_os_error(), Some(5), "{error}");
    let told = mounted.heard.take();
    assert!(told.len() == 1 && told[0].starts_with("a.snpak: torn: "), "{told:?}");
    assert!(read("sound").is_ok());
}

#[test]
fn files_have_the_facts_of_their_container_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("level.nmo");
    fs::write(&path, samples::level().build().bytes).unwrap();
    let Some(mounted) = mount(Session::new(spelunk::verbs::Disk), &path) else { return };
    let point = &mounted.point;
    let listed = sizes(point);
    let (name, size) = listed.first_key_value().unwrap();
    let file = point.join(name);
    let meta = fs::metadata(&file).unwrap();
    assert_eq!(meta.modified().unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    assert_eq!((meta.len(), meta.blocks()), (*size, size.div_ceil(512)));
    assert_eq!(fs::metadata(&file).unwrap().ino(), meta.ino());
    assert_ne!(fs::metadata(point).unwrap().ino(), meta.ino());
    let read_only = |done: std::io::Result<()>| {
        let error = done.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ReadOnlyFilesystem, "{error}");
    };
    read_only(fs::write(&file, "x"));
    read_only(fs::write(point.join("new"), "x"));
    read_only(fs::remove_file(&file));
    read_only(fs::create_dir(point.join("folder")));
    read_only(fs::rename(&file, point.join("other")));
    read_only(fs::hard_link(&file, point.join("link")));
    read_only(std::os::unix::fs::symlink("a", point.join("link")));
    read_only(fs::set_permissions(&file, meta.permissions()));
    read_only(fs::remove_dir(point.join(Path::new(name).parent().unwrap())));
    let missing = fs::metadata(point.join("nothing")).unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    let below = fs::metadata(file.join("below")).unwrap_err();
    assert_eq!(below.kind(), ErrorKind::NotADirectory);
}
