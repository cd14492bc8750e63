//! A GameData, read: opened, looked up, visited field by field, written and compared with another one, beside the bare loops
//! over the same bytes.

use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    work::Work,
};
use spellforce::{
    cff::{Cff, Chunks},
    gamedata::{AnyRow, GameData, TEXTS, compare, schema::TextRow},
};
use spelunk::{
    Bytes, Container, Field, Format, Opened, Options, Shape, Source, Span, Step, Ty, Val, Walk,
    Walked, WriteOptions,
    compare::diff,
    core::text::until_nul,
    core::walk::{Group, finish},
};
use spelunk_core::{Budget, Collect, Halt, Limits, Result, Task};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    hint::black_box,
    io,
    ops::Range,
    sync::{Arc, Mutex},
};

/// The size of a page.
const PAGE: u64 = 4096;

/// The largest GameData, and another edition of it where there is one.
pub const CASES: &[Case] = &[
    Case {
        sides: &["open"],
        lines: &[
            Line::number("gamedata-open-pages", "pages that opening looks at", Unit::Pages, 0)
                .at_most(64.0),
            Line::time("gamedata-open", "opening", Unit::Microseconds),
        ],
        measure: opening,
    },
    Case {
        sides: &["first look-up", "pass over the ids", "later look-up"],
        lines: &[
            Line::ratio(
                "gamedata-first",
                "first look-up of a text, opening included",
                "a pass over the ids",
            )
            .at_most(2.0),
            Line::time("gamedata-later", "later look-up of a text", Unit::Microseconds)
                .by(|t, _| t[2]),
        ],
        measure: looking_up,
    },
    Case {
        sides: &["every field", "bare loop", "walk"],
        lines: &[
            Line::ratio(
                "gamedata-fields",
                "every field of every row, typed",
                "a bare loop with the search for NULs",
            )
            .at_most(1.3),
            Line::ratio("gamedata-walk", "the same as a walk", "that loop")
                .by(|t, _| t[2] / t[1])
                .at_most(3.0),
        ],
        measure: visiting,
    },
    Case {
        sides: &["rewrite", "copy"],
        lines: &[Line::ratio(
            "gamedata-rewrite",
            "rewrite, opening and flush included",
            "`fs::copy` and flush",
        )
        .at_most(1.3)],
        measure: writing,
    },
    Case {
        sides: &["compare", "compare all bytes", "open and diff"],
        lines: &[
            Line::ratio(
                "gamedata-compare",
                "compare two editions row by row",
                "a comparison of all bytes",
            )
            .at_most(4.0),
            Line::ratio(
                "gamedata-diff",
                "the same opened, and reported field by field",
                "a comparison of all bytes",
            )
            .by(|t, _| t[2] / t[1]),
        ],
        measure: comparing,
    },
];

/// A GameData in memory: a real one, else the largest sample.
fn edition(work: &Work, name: &str) -> io::Result<Option<Bytes>> {
    let sample = || work.largest("spellforce-cff", false);
    let path = if work.is_real() { work.file(name)? } else { sample()? };
    path.map(|path| Ok(Bytes::from(fs::read(path)?))).transpose()
}

fn english(work: &Work) -> io::Result<Option<Bytes>> {
    edition(work, "GameData-1.54-en.cff")
}

const NONE: &str = "there is no real GameData";

/// Opens without limits.
fn open(source: Arc<dyn Source>) -> Box<dyn Container> {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    Cff.open(source, &mut task).expect("a sound file")
}

fn gamedata(container: &dyn Container) -> GameData<'_> {
    container.model().and_then(Chunks::gamedata).expect("a GameData")
}

fn budget() -> Budget {
    Budget::new(Limits::unlimited())
}

fn texts(gamedata: GameData<'_>) -> u32 {
    gamedata.chunks_of(TEXTS).next().expect("it has texts")
}

/// Memory that takes note of the pages that are looked at.
struct Noted(Bytes, Mutex<BTreeSet<u64>>);

impl Noted {
    fn note(&self, range: Range<u64>) {
        let pages = range.start / PAGE..range.end.div_ceil(PAGE);
        self.1.lock().expect("one thread").extend(pages);
    }
}

