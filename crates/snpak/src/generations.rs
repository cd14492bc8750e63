//! The states that a pack went through: each index of the chain is one, counted from the oldest, which is 1.

use crate::{
    chain::{self, Append, History},
    codes,
    index::Index,
    merged::{self, AssetIdSet, deltas},
    pack::{Pack, PackFile},
    shown::Shown,
    strings::StringTable,
};
use spelunk_core::{Budget, Code, Error, Result, Revision, Span, Task};

/// A state of a pack, as `info` lists it.
#[derive(Clone, Copy, Debug)]
pub struct Generation {
    /// Number of the generation, counted from the oldest.
    pub number: u32,
    /// Number of asset entries.
    pub assets: u32,
    /// Number of bulk entries.
    pub bulk: u32,
    /// Place of the index.
    pub at: Span,
    /// Way in which the index was appended; `None` for the oldest, and where that is not known.
    pub append: Option<Append>,
    /// Whether its string table is known.
    pub named: bool,
}

/// The generation of a pack that `which` means.
///
/// # Errors
/// [`codes::NO_GENERATION`]; what is wrong with its index; limits; reading errors.
pub(crate) fn show(file: &PackFile, which: Revision, task: &mut Task<'_>) -> Result<Option<Shown>> {
    let count = file.links.len();
    let number = match which {
        _ if count == 1 && which == Revision::Merged => return Ok(None),
        Revision::Merged => return merged::show(file, false, task).map(Some),
        Revision::Nth(number) => number as usize,
    };
    // The chain starts at the active index, which has the highest number.
    let link =
        count.checked_sub(number).and_then(|nth| file.links.get(nth).map(|link| (nth, link)));
    let (nth, link) = link.filter(|_| number > 0).ok_or_else(|| {
        let all = if count == 1 { "1".to_owned() } else { format!("1 to {count}") };
        Error::new(&codes::NO_GENERATION)
            .expected(format!("{all}, or merged"))
            .found(which.to_string())
    })?;
    if nth == 0 {
        return Ok(None);
    }
    let table = task.transient(|task| -> Result<Option<Span>> {
        let history = file.history(task)?;
        let mut known = history.revisions.into_iter();
        let revision = known.find(|revision| revision.index.at() == link.at);
        Ok(revision.and_then(|revision| revision.strings).map(|strings| strings.at()))
    })?;
    let limits = &file.options.limits;
    let index = Index::read_within(&*file.source, link.at, None, limits, task)?;
    if let Err(error) = index.check_hash(task) {
        chain::damage(error, task)?;
    }
    let named = table.is_some();
    let strings = match table {
        Some(at) => StringTable::read_within(&*file.source, at, limits, task)?,
        None => {
            task.warn(Error::new(&codes::CHAIN_STRINGS).at(link.at))?;
            StringTable::lost()
        }
    };
    Ok(Some(Shown { which, index, strings, named }))
}

/// All states of a pack that can be read, from the oldest to the newest. They stay charged.
///
/// # Errors
/// Limits.
pub(crate) fn list(
    file: &PackFile,
    history: &History,
    budget: &mut Budget,
) -> Result<Vec<Generation>> {
    budget.steps(file.links.len() as u64)?;
    let mut all = budget.vec(file.links.len() as u64)?;
    // Those that cannot be read are missing among the older ones.
    let mut older = history.revisions.iter().peekable();
    for (nth, link) in file.links.iter().enumerate() {
        let (index, strings) = match older.next_if(|older| older.index.at() == link.at) {
            Some(older) => (&older.index, older.strings.as_ref()),
            None if nth == 0 => (&file.index, Some(&file.strings)),
            None => continue,
        };
        let number = file.links.len().saturating_sub(nth);
        all.push(Generation {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            assets: index.header().entry_count.get(),
            bulk: index.header().bulk_entry_count.get(),
            at: index.at(),
            append: Append::of(index, strings),
            named: strings.is_some(),
        });
    }
    all.reverse();
    Ok(all)
}

/// Returns the number of assets that delta appends hide, and the newest index that does: those right before such an append that
/// neither it nor anything later has. What later generations left out otherwise was removed on purpose.
///
/// # Errors
/// Limits.
pub(crate) fn hidden(
    file: &PackFile,
    history: &History,
    task: &mut Task<'_>,
) -> Result<Option<(u64, Span)>> {
    let deltas = deltas(file, history);
    if !deltas.contains(&true) {
        return Ok(None);
    }
    task.transient(|task| {
        let (mut first, mut hidden) = (None, 0_u64);
        let mut seen = AssetIdSet::default();
        seen.rows(&file.index, task, &mut |_, _, _| Ok(()))?;
        let mut newer = &file.index;
        for (older, hiding) in history.revisions.iter().zip(deltas) {
            let before = hidden;
            seen.rows(&older.index, task, &mut |_, _, _| {
                hidden = hidden.saturating_add(u64::from(hiding));
                Ok(())
            })?;
            if hidden > before {
                first = first.or(Some(newer.at()));
            }
            newer = &older.index;
        }
        Ok(first.map(|at| (hidden, at)))
    })
}

/// Warns of the assets that delta appends hide.
///
/// # Errors
/// What the sink makes of it; limits.
pub(crate) fn warn_hidden(file: &PackFile, history: &History, task: &mut Task<'_>) -> Result<()> {
    match hidden(file, history, task)? {
        Some((count, at)) => task.warn(hidden_error(&codes::HIDDEN_ASSETS, count, at)),
        None => Ok(()),
    }
}

/// Makes the error for hidden assets.
pub(crate) fn hidden_error(code: &'static Code, count: u64, at: Span) -> Error {
    Error::new(code)
        .at(at)
        .field("index")
        .expected("every older asset in the appended index")
        .found(format!("{count} that {} not there", if count == 1 { "is" } else { "are" }))
}

impl Pack {
    /// Returns the same pack with the assets of another of its generations: those of one index of the chain, counted from the
    /// oldest, which is 1, or of all of them as one. Merged, the rows of the newest index come first, in its order, then those of
    /// each older one whose ids no newer one has; what was removed by appending is there again. [`Layout`](crate::Layout),
    /// [`write`](crate::write()) and [`Pack::history`] go on to cover the whole file.
    ///
    /// # Errors
    /// [`codes::NO_GENERATION`]; what is wrong with the index; limits; reading errors.
    pub fn generation(&self, which: Revision, task: &mut Task<'_>) -> Result<Pack> {
        Ok(self.showing(show(&self.file, which, task)?))
    }

    /// The same pack with the assets that delta appends hide behind those of the active index. What was removed otherwise
    /// stays away.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub(crate) fn restored(&self, task: &mut Task<'_>) -> Result<Pack> {
        Ok(self.showing(Some(merged::show(&self.file, true, task)?)))
    }

    /// All generations whose indexes can be read, from the oldest to the newest. The list stays charged.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn generations(&self, task: &mut Task<'_>) -> Result<Vec<Generation>> {
        let all = task.transient(|task| {
            let history = self.history(task)?;
            list(&self.file, &history, &mut task.budget)
        })?;
        task.budget
            .memory((all.capacity() as u64).saturating_mul(size_of::<Generation>() as u64))?;
        Ok(all)
    }

    /// Returns the generation that is shown; `None` for the active one.
    pub fn view(&self) -> Option<Revision> {
        self.shown.as_ref().map(|shown| shown.which)
    }

    /// Whether the names of what is shown are known. They are lost where an older index has no string table.
    pub fn has_names(&self) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.named)
    }
}
