//! All files of a set, put in order by path.

use super::{
    kinds::FilePurpose,
    layers::Set,
    place::LayerPosition,
    view::{Group, View},
};
use spelunk_core::{Result, Task};
use std::hash::{DefaultHasher, Hasher};

impl Set {
    /// All files by path, with what they hide; made now if it was not before.
    ///
    /// # Errors
    /// Limits.
    pub fn view(&self, task: &mut Task<'_>) -> Result<&View> {
        if let Some(view) = self.view.get() {
            return Ok(view);
        }
        let mark = task.budget.mark();
        let view = View::of(self, task)?;
        Ok(task.budget.keep(mark, &self.view, view))
    }
}

impl View {
    fn of(set: &Set, task: &mut Task<'_>) -> Result<View> {
        let layers = set.archives.iter().map(|mounted| mounted.archive.len());
        let layers: Vec<usize> = layers.chain([set.loose.len()]).collect();
        let count: usize = layers.iter().sum();
        let mut all = task.budget.vec::<(u64, LayerPosition)>(count as u64)?;
        let mut paths = Vec::new();
        let mut path = Vec::new();
        for (layer, len) in (0_u32..).zip(&layers) {
            for position in (0_u32..).take(*len) {
                let place = LayerPosition { layer, position };
                // What has no path cannot be looked for.
                let Some(bytes) = set.reversed_path(place) else { continue };
                path.clear();
                path.extend(bytes);
                task.budget.touch(path.len() as u64)?;
                let mut hasher = DefaultHasher::new();
                hasher.write(&path);
                all.push((hasher.finish(), place));
            }
        }
        task.budget.steps((count as u64).saturating_mul(16))?;
        // Files of one path lie behind each other; two paths of one hash are kept apart.
        let path_of = |place: LayerPosition| set.reversed_path(place).into_iter().flatten();
        all.sort_unstable_by(|(a, first), (b, second)| {
            a.cmp(b).then_with(|| path_of(*first).cmp(path_of(*second))).then(first.cmp(second))
        });
        let mut groups = task.budget.vec::<Group>(all.len() as u64)?;
        let mut places = task.budget.vec::<LayerPosition>(all.len() as u64)?;
        let same = |(a, first): &(u64, LayerPosition), (b, second): &(u64, LayerPosition)| {
            a == b && path_of(*first).eq(path_of(*second))
        };
        for files in all.chunk_by(same) {
            let Some((_, first)) = files.first() else { continue };
            let (start, path_start) = (places.len() as u32, paths.len() as u32);
            places.extend(files.iter().map(|(_, place)| *place));
            task.budget.memory(path_of(*first).count() as u64)?;
            let reversed: Vec<u8> = path_of(*first).collect();
            let kind = FilePurpose::of_reversed(reversed.iter().rev().copied(), &reversed);
            let group = places.get_mut(start as usize..).unwrap_or_default();
            group.sort_by_key(|place| (set.rank(place.layer, kind), place.position));
            paths.extend(reversed.iter().rev());
            let path = path_start..paths.len() as u32;
            groups.push(Group { places: start..places.len() as u32, path });
        }
        task.budget
            .release((count as u64).saturating_mul(size_of::<(u64, LayerPosition)>() as u64));
        let mut view = View { places, groups: Vec::new(), paths };
        groups.sort_unstable_by(|a, b| view.path(a).cmp(view.path(b)));
        view.groups = groups;
        Ok(view)
    }
}
