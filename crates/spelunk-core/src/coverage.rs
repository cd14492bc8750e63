//! The bytes that the fields of a walk cover.

use crate::{
    field::{Field, Val},
    place::{Space, Span},
    walk::{Group, Halt, Shape, Step, Walk, Walked},
};
use std::collections::BTreeMap;

/// Bytes that the fields of a walk cover, space by space.
#[derive(Default, Debug)]
pub struct Coverage {
    spans: BTreeMap<Space, Vec<(u64, u64)>>,
}

/// A fault that [`Coverage::check`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No field covers these bytes.
    Gap(Span),
    /// More than one field covers these bytes, or they lie outside the space.
    Twice(Span),
}

impl Coverage {
    /// Stretches of the first `len` bytes of `space` that are not covered exactly once.
    pub fn check(&mut self, space: Space, len: u64) -> Vec<Fault> {
        let mut faults = Vec::new();
        let spans = self.spans.entry(space).or_default();
        spans.sort_unstable();
        let mut at = 0;
        for &(start, end) in spans.iter() {
            if start > at {
                faults.push(Fault::Gap(Span::new(space, at, start.saturating_sub(at))));
            }
            if start < at {
                let twice = at.min(end).saturating_sub(start);
                faults.push(Fault::Twice(Span::new(space, start, twice)));
            }
            at = at.max(end);
        }
        if at < len {
            faults.push(Fault::Gap(Span::new(space, at, len.saturating_sub(at))));
        }
        if at > len {
            faults.push(Fault::Twice(Span::new(space, len, at.saturating_sub(len))));
        }
        faults
    }

    /// The spaces that fields lie in.
    pub fn spaces(&self) -> impl Iterator<Item = Space> + '_ {
        self.spans.keys().copied()
    }
}

impl Walk for Coverage {
    fn enter(&mut self, _group: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, _field: &'static Field, at: Option<Span>, _value: Val<'_>) -> Walked {
        if let Some(at) = at.filter(|at| at.len > 0) {
            let spans = self.spans.entry(at.space).or_default();
            // Neighbours are one stretch: files have millions of fields.
            match spans.last_mut() {
                Some((_, end)) if *end == at.start => *end = at.end(),
                _ => spans.push((at.start, at.end())),
            }
        }
        Ok(())
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        Ok(())
    }
}