impl Source for Noted {
    fn len(&self) -> u64 {
        Source::len(&self.0)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.note(offset..offset + buffer.len() as u64);
        self.0.read_at(offset, buffer)
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        self.note(range.clone());
        self.0.lend(range)
    }
}

fn opening(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = english(work)? else { return Measured::absent(NONE) };
    let noted = Arc::new(Noted(bytes.clone(), Mutex::default()));
    open(noted.clone());
    let pages = noted.1.lock().expect("one thread").len();
    let source: Arc<dyn Source> = Arc::new(bytes.clone());
    let mut ours = || drop(black_box(open(source.clone())));
    Measured::of(work.rounds, [&mut ours])
        .and(&[pages as f64])
        .with(format!("{} bytes", bytes.len()))
}

fn looking_up(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = english(work)? else { return Measured::absent(NONE) };
    let source: Arc<dyn Source> = Arc::new(bytes.clone());
    let container = open(source.clone());
    let known = gamedata(container.as_ref());
    let table = known.table(texts(known), &mut budget()).expect("it is sound");
    let (plain, middle) = (table.plain(), table.row(table.len() / 2).expect("it has rows").id());
    let first = || {
        let container = open(source.clone());
        let gamedata = gamedata(container.as_ref());
        black_box(gamedata.find(texts(gamedata), &[middle], &mut budget()).expect("it is there"));
    };
    let pass = || {
        let ids = plain.chunks_exact(size_of::<TextRow>());
        black_box(ids.map(|row| u64::from(u16::from_le_bytes([row[0], row[1]]))).sum::<u64>());
    };
    let again = || {
        black_box(known.find(texts(known), &[middle], &mut budget()).expect("it is there"));
    };
    again();
    let sides: [&mut dyn FnMut(); 3] = [&mut { first }, &mut { pass }, &mut { again }];
    Measured::of(work.rounds, sides).with(format!("{} bytes", bytes.len()))
}

/// Counts what it is shown.
struct Count(u64);

