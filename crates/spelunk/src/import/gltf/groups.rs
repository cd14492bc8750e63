//! Groups: those that the document lists, in their order, and those that nodes name.

use super::Reader;
use crate::{
    Result,
    gltf::extras,
    import::model::{Group, Member},
};
use std::collections::{BTreeMap, BTreeSet};

impl Reader<'_, '_, '_> {
    /// Makes all groups. What nodes say of themselves counts more than lists of nodes, which programs that renumber
    /// nodes do not know of.
    pub fn all_groups(&mut self) -> Result<()> {
        let document = self.document;
        let listed: extras::Root = self.extras(&document.root.extras)?.unwrap_or_default();
        let mut groups: Vec<Group> = Vec::new();
        let mut at: BTreeMap<String, usize> = BTreeMap::new();
        let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let nodes: Vec<(usize, usize)> =
            self.nodes.iter().map(|(node, entity)| (*node, *entity)).collect();
        for (node, entity) in nodes {
            let Some(from) = document.root.nodes.get(node) else { continue };
            let Some(extras) = self.extras::<extras::Node>(&from.extras)? else { continue };
            for group in extras.groups {
                self.task.budget.memory(group.len() as u64 + 64)?;
                named.entry(group).or_default().push(entity);
            }
        }
        for group in listed.groups {
            let members = named.remove(&group.name).unwrap_or_default();
            let of_list = group.nodes.iter().filter_map(|node| self.nodes.get(node).copied());
            // In the order of the list, those that do not say so themselves left out.
            let mut left: BTreeSet<usize> = members.iter().copied().collect();
            let mut ordered: Vec<usize> = of_list.filter(|entity| left.remove(entity)).collect();
            ordered.extend(members.into_iter().filter(|entity| left.remove(entity)));
            let mut all: Vec<Member> = ordered.into_iter().map(Member::Entity).collect();
            for other in &group.others {
                match self.stored.get(&other.index).filter(|it| !matches!(it, Member::Entity(_))) {
                    Some(member) => all.push(*member),
                    None => self.leave_out("members of groups that are not in the document"),
                }
            }
            at.insert(group.name.clone(), groups.len());
            groups.push(Group { name: group.name, members: all });
        }
        for (name, members) in named {
            let members = members.into_iter().map(Member::Entity);
            match at.get(&name).and_then(|at| groups.get_mut(*at)) {
                Some(group) => group.members.extend(members),
                None => groups.push(Group { name, members: members.collect() }),
            }
        }
        self.model.groups = groups;
        Ok(())
    }
}
