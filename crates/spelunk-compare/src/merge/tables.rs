//! SpellForce's chunk files: GameData merged row by row, maps record by record, and what is neither byte by byte.

use super::{
    bytes, lists,
    report::{Conflict, Merging, OnConflict, Report},
    rows::{self, TablePlace},
};
use crate::decide::Choice;
use spellforce::{
    cff::{Cff, Chunk, ChunkFile, Chunks, Draft, Kind, List, NewChunk},
    gamedata::GameData,
    spec::HeaderType,
};
use spelunk_core::{Bytes, Container, Error, Format, Result, Source, Task};
use spelunk_open::{Model, Opened, Options, codes, model};
use std::{collections::BTreeMap, sync::Arc};

const SPEC_MAP: Kind = Kind::Spec(HeaderType::Map);
const SPEC_SAVE: Kind = Kind::Spec(HeaderType::Save);

/// Name of a chunk: id and occurrence, and its number among those with both.
type Name = (i16, i16, usize);

/// The chunks of a file by their names, with their positions.
fn names(file: &ChunkFile) -> Vec<(Name, u32)> {
    let mut counts: BTreeMap<(i16, i16), usize> = BTreeMap::new();
    let name = |(n, chunk): (u32, &Chunk)| {
        let count = counts.entry((chunk.id(), chunk.occurrence())).or_default();
        let nth = *count;
        *count = nth.saturating_add(1);
        ((chunk.id(), chunk.occurrence(), nth), n)
    };
    (0..).zip(file.chunks()).map(name).collect()
}

/// A file of a merge.
struct MergeInput<'f> {
    all: &'f Chunks,
    gamedata: Option<GameData<'f>>,
    chunks: BTreeMap<Name, u32>,
}

