//! Entities that stand below another one, and move with it.

use super::{File, data::Owner, value::has_no_value};
use crate::{
    class,
    class::entity_3d::EntityData,
    codes,
    scene::{matrix::Matrix, save::entity_of},
};
use spelunk_core::{Budget, Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The bit of the flags of moveables of entities that are mirrored.
const INDIRECT: u32 = 0x100_0000;

/// Whether the path of a field is one of where an entity is.
pub(crate) fn is_place(path: &str) -> bool {
    let field = path.strip_prefix("entity.").unwrap_or_default();
    let field = field.split(['.', '[']).next().unwrap_or_default();
    matches!(field, "position" | "x_axis" | "y_axis" | "z_axis")
}

impl File {
    /// Matrix of an entity in the world; `None` for objects without a place.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub(crate) fn world(&self, index: u32, budget: &mut Budget) -> Result<Option<Matrix>> {
        let data = self.entity(index, budget)?;
        Ok(data.map(|(_, world)| world))
    }

    /// The parent of an entity, and where it is.
    fn entity(&self, index: u32, budget: &mut Budget) -> Result<Option<(Option<u32>, Matrix)>> {
        if !self.class_of(index).is_some_and(|id| class::is_a(id, class::ENTITY_3D)) {
            return Ok(None);
        }
        let before = budget.left().memory;
        let mut value = match self.value(Owner::Object(index), &mut Vec::new(), budget) {
            Err(error) if has_no_value(&error) => return Ok(None),
            value => value?,
        };
        let file_mode = value.as_ref().is_none_or(|saved| saved.header.file_mode);
        let entity = value.as_mut().and_then(|saved| entity_of(&mut saved.value));
        let data = entity.and_then(|entity| entity.data.as_ref()).map(|data| {
            let parent = data.parent.and_then(|parent| parent.get(file_mode).value());
            (parent, Matrix::of_rows(data.world_matrix()))
        });
        budget.release(before.saturating_sub(budget.left().memory));
        Ok(data)
    }

    /// Parents and children of the entities.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub(crate) fn family(&self, budget: &mut Budget) -> Result<EntityHierarchy> {
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut charged = 0_u64;
        for (child, _) in (0..).zip(&self.table.objects) {
            budget.steps(1)?;
            if let Some((Some(parent), _)) = self.entity(child, budget)? {
                budget.memory(32)?;
                charged = charged.saturating_add(32);
                children.entry(parent).or_default().push(child);
            }
        }
        Ok(EntityHierarchy { children, charged })
    }

    /// The positions of all entities that stand below one, directly or through others.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub fn entities_below(&self, index: u32, budget: &mut Budget) -> Result<Vec<u32>> {
        let family = self.family(budget)?;
        let below = family.below(index, budget);
        family.release(budget);
        below
    }

    /// Moves all entities below one that has been at another place before, so that each is where it was as seen from it;
    /// gives how many.
    ///
    /// # Errors
    /// [`codes::VALUE`] where the old place was flat, so that nothing follows from it; those of [`File::set_value`].
    pub fn move_below(&mut self, index: u32, before: &Matrix, budget: &mut Budget) -> Result<u64> {
        let below = self.entities_below(index, budget)?;
        self.move_all(index, before, &below, budget)
    }

    /// The same for entities that are known to stand below it.
    pub(crate) fn move_all(
        &mut self,
        index: u32,
        before: &Matrix,
        below: &[u32],
        budget: &mut Budget,
    ) -> Result<u64> {
        let Some(now) = self.world(index, budget)?.filter(|_| !below.is_empty()) else {
            return Ok(0);
        };
        let [old, new] = [before.rows(), now.rows()];
        if let ([old_axes @ .., old], [new_axes @ .., new]) = (&old, &new)
            && old_axes == new_axes
        {
            // Nothing turns, so no axis is calculated anew.
            let by = [0, 1, 2].map(|n| {
                let at = |row: &[f32; 4]| row.get(n).copied().map_or(0.0, f64::from);
                at(new) - at(old)
            });
            return self.place_all(below, budget, |data| {
                for (position, by) in data.position.iter_mut().zip(by) {
                    *position = (f64::from(*position) + by) as f32;
                }
            });
        }
        let back = before.inverse().ok_or_else(|| {
            Error::new(&codes::VALUE)
                .field("entity")
                .expected("axes that span space, from which entities below can be moved")
                .found("flat ones")
        })?;
        let change = back.then(&now);
        self.place_all(below, budget, |data| {
            let world = Matrix::of_rows(data.world_matrix()).then(&change);
            let [x, y, z, position] = world.rows().map(|[x, y, z, _]| [x, y, z]);
            (data.x_axis, data.y_axis, data.z_axis, data.position) = (x, y, z, position);
            data.moveable_flags &= !INDIRECT;
            if world.determinant() < 0.0 {
                data.moveable_flags |= INDIRECT;
            }
        })
    }

    /// Puts entities at other places; gives how many.
    fn place_all(
        &mut self,
        entities: &[u32],
        budget: &mut Budget,
        mut place: impl FnMut(&mut EntityData),
    ) -> Result<u64> {
        for child in entities {
            let owner = Owner::Object(*child);
            let Some(mut saved) = self.value(owner, &mut Vec::new(), budget)? else { continue };
            let Some(data) = entity_of(&mut saved.value).and_then(|entity| entity.data.as_mut())
            else {
                continue;
            };
            place(data);
            self.set_value(owner, &mut saved, budget)?;
        }
        Ok(entities.len() as u64)
    }
}

/// Entities by what they stand below of.
pub(crate) struct EntityHierarchy {
    children: BTreeMap<u32, Vec<u32>>,
    charged: u64,
}

impl EntityHierarchy {
    /// The positions of all entities that stand below one, directly or through others, in ascending order.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn below(&self, index: u32, budget: &mut Budget) -> Result<Vec<u32>> {
        let mut seen = BTreeSet::from([index]);
        let mut below = Vec::new();
        let mut next = vec![index];
        while let Some(parent) = next.pop() {
            budget.steps(1)?;
            for child in self.children.get(&parent).into_iter().flatten() {
                // Parents that go round in a circle end here.
                if seen.insert(*child) {
                    below.push(*child);
                    next.push(*child);
                }
            }
        }
        below.sort_unstable();
        Ok(below)
    }

    /// Gives its memory back to the budget that it was taken from.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release(self.charged);
    }
}
