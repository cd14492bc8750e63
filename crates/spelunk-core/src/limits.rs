//! Limits, and the budget that is drawn down before every allocation and repetition.
//!
//! A tiny file may ask for any inflated size, item count or recursion depth. Nothing is allocated for
//! such a number before [`Budget`] agrees.

use crate::{
    codes,
    error::{Error, Result},
    place::Span,
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// Resources that a piece of work may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory that may be allocated for content and tables.
    pub memory: u64,
    /// Steps of work: an item visited, or up to 64 bytes hashed, copied or inflated, is one.
    pub steps: u64,
    /// Structures inside structures.
    pub depth: u16,
    /// Expanded bytes for each stored byte; what a codec cannot reach is refused whatever this says.
    pub ratio: u32,
}

impl Limits {
    /// 64 MiB and eight times `len`; steps in proportion; depth 16; any ratio.
    pub const fn for_len(len: u64) -> Limits {
        let scaled = len.saturating_mul(8);
        Limits {
            memory: (64_u64 << 20).saturating_add(scaled),
            steps: (4_u64 << 20).saturating_add(scaled),
            depth: 16,
            ratio: u32::MAX,
        }
    }

    /// The same with another memory limit; the steps grow with it.
    #[must_use]
    pub const fn with_memory(self, memory: u64) -> Limits {
        let steps =
            if memory > self.memory { memory.saturating_add(self.steps) } else { self.steps };
        Limits { memory, steps, ..self }
    }

    /// No limit but the depth, which protects the stack.
    pub const fn unlimited() -> Limits {
        Limits { memory: u64::MAX, steps: u64::MAX, depth: 64, ratio: u32::MAX }
    }
}

/// A flag by which work is ended from another thread. Clones share it; every [`Budget`] that has one looks at it where it counts
/// steps.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<CancelFlag>);

#[derive(Debug, Default)]
struct CancelFlag {
    is_set: AtomicBool,
    above: Option<Cancel>,
}

impl Cancel {
    /// A flag for a part of the work: the part ends with the whole of it, and may be ended alone.
    #[must_use]
    pub fn below(&self) -> Cancel {
        Cancel(Arc::new(CancelFlag { above: Some(self.clone()), ..CancelFlag::default() }))
    }

    /// Ends all work that has this flag, now and until [`Cancel::reset`].
    pub fn cancel(&self) {
        self.0.is_set.store(true, Ordering::Relaxed);
    }

    /// Lets work go on again that begins from now on.
    pub fn reset(&self) {
        self.0.is_set.store(false, Ordering::Relaxed);
    }

    /// Whether the work is to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_set.load(Ordering::Relaxed)
            || self.0.above.as_ref().is_some_and(Cancel::is_cancelled)
    }

    /// Ends the work where it was cancelled.
    ///
    /// # Errors
    /// [`codes::CANCELLED`].
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::new(&codes::CANCELLED)) } else { Ok(()) }
    }
}

/// Resources that are left of [`Limits`].
#[derive(Clone, Debug)]
pub struct Budget {
    left: Limits,
    given: Limits,
    cancel: Option<Cancel>,
    /// Bytes that stay taken when the work is done, all together.
    kept: u64,
}

/// State of a budget when some work began.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    memory: u64,
    kept: u64,
}

impl Budget {
    /// The whole of these limits.
    pub const fn new(limits: Limits) -> Budget {
        Budget { left: limits, given: limits, cancel: None, kept: 0 }
    }