impl<'f> MergeInput<'f> {
    fn of(container: &'f dyn Container) -> Result<MergeInput<'f>> {
        let all = match Model::of(container) {
            Model::Chunks(all) if !matches!(all.kind(), Kind::Save | SPEC_SAVE) => all,
            _ => return Err(model::other_dialect(container, &codes::NO_MERGE)),
        };
        Ok(MergeInput {
            all,
            gamedata: all.gamedata(),
            chunks: names(all.file()).into_iter().collect(),
        })
    }

    /// The plain data of a chunk.
    fn plain(&self, name: Name, task: &mut Task<'_>) -> Result<Option<Bytes>> {
        match self.chunks.get(&name) {
            Some(n) => self.all.file().plain(*n, &mut task.budget).cloned().map(Some),
            None => Ok(None),
        }
    }

    /// The table that a chunk is, if it is one without anything behind its rows.
    fn table(&self, name: Name, task: &mut Task<'_>) -> Result<Option<TablePlace<'f>>> {
        let Some(n) = self.chunks.get(&name) else { return Ok(None) };
        let Some(gamedata) = self.gamedata else { return Ok(None) };
        if !gamedata.categories().any(|(position, _)| position == *n) {
            return Ok(None);
        }
        let table = gamedata.table(*n, &mut task.budget)?;
        Ok(table.remainder().is_empty().then_some((gamedata, *n)))
    }

    /// The list that a chunk is, if it is one.
    fn list(&self, name: Name, task: &mut Task<'_>) -> Result<Option<List>> {
        match self.chunks.get(&name) {
            Some(n) => self.all.list(*n, task),
            None => Ok(None),
        }
    }
}

/// Ours with what the other side changed, and what became of the rows.
///
/// # Errors
/// [`NO_MERGE`](codes::NO_MERGE) where one is neither GameData nor a map; [`OTHER_FORMAT`](codes::OTHER_FORMAT) where some are of
/// the dialect `spec` and some are not; reading errors; limits.
pub(super) fn merged(
    files: [&dyn Container; 3],
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Arc<dyn Source>, Report)> {
    let [_, own, other] = files;
    files
        .into_iter()
        .zip([own, other])
        .try_for_each(|(one, other)| model::one_dialect(one, other))?;
    let [base, ours, theirs] = files.map(MergeInput::of);
    let (base, ours, theirs) = (base?, ours?, theirs?);
    let is_part =
        base.gamedata.is_some() && base.chunks.keys().any(|name| !theirs.chunks.contains_key(name));
    let report = Report { is_part, ..Report::default() };
    let mut merger = Merger {
        draft: Draft::of(ours.all.file()),
        base,
        ours,
        theirs,
        on_conflict,
        report,
        gone: Vec::new(),
    };
    merger.header();
    let mut all: Vec<Name> = names(merger.ours.all.file()).into_iter().map(|it| it.0).collect();
    let more = names(merger.theirs.all.file()).into_iter().map(|(name, _)| name);
    all.extend(more.filter(|name| !merger.ours.chunks.contains_key(name)));
    let gone = names(merger.base.all.file()).into_iter().map(|(name, _)| name);
    let is_known = |name: &Name| {
        [&merger.ours, &merger.theirs].iter().any(|side| side.chunks.contains_key(name))
    };
    all.extend(gone.filter(|name| !is_known(name)));
    for name in all {
        merger.chunk(name, task)?;
    }
    let Merger { mut draft, mut gone, report, .. } = merger;
    gone.sort_unstable();
    gone.into_iter().rev().try_for_each(|position| draft.remove(position as usize))?;
    Ok((draft.source(task)?, report))
}

struct Merger<'f> {
    base: MergeInput<'f>,
    ours: MergeInput<'f>,
    theirs: MergeInput<'f>,
    on_conflict: OnConflict,
    report: Report,
    draft: Draft<'f>,
    gone: Vec<u32>,
}

impl Merger<'_> {
    /// The words of the header. A part has one of its own.
    fn header(&mut self) {
        if self.report.is_part {
            return;
        }
        let [base, ours, theirs] =
            [&self.base, &self.ours, &self.theirs].map(|side| *side.all.file().header());
        macro_rules! words {
            ($($word:ident)*) => { $(
                let choice = Choice::of(Some(base.$word), Some(ours.$word), Some(theirs.$word));
                if choice == Choice::Conflict {
                    self.report.conflicts.push(Conflict {
                        entry: Merging { path: "header".to_owned(), ..Merging::default() },
                        field: Some(stringify!($word).to_owned()),
                        ours: ours.$word.get().to_string(),
                        theirs: theirs.$word.get().to_string(),
                    });
                }
                let is_taken = match choice {
                    Choice::Ours => false,
                    Choice::Theirs => true,
                    Choice::Conflict => self.on_conflict == OnConflict::Theirs,
                };
                if is_taken {
                    self.draft.header.$word = theirs.$word;
                }
            )* };
        }
        words!(format_version file_type file_version checksum);
    }

    fn chunk(&mut self, name: Name, task: &mut Task<'_>) -> Result<()> {
        let [base, ours, theirs] = [
            self.base.plain(name, task)?,
            self.ours.plain(name, task)?,
            self.theirs.plain(name, task)?,
        ];
        let is_lacking = theirs.is_none() && self.report.is_part;
        let theirs = if is_lacking { base.clone() } else { theirs };
        if ours == base && theirs == base {
            return Ok(());
        }
        let sides = [base, ours, theirs];
        if !self.rows(name, &sides, is_lacking, task)? && !self.records(name, &sides, task)? {
            self.whole(name, sides, task)?;
        }
        Ok(())
    }

