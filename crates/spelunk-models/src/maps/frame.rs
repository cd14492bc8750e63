//! Size of a map, and how its cells lie in space.

/// Size of a map, and how its cells lie in space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Width in cells.
    pub width: u32,
    /// Height in cells.
    pub height: u32,
    /// Length of a cell, in units of positions.
    pub cell: f32,
    /// Whether rows follow each other to the north: pictures begin with the last row then, so that north is up.
    pub is_northward: bool,
    /// Whether heights are those of the corners of cells, at which rows and columns begin, and not of their middles.
    pub has_corners: bool,
    /// Factor that makes heights units of positions; `None` where that is not known.
    pub height_scale: Option<f32>,
}

impl Frame {
    /// Number of cells.
    pub const fn cells(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Distance of the point that a height is of from the corner of its cell, along each axis, in cells.
    pub const fn shift(&self) -> f32 {
        if self.has_corners { 0.0 } else { 0.5 }
    }

    /// The row of a picture that shows a row of the map, and the other way round.
    pub const fn turned(&self, row: u32) -> u32 {
        if self.is_northward { self.height.saturating_sub(row).saturating_sub(1) } else { row }
    }

    /// Places along the rows of a picture, in cells from its upper edge, as places on the map, and the other way round.
    pub const fn turned_place(&self, v: f32) -> f32 {
        if self.is_northward { self.height as f32 - v } else { v }
    }

    /// The direction of rows in pictures and meshes: -1 where they go up.
    pub const fn down(&self) -> f32 {
        if self.is_northward { -1.0 } else { 1.0 }
    }
}
