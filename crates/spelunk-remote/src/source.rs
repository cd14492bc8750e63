//! A file on a server as a source of bytes.

use crate::{
    fetch::{Object, Stamp},
    segments::{Segments, merged},
    stores::Stores,
};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use spelunk_core::{
    Result, Source,
    source::{part, truncated},
};
use std::{
    fmt,
    ops::Range,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// Number of bytes that a request asks for at the least: tables are read in small steps.
const LEAST: u64 = 16 << 10;

/// Number of readings in order that are known.
const RUNS: usize = 8;

/// Number of pieces that are read before they are handed on.
const ROUND: u64 = 4;

/// Time between two looks at whether the work was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// A file that is read over a network, part by part.
pub struct RemoteSource {
    stores: Arc<Stores>,
    object: Object,
    stamp: Stamp,
    /// All bytes, where they came at once.
    whole: Option<Bytes>,
    state: Mutex<State>,
    /// Said when a part came, or failed to come.
    came: Condvar,
}

#[derive(Debug, Default)]
struct State {
    segments: Segments,
    /// Ranges that somebody waits for, so that nobody else asks for them.
    coming: Vec<Range<u64>>,
    /// Ranges that somebody is about to copy.
    pinned: Vec<Range<u64>>,
    /// Readings in order that go on beside each other, such as those of threads; the last one is the newest.
    runs: Vec<Run>,
}

impl State {
    /// Whether somebody waits for a part of a range.
    fn is_coming(&self, range: &Range<u64>) -> bool {
        self.coming.iter().any(|it| it.start < range.end && range.start < it.end)
    }
}

/// A reading in order.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The end of what it asked for.
    reached: u64,
    /// Number of bytes that it asked for.
    ahead: u64,
}

