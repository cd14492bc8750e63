//! Groups: those that the document lists, in their order, and those that nodes name.

use super::GltfReader;
use crate::{
    gltf::extras,
    import::model::{Group, GroupMember},
};
use spelunk_core::Result;
use std::collections::{BTreeMap, BTreeSet};

impl GltfReader<'_, '_, '_> {
    /// Makes all groups. What nodes say of themselves counts more than lists of members, which programs do not know of
    /// that renumber or copy nodes.
    pub fn all_groups(&mut self) -> Result<()> {
        let document = self.document;
        let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut speaks = BTreeSet::new();
        let nodes: Vec<(usize, usize)> =
            self.nodes.iter().map(|(node, entity)| (*node, *entity)).collect();
        for (node, entity) in nodes {
            let Some(from) = document.root.nodes.get(node) else { continue };
            let Some(extras) = self.extras::<extras::Node>(&from.extras)? else { continue };
            if !extras.groups.is_empty() || !extras.virtools.class.is_empty() {
                speaks.insert(entity);
            }
            for group in extras.groups {
                self.task.budget.memory(group.len() as u64 + 64)?;
                named.entry(group).or_default().push(entity);
            }
        }
        for (name, listed) in self.listed()? {
            let said = named.remove(&name).unwrap_or_default();
            let is_said: BTreeSet<usize> = said.iter().copied().collect();
            let mut members: Vec<GroupMember> = Vec::new();
            let mut known = BTreeSet::new();
            for member in listed {
                match member {
                    // What says nothing of groups is where the list says.
                    Some(GroupMember::Entity(at))
                        if speaks.contains(&at) && !is_said.contains(&at) => {}
                    Some(member) if known.insert(member) => members.push(member),
                    Some(_) => {}
                    None => self.leave_out("members of groups that are not in the document"),
                }
            }
            let more = said.into_iter().map(GroupMember::Entity);
            members.extend(more.filter(|member| known.insert(*member)));
            self.model.groups.push(Group { name, members, ..Group::default() });
        }
        for (name, members) in named {
            let members = members.into_iter().map(GroupMember::Entity).collect();
            self.model.groups.push(Group { name, members, ..Group::default() });
        }
        Ok(())
    }

    /// The groups that are listed, with what their members are: those of the scene, which editors keep, else those of
    /// the document.
    fn listed(&mut self) -> Result<Vec<(String, Vec<Option<GroupMember>>)>> {
        let document = self.document;
        let scene = self.scene().map(|scene| scene.extras.clone());
        let scene: Option<extras::SceneState> = self.stored(&scene.flatten())?;
        let scene = scene.unwrap_or_default();
        if !scene.groups.is_empty() {
            let member = |index: &u32| self.stored.get(index).copied();
            let group = |group: extras::SceneGroup| {
                (group.name, group.members.iter().map(member).collect())
            };
            return Ok(scene.groups.into_iter().map(group).collect());
        }
        let root: extras::RootExtras = self.extras(&document.root.extras)?.unwrap_or_default();
        let node = |node: &usize| self.nodes.get(node).copied().map(GroupMember::Entity);
        let other = |other: &extras::Member| self.stored.get(&other.index).copied();
        let group = |group: extras::Group| {
            let nodes = group.nodes.iter().map(node);
            (group.name, nodes.chain(group.others.iter().map(other)).collect())
        };
        Ok(root.groups.into_iter().map(group).collect())
    }
}
