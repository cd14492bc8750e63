//! What a verb gave and nobody has taken yet: few items, and few bytes.
//!
//! A channel of the standard library counts items alone, so that large ones would take any memory; and it gives the thread that waits a
//! name, which is never freed for the first thread of a program.

use std::{
    collections::VecDeque,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// Items that wait at the most.
const MOST: usize = 256;
/// Bytes of them at the most, but for a single item that is larger.
const MOST_BYTES: usize = 1 << 20;

/// Time after which an item that waits for room is asked whether it still can.
const PATIENCE: Duration = Duration::from_millis(20);

/// Items on their way from one thread to another.
pub(super) struct Queue<T> {
    waiting: Mutex<Waiting<T>>,
    changed: Condvar,
}

struct Waiting<T> {
    /// Items, with the memory in bytes that each takes.
    items: VecDeque<(T, usize)>,
    bytes: usize,
    /// Whether nobody takes items any more.
    is_closed: bool,
}

impl<T> Default for Queue<T> {
    fn default() -> Queue<T> {
        let waiting = Waiting { items: VecDeque::new(), bytes: 0, is_closed: false };
        Queue { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }
}

impl<T> Waiting<T> {
    fn has_room(&self, size: usize) -> bool {
        let fits = self.bytes.saturating_add(size) <= MOST_BYTES && self.items.len() < MOST;
        self.items.is_empty() || fits
    }

    fn put(&mut self, item: T, size: usize) {
        self.bytes = self.bytes.saturating_add(size);
        self.items.push_back((item, size));
    }
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'w>(&self, waiting: MutexGuard<'w, Waiting<T>>) -> MutexGuard<'w, Waiting<T>> {
        self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for this time at the most.
    fn wait_for<'w>(
        &self,
        waiting: MutexGuard<'w, Waiting<T>>,
        time: Duration,
    ) -> MutexGuard<'w, Waiting<T>> {
        self.changed.wait_timeout(waiting, time).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Puts an item of about `size` bytes behind the others, when there is room, or when `is_urgent` says that it cannot wait. Returns
    /// whether somebody will take it.
    pub(super) fn push(&self, item: T, size: usize, is_urgent: impl Fn() -> bool) -> bool {
        let mut waiting = self.lock();
        while !waiting.is_closed && !waiting.has_room(size) && !is_urgent() {
            waiting = self.wait_for(waiting, PATIENCE);
        }
        if waiting.is_closed {
            return false;
        }
        waiting.put(item, size);
        drop(waiting);
        self.changed.notify_all();
        true
    }

    /// Puts an item behind the others if there is room; otherwise it is not missed.
    pub(super) fn offer(&self, item: T, size: usize) {
        let mut waiting = self.lock();
        if !waiting.is_closed && waiting.has_room(size) {
            waiting.put(item, size);
            drop(waiting);
            self.changed.notify_all();
        }
    }

    /// Takes the first item, when there is one; none where none will come. With a time it waits no longer than that.
    pub(super) fn pop(&self, patience: Option<Duration>) -> Option<T> {
        let begun = Instant::now();
        let mut waiting = self.lock();
        loop {
            if let Some((item, size)) = waiting.items.pop_front() {
                waiting.bytes = waiting.bytes.saturating_sub(size);
                drop(waiting);
                self.changed.notify_all();
                return Some(item);
            }
            if waiting.is_closed {
                return None;
            }
            waiting = match patience.map(|patience| patience.saturating_sub(begun.elapsed())) {
                None => self.wait(waiting),
                Some(Duration::ZERO) => return None,
                Some(left) => self.wait_for(waiting, left),
            };
        }
    }

    /// Takes no more items. Those that wait can still be had.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Arc, thread};

    #[test]
    fn few_items_and_few_bytes_wait() {
        let queue = Queue::default();
        // One that is too large is taken alone.
        assert!(queue.push(0, MOST_BYTES * 3, || false));
        queue.offer(1, 1);
        assert_eq!(queue.pop(None), Some(0));
        for nth in 0..MOST + 5 {
            queue.offer(nth, 1);
        }
        let waiting = queue.lock();
        assert_eq!((waiting.items.len(), waiting.bytes), (MOST, MOST));
        drop(waiting);
        assert!(queue.push(8, 1, || true));
        assert_eq!(queue.lock().items.len(), MOST + 1);
        queue.close();
        assert!(!queue.push(7, 1, || false));
        while queue.pop(Some(Duration::ZERO)).is_some() {}
        assert_eq!(queue.pop(None), None);
    }

    #[test]
    fn nobody_waits_longer_than_wanted() {
        let queue = Queue::<u8>::default();
        assert_eq!(queue.pop(Some(Duration::ZERO)), None);
        assert_eq!(queue.pop(Some(Duration::from_millis(1))), None);
    }

    #[test]
    fn who_is_faster_waits() {
        let queue = Arc::new(Queue::default());
        let filled = queue.clone();
        let filler = thread::spawn(move || {
            (0..10_000).all(|nth| filled.push(nth, MOST_BYTES / 3, || false))
        });
        for nth in 0..10_000 {
            assert_eq!(queue.pop(None), Some(nth));
            assert!(queue.lock().bytes <= MOST_BYTES);
        }
        assert!(filler.join().unwrap());
    }
}
