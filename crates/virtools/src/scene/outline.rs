//! Entities by their parents, as an outline (`docs/formats/classes/entities.md#ck3dentity`).

use crate::{
    class,
    codec::{Array, Reference, visit::Refs},
    entries::PathTarget,
    file::{File, data::Owner, value::has_no_value},
};
use spelunk_core::{
    Budget, Field, Node, Outline, Result,
    text::{CodePages, until_nul},
};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::little_endian::U32;

/// Deeper hierarchies come from damaged files only.
const MAX_DEPTH: usize = 64;

/// References of an entity.
#[derive(Default)]
struct Entity {
    parent: Option<u32>,
    mesh: Option<u32>,
}

impl Refs for Entity {
    fn object(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Reference,
    ) -> Result<()> {
        let position = Some(value.value).filter(|value| file_mode && *value < 0x8000_0000);
        match field.name {
            "parent" => self.parent = position,
            "current" => self.mesh = position,
            _ => {}
        }
        Ok(())
    }

    fn objects(&mut self, _: &'static Field, _: bool, _: &mut Array<U32>, _: bool) -> Result<()> {
        Ok(())
    }
}

impl File {
    /// The entities of space and of the screen, below their parents, with what they are.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub(crate) fn scene_outline(
        &self,
        pages: &CodePages,
        budget: &mut Budget,
    ) -> Result<Vec<Outline>> {
        let mut entities = BTreeMap::new();
        for (object, index) in self.table().objects.iter().zip(0_u32..) {
            if !class::is_a(object.class_id, class::RENDER_OBJECT) {
                continue;
            }
            budget.memory(size_of::<(u32, Entity)>() as u64)?;
            let before = budget.left().memory;
            let mut entity = Entity::default();
            match self.value(Owner::Object(index), &mut Vec::new(), budget) {
                Ok(Some(mut saved)) => saved.visit(&mut entity)?,
                Ok(None) => {}
                Err(error) if has_no_value(&error) => {}
                Err(error) => return Err(error),
            }
            budget.release(before.saturating_sub(budget.left().memory));
            entities.insert(index, entity);
        }
        let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut roots = Vec::new();
        for (index, entity) in &entities {
            match entity.parent.filter(|parent| entities.contains_key(parent)) {
                Some(parent) => children.entry(parent).or_default().push(*index),
                None => roots.push(*index),
            }
        }
        let tree = EntityTree { file: self, entities, children, pages };
        let mut outlines = roots.iter().map(|root| tree.outline(*root, 0)).collect::<Vec<_>>();
        // Parents in a circle lead to no root; what they carry is shown without them.
        let mut reached = BTreeSet::new();
        outlines.iter().for_each(|outline| mark(outline, &mut reached));
        let missing = tree.entities.keys().map(|index| tree.alone(*index));
        outlines.extend(missing.filter(|outline| !reached.contains(&outline.node)));
        Ok(outlines)
    }
}

/// Takes note of the nodes of an outline.
fn mark(outline: &Outline, reached: &mut BTreeSet<Option<Node>>) {
    reached.insert(outline.node);
    outline.below.iter().for_each(|below| mark(below, reached));
}

struct EntityTree<'f> {
    file: &'f File,
    entities: BTreeMap<u32, Entity>,
    children: BTreeMap<u32, Vec<u32>>,
    pages: &'f CodePages,
}

impl EntityTree<'_> {
    fn outline(&self, index: u32, depth: usize) -> Outline {
        let mut outline = self.alone(index);
        if depth < MAX_DEPTH {
            let children = self.children.get(&index).into_iter().flatten();
            let depth = depth.saturating_add(1);
            outline.below.extend(children.map(|child| self.outline(*child, depth)));
        }
        outline
    }

    fn alone(&self, index: u32) -> Outline {
        let class_id = self.file.class_of(index).unwrap_or_default();
        let mut note = self.file.class_name(class_id).into_owned();
        if let Some(mesh) = self.entities.get(&index).and_then(|entity| entity.mesh) {
            note.push_str(&format!(", {}", self.name(mesh)));
        }
        let node = Some(PathTarget::Object(index).node());
        Outline { label: self.name(index), note, node, below: Vec::new() }
    }

    fn name(&self, index: u32) -> String {
        let table = self.file.table();
        let name = table.objects.get(index as usize).map_or(&[][..], |object| table.name(object));
        format!("#{index} {}", self.pages.show(until_nul(name)))
    }
}
