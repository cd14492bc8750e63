//! Coverage: how many bytes of a file are understood.

use crate::{
    Container, Field, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    core::walk::{Group, Halt, finish},
};
use spelunk_core::field::Role;

/// Bytes of a file by what is known of them. A packed part counts with what it inflates to, since that has
/// fields of its own. One that cannot be inflated, which is damage, counts as opaque or not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, schemars::JsonSchema)]
pub struct Coverage {
    /// All bytes: those of the file that are not packed, and those that packed parts inflate to.
    pub bytes: u64,
    /// Bytes whose meaning is known.
    pub understood: u64,
    /// Bytes that fill gaps and mean nothing.
    pub padding: u64,
    /// Bytes that belong to a known place, with unknown meaning.
    pub opaque: u64,
    /// Bytes that no field covers: none, unless the walk over the file ended early.
    pub unaccounted: u64,
}

impl Coverage {
    /// Walks the whole of a container and counts.
    ///
    /// # Errors
    /// Limits, and what the task's sink makes of damage that is met.
    pub fn of(container: &dyn Container, task: &mut Task<'_>) -> Result<Coverage> {
        let mut count = Count::default();
        finish(container.layout(task, &mut count))?;
        let Count { mut coverage, packed, spaces } = count;
        // The walk of a part that cannot be inflated does not enter its space.
        let all = container
            .spaces()
            .into_iter()
            .filter(|span| spaces.contains(&span.space))
            .fold(container.size(), |sum: u64, span| sum.saturating_add(span.len));
        // Packed parts may lie in what others inflate to.
        coverage.bytes = all.saturating_sub(packed);
        let known = [coverage.understood, coverage.padding, coverage.opaque];
        let known = known.into_iter().fold(0, u64::saturating_add);
        coverage.unaccounted = coverage.bytes.saturating_sub(known);
        Ok(coverage)
    }

    /// Adds what another file holds.
    pub fn add(&mut self, other: &Coverage) {
        let Coverage { bytes, understood, padding, opaque, unaccounted } = other;
        for (sum, more) in [
            (&mut self.bytes, bytes),
            (&mut self.understood, understood),
            (&mut self.padding, padding),
            (&mut self.opaque, opaque),
            (&mut self.unaccounted, unaccounted),
        ] {
            *sum = sum.saturating_add(*more);
        }
    }
}

/// Counts fields by their role.
#[derive(Default)]
struct Count {
    coverage: Coverage,
    packed: u64,
    /// The spaces that fields lie in, besides the file.
    spaces: std::collections::BTreeSet<crate::Space>,
}

impl Walk for Count {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        let Some(at) = at else { return Ok(()) };
        let sum = match field.role {
            Role::Understood => &mut self.coverage.understood,
            Role::Padding => &mut self.coverage.padding,
            Role::Opaque => &mut self.coverage.opaque,
            Role::Packed => &mut self.packed,
        };
        *sum = sum.saturating_add(at.len);
        if at.space != crate::Space::FILE && !self.spaces.contains(&at.space) {
            self.spaces.insert(at.space);
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bytes, Opened, Options};
    use std::sync::Arc;

    /// Every byte of every sample is accounted for, and its packed parts count with what is in them.
    #[test]
    fn every_byte_is_accounted_for() {
        for sample in spelunk_fixtures::samples() {
            let bytes = Bytes::from(sample.fixture.bytes);
            let Ok(mut opened) = Opened::open(Arc::new(bytes.clone()), &Options::default()) else {
                assert_eq!(sample.dialect, Some("spec"), "{}", sample.name);
                continue;
            };
            let coverage = opened.run(Coverage::of).unwrap();
            assert_eq!(coverage.unaccounted, 0, "{}", sample.name);
            let sum = coverage.understood + coverage.padding + coverage.opaque;
            assert_eq!(sum, coverage.bytes, "{}", sample.name);
            assert!(coverage.understood > 0, "{}", sample.name);
            if opened.container().spaces().is_empty() {
                assert_eq!(coverage.bytes, bytes.len() as u64, "{}", sample.name);
            }
        }
    }
}
