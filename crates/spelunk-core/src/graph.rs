//! Reachability in a graph: everything that is reached from somewhere, and circles. Nothing here goes by the stack, since chains
//! are as long as files make them.

use crate::{
    codes,
    error::{Error, Result},
    finding::Task,
    limits::Budget,
};
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    ops::Range,
};

/// Sees one edge: the position of the node that it leaves, among those that were asked for, and where it leads.
pub type Edge<'e, K> = &'e mut dyn FnMut(usize, K, &mut Task<'_>) -> Result<()>;

/// Nodes that are reached from some of them, and what leads where.
#[derive(Clone, Debug)]
pub struct Graph<K> {
    nodes: Vec<K>,
    /// For each node where its edges end.
    ends: Vec<usize>,
    targets: Vec<u32>,
}

impl<K: Copy + Eq + Hash> Graph<K> {
    /// Goes from `roots` to everything that is reached. The roots come first, each once, all others in the order in which
    /// they are met.
    ///
    /// `edges` is asked for what some nodes lead to, and hands it out node by node, in the order of the nodes. Nodes and
    /// edges stay charged.
    ///
    /// # Errors
    /// Those of `edges`; limits.
    pub fn reach(
        roots: impl IntoIterator<Item = K>,
        task: &mut Task<'_>,
        mut edges: impl FnMut(&[K], &mut Task<'_>, Edge<'_, K>) -> Result<()>,
    ) -> Result<Graph<K>> {
        let mut known = NodePositions { positions: HashMap::new(), nodes: Vec::new() };
        for root in roots {
            known.position(root, &mut task.budget)?;
        }
        let (mut ends, mut targets) = (Vec::new(), Vec::new());
        while ends.len() < known.nodes.len() {
            // Those that were met since are gone through together.
            let start = ends.len();
            let wave = known.nodes.get(start..).unwrap_or_default().to_vec();
            let len = wave.len();
            edges(&wave, task, &mut |from, to, task| {
                task.budget.steps(1)?;
                task.budget.memory(size_of::<u32>() as u64)?;
                ends.resize(start.saturating_add(from), targets.len());
                targets.push(known.position(to, &mut task.budget)?);
                Ok(())
            })?;
            ends.resize(start.saturating_add(len), targets.len());
        }
        Ok(Graph { nodes: known.nodes, ends, targets })
    }

    /// The nodes; the roots come first.
    pub fn nodes(&self) -> &[K] {
        &self.nodes
    }

    /// The positions of the nodes that the one at this position leads to.
    pub fn targets(&self, position: usize) -> &[u32] {
        self.targets.get(self.range(position)).unwrap_or_default()
    }

    fn range(&self, position: usize) -> Range<usize> {
        let start = position.checked_sub(1).and_then(|before| self.ends.get(before));
        start.copied().unwrap_or_default()..self.ends.get(position).copied().unwrap_or_default()
    }

    /// Nodes that lead to each other, by their positions: circles that have nodes in common are one. A node that leads to
    /// itself and to no circle is one of its own.
    ///
    /// # Errors
    /// Limits.
    pub fn cycles(&self, budget: &mut Budget) -> Result<Vec<Vec<u32>>> {
        let count = self.nodes.len();
        let range = |node: u32| self.range(node as usize);
        let target = |edge: usize| self.targets.get(edge).copied();
        let mut found = cycles(count, (0_u32..).take(count), range, target, budget)?;
        budget.steps(self.targets.len() as u64)?;
        let own = (0_u32..).take(count);
        let own: Vec<u32> =
            own.filter(|node| self.targets(*node as usize).contains(node)).collect();
        budget.memory((own.len() as u64).saturating_mul(size_of::<Vec<u32>>() as u64))?;
        let mut alone: Vec<u32> = found.iter().flatten().copied().collect();
        alone.sort_unstable();
        let own = own.into_iter().filter(|node| alone.binary_search(node).is_err());
        found.extend(own.map(|node| vec![node]));
        found.sort_unstable();
        Ok(found)
    }
}

/// Nodes by what they are.
struct NodePositions<K> {
    positions: HashMap<K, u32>,
    nodes: Vec<K>,
}

impl<K: Copy + Eq + Hash> NodePositions<K> {
    fn position(&mut self, node: K, budget: &mut Budget) -> Result<u32> {
        let next = self.nodes.len();
        match self.positions.entry(node) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(new) => {
                // The node twice, with its position, and what tables and lists hold in reserve.
                budget.memory((size_of::<K>() as u64).saturating_add(8).saturating_mul(4))?;
                let position = u32::try_from(next).map_err(|_| Error::new(&codes::MEMORY))?;
                self.nodes.push(node);
                Ok(*new.insert(position))
            }
        }
    }
}

/// The number of a node whose circle is known.
const DONE: u32 = u32::MAX;

/// A node whose edges are being gone through.
struct SearchFrame {
    node: u32,
    edges: Range<usize>,
}