    /// Merges a chunk row by row, if it is a table.
    fn rows(
        &mut self,
        name: Name,
        [base, ours, _]: &[Option<Bytes>; 3],
        is_lacking: bool,
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let theirs = if is_lacking { &self.base } else { &self.theirs };
        let of_base = self.base.table(name, task)?;
        let sides = self.ours.table(name, task)?.zip(theirs.table(name, task)?);
        let Some((of_ours, of_theirs)) = sides.filter(|_| base.is_none() || of_base.is_some())
        else {
            return Ok(false);
        };
        let path = path(name);
        let how = (path.as_str(), self.on_conflict);
        let plain = rows::merged(of_base, of_ours, of_theirs, how, &mut self.report, task)?;
        if ours.as_ref() != Some(&plain) {
            self.draft.set(of_ours.1 as usize, plain)?;
        }
        Ok(true)
    }

    /// Merges a chunk record by record, if it is a list.
    fn records(
        &mut self,
        name: Name,
        [_, ours, _]: &[Option<Bytes>; 3],
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let mut list = |side: &MergeInput<'_>| side.list(name, task);
        let (Some(base), Some(of_ours), Some(theirs)) =
            (list(&self.base)?, list(&self.ours)?, list(&self.theirs)?)
        else {
            return Ok(false);
        };
        let path = path(name);
        let how = (path.as_str(), self.on_conflict);
        let merged = lists::merged([&base, &of_ours, &theirs], how, &mut self.report, task)?;
        let Some(plain) = merged.map(Bytes::from) else { return Ok(false) };
        if let Some(position) =
            self.ours.chunks.get(&name).filter(|_| ours.as_ref() != Some(&plain))
        {
            self.draft.set(*position as usize, plain)?;
        }
        Ok(true)
    }

