//! Chunks as a whole: where their records start, which of them are known, and their walk.

use super::{
    codes,
    layout::{Part, Section, SectionForm, Structure},
    scan::Scan,
};
use spelunk_core::{
    Budget, Error, Field, Group, Record, Result, Span, Task, Ty, Val, Walk, Walked,
    codes::TOO_LARGE, walk::Halt,
};
use std::sync::OnceLock;

static RECORDS: Record = Record::group(
    "rows",
    "docs/formats/map2.md#5-records",
    "The records of a chunk, in the order of the file.",
);
static UNKNOWN: Field =
    Field::new("unknown_layout", Ty::Bytes, "Bytes whose layout is not known.").unit("bytes");

/// How often the bytes of a chunk may be looked at in vain while its records are found. Where nothing is known, no start can be
/// told either, and what follows is kept in one piece.
const IN_VAIN: u64 = 4;

/// The starts of the records of a chunk, and its end.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    starts: Vec<u32>,
    end: u32,
}

impl Starts {
    /// Those of a chunk without records.
    pub(crate) const NONE: Starts = Starts { starts: Vec::new(), end: 0 };

    /// Finds the records. One that does not have the known layout reaches to where the next one begins; what was wrong with the
    /// first such one is handed out beside.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn find(
        class: u32,
        record: &Structure,
        (plain, at): (&[u8], Span),
        budget: &mut Budget,
    ) -> Result<(Starts, Option<Error>)> {
        let end = u32::try_from(plain.len())
            .map_err(|_| Error::new(&TOO_LARGE).at(at).found(plain.len()))?;
        let mut found = Starts { starts: Vec::new(), end };
        let mut spare = (plain.len() as u64).saturating_mul(IN_VAIN);
        let (mut start, mut first) = (0_usize, None);
        while start < plain.len() {
            budget.room(&mut found.starts, 1)?;
            found.starts.push(start as u32);
            let (rest, at) = (plain.get(start..).unwrap_or_default(), from(at, start));
            let mut scan = Scan::new(rest, at);
            match scan.pass_all(record.parts, budget) {
                Ok(()) => start = start.saturating_add(scan.position()),
                Err(error) if error.ends_work() => return Err(error),
                Err(error) => {
                    let looked_at = scan.position() as u64;
                    spare = spare.saturating_sub(looked_at);
                    let next = next(class, rest).filter(|_| spare > 0).unwrap_or(rest.len());
                    budget.touch(next as u64)?;
                    start = start.saturating_add(next);
                    first.get_or_insert(error);
                }
            }
        }
        Ok((found, first))
    }

    /// Memory that they take, in bytes.
    fn held(&self) -> u64 {
        (self.starts.capacity() as u64).saturating_mul(size_of::<u32>() as u64)
    }

    /// The number of records.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The range of a record in the plain data.
    pub(crate) fn range(&self, nth: usize) -> Option<std::ops::Range<usize>> {
        let start = *self.starts.get(nth)?;
        let end = self.starts.get(nth.saturating_add(1)).copied().unwrap_or(self.end);
        Some(start as usize..end as usize)
    }
}

/// The starts of the records of each chunk, once they were asked for.
#[derive(Default, Debug)]
pub(crate) struct RecordStarts(Vec<OnceLock<Starts>>);

impl RecordStarts {
    /// Makes room for those of so many chunks.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(chunks: usize, task: &mut Task<'_>) -> Result<RecordStarts> {
        let mut starts = task.budget.vec::<OnceLock<Starts>>(chunks as u64)?;
        starts.resize_with(chunks, OnceLock::new);
        Ok(RecordStarts(starts))
    }

    /// Memory that they take, in bytes.
    pub(crate) fn held(&self) -> u64 {
        let places =
            (self.0.capacity() as u64).saturating_mul(size_of::<OnceLock<Starts>>() as u64);
        let known = self.0.iter().filter_map(OnceLock::get).map(Starts::held);
        known.fold(places, u64::saturating_add)
    }

    /// The place for those of a chunk.
    pub(crate) fn of(&self, chunk: u32) -> Option<&OnceLock<Starts>> {
        self.0.get(chunk as usize)
    }
}

/// The rest of a place, from this position on.
fn from(at: Span, start: usize) -> Span {
    at.part(start as u64, at.len.saturating_sub(start as u64))
}

/// Where the next record begins behind the one at the start of `rest`: where the class, 0 and the version of all records stand.
fn next(class: u32, rest: &[u8]) -> Option<usize> {
    let mut mark = [0; 9];
    let [a, b, c, d, _, _, _, _, version] = &mut mark;
    ([*a, *b, *c, *d], *version) = (class.to_le_bytes(), 2);
    let behind = rest.get(mark.len()..)?;
    let found = behind.windows(mark.len()).position(|bytes| bytes == mark);
    found.map(|found| found.saturating_add(mark.len()))
}

/// Walks a record; what does not have the layout is bytes.
///
/// # Errors
/// What the walker returns; limits.
pub(crate) fn walk_record(
    record: &'static Structure,
    bytes: &[u8],
    at: Span,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let mut scan = Scan::new(bytes, at);
    match scan.clone().pass_all(record.parts, &mut task.budget) {
        Ok(()) => scan.walk_all(record.parts, task, walk)?,
        Err(error) if error.ends_work() => return Err(error.into()),
        Err(_) => {
            walk_torn(&mut scan, record.parts, task, walk)?;
        }
    }
    walk_rest(scan, walk)
}