impl fmt::Debug for RemoteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteSource").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl RemoteSource {
    /// Opens a file with one request, which brings its first bytes.
    ///
    /// # Errors
    /// Those of the `REMOTE_` codes; [`CANCELLED`](spelunk_core::codes::CANCELLED).
    pub(crate) fn open(stores: Arc<Stores>, object: Object) -> Result<RemoteSource> {
        let (asked, first) = (object.clone(), stores.options.first.max(1));
        let fetched = stores.worker.wait(async move { asked.get(0..first, None).await })??;
        let len = fetched.stamp.len();
        let whole = fetched
            .whole
            .or_else(|| (fetched.bytes.len() as u64 == len).then(|| fetched.bytes.clone()));
        let mut segments = Segments::default();
        if whole.is_none() {
            segments.insert(0, &fetched.bytes);
        }
        let reached = fetched.bytes.len() as u64;
        let runs = vec![Run { reached, ahead: first }];
        let state = State { segments, runs, ..State::default() };
        let (state, came) = (Mutex::new(state), Condvar::new());
        Ok(RemoteSource { stores, object, stamp: fetched.stamp, whole, state, came })
    }

    pub(crate) const fn state_read(&self) -> &Stamp {
        &self.stamp
    }

    /// Returns the time of the last change, where the server says it.
    pub fn modified(&self) -> Option<SystemTime> {
        self.stamp.modified()
    }

    /// Returns what distinguishes this state of the file from others: its tag, size and time, as far as the server has them.
    pub fn stamp(&self) -> String {
        self.stamp.text()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What to ask for, so that a range is there: a little more than it, and much more where a file is read in order.
    fn plan(&self, state: &mut State, range: &Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = merged(state.segments.missing(range), self.stores.options.gap);
        // Whoever has to wait plans anew afterwards.
        if gaps.iter().any(|gap| state.is_coming(gap)) {
            return gaps;
        }
        let Some(last) = gaps.last_mut() else { return gaps };
        let most = self.stores.options.piece;
        // Nearly in order: what lies between two parts of a file is passed over, and threads overtake each other.
        let is_near = |run: &Run| run.reached.abs_diff(last.start) <= self.stores.options.gap;
        let run = state.runs.iter().position(is_near).map(|nth| state.runs.remove(nth));
        let ahead = run.map_or(LEAST, |run| run.ahead.saturating_mul(2).clamp(LEAST, most));
        let wanted = last.end.max(last.start.saturating_add(ahead)).min(self.len());
        // Not over what is there, or is coming.
        let more = last.end..wanted;
        let free =
            state.segments.missing(&more).first().filter(|gap| gap.start == more.start).cloned();
        let end = free.map_or(last.end, |gap| gap.end);
        let coming = state.coming.iter().map(|coming| coming.start).filter(|at| *at >= last.end);
        last.end = coming.min().map_or(end, |at| at.min(end));
        if state.runs.len() == RUNS {
            state.runs.remove(0);
        }
        state.runs.push(Run { reached: last.end, ahead });
        gaps
    }

    /// Asks for ranges, several at a time.
    fn fetch(&self, gaps: &[Range<u64>]) -> Result<Vec<(u64, Bytes)>> {
        let piece = self.stores.options.piece.max(LEAST);
        let pieces = gaps.iter().flat_map(move |gap| {
            let (start, end) = (gap.start, gap.end);
            let count = end.saturating_sub(start).div_ceil(piece);
            (0..count).map(move |nth| {
                let at = start.saturating_add(nth.saturating_mul(piece));
                at..at.saturating_add(piece).min(end)
            })
        });
        let pieces: Vec<Range<u64>> = pieces.collect();
        let (object, stamp) = (self.object.clone(), self.stamp.clone());
        let at_once = self.stores.options.at_once.max(1);
        self.stores.worker.wait(async move {
            let (object, stamp) = (&object, &stamp);
            let asked = stream::iter(pieces).map(|range| async move {
                let fetched = object.get(range.clone(), Some(stamp)).await?;
                Ok((range.start, fetched.bytes))
            });
            asked.buffered(at_once).try_collect().await
        })?
    }

    /// Makes ranges be there, and does something with them before they may go.
    fn with<T>(
        &self,
        wanted: &Range<u64>,
        plan: impl Fn(&mut State) -> Vec<Range<u64>>,
        then: impl FnOnce(&mut State) -> T,
    ) -> Result<T> {
        let mut state = self.state();
        state.pinned.push(wanted.clone());
        let result = loop {
            let gaps = plan(&mut state);
            if gaps.is_empty() {
                break Ok(());
            }
            if gaps.iter().any(|gap| state.is_coming(gap)) {
                if let Err(error) = self.stores.worker.check() {
                    break Err(error);
                }
                let waited = self.came.wait_timeout(state, LOOK);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            state.coming.extend(gaps.iter().cloned());
            drop(state);
            let fetched = self.fetch(&gaps);
            state = self.state();
            state.coming.retain(|it| !gaps.contains(it));
            self.came.notify_all();
            match fetched {
                Ok(parts) => parts.iter().for_each(|(at, bytes)| state.segments.insert(*at, bytes)),
                Err(error) => break Err(error),
            }
        };
        let result = result.map(|()| then(&mut state));
        if let Some(own) = state.pinned.iter().position(|it| it == wanted) {
            state.pinned.swap_remove(own);
        }
        let State { segments, pinned, .. } = &mut *state;
        segments.shrink(self.stores.options.kept, pinned);
        result
    }
}

impl Source for RemoteSource {
    fn len(&self) -> u64 {
        self.stamp.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        if let Some(whole) = &self.whole {
            return whole.read_at(offset, buffer);
        }
        let range = offset..offset.saturating_add(buffer.len() as u64);
        if range.end > self.len() {
            return Err(truncated(&range, self.len()));
        }
        let round = self.stores.options.piece.max(LEAST).saturating_mul(ROUND);
        let size = usize::try_from(round).unwrap_or(usize::MAX);
        let mut at = offset;
        for part in buffer.chunks_mut(size) {
            let now = at..at.saturating_add(part.len() as u64);
            let is_there = self.with(
                &now,
                |state| self.plan(state, &now),
                |state| state.segments.copy(now.start, part),
            )?;
            debug_assert!(is_there, "what is pinned stays");
            at = now.end;
        }
        Ok(())
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        part(self.whole.as_ref()?, range)
    }

    fn is_remote(&self) -> bool {
        self.whole.is_none()
    }

    fn prefetch(&self, ranges: &[Range<u64>]) {
        if self.whole.is_some() {
            return;
        }
        let len = self.len();
        let within = |range: &Range<u64>| range.start.min(len)..range.end.min(len);
        let wanted = merged(ranges.iter().map(within).collect(), self.stores.options.gap);
        // What would push out what was just fetched is fetched when it is read.
        let mut room = self.stores.options.kept / 2;
        let fits = wanted.into_iter().take_while(|range| {
            let size = range.end.saturating_sub(range.start);
            let fits = size <= room;
            room = room.saturating_sub(size);
            fits
        });
        let wanted: Vec<Range<u64>> = fits.collect();
        let (Some(first), Some(last)) = (wanted.first(), wanted.last()) else { return };
        let all = first.start..last.end;
        let plan = |state: &mut State| {
            let missing = wanted.iter().flat_map(|range| state.segments.missing(range));
            merged(missing.collect(), self.stores.options.gap)
        };
        // Whoever reads the ranges is told what is wrong.
        let _ = self.with(&all, plan, |_| ());
    }
}
