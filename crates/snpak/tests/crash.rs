//! Writing that does not come to its end: what is there then opens as the old state or as the new one.

#[path = "suite/common/mod.rs"]
mod common;
#[path = "crash/files.rs"]
mod files;

use common::{errors, model::*, open, open_sound};
use snpak::{
    Codec, Pack,
    build::{Options, Payload},
    codes,
    edit::{Draft, append::Medium, repair},
};
use spelunk_core::{Bytes, Severity, scalar::Uuid};
use spelunk_fixtures::{samples, snpak as made};
use std::{
    io::{self, Cursor, Seek, SeekFrom, Write},
    num::NonZeroUsize,
    sync::Arc,
};
use test_support::task::{unlimited, with_task};

/// The header, whose bytes alone are written over.
const HEADER: usize = 180;

/// What a medium was told.
#[derive(Clone, Debug)]
enum Told {
    Put(u64, Vec<u8>),
    Sync,
    Cut(u64),
}

/// A file that remembers what it was told, and stops working at some point.
#[derive(Debug)]
struct Failing {
    file: Memory,
    told: Vec<Told>,
    /// Which call fails, and how many of its bytes arrive all the same.
    at: usize,
    arrive: usize,
    /// Whether everything after it works again.
    recovers: bool,
}

impl Failing {
    fn new(bytes: &[u8], at: usize, arrive: usize, recovers: bool) -> Failing {
        Failing { file: Memory(bytes.to_vec()), told: Vec::new(), at, arrive, recovers }
    }

    /// Notes what was told and says whether it happens.
    fn happens(&mut self, told: Told) -> bool {
        let nth = self.told.len();
        self.told.push(told);
        nth < self.at || (nth > self.at && self.recovers)
    }

    fn answer(happened: bool) -> io::Result<()> {
        if happened { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
    }
}

impl Medium for Failing {
    fn size(&mut self) -> io::Result<u64> {
        self.file.size()
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let first = self.told.len() == self.at;
        let happens = self.happens(Told::Put(offset, bytes.to_vec()));
        if happens {
            self.file.put(offset, bytes)?;
        } else if first {
            self.file.put(offset, &bytes[..self.arrive.min(bytes.len())])?;
        }
        Failing::answer(happens)
    }

    fn sync(&mut self) -> io::Result<()> {
        let happens = self.happens(Told::Sync);
        Failing::answer(happens)
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        let happens = self.happens(Told::Cut(size));
        if happens {
            self.file.cut(size)?;
        }
        Failing::answer(happens)
    }
}

/// A pack, and what is made of it.
struct Case {
    name: &'static str,
    before: Vec<u8>,
    change: fn(&mut Draft),
}

impl Case {
    fn draft(&self) -> Draft {
        let mut draft = draft(open(&self.before).0.expect("a pack"));
        (self.change)(&mut draft);
        draft
    }

    /// The pack after the append, and what the medium was told.
    fn done(&self) -> (Vec<u8>, Vec<Told>) {
        let mut medium = Failing::new(&self.before, usize::MAX, 0, false);
        let result =
            with_task(1 << 20, |task| self.draft().append(&mut medium, Options::default(), task));
        result.0.expect("an append");
        (medium.file.0, medium.told)
    }
}

fn cases() -> Vec<Case> {
    let rain = |draft: &mut Draft| {
        let payload = Payload::new(b"drip drop".to_vec(), Codec::NONE);
        let asset = snpak::build::Asset::new(Uuid([9; 16]), "sounds/rain (2)", payload);
        draft.add(asset).expect("a new asset");
    };
    let bytes = |draft: &mut Draft| {
        let asset = draft.asset_mut(3, &mut unlimited()).expect("an asset");
        asset.payload = Payload::new(b"no new string".to_vec(), Codec::NONE);
    };
    let gone = |draft: &mut Draft| draft.remove(&[1, 2, 3].into());
    let big = |draft: &mut Draft| {
        // Each of them is written by itself.
        for row in 0..4 {
            let plain = vec![row as u8; (1 << 18) + 9];
            draft.asset_mut(row, &mut unlimited()).expect("an asset").payload =
                Payload::new(plain, Codec::NONE);
        }
        draft.asset_mut(0, &mut unlimited()).expect("an asset").name = b"big".to_vec();
    };
    let junk = || {
        let mut bytes = samples::pack().build().bytes;
        bytes.extend([0x5a; 77]);
        bytes
    };
    vec![
        Case { name: "new", before: samples::pack().build().bytes, change: rain },
        Case { name: "again", before: samples::appended_pack().build().bytes, change: rain },
        Case { name: "bytes", before: samples::appended_pack().build().bytes, change: bytes },
        Case { name: "gone", before: samples::pack().build().bytes, change: gone },
        Case { name: "junk", before: junk(), change: rain },
        Case { name: "big", before: samples::pack().build().bytes, change: big },
    ]
}

/// What a file is after a write to it stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    Old,
    New,
    /// Opening or verifying told of damage.
    Told,
}

