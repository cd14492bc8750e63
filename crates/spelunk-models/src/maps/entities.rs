//! Everything on a map that has a place, in one form.

use super::{colors::Color, frame::Frame};
use serde_json::{Value, json as object};
use spellforce::map2::Thing;
use spelunk_core::{
    Field, Group, Record, Seg, Span, Task, Val, Walk, Walked,
    walk::{Halt, Shape, Step},
};

/// A kind of entity, and its colour in pictures.
#[derive(Clone, Copy, Debug)]
pub struct EntityKind {
    /// Name of the kind.
    pub name: &'static str,
    /// Colour of its marks.
    pub color: Color,
}

/// Place of an entity.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// In the middle of a cell: column and row.
    Cell(i16, i16),
    /// Anywhere.
    Point {
        /// Position: x to the east, y upwards, z to the north.
        position: [f32; 3],
        /// Turns about x, y and z, in radians.
        rotation: [f32; 3],
        /// Size, of which 1 is the usual one.
        scale: f32,
    },
}

impl Place {
    /// The place on the map, in cells from its corner.
    pub fn spot(&self, frame: &Frame) -> [f32; 2] {
        match *self {
            Place::Cell(x, y) => [x, y].map(|at| f32::from(at) + 0.5),
            Place::Point { position: [x, _, z], .. } => [x, z].map(|at| at / frame.cell),
        }
    }

    /// Turns about x, y and z, where it has some.
    pub fn turns(&self) -> Option<Value> {
        match *self {
            Place::Cell(..) => None,
            Place::Point { rotation, .. } => Some(object!(rotation)),
        }
    }

    /// The coordinates of the place in data: column and row, or x, z and y, so that the height is the third one.
    pub fn coordinates(&self) -> Value {
        match *self {
            Place::Cell(x, y) => object!([x, y]),
            Place::Point { position: [x, y, z], .. } => object!([x, z, y]),
        }
    }
}

/// The record of an entity.
#[derive(Clone, Copy, Debug)]
pub enum EntityRecord<'m> {
    /// One of a fixed layout, and its bytes in its newest layout.
    Fixed(&'static Record, &'m [u8]),
    /// One of a map of the second game.
    Thing(&'m Thing),
}

/// Something on a map that has a place.
#[derive(Clone, Copy, Debug)]
pub struct Entity<'m> {
    /// The name of its list, as in paths.
    pub list: &'static str,
    /// The name of its [kind](EntityKind).
    pub kind: &'static str,
    /// Position in its list.
    pub index: usize,
    /// Place of the entity.
    pub place: Place,
    /// Number of its unit, building or object; that of its name for a spawn. `None` for what has none.
    pub id: Option<i64>,
    /// The name by which scripts know it.
    pub tag: Option<&'m [u8]>,
    /// Record of the entity.
    pub record: EntityRecord<'m>,
}

impl Entity<'_> {
    /// Walks the fields of its record but for its place; positions that are no whole cells are there as well.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub fn walk(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        let cell = match self.place {
            Place::Cell(x, y) => Some([x, y]),
            Place::Point { .. } => None,
        };
        let mut walk = Placeless { inside: walk, depth: 0, cell };
        match self.record {
            EntityRecord::Fixed(record, bytes) => record.walk(bytes, Span::file(0, 0), &mut walk),
            EntityRecord::Thing(thing) => thing.walk(task, &mut walk),
        }
    }
}

/// Walker that passes all on but the place.
struct Placeless<'w> {
    inside: &'w mut dyn Walk,
    depth: u32,
    /// The cell that is the place.
    cell: Option<[i16; 2]>,
}

impl Placeless<'_> {
    /// Whether a field says no more than the place does.
    fn is_place(&self, name: &str, value: &Val<'_>) -> bool {
        let along = match name {
            "x" => 0,
            "y" => 1,
            _ => return false,
        };
        match (value, self.cell.and_then(|cell| cell.get(along).copied())) {
            (Val::F(at), Some(cell)) => *at == f32::from(cell),
            _ => true,
        }
    }
}

impl Walk for Placeless<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        if self.depth == 0 && matches!(group.name, Seg::Field("place")) {
            return Ok(Step::Over);
        }
        let step = self.inside.enter(group)?;
        if step == Step::Into {
            self.depth += 1;
        }
        Ok(step)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        match self.depth == 0 && self.is_place(field.name, &value) {
            true => Ok(()),
            false => self.inside.field(field, at, value),
        }
    }

    fn leave(&mut self, shape: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        self.inside.leave(shape)
    }
}