/// Walks the parts of a record as far as the bytes have the layout. What follows an unknown component is known again from the
/// place on, which can be told by its position that stands there twice. Gives whether all parts were walked.
fn walk_torn(
    scan: &mut Scan<'_>,
    parts: &'static [Part],
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> std::result::Result<bool, Halt> {
    for part in parts {
        match (scan.clone().pass(part, &mut task.budget), part) {
            (Ok(()), _) => scan.walk(part, task, walk)?,
            (Err(error), _) if error.ends_work() => return Err(error.into()),
            (Err(_), Part::Parts(inner)) => {
                if !walk_torn(scan, inner, task, walk)? {
                    return Ok(false);
                }
            }
            (Err(_), Part::List(..)) => {
                let (rest, _) = scan.clone().rest();
                task.budget.touch(rest.len() as u64)?;
                let Some(end) = place_in(rest) else { return Ok(false) };
                scan.walk_list_up_to(end, part, &UNKNOWN, task, walk)?;
            }
            (Err(_), _) => return Ok(false),
        }
    }
    Ok(true)
}

/// Where the place of a thing begins: its version, and a position that is not the origin and stands there twice.
fn place_in(bytes: &[u8]) -> Option<usize> {
    bytes.windows(25).position(|place| match place.split_first() {
        Some((9, both)) => {
            let (first, second) = both.split_at(12);
            first == second && first.iter().any(|byte| *byte != 0)
        }
        _ => false,
    })
}

/// Walks a structure part by part, as far as the bytes have the layout.
fn walk_single(
    structure: &'static Structure,
    plain: &[u8],
    at: Span,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    let mut scan = Scan::new(plain, at);
    for part in structure.parts {
        match scan.clone().pass(part, &mut task.budget) {
            Ok(()) => scan.walk(part, task, walk)?,
            Err(error) if error.ends_work() => return Err(error.into()),
            Err(_) => break,
        }
    }
    walk_rest(scan, walk)
}

fn walk_rest(scan: Scan<'_>, walk: &mut dyn Walk) -> Walked {
    match scan.rest() {
        ([], _) => Ok(()),
        (rest, at) => walk.field(&UNKNOWN, Some(at), Val::Bytes(rest.into())),
    }
}

/// Walks the plain data of a chunk, whose records start there.
///
/// # Errors
/// What the walker returns; limits.
pub(crate) fn walk_section(
    section: &'static Section,
    starts: &Starts,
    (plain, at): (&[u8], Span),
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    match section.form {
        SectionForm::Empty => walk_rest(Scan::new(plain, at), walk),
        SectionForm::Single(_) if plain.is_empty() => Ok(()),
        SectionForm::Single(structure) => walk_single(structure, plain, at, task, walk),
        SectionForm::Records(_, record) => {
            walk.group(&Group::list("rows", &RECORDS, Some(at)), |walk| {
                for nth in 0..starts.len() {
                    task.budget.steps(1)?;
                    let range = starts.range(nth).unwrap_or_default();
                    let bytes = plain.get(range.clone()).unwrap_or_default();
                    let at = at.part(range.start as u64, bytes.len() as u64);
                    walk.group(&Group::item(nth, &record.record, Some(at)), |walk| {
                        walk_record(record, bytes, at, task, walk)
                    })?;
                }
                Ok(())
            })
        }
    }
}

/// What is wrong with bytes that are to be one structure to the last byte.
///
/// # Errors
/// Limits.
pub(crate) fn check_structure(
    structure: &Structure,
    bytes: &[u8],
    at: Span,
    budget: &mut Budget,
) -> Result<Option<Error>> {
    let mut scan = Scan::new(bytes, at);
    match scan.pass_all(structure.parts, budget) {
        Ok(()) => {}
        Err(error) if error.ends_work() => return Err(error),
        Err(error) => return Ok(Some(error.with_code(&codes::LAYOUT))),
    }
    let (rest, at) = scan.rest();
    let error = || Error::new(&codes::LAYOUT).at(at).found(format!("{} bytes more", rest.len()));
    Ok((!rest.is_empty()).then(error))
}

/// What is not known of the plain data of a chunk: the first place where it does not have its layout.
///
/// # Errors
/// Limits.
pub(crate) fn check(
    section: &Section,
    plain: &[u8],
    at: Span,
    budget: &mut Budget,
) -> Result<Option<Error>> {
    match section.form {
        SectionForm::Records(class, record) => {
            Ok(Starts::find(class, record, (plain, at), budget)?.1)
        }
        SectionForm::Single(structure) if !plain.is_empty() => {
            check_structure(structure, plain, at, budget)
        }
        SectionForm::Single(_) | SectionForm::Empty => check_structure(&NOTHING, plain, at, budget),
    }
}

static NOTHING: Structure =
    Structure::new("nothing", "docs/formats/map2.md#18-chunks-without-content", "Nothing.", &[]);
