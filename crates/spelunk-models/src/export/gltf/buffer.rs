//! The one buffer: views and accessors of it.

use super::model::{Accessor, BufferView, ComponentType};
use crate::gltf::extras::Index;
use spelunk_core::{Budget, Result};

/// The target of views that hold attributes of vertices.
const VERTICES: u32 = 34962;
/// The target of views that hold indices.
const INDICES: u32 = 34963;

/// A buffer that grows. Every view starts at a dword and is charged to the budget before it is made.
#[derive(Default)]
pub struct Bin {
    bytes: Vec<u8>,
    views: Vec<BufferView>,
    accessors: Vec<Accessor>,
}

impl Bin {
    /// Makes room, so that what was added does not have to be moved. The budget is asked when something is added.
    pub fn reserve(&mut self, len: usize) {
        // Without room it grows step by step, or is refused when that time comes.
        let _ = self.bytes.try_reserve_exact(len);
    }

    /// Adds a view of so many bytes, which are 0, and hands them out to be filled.
    fn view(
        &mut self,
        len: usize,
        target: Option<u32>,
        budget: &mut Budget,
    ) -> Result<(Index, &mut [u8])> {
        let start = self.bytes.len().next_multiple_of(4);
        let end = start.saturating_add(len);
        budget.memory((end as u64).saturating_sub(self.bytes.len() as u64))?;
        budget.touch(len as u64)?;
        self.bytes.resize(end, 0);
        self.views.push(BufferView { buffer: 0, byte_offset: start, byte_length: len, target });
        Ok((self.views.len() - 1, self.bytes.get_mut(start..).unwrap_or_default()))
    }

    /// Adds bytes that no accessor describes.
    pub fn bytes(&mut self, bytes: &[u8], budget: &mut Budget) -> Result<Index> {
        let (view, room) = self.view(bytes.len(), None, budget)?;
        room.copy_from_slice(bytes);
        Ok(view)
    }

    fn accessor(&mut self, accessor: Accessor) -> Index {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds vectors of `N` numbers each, with the smallest and the largest of each number where that is asked for.
    pub fn floats<const N: usize>(
        &mut self,
        values: impl ExactSizeIterator<Item = [f32; N]>,
        vertices: bool,
        bounds: bool,
        budget: &mut Budget,
    ) -> Result<Index> {
        let count = values.len();
        let target = vertices.then_some(VERTICES);
        let (buffer_view, room) = self.view(count.saturating_mul(4 * N), target, budget)?;
        let (mut min, mut max) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        let out = room.chunks_exact_mut(4 * N);
        let copy = |out: &mut [u8], value: [f32; N]| {
            out.copy_from_slice(value.map(f32::to_le_bytes).as_flattened());
        };
        if bounds {
            out.zip(values).for_each(|(out, value)| {
                for ((min, max), value) in min.iter_mut().zip(&mut max).zip(value) {
                    // Not `f32::min`, which asks more than needed: no number is none here.
                    *min = if value < *min { value } else { *min };
                    *max = if value > *max { value } else { *max };
                }
                copy(out, value);
            });
        } else {
            out.zip(values).for_each(|(out, value)| copy(out, value));
        }
        let bounds = bounds && count > 0;
        Ok(self.accessor(Accessor {
            buffer_view,
            component_type: ComponentType::F32,
            normalized: false,
            count,
            kind: match N {
                1 => "SCALAR",
                2 => "VEC2",
                3 => "VEC3",
                _ => "VEC4",
            },
            min: if bounds { min.to_vec() } else { Vec::new() },
            max: if bounds { max.to_vec() } else { Vec::new() },
        }))
    }

    /// Adds colours of four parts, from 0 to 65535, for vertices.
    pub fn colors(
        &mut self,
        values: impl ExactSizeIterator<Item = [u16; 4]>,
        budget: &mut Budget,
    ) -> Result<Index> {
        let count = values.len();
        let (buffer_view, room) = self.view(count.saturating_mul(8), Some(VERTICES), budget)?;
        for (out, value) in room.as_chunks_mut::<2>().0.chunks_exact_mut(4).zip(values) {
            out.iter_mut().zip(value).for_each(|(out, part)| *out = part.to_le_bytes());
        }
        Ok(self.accessor(Accessor {
            buffer_view,
            component_type: ComponentType::U16,
            normalized: true,
            count,
            kind: "VEC4",
            min: Vec::new(),
            max: Vec::new(),
        }))
    }

    /// Adds the indices of faces or lines; of 16 bits where no index can be 65535, which would be none then.
    pub fn indices<const N: usize>(
        &mut self,
        count: usize,
        values: impl Iterator<Item = [u16; N]>,
        wide: bool,
        budget: &mut Budget,
    ) -> Result<Index> {
        let count = count.saturating_mul(N);
        let size = if wide { 4 } else { 2 };
        let (buffer_view, room) = self.view(count.saturating_mul(size), Some(INDICES), budget)?;
        let out = room.chunks_exact_mut(size * N);
        if wide {
            out.zip(values).for_each(|(out, value)| {
                let value = value.map(|value| u32::from(value).to_le_bytes());
                out.copy_from_slice(value.as_flattened());
            });
        } else {
            out.zip(values).for_each(|(out, value)| {
                out.copy_from_slice(value.map(u16::to_le_bytes).as_flattened());
            });
        }
        Ok(self.accessor(Accessor {
            buffer_view,
            component_type: if wide { ComponentType::U32 } else { ComponentType::U16 },
            normalized: false,
            count,
            kind: "SCALAR",
            min: Vec::new(),
            max: Vec::new(),
        }))
    }

    /// Views, accessors and bytes.
    pub fn finish(self) -> (Vec<BufferView>, Vec<Accessor>, Vec<u8>) {
        (self.views, self.accessors, self.bytes)
    }
}