    /// Merges a chunk that is neither: that of one side, or of both where they changed other places of it.
    fn whole(
        &mut self,
        name: Name,
        [base, ours, theirs]: [Option<Bytes>; 3],
        task: &mut Task<'_>,
    ) -> Result<()> {
        let change = |side: &Option<Bytes>| match (&base, side) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        };
        let entry = |change| Merging { path: path(name), asset_id: None, change };
        if ours == base {
            self.report.from_theirs.push(entry(Some(change(&theirs))));
            return self.take(name, theirs, task);
        }
        if theirs == base || theirs == ours {
            let list = match theirs == base {
                true => &mut self.report.from_ours,
                false => &mut self.report.both,
            };
            list.push(entry(Some(change(&ours))));
            return Ok(());
        }
        let is_theirs = self.on_conflict == OnConflict::Theirs;
        task.budget.memory(ours.as_ref().map_or(0, |ours| ours.len() as u64))?;
        let numbers = self.ours.chunks.get(&name).map(|n| self.ours.all.numbers(*n, task));
        let numbers = numbers.transpose()?.flatten();
        if let (Some(base), Some(of_ours), Some(of_theirs)) = (&base, &ours, &theirs)
            && matches!(self.ours.all.kind(), Kind::Map | Kind::SpellForce2Map | SPEC_MAP)
            && let sides = if is_theirs { [of_theirs, of_ours] } else { [of_ours, of_theirs] }
            && let Some(merged) = bytes::merged([base, sides[0], sides[1]], numbers)
        {
            match merged.collisions {
                None => self.report.merged.push(entry(Some("changed"))),
                Some((first, more)) => {
                    let shown = |bytes: &Bytes| shown_at(bytes, first, numbers, more);
                    let (ours, theirs) = (shown(of_ours), shown(of_theirs));
                    let field = Some(place(first, numbers));
                    self.report.conflicts.push(Conflict {
                        entry: entry(None),
                        field,
                        ours,
                        theirs,
                    });
                }
            }
            return self.take(name, Some(merged.bytes.into()), task);
        }
        let size = |bytes: &Option<Bytes>| {
            bytes.as_ref().map_or("none".to_owned(), |bytes| format!("{} bytes", bytes.len()))
        };
        let (of_ours, of_theirs) = (size(&ours), size(&theirs));
        self.report.conflicts.push(Conflict {
            entry: entry(None),
            field: None,
            ours: of_ours,
            theirs: of_theirs,
        });
        if is_theirs { self.take(name, theirs, task) } else { Ok(()) }
    }

    /// Puts their data in the place of ours.
    fn take(&mut self, name: Name, theirs: Option<Bytes>, task: &mut Task<'_>) -> Result<()> {
        match (theirs, self.ours.chunks.get(&name)) {
            (Some(plain), Some(position)) => self.draft.set(*position as usize, plain),
            (Some(plain), None) => {
                let Some(n) = self.theirs.chunks.get(&name) else { return Ok(()) };
                let file = self.theirs.all.file();
                // Raw files stay raw, packed ones packed. The version says nothing of that in the dialect `spec`.
                let is_packed = match file.form().is_spec() {
                    true => file.chunk(*n).is_some_and(Chunk::is_packed),
                    false => self.draft.header.format_version.get() == 3,
                };
                let new = NewChunk::like(file, *n, plain, is_packed, task)?;
                self.draft.insert(usize::MAX, new);
                Ok(())
            }
            (None, Some(position)) => {
                self.gone.push(*position);
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }
}

/// A place in data without fields, as paths of fields are shown: one of its numbers, or an offset.
fn place(at: usize, numbers: Option<(usize, usize)>) -> String {
    let nth = numbers.and_then(|(start, size)| at.checked_sub(start)?.checked_div(size));
    nth.map_or_else(|| format!("plain[{at:#x}]"), |nth| format!("rows[{nth}]"))
}

/// Shows the value in a place where the sides differ, with the number of more such places.
fn shown_at(bytes: &[u8], at: usize, numbers: Option<(usize, usize)>, more: usize) -> String {
    let size = numbers.map_or(1, |(_, size)| size).min(size_of::<u64>());
    let stored = bytes.get(at..).unwrap_or_default().iter().take(size).rev();
    let number = stored.fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    match more {
        0 => number.to_string(),
        _ => format!("{number} there, and others in {more} more places"),
    }
}

fn path((id, occurrence, nth): Name) -> String {
    match (occurrence, nth) {
        (0, 0) => id.to_string(),
        (_, 0) => format!("{id}.{occurrence}"),
        _ => format!("{id}.{occurrence} ({})", nth.saturating_add(1)),
    }
}

/// A GameData that holds the rows of `new` alone that differ from those of `old`, as the community's editor writes its
/// difference files: chunks in the order of `new`, and none where nothing differs.
///
/// # Errors
/// [`NO_MERGE`](codes::NO_MERGE) where one is no GameData; reading errors; limits.
pub fn part(old: &Opened, new: &Opened, options: &Options) -> Result<Opened> {
    let len = old.container().size().saturating_add(new.container().size());
    Opened::made(len, options, |task| {
        let none = |_| Error::new(&codes::NO_TABLES).found(new.container().format());
        let (old_side, new_side) =
            (MergeInput::of(old.container()), MergeInput::of(new.container()));
        let (old, new) = (old_side.map_err(none)?, new_side.map_err(none)?);
        if new.gamedata.is_none() {
            return Err(Error::new(&codes::NO_TABLES).found(new.all.kind().format()));
        }
        let file = new.all.file();
        let mut draft: Draft<'_> = Draft::new(*file.header(), file.form());
        for (name, n) in names(file) {
            let Some(chunk) = file.chunk(n) else { continue };
            let plain = match (old.table(name, task)?, new.table(name, task)?) {
                (before, Some(after)) => {
                    spellforce::gamedata::part(before, after, &mut task.budget)?
                }
                (_, None) => {
                    let (before, after) = (old.plain(name, task)?, new.plain(name, task)?);
                    after.filter(|after| before.as_ref() != Some(after)).unwrap_or_default()
                }
            };
            if plain.is_empty() {
                continue;
            }
            draft.insert(usize::MAX, NewChunk::like(file, n, plain, chunk.is_packed(), task)?);
        }
        Cff.open(draft.source(task)?, task)
    })
}
