//! Search for the field that holds a byte.

use crate::{
    error::Seg,
    field::{Field, Record, Val},
    place::{Space, Span},
    walk::{FlatField, Group, Halt, Shape, Step, Trail, Walk, Walked},
};

/// Finds the field that holds one byte, and the groups around it. Groups that do not hold the byte are
/// skipped.
#[derive(Debug)]
pub struct Locate {
    space: Space,
    offset: u64,
    trail: Trail,
    /// The field, once found.
    pub found: Option<Located>,
}

/// Result of [`Locate`].
#[derive(Debug)]
pub struct Located {
    /// The field with its path.
    pub field: FlatField,
    /// Name and description of every group around it, outermost first.
    pub groups: Vec<(Seg<'static>, &'static Record)>,
}

impl Locate {
    /// Looks for the byte at `offset` of `space`.
    pub fn new(space: Space, offset: u64) -> Locate {
        Locate { space, offset, trail: Trail::default(), found: None }
    }
}

impl Walk for Locate {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        // A group in another space may hold groups of the wanted one; lists in the same space are
        // searched by their span alone.
        let skip = group
            .at
            .is_some_and(|at| at.space == self.space && !at.contains(self.space, self.offset));
        if skip {
            return Ok(Step::Over);
        }
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let path = self.trail.path(field);
        if !at.is_some_and(|at| at.contains(self.space, self.offset)) {
            return Ok(());
        }
        let record = self.trail.record();
        let field = FlatField { path, field, record, at, value: value.into_owned() };
        let groups = self.trail.open().map(|(name, record)| (name.clone(), record)).collect();
        self.found = Some(Located { field, groups });
        Err(Halt::Stop)
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