    /// The same, with a flag that ends the work: every step is an error once it is set.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Budget {
        self.end_with(cancel);
        self
    }

    /// Puts another flag that ends the work in the place of the one that is there.
    pub fn end_with(&mut self, cancel: Cancel) {
        self.cancel = Some(cancel);
    }

    /// Signal that ends the work, where it can be ended from another thread.
    pub const fn cancel(&self) -> Option<&Cancel> {
        self.cancel.as_ref()
    }

    /// Ends the work where it was cancelled, for work that takes no steps.
    ///
    /// # Errors
    /// [`codes::CANCELLED`].
    #[inline]
    pub fn check_cancelled(&self) -> Result<()> {
        self.cancel.as_ref().map_or(Ok(()), Cancel::check)
    }

    /// Resources that are left.
    pub const fn left(&self) -> Limits {
        self.left
    }

    /// Takes `bytes` of memory.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left; nothing is taken then.
    #[inline]
    pub fn memory(&mut self, bytes: u64) -> Result<()> {
        match self.left.memory.checked_sub(bytes) {
            Some(left) => {
                self.left.memory = left;
                Ok(())
            }
            None => Err(self.no_memory(bytes)),
        }
    }

    #[cold]
    fn no_memory(&self, bytes: u64) -> Error {
        Error::new(&codes::MEMORY)
            .expected(format!("at most {} bytes", self.given.memory))
            .found(format!("{bytes} bytes more than the rest of {}", self.left.memory))
    }

    /// Checks that so much more memory may be held for a moment.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left.
    pub fn afford(&mut self, bytes: u64) -> Result<()> {
        self.memory(bytes)?;
        self.release(bytes);
        Ok(())
    }

    /// Gives memory back that was freed.
    pub fn release(&mut self, bytes: u64) {
        self.left.memory = self.left.memory.saturating_add(bytes).min(self.given.memory);
    }

    /// State of the budget now, for [`Budget::keep`] and [`Budget::kept_since`].
    pub const fn mark(&self) -> Mark {
        Mark { memory: self.left.memory, kept: self.kept }
    }

    /// Puts what was made since `mark` where a container keeps it for next time; what it takes stays taken when the work is
    /// done, while whoever lent the memory gets the rest back. Where another thread was faster its value is given, and the
    /// memory of this one is given back.
    pub fn keep<'p, T>(&mut self, mark: Mark, place: &'p OnceLock<T>, value: T) -> &'p T {
        // What was kept on the way is counted already.
        let own = self.loose_since(mark);
        let mut is_new = false;
        let value = place.get_or_init(|| {
            is_new = true;
            value
        });
        match is_new {
            true => self.stay(own),
            false => self.release(own),
        }
        value
    }

    /// Notes that so much of what was taken belongs to something that outlasts the work.
    pub fn stay(&mut self, bytes: u64) {
        self.kept = self.kept.saturating_add(bytes);
    }

    /// Memory that was taken since `mark` and stays taken when the work is done.
    pub const fn kept_since(&self, mark: Mark) -> u64 {
        self.kept.saturating_sub(mark.kept)
    }

    /// Notes that whatever kept something since `mark` is gone: it is to go back like all else that was taken.
    pub const fn forget(&mut self, mark: Mark) {
        self.kept = mark.kept;
    }

    /// Memory that was taken since `mark` and neither went back nor stays.
    pub const fn loose_since(&self, mark: Mark) -> u64 {
        mark.memory.saturating_sub(self.left.memory).saturating_sub(self.kept_since(mark))
    }

    /// Ends work that began with `before` bytes left: what was taken since is given back but for `kept` bytes, and `freed`
    /// bytes are gone that were charged before.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left than is kept; nothing is given back then.
    pub fn settle(&mut self, before: u64, freed: u64, kept: u64) -> Result<()> {
        let free = before.saturating_add(freed).min(self.given.memory);
        let left = free.checked_sub(kept).ok_or_else(|| {
            Error::new(&codes::MEMORY)
                .expected(format!("at most {} bytes", self.given.memory))
                .found(format!("{kept} bytes more than the rest of {free}"))
        })?;
        self.left.memory = left;
        Ok(())
    }

    /// Takes the memory of `count` items of `T`, and an empty vector with room for them.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left or the allocator refuses.
    pub fn vec<T>(&mut self, count: u64) -> Result<Vec<T>> {
        let size = u64::try_from(size_of::<T>()).unwrap_or(u64::MAX).max(1);
        self.memory(count.saturating_mul(size))?;
        let count = usize::try_from(count).map_err(|_| Error::new(&codes::MEMORY).found(count))?;
        let mut items = Vec::new();
        if items.try_reserve_exact(count).is_err() {
            self.release((count as u64).saturating_mul(size));
            return Err(Error::new(&codes::MEMORY)
                .found(format!("{count} items that the allocator refused")));
        }
        Ok(items)
    }

    /// Makes room for `count` more items in a vector that this budget pays for. Where it has to grow it does so by an eighth,
    /// and while its items move there has to be memory for both places.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left or the allocator refuses; the vector stays as it is then.
    pub fn room<T>(&mut self, items: &mut Vec<T>, count: usize) -> Result<()> {
        let held = items.capacity();
        let missing = count.saturating_sub(held.saturating_sub(items.len()));
        if missing == 0 {
            return Ok(());
        }
        let size = size_of::<T>() as u64;
        let before = (held as u64).saturating_mul(size);
        self.memory(before)?;
        let more = missing.max(held / 8);
        let grown = self.memory((more as u64).saturating_mul(size));
        self.release(before);
        grown?;
        let wanted = held.saturating_add(more).saturating_sub(items.len());
        if items.try_reserve_exact(wanted).is_err() {
            self.release((more as u64).saturating_mul(size));
            return Err(Error::new(&codes::MEMORY)
                .found(format!("{count} items more that the allocator refused")));
        }
        Ok(())
    }

    /// The same memory and depth, and all steps again: work is limited for each operation on a file, memory
    /// for as long as it is open.
    #[must_use]
    pub const fn for_next_operation(mut self) -> Budget {
        self.left.steps = self.given.steps;
        self
    }

    /// The budget of a thread that shares the work: a part of the memory, and all of the steps, which whoever shares it
    /// takes from its own when the work is done.
    #[must_use]
    pub fn fork(&self, memory: u64) -> Budget {
        let left = Limits { memory: memory.min(self.left.memory), ..self.left };
        Budget { left, given: left, cancel: self.cancel.clone(), kept: self.kept }
    }

    /// The steps that were taken.
    pub const fn steps_taken(&self) -> u64 {
        self.given.steps.saturating_sub(self.left.steps)
    }

    /// Takes `count` steps of work.
    ///
    /// # Errors
    /// [`codes::STEPS`] when fewer are left; [`codes::CANCELLED`].
    #[inline]
    pub fn steps(&mut self, count: u64) -> Result<()> {
        self.check_cancelled()?;
        match self.left.steps.checked_sub(count) {
            Some(left) => {
                self.left.steps = left;
                Ok(())
            }
            None => Err(self.no_steps()),
        }
    }

    #[cold]
    fn no_steps(&mut self) -> Error {
        self.left.steps = 0;
        Error::new(&codes::STEPS).expected(format!("at most {} steps", self.given.steps))
    }

    /// Takes the steps for touching `bytes` bytes: one, and one more for each 64.
    ///
    /// # Errors
    /// [`codes::STEPS`] when fewer are left.
    #[inline]
    pub fn touch(&mut self, bytes: u64) -> Result<()> {
        self.steps((bytes >> 6).saturating_add(1))
    }

    /// Goes one level deeper; [`Budget::rise`] comes back.
    ///
    /// # Errors
    /// [`codes::DEPTH`] at the limit.
    pub fn descend(&mut self) -> Result<()> {
        match self.left.depth.checked_sub(1) {
            Some(left) => {
                self.left.depth = left;
                Ok(())
            }
            None => {
                Err(Error::new(&codes::DEPTH)
                    .expected(format!("at most {} levels", self.given.depth)))
            }
        }
    }

    /// Comes back from [`Budget::descend`].
    pub fn rise(&mut self) {
        self.left.depth = self.left.depth.saturating_add(1).min(self.given.depth);
    }

    /// Agrees to expand `stored` bytes to `plain` bytes, and takes the steps for it; memory is taken apart.
    ///
    /// # Errors
    /// [`codes::EXPANSION`] or [`codes::STEPS`], at `at`.
    pub fn expand(&mut self, stored: u64, plain: u64, at: Span) -> Result<()> {
        self.agree(stored, plain, at)?;
        self.touch(plain).map_err(|error| error.at(at))
    }

    /// Agrees that `stored` bytes are as many as `plain` bytes; no steps are taken for it.
    ///
    /// # Errors
    /// [`codes::EXPANSION`], at `at`.
    pub fn agree(&self, stored: u64, plain: u64, at: Span) -> Result<()> {
        // A floor of 64 stored bytes: tiny streams of constant data legally reach any ratio.
        if plain > stored.max(64).saturating_mul(u64::from(self.given.ratio)) {
            return Err(Error::new(&codes::EXPANSION)
                .at(at)
                .expected(format!("at most {} times {stored} bytes", self.given.ratio))
                .found(format!("{plain} bytes")));
        }
        Ok(())
    }

    /// Makes a buffer that is used again and again at least `len` bytes long. Its old content is lost; only its
    /// growth is taken from the memory.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when less is left or the allocator refuses.
    pub fn grow(&mut self, buffer: &mut Vec<u8>, len: u64) -> Result<()> {
        let refused = || Error::new(&codes::MEMORY).found(len);
        let len = usize::try_from(len).map_err(|_| refused())?;
        if len <= buffer.len() {
            return Ok(());
        }
        // The old content is of no use, so a new buffer is made instead of moving it; at least double the
        // size, where the limit allows, so that growing step by step stays cheap.
        self.release(buffer.len() as u64);
        let doubled = len.max(buffer.len().saturating_mul(2));
        *buffer = Vec::new();
        let (size, mut new) = match self.vec::<u8>(doubled as u64) {
            Ok(new) => (doubled, new),
            Err(_) => (len, self.vec::<u8>(len as u64)?),
        };
        new.resize(size, 0);
        *buffer = new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_taken_once_and_can_be_given_back() {
        let mut budget = Budget::new(Limits { memory: 10, ..Limits::for_len(0) });
        budget.memory(7).unwrap();
        assert_eq!(budget.memory(4).unwrap_err().code().id, "SP010");
        assert_eq!(budget.left().memory, 3, "a refusal takes nothing");
        budget.release(100);
        assert_eq!(budget.left().memory, 10, "never more than was given");
    }

    #[test]
    fn work_is_settled_to_what_it_leaves() {
        let mut budget = Budget::new(Limits { memory: 100, ..Limits::for_len(0) });
        budget.memory(30).unwrap();
        let before = budget.left().memory;
        budget.memory(60).unwrap();
        assert_eq!(budget.settle(before, 20, 91).unwrap_err().code().id, "SP010");
        assert_eq!(budget.left().memory, 10, "a refusal gives nothing back");
        budget.settle(before, 20, 25).unwrap();
        assert_eq!(budget.left().memory, 65);
        budget.settle(65, 1000, 0).unwrap();
        assert_eq!(budget.left().memory, 100, "never more than was given");
    }

    #[test]
    fn what_is_kept_for_next_time_is_told_from_what_the_work_took() {
        let mut budget = Budget::new(Limits { memory: 100, ..Limits::for_len(0) });
        let (inner, outer) = (OnceLock::new(), OnceLock::new());
        budget.memory(5).unwrap();
        let all = budget.mark();
        budget.memory(10).unwrap();
        let mark = budget.mark();
        budget.memory(20).unwrap();
        let within = budget.mark();
        budget.memory(30).unwrap();
        assert_eq!(budget.keep(within, &inner, 'i'), &'i');
        assert_eq!(budget.keep(mark, &outer, 'o'), &'o');
        assert_eq!((budget.kept_since(all), budget.left().memory), (50, 35), "nothing twice");
        let late = budget.mark();
        budget.memory(30).unwrap();
        assert_eq!(budget.keep(late, &outer, 'l'), &'o', "whoever was first");
        assert_eq!((budget.kept_since(all), budget.left().memory), (50, 35));
        assert_eq!(budget.loose_since(all), 10);
        budget.forget(all);
        assert_eq!((budget.kept_since(all), budget.loose_since(all)), (0, 60));
    }

    #[test]
    fn vectors_are_charged_before_they_are_allocated() {
        let mut budget = Budget::new(Limits::for_len(0));
        assert!(budget.vec::<u64>(u64::MAX / 2).is_err());
        assert!(budget.vec::<u64>(1000).unwrap().capacity() >= 1000);
    }

    #[test]
    fn a_vector_grows_where_there_is_memory_for_both_places() {
        let mut budget = Budget::new(Limits { memory: 100, ..Limits::for_len(0) });
        let mut items: Vec<u8> = Vec::new();
        budget.room(&mut items, 40).unwrap();
        items.extend([0; 40]);
        assert_eq!((items.capacity(), budget.left().memory), (40, 60));
        budget.room(&mut items, 1).unwrap();
        assert_eq!((items.capacity(), budget.left().memory), (45, 55), "an eighth more");
        items.extend([0; 1]);
        budget.room(&mut items, 4).unwrap();
        assert_eq!(budget.left().memory, 55, "there was room");
        assert!(budget.room(&mut items, 15).is_err(), "45 and 56 are more than 100");
        assert_eq!((items.capacity(), budget.left().memory), (45, 55), "nothing is taken");
    }

    #[test]
    fn a_flag_ends_the_work_of_all_that_share_it() {
        let cancel = Cancel::default();
        let mut budget = Budget::new(Limits::for_len(0)).with_cancel(cancel.clone());
        let mut part = budget.fork(10);
        budget.touch(100).unwrap();
        part.steps(1).unwrap();
        cancel.cancel();
        for budget in [&mut budget, &mut part] {
            assert_eq!(budget.steps(1).unwrap_err().code(), &codes::CANCELLED);
        }
        Budget::new(Limits::for_len(0)).steps(1).unwrap();
        cancel.reset();
        budget.steps(1).unwrap();
    }

    #[test]
    fn depth_comes_back() {
        let mut budget = Budget::new(Limits { depth: 1, ..Limits::for_len(0) });
        budget.descend().unwrap();
        assert_eq!(budget.descend().unwrap_err().code().id, "SP012");
        budget.rise();
        budget.descend().unwrap();
    }

    #[test]
    fn a_buffer_that_is_used_again_is_charged_for_its_growth() {
        let mut budget = Budget::new(Limits { memory: 100, ..Limits::for_len(0) });
        let mut buffer = Vec::new();
        for (len, left) in [(30, 70), (20, 70), (31, 40), (70, 30)] {
            budget.grow(&mut buffer, len).unwrap();
            assert_eq!(budget.left().memory, left);
        }
        assert!(budget.grow(&mut buffer, 101).is_err());
        assert_eq!(budget.left().memory, 100, "nothing is held and nothing is charged");
    }

    #[test]
    fn tiny_streams_may_expand_and_absurd_ones_may_not() {
        let at = Span::file(0, 0);
        let mut budget = Budget::new(Limits { ratio: 10, ..Limits::for_len(0) });
        budget.expand(20, 640, at).unwrap();
        assert_eq!(budget.expand(100, 1001, at).unwrap_err().code().id, "SP013");
    }
}
