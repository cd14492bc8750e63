//! The nodes of a chunk file.

use spelunk_core::Node;

/// Meaning of a node: a kind in the two high bits, then two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkFileNode {
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

impl ChunkFileNode {
    pub(super) fn of(node: Node) -> ChunkFileNode {
        let (high, low) = ((node.0 >> 32 & POSITION) as u32, node.0 as u32);
        match node.0 >> KIND {
            0 if high == FILE => ChunkFileNode::File(low),
            0 if high == NESTED => ChunkFileNode::Nested(low),
            0 => ChunkFileNode::Chunk(low),
            1 => ChunkFileNode::Row(high, low),
            2 => ChunkFileNode::Id(low as i16),
            _ => ChunkFileNode::Group(high, low),
        }
    }

    pub(super) fn node(self) -> Node {
        let of = |kind: u64, high: u32, low: u32| {
            Node(kind << KIND | (u64::from(high) & POSITION) << 32 | u64::from(low))
        };
        match self {
            ChunkFileNode::Chunk(n) => of(0, 0, n),
            ChunkFileNode::Row(n, row) => of(1, n, row),
            ChunkFileNode::Id(id) => of(2, 0, u32::from(id.cast_unsigned())),
            ChunkFileNode::Group(n, id) => of(3, n, id),
            ChunkFileNode::File(n) => of(0, FILE, n),
            ChunkFileNode::Nested(n) => of(0, NESTED, n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_come_back() {
        for item in [
            ChunkFileNode::Chunk(u32::MAX),
            ChunkFileNode::Row(48, u32::MAX),
            ChunkFileNode::Id(-1),
            ChunkFileNode::Id(2016),
            ChunkFileNode::Group(3, 70_000),
            ChunkFileNode::File(5),
            ChunkFileNode::Nested(u32::MAX),
        ] {
            assert_eq!(ChunkFileNode::of(item.node()), item);
        }
    }
}
