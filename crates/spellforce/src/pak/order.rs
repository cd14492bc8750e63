//! Knowledge of the order of entries, as look-ups gain it.

use std::sync::{OnceLock, atomic::AtomicBool};

/// Tables for look-ups, each made when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// Whether a path was not found before.
    pub(super) missed: AtomicBool,
    pub(super) order: OnceLock<EntryOrder>,
}

/// In what order the entries are.
#[derive(Debug)]
pub(super) enum EntryOrder {
    /// As they should be, all paths in small letters: bisection finds what is there.
    Sound,
    /// In another one. Hashes of the paths in small letters, with positions, sorted.
    Own(Vec<(u16, u32)>),
}

impl Lookups {
    /// Bytes of memory that it takes.
    pub(super) fn held(&self) -> u64 {
        match self.order.get() {
            Some(EntryOrder::Own(order)) => {
                (order.len() as u64).saturating_mul(size_of::<(u16, u32)>() as u64)
            }
            Some(EntryOrder::Sound) | None => 0,
        }
    }
}