/// The two states between which a file may be, with the packs that have them.
struct Between {
    old: Vec<made::Asset>,
    new: Vec<made::Asset>,
}

impl Between {
    fn of(before: &[u8], after: &[u8]) -> Between {
        let of = |bytes: &[u8]| state(&open(bytes).0.expect("a pack"));
        Between { old: of(before), new: of(after) }
    }

    fn is(&self, pack: &Pack) -> Option<Is> {
        match state(pack) {
            assets if assets == self.new => Some(Is::New),
            assets if assets == self.old => Some(Is::Old),
            _ => None,
        }
    }

    /// What a file is. Whatever opens without an error is one of the two states, and verifies without one; whatever does
    /// not is put right by `repair`, to one of the two states as well.
    fn judge(&self, bytes: &[u8], what: &str) -> Is {
        if let (Ok(pack), sink) = open(bytes)
            && !sink.has_errors()
        {
            assert_eq!(errors(bytes).expect("it opens"), [""; 0], "{what}");
            return self.is(&pack).unwrap_or_else(|| panic!("{what}: silently wrong"));
        }
        let (mended, lost) = repaired(bytes);
        let mended = mended.unwrap_or_else(|| panic!("{what}: nothing was repaired"));
        assert_eq!(lost, 0, "{what}");
        assert_sound(&mended, &[]);
        keep("repaired", &mended);
        let state = self.is(&open(&mended).0.expect("a pack"));
        assert!(state.is_some(), "{what}: repaired to something else");
        Is::Told
    }
}

/// What repairing makes of these bytes, where something is wrong with them, and how often it says that something is lost.
fn repaired(bytes: &[u8]) -> (Option<Vec<u8>>, usize) {
    let mut out = Cursor::new(Vec::new());
    let (result, sink) = with_task(bytes.len(), |task| {
        repair(Arc::new(Bytes::copy_from_slice(bytes)), &mut out, Options::default(), task)
    });
    let lost = sink.findings.iter().filter(|found| {
        found.error.code().id == codes::LOST.id && found.severity == Severity::Error
    });
    let lost = lost.count();
    (result.expect("a repair").map(|_| out.into_inner()), lost)
}

/// Numbers up to `len`; where these are many, the first and last of them and some between.
fn lengths(len: usize) -> impl Iterator<Item = usize> {
    (0..=len).filter(move |n| len < 4096 || *n < 20 || len - n < 20 || n % 9973 == 0)
}

#[test]
fn calls_that_fail_leave_the_old_state_or_the_new_one() {
    for case in cases() {
        let (after, told) = case.done();
        let between = Between::of(&case.before, &after);
        let header = told.len() - 2;
        assert!(matches!(&told[header], Told::Put(0, bytes) if bytes.len() == HEADER));
        for (at, call) in told.iter().enumerate() {
            let len = if let Told::Put(_, bytes) = call { bytes.len() } else { 0 };
            // Every byte of the header, and some of the blocks, of which the test below has every byte.
            let some = lengths(len).filter(|n| len == HEADER || n % 13 == 0 || *n == len);
            for (arrive, recovers) in some.flat_map(|n| [(n, true), (n, false)]) {
                let what = format!("{}, call {at}, {arrive} bytes, {recovers}", case.name);
                let mut medium = Failing::new(&case.before, at, arrive, recovers);
                let result = with_task(1 << 20, |task| {
                    case.draft().append(&mut medium, Options::default(), task)
                });
                result.0.expect_err(&what);
                let bytes = medium.file.0;
                if recovers && at < told.len() - 1 {
                    assert!(bytes == case.before, "{what}");
                    continue;
                }
                // Whether a header that arrived will last nobody knows; only one of which a part arrived is damaged.
                match between.judge(&bytes, &what) {
                    Is::New => assert!(at >= header, "{what}"),
                    Is::Old => assert!(at <= header, "{what}"),
                    Is::Told => assert!(at == header && (1..HEADER).contains(&arrive), "{what}"),
                }
            }
        }
    }
}