/// Nodes that lead to each other, of `count` nodes: the strongly connected components of more than one node, by Tarjan's
/// algorithm, each in ascending order. Only what is reached from `starts` is seen. A node has the edges of a range, and an
/// edge leads to a node, or nowhere. What is found stays charged.
///
/// # Errors
/// Limits.
pub fn cycles(
    count: usize,
    starts: impl IntoIterator<Item = u32>,
    edges: impl Fn(u32) -> Range<usize>,
    target: impl Fn(usize) -> Option<u32>,
    budget: &mut Budget,
) -> Result<Vec<Vec<u32>>> {
    let before = budget.left().memory;
    let mut order = budget.vec::<u32>(count as u64)?;
    order.resize(count, 0);
    let mut low = budget.vec::<u32>(count as u64)?;
    low.resize(count, 0);
    let mut open = budget.vec::<u32>(count as u64)?;
    let taken = before.saturating_sub(budget.left().memory);
    let mut frames: Vec<SearchFrame> = Vec::new();
    let (mut found, mut number, mut deepest) = (Vec::new(), 0_u32, 0);
    for start in starts {
        let mut begin = Some(start).filter(|start| at(&order, *start) == 0);
        loop {
            budget.steps(1)?;
            if let Some(node) = begin.take() {
                number = number.saturating_add(1);
                set(&mut order, node, number);
                set(&mut low, node, number);
                open.push(node);
                if frames.len() == deepest {
                    budget.memory(size_of::<SearchFrame>() as u64)?;
                    deepest = deepest.saturating_add(1);
                }
                frames.push(SearchFrame { node, edges: edges(node) });
            }
            let Some(frame) = frames.last_mut() else { break };
            let node = frame.node;
            if let Some(edge) = frame.edges.next() {
                match target(edge).map(|target| (target, at(&order, target))) {
                    None => {}
                    Some((target, 0)) => begin = Some(target),
                    Some((_, known)) => lower(&mut low, node, known),
                }
                continue;
            }
            frames.pop();
            let lowest = at(&low, node);
            if let Some(above) = frames.last() {
                lower(&mut low, above.node, lowest);
            }
            if lowest == at(&order, node) {
                let first = open.iter().rposition(|known| *known == node).unwrap_or(open.len());
                let circle = open.get(first..).unwrap_or_default();
                budget.steps(circle.len() as u64)?;
                circle.iter().for_each(|node| set(&mut order, *node, DONE));
                if circle.len() > 1 {
                    let size = circle.len().saturating_mul(size_of::<u32>());
                    budget.memory(size.saturating_add(size_of::<Vec<u32>>()) as u64)?;
                    let mut circle = circle.to_vec();
                    circle.sort_unstable();
                    found.push(circle);
                }
                open.truncate(first);
            }
        }
    }
    budget.release(taken.saturating_add((deepest.saturating_mul(size_of::<SearchFrame>())) as u64));
    Ok(found)
}

fn at(numbers: &[u32], node: u32) -> u32 {
    numbers.get(node as usize).copied().unwrap_or(DONE)
}

fn set(numbers: &mut [u32], node: u32, number: u32) {
    if let Some(known) = numbers.get_mut(node as usize) {
        *known = number;
    }
}

fn lower(numbers: &mut [u32], node: u32, number: u32) {
    if let Some(known) = numbers.get_mut(node as usize) {
        *known = number.min(*known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{finding::Strict, limits::Limits};

    fn graph(roots: &[u32], edges: &[(u32, u32)]) -> Graph<u32> {
        let mut sink = Strict;
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        Graph::reach(roots.iter().copied(), &mut task, |nodes, task, each| {
            for (position, node) in nodes.iter().enumerate() {
                let own = edges.iter().filter(|(from, _)| from == node);
                own.into_iter().try_for_each(|(_, to)| each(position, *to, task))?;
            }
            Ok(())
        })
        .unwrap()
    }

    fn named(graph: &Graph<u32>) -> Vec<Vec<u32>> {
        let found = graph.cycles(&mut Budget::new(Limits::for_len(0))).unwrap();
        let names = |circle: Vec<u32>| circle.into_iter().map(|at| graph.nodes()[at as usize]);
        found.into_iter().map(|circle| names(circle).collect()).collect()
    }

    #[test]
    fn what_is_reached_comes_once_and_in_waves() {
        let found = graph(&[1, 1, 2], &[(1, 3), (2, 3), (3, 4), (9, 1), (4, 1), (1, 5)]);
        assert_eq!(found.nodes(), [1, 2, 3, 5, 4]);
        let targets: Vec<&[u32]> = (0..5).map(|at| found.targets(at)).collect();
        assert_eq!(targets, [&[2, 3][..], &[2], &[4], &[], &[0]]);
        assert!(found.targets(5).is_empty());
    }

    #[test]
    fn circles_are_found_with_those_of_one_node() {
        let found = graph(&[1], &[(1, 2), (2, 3), (3, 1), (3, 4), (4, 4), (4, 5), (1, 1)]);
        assert_eq!(named(&found), [vec![1, 2, 3], vec![4]]);
        assert!(named(&graph(&[1], &[(1, 2), (1, 3), (2, 3)])).is_empty());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 300_000_u32;
        let range = |node: u32| node as usize..node as usize + 1;
        let target = |edge: usize| Some((edge as u32 + 1) % count);
        let mut budget = Budget::new(Limits::for_len(0));
        let found = cycles(count as usize, 0..count, range, target, &mut budget).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len() as u32, count);
    }
}
