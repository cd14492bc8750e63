//! Counts of things that are alike.

/// The first of several things, and how many there are with how many bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally<T> {
    pub(super) first: Option<T>,
    pub(super) count: u64,
    pub(super) bytes: u64,
}

impl<T> Default for Tally<T> {
    fn default() -> Tally<T> {
        Tally { first: None, count: 0, bytes: 0 }
    }
}

impl<T> Tally<T> {
    pub(super) fn add(&mut self, one: T, bytes: u64) {
        self.first.get_or_insert(one);
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}