impl Walk for Count {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, _: &'static Field, _: Option<Span>, value: Val<'_>) -> Walked {
        self.0 = self.0.wrapping_add(match value {
            Val::U(number) => number,
            Val::I(number) => number.cast_unsigned(),
            Val::Text(text) => text.len() as u64,
            _ => 0,
        });
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

/// The fields of a row, added up.
fn sum(row: &AnyRow<'_>) -> u64 {
    let fields = row.category().fields().iter().enumerate();
    let own = fields.map(|(nth, slot)| match slot.field.ty {
        Ty::Text => until_nul(row.field(nth)).len() as u64,
        _ => row.number(nth).cast_unsigned(),
    });
    let corners = row.corners().flatten().map(|number| i64::from(number).cast_unsigned());
    own.chain(corners).fold(0, u64::wrapping_add)
}

/// The same without anything of ours: offsets, sizes and kinds in a list.
fn bare_sum(row: &[u8], fields: &[(usize, usize, bool, bool)]) -> u64 {
    let mut sum = 0_u64;
    for &(start, size, is_text, is_signed) in fields {
        let bytes = &row[start..start + size];
        sum = sum.wrapping_add(if is_text {
            bytes.iter().position(|byte| *byte == 0).unwrap_or(size) as u64
        } else {
            match (bytes, is_signed) {
                (&[a], _) => u64::from(a),
                (&[a, b], true) => i64::from(i16::from_le_bytes([a, b])).cast_unsigned(),
                (&[a, b], false) => u64::from(u16::from_le_bytes([a, b])),
                (&[a, b, c, d], _) => u64::from(u32::from_le_bytes([a, b, c, d])),
                _ => 0,
            }
        });
    }
    sum
}

fn visiting(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = english(work)? else { return Measured::absent(NONE) };
    let container = open(Arc::new(bytes.clone()));
    let gamedata = gamedata(container.as_ref());
    let tables: Vec<_> = gamedata
        .categories()
        .map(|(chunk, _)| gamedata.table(chunk, &mut budget()).expect("it is sound"))
        .collect();
    let lists: Vec<Vec<_>> = tables
        .iter()
        .map(|table| {
            let fields = table.category().fields().iter();
            let field = |slot: &spelunk_core::field::Slot| {
                let (is_text, is_signed) = (slot.field.ty == Ty::Text, slot.field.ty == Ty::I16);
                (slot.offset as usize, slot.size as usize, is_text, is_signed)
            };
            fields.map(field).collect()
        })
        .collect();
    // Texts are 97 of 100 bytes; they are read as structs, the other rows by their fields.
    let ours = || {
        tables.iter().fold(0_u64, |all, table| match table.typed::<TextRow>() {
            Some(rows) => rows.iter().fold(all, |all, row| {
                let texts = until_nul(&row.handle.0).len() + until_nul(&row.content.0).len();
                all.wrapping_add(u64::from(row.text_id.get()))
                    .wrapping_add(u64::from(row.language_id))
                    .wrapping_add(u64::from(row.mode))
                    .wrapping_add(texts as u64)
            }),
            None => table.rows().fold(all, |all, row| all.wrapping_add(sum(&row))),
        })
    };
    let bare = || {
        tables.iter().zip(&lists).fold(0_u64, |all, (table, fields)| {
            let Some(size) = table.category().row_size() else {
                return table.rows().fold(all, |all, row| all.wrapping_add(sum(&row)));
            };
            let rows = table.plain().chunks_exact(size);
            rows.fold(all, |all, row| all.wrapping_add(bare_sum(row, fields)))
        })
    };
    let walk = || {
        let mut count = Count(0);
        for table in &tables {
            for row in table.rows() {
                finish(row.walk(Span::file(0, 0), None, &mut count)).expect("it counts");
            }
        }
        count.0
    };
    assert_eq!(ours(), bare(), "both visit the same");
    Measured::of(
        work.rounds,
        [
            &mut || {
                black_box(ours());
            },
            &mut || {
                black_box(bare());
            },
            &mut || {
                black_box(walk());
            },
        ],
    )
    .with(format!("{} bytes", bytes.len()))
}

fn writing(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = english(work)? else { return Measured::absent(NONE) };
    let folder = work.folder("gamedata")?;
    let [source, ours, bare] = ["source", "ours", "bare"].map(|name| folder.join(name));
    fs::write(&source, &bytes)?;
    let write = || {
        let container = open(Arc::new(bytes.clone()));
        let mut sink = Collect::default();
        let mut task = Task::new(budget(), &mut sink);
        let mut file = File::create(&ours).expect("a temporary file");
        container.write(&mut file, &WriteOptions::default(), &mut task).expect("it is written");
        file.sync_all().expect("it is flushed");
    };
    let copy = || {
        fs::copy(&source, &bare).expect("it is copied");
        File::open(&bare).and_then(|file| file.sync_all()).expect("it is flushed");
    };
    Measured::of(work.rounds, [&mut { write }, &mut { copy }])
        .with(format!("{} bytes", bytes.len()))
}

fn comparing(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = english(work)? else { return Measured::absent(NONE) };
    let Some(others) = edition(work, "GameData-1.54-ru.cff")? else {
        return Measured::absent("there is no other edition");
    };
    let [old, new] = [&bytes, &others].map(|bytes| open(Arc::new(bytes.clone())));
    let diff = || {
        let [old, new] = [&old, &new].map(|container| gamedata(container.as_ref()));
        let mut changed = 0_usize;
        for (chunk, category) in old.categories() {
            let Some(other) = new.chunks_of(category.id).next() else { continue };
            changed +=
                compare((old, chunk), (new, other), &mut budget()).expect("both are sound").len();
        }
        changed
    };
    let changed = diff();
    // To the last byte, whatever differs before it, as fast as the memory gives them.
    let same = || {
        let pieces = bytes.chunks(1 << 12).zip(others.chunks(1 << 12));
        black_box(pieces.fold(0_u64, |count, (a, b)| {
            count + u64::from(a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)))
        }));
    };
    let ours = || {
        black_box(diff());
    };
    let reported = || {
        let open = |bytes: &Bytes| {
            Opened::open(Arc::new(bytes.clone()), &Options::default()).expect("it is a GameData")
        };
        let (mut old, mut new) = (open(&bytes), open(&others));
        let diff =
            diff::diff(&mut old, &mut new, &diff::Options::default()).expect("both are sound");
        black_box(diff.changes.len());
    };
    let sides: [&mut dyn FnMut(); 3] = [&mut { ours }, &mut { same }, &mut { reported }];
    Measured::of(work.rounds, sides).with(format!("{} bytes, {changed} rows changed", bytes.len()))
}
