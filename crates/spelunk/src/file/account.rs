//! The memory account of a file that several threads read at once.
//!
//! A call does not know what it will take. It is lent half of what is left, so that calls beside it have the other half to share, and
//! gives back what it does not keep. A call for which that was too little waits until the others that it can wait for are done, and is
//! made again with all that is left. So what a file takes is never more than its limit, and a call fails only where it would fail
//! alone. Nothing is locked while a call works.

use crate::{Budget, Collect, Error};
use spelunk_core::{Collector, codes};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The account.
pub(super) struct Account {
    ledger: Mutex<Ledger>,
    /// A call that others may wait for has ended.
    ended: Condvar,
    strict: bool,
}

struct Ledger {
    budget: Budget,
    findings: Collect,
    /// Calls that run no code of the caller, so that others may wait for them.
    working: usize,
}

/// Share of the account that a call is lent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Share {
    /// Half of what is left.
    Half,
    /// All that is left, when nobody works.
    All,
}

impl Account {
    pub(super) fn new(budget: Budget, findings: Collect, strict: bool) -> Arc<Account> {
        let ledger = Mutex::new(Ledger { budget, findings, working: 0 });
        Arc::new(Account { ledger, ended: Condvar::new(), strict })
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lends memory to a call. Where the call `is_own`, it runs no code of the caller.
    pub(super) fn lend(self: &Arc<Account>, share: Share, is_own: bool) -> Lent {
        let mut ledger = self.ledger();
        while share == Share::All && ledger.working > 0 {
            ledger = self.ended.wait(ledger).unwrap_or_else(PoisonError::into_inner);
        }
        let left = ledger.budget.left().memory;
        let lent = match share {
            Share::Half => left / 2,
            Share::All => left,
        };
        let mut budget = ledger.budget.clone().for_next_operation();
        // Both are parts of what is left.
        let _ = budget.memory(left.saturating_sub(lent));
        let _ = ledger.budget.memory(lent);
        if is_own {
            ledger.working = ledger.working.saturating_add(1);
        }
        Lent { account: self.clone(), budget, back: lent, is_own }
    }

    /// Wraps bytes that are charged already.
    pub(super) fn charge(self: &Arc<Account>, bytes: u64) -> Charge {
        Charge { account: self.clone(), bytes }
    }

    pub(super) fn release(&self, bytes: u64) {
        if bytes > 0 {
            self.ledger().budget.release(bytes);
        }
    }

    /// Memory that is left.
    pub(super) fn left(&self) -> u64 {
        self.ledger().budget.left().memory
    }

    /// A sink for the findings of one call.
    pub(super) fn sink(&self) -> Collector {
        Collector { findings: Collect::default(), is_strict: self.strict }
    }

    /// Keeps the findings of a call.
    pub(super) fn keep(&self, findings: Collect) {
        if !findings.counts().is_empty() {
            self.ledger().findings.absorb(findings);
        }
    }

    pub(super) fn take_findings(&self) -> Collect {
        std::mem::take(&mut self.ledger().findings)
    }

    pub(super) fn has_errors(&self) -> bool {
        self.ledger().findings.has_errors()
    }
}

/// A loan to a call. When it is dropped everything goes back that the call does not keep.
pub(super) struct Lent {
    account: Arc<Account>,
    /// Budget of the call.
    pub(super) budget: Budget,
    /// Bytes that go back at the end.
    back: u64,
    is_own: bool,
}

impl Lent {
    /// Ends the call: so much goes back.
    pub(super) fn end(mut self, back: u64) {
        self.back = back;
    }

    /// So much of it does not go back, however the call ends.
    pub(super) fn keep(&mut self, bytes: u64) {
        self.back = self.back.saturating_sub(bytes);
    }

    /// Returns the bytes that were lent.
    pub(super) const fn lent(&self) -> u64 {
        self.back
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut ledger = self.account.ledger();
        ledger.budget.release(self.back);
        if self.is_own {
            ledger.working = ledger.working.saturating_sub(1);
            self.account.ended.notify_all();
        }
    }
}

/// Memory that something takes which the caller holds, until that is dropped.
pub(super) struct Charge {
    account: Arc<Account>,
    bytes: u64,
}

impl Charge {
    /// More is charged.
    pub(super) fn grow(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.account.release(self.bytes);
    }
}

/// Whether a call failed because it was lent too little.
pub(super) fn wants_more(error: &Error) -> bool {
    error.code().id == codes::MEMORY.id
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn account(memory: u64) -> Arc<Account> {
        let limits = Limits { memory, ..Limits::for_len(0) };
        Account::new(Budget::new(limits), Collect::default(), false)
    }

    #[test]
    fn calls_share_what_is_left_and_give_back_what_they_do_not_keep() {
        let account = account(100);
        let first = account.lend(Share::Half, true);
        let second = account.lend(Share::Half, true);
        assert_eq!((first.lent(), second.lent(), account.left()), (50, 25, 25));
        assert_eq!(second.budget.left().memory, 25);
        second.end(20);
        assert_eq!(account.left(), 45);
        drop(first);
        assert_eq!(account.left(), 95, "one that panics gives back everything");
        let charge = account.charge(5);
        drop(charge);
        assert_eq!(account.left(), 100);
    }

    #[test]
    fn whoever_needs_all_waits_for_the_others() {
        let account = account(100);
        let first = account.lend(Share::Half, true);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| account.lend(Share::All, true).lent());
            first.end(50);
            assert_eq!(waits.join().unwrap(), 100);
        });
        let foreign = account.lend(Share::Half, false);
        assert_eq!(account.lend(Share::All, true).lent(), 50, "code of the caller may be waiting");
        drop(foreign);
    }
}
