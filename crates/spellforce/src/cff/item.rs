//! The nodes of a chunk file.

use spelunk_core::Node;

/// Meaning of a node: a kind in the two high bits, then two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// The chunk at this position.
    Chunk(u32),
    /// A row of the chunk at this position.
    Row(u32, u32),
    /// All chunks of one id.
    Id(i16),
    /// All rows of the chunk at this position that have this id.
    Group(u32, u32),
    /// The chunk file of this number in a chunk of a save.
    File(u32),
    /// The chunk of this number in such a file.
    Nested(u32),
}

const KIND: u32 = 62;
/// Positions of chunks take 30 bits: a file of chunks that are more would be larger than 12 GiB.
const POSITION: u64 = (1 << 30) - 1;
/// Second number of a node whose first one is not needed for chunks.
const FILE: u32 = 1;
const NESTED: u32 = 2;

impl Item {
    pub(super) fn of(node: Node) -> Item {
        let (high, low) = ((node.0 >> 32 & POSITION) as u32, node.0 as u32);
        match node.0 >> KIND {
            0 if high == FILE => Item::File(low),
            0 if high == NESTED => Item::Nested(low),
            0 => Item::Chunk(low),
            1 => Item::Row(high, low),
            2 => Item::Id(low as i16),
            _ => Item::Group(high, low),
        }
    }

    pub(super) fn node(self) -> Node {
        let of = |kind: u64, high: u32, low: u32| {
            Node(kind << KIND | (u64::from(high) & POSITION) << 32 | u64::from(low))
        };
        match self {
            Item::Chunk(n) => of(0, 0, n),
            Item::Row(n, row) => of(1, n, row),
            Item::Id(id) => of(2, 0, u32::from(id.cast_unsigned())),
            Item::Group(n, id) => of(3, n, id),
            Item::File(n) => of(0, FILE, n),
            Item::Nested(n) => of(0, NESTED, n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_back() {
        for item in [
            Item::Chunk(u32::MAX),
            Item::Row(48, u32::MAX),
            Item::Id(-1),
            Item::Id(2016),
            Item::Group(3, 70_000),
            Item::File(5),
            Item::Nested(u32::MAX),
        ] {
            assert_eq!(Item::of(item.node()), item);
        }
    }
}