/// The file after these calls. Of a call that is not there no byte arrived.
fn after(before: &[u8], calls: &[Told]) -> Vec<u8> {
    let mut file = Memory(before.to_vec());
    for call in calls {
        match call {
            Told::Put(offset, bytes) => file.put(*offset, bytes).expect("memory"),
            Told::Cut(size) => file.cut(*size).expect("memory"),
            Told::Sync => {}
        }
    }
    file.0
}

/// A generator of numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

#[test]
fn power_cuts_leave_the_old_state_or_the_new_one() {
    for case in cases() {
        let (done, told) = case.done();
        let between = Between::of(&case.before, &done);
        let header = told.len() - 2;
        // Cut off at every byte.
        for (at, call) in told.iter().enumerate() {
            let Told::Put(offset, bytes) = call else { continue };
            for arrive in lengths(bytes.len()) {
                let what = format!("{}, call {at}, {arrive} bytes", case.name);
                let mut calls = told[..at].to_vec();
                calls.push(Told::Put(*offset, bytes[..arrive].to_vec()));
                let is = between.judge(&after(&case.before, &calls), &what);
                match arrive {
                    _ if at < header => assert_eq!(is, Is::Old, "{what}"),
                    0 => assert_eq!(is, Is::Old, "{what}"),
                    HEADER => assert_eq!(is, Is::New, "{what}"),
                    _ => {}
                }
            }
        }
        // Of what was not made durable any sectors are there, in any order; what is missing between them is zero.
        let mut numbers = Numbers(1);
        for round in 0..200 {
            let mut calls = Vec::new();
            for call in &told[..header] {
                let Told::Put(offset, bytes) = call else { continue };
                for (nth, sector) in bytes.chunks(512).enumerate() {
                    if !numbers.next().is_multiple_of(3) {
                        calls.push(Told::Put(offset + 512 * nth as u64, sector.to_vec()));
                    }
                }
            }
            let what = format!("{}, sectors {round}", case.name);
            let is = between.judge(&after(&case.before, &calls), &what);
            assert_eq!(is, Is::Old, "{what}");
        }
        // Of the header any bytes are there.
        let mut damaged = 0;
        for round in 0..400 {
            let mut bytes = after(&case.before, &told[..header]);
            let odds = 1 + numbers.next() % 7;
            for (place, new) in bytes.iter_mut().zip(&done[..HEADER]) {
                if numbers.next() % 8 < odds {
                    *place = *new;
                }
            }
            let is = between.judge(&bytes, &format!("{}, header {round}", case.name));
            damaged += usize::from(is == Is::Told);
        }
        assert!(damaged > 300, "{}: {damaged}", case.name);
        keep(&format!("crash-{}", case.name), &done);
    }
}

/// A file on a disk that becomes full, or whose head gets stuck.
struct Full {
    out: Cursor<Vec<u8>>,
    room: usize,
    /// Which seek fails.
    seeks: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.room.saturating_sub(self.out.position() as usize);
        match bytes.len().min(end) {
            0 if !bytes.is_empty() => Err(io::ErrorKind::StorageFull.into()),
            len => self.out.write(&bytes[..len]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Full {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if matches!(to, SeekFrom::Current(0)) {
            return self.out.seek(to);
        }
        self.seeks = self.seeks.checked_sub(1).ok_or(io::ErrorKind::Other)?;
        self.out.seek(to)
    }
}

#[test]
fn a_full_disk_is_an_error_and_half_a_pack_is_none() {
    let one = Options { threads: NonZeroUsize::new(1), ..Options::default() };
    let source = samples::appended_pack().build().bytes;
    let whole = fresh(draft(open_sound(&source)), one);
    let write = |room, seeks, options| {
        let mut full = Full { out: Cursor::new(Vec::new()), room, seeks };
        let draft = draft(open_sound(&source));
        let result = with_task(1 << 20, |task| draft.write(&mut full, options, task)).0;
        (result, full.out.into_inner())
    };
    for room in 0..whole.len() {
        let options = if room.is_multiple_of(16) { Options::default() } else { one };
        let (result, bytes) = write(room, 9, options);
        result.expect_err("a full disk");
        assert!(open(&bytes).0.is_err(), "{room} bytes");
    }
    for seeks in 0..2 {
        let (result, bytes) = write(whole.len(), seeks, one);
        result.expect_err("a seek that fails");
        assert!(seeks == 1 || open(&bytes).0.is_err());
    }
    let (result, bytes) = write(whole.len(), 2, one);
    result.expect("a pack");
    assert!(bytes == whole);
}
