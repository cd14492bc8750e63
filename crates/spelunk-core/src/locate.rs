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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{field::Ty, walk::finish};

    static NUMBER: Field = Field::new("number", Ty::U8, "A number.");
    static ROWS: Record = Record::group("rows", "docs/formats/README.md", "Rows.");

    fn three_rows(walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("rows", &ROWS, Some(Span::file(0, 6))), |walk| {
            for index in 0..3 {
                let at = Span::file(index * 2, 2);
                walk.group(&Group::item(index as usize, &ROWS, Some(at)), |walk| {
                    walk.field(&NUMBER, Some(at), Val::U(index))
                })?;
            }
            Ok(())
        })
    }

    #[test]
    fn locate_finds_the_field_and_its_groups() {
        let mut locate = Locate::new(Space::FILE, 3);
        finish(three_rows(&mut locate)).unwrap();
        let found = locate.found.unwrap();
        assert_eq!(found.field.path, "rows[1].number");
        assert_eq!(found.groups.len(), 2);
        let mut past_the_end = Locate::new(Space::FILE, 6);
        finish(three_rows(&mut past_the_end)).unwrap();
        assert!(past_the_end.found.is_none());
    }
}
