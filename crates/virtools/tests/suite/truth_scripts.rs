//! Scripts of real files against what an independent decoder counted, and against themselves.

use crate::common::open;
use serde_json::Value;
use spelunk_core::{Outline, text::CodePages};
use spelunk_fixtures::corpus;
use std::collections::BTreeSet;
use test_support::{json::truth, task::with_task};
use virtools::{
    File,
    class::parameter_type,
    registered,
    script::{Role, Scripts},
};

fn each(mut test: impl FnMut(&str, &Scripts<'_>, &Value)) {
    for real in corpus::files("virtools", &["nmo", "cmo", "nms"]).unwrap_or_default() {
        let truth = truth(corpus::text(&format!("truth/virtools/{}.json", real.name))).unwrap();
        let opened = open(&real.bytes).0.unwrap();
        let file: &File = opened.model().unwrap();
        let work = |task: &mut spelunk_core::Task<'_>| {
            let scripts = Scripts::of(file, &mut task.budget).unwrap();
            test(&real.name, &scripts, &truth["behaviors"]);
        };
        with_task(real.bytes.len(), work);
    }
}

#[test]
fn counts_are_those_of_the_truth_files() {
    each(|name, scripts, truth| {
        let count = |key: &str| truth[key].as_u64().unwrap_or(0) as usize;
        let behaviors = scripts.behaviors.values();
        let blocks = behaviors.clone().filter(|behavior| behavior.prototype.is_some()).count();
        let role = |roles: &[Role]| {
            scripts.parameters.values().filter(|parameter| roles.contains(&parameter.role)).count()
        };
        for (key, found) in [
            ("behaviors", scripts.behaviors.len()),
            ("scripts", scripts.scripts().count()),
            ("building_blocks", blocks),
            ("graphs", scripts.behaviors.len() - blocks),
            ("links", scripts.links.len()),
            ("ios", scripts.ios.len()),
            ("param_in", role(&[Role::Input])),
            ("param_out", role(&[Role::Output])),
            ("param_local", role(&[Role::Local, Role::Setting, Role::Myself])),
            ("param_shortcut_or_attr(46)", role(&[Role::Other])),
            ("param_op", scripts.operations.len()),
        ] {
            assert_eq!(found, count(key), "{name}: {key}");
        }
    });
}

#[test]
fn everything_belongs_to_one_behaviour_and_links_stay_in_their_graph() {
    each(|name, scripts, _| {
        let mut links = BTreeSet::new();
        let mut subs = BTreeSet::new();
        for (index, graph) in &scripts.behaviors {
            for sub in &graph.sub_behaviors {
                assert!(subs.insert(*sub), "{name}: {sub} is in two graphs");
                assert_eq!(scripts.behaviors[sub].graph, Some(*index), "{name}");
            }
            for link in &graph.links {
                assert!(links.insert(*link), "{name}: {link} is in two graphs");
                let link = &scripts.links[link];
                for (end, starts) in [(link.source, true), (link.destination, false)] {
                    let io = scripts.ios[&end.unwrap()];
                    // A link starts where a behaviour of the graph ends, or where the graph starts.
                    let inside = graph.sub_behaviors.contains(&io.behavior);
                    let around = io.behavior == *index;
                    let fits = if io.is_output == starts { inside } else { around };
                    assert!(fits, "{name}: {link:?} of {index} at {io:?}");
                }
            }
            assert!(!graph.is_script() || graph.graph.is_none(), "{name}: {index}");
        }
        assert_eq!(links.len(), scripts.links.len(), "{name}");
    });
}

/// All entries of an outline.
fn entries(outline: &[Outline], each: &mut impl FnMut(&Outline)) {
    for entry in outline {
        each(entry);
        entries(&entry.below, each);
    }
}

#[test]
fn outlines_and_graphs_tell_the_same_behaviours_and_links() {
    each(|name, scripts, _| {
        let pages = CodePages::cp1252();
        let outline = scripts.outline(&pages);
        let mut told = BTreeSet::new();
        let mut arrows = 0;
        entries(&outline, &mut |entry| {
            told.extend(entry.node);
            let is_io = entry.note.starts_with("start") || entry.note.starts_with("out");
            if is_io && entry.note.contains('→') {
                arrows += 1;
            }
        });
        let dot = scripts.dot(None, &pages);
        let solid = |line: &&str| line.contains(" -> ") && !line.contains("dashed");
        let drawn = dot.lines().filter(solid).count();
        let mut inside: BTreeSet<u32> = scripts.scripts().map(|(index, _)| index).collect();
        let mut links = 0;
        let mut next: Vec<u32> = inside.iter().copied().collect();
        let mut sources = BTreeSet::new();
        while let Some(index) = next.pop() {
            let behavior = &scripts.behaviors[&index];
            links += behavior.links.len();
            sources.extend(behavior.links.iter().map(|link| (index, scripts.links[link].source)));
            let new = behavior.sub_behaviors.iter().filter(|sub| inside.insert(**sub));
            next.extend(new);
        }
        assert_eq!(drawn, links, "{name}: every link of a script is drawn");
        assert_eq!(arrows, sources.len(), "{name}: every link of a script is told");
        let dashed: Vec<&str> = dot.lines().filter(|line| line.contains("dashed")).collect();
        let values: BTreeSet<&str> = dashed.iter().copied().collect();
        assert_eq!(values.len(), dashed.len(), "{name}: every value is drawn once");
        for to in &inside {
            let block = &scripts.behaviors[to];
            for input in block.target.iter().chain(&block.input_parameters) {
                let source = scripts.parameters[input].source;
                let Some(from) = source.and_then(|source| scripts.parameters.get(&source)) else {
                    continue;
                };
                let is_block = |index| {
                    inside.contains(&index) && scripts.behaviors[&index].prototype.is_some()
                };
                if let (Role::Output, Some(from)) = (from.role, from.owner)
                    && is_block(from)
                    && is_block(*to)
                {
                    let edge = format!("  n{from} -> n{to} [style=dashed, color=gray];");
                    assert!(values.contains(&*edge), "{name}: {edge}");
                }
            }
        }
        for index in inside {
            let behavior = &scripts.behaviors[&index];
            let node = if behavior.prototype.is_some() {
                format!(" n{index} [label=")
            } else {
                format!("cluster_{index} {{")
            };
            assert_eq!(dot.matches(&node).count(), 1, "{name}: {index}");
        }
    });
}

#[test]
fn outlines_tell_behaviours_apart_and_variables_from_constants() {
    let mut variables = 0;
    each(|name, scripts, _| {
        let written: BTreeSet<u32> = scripts
            .parameters
            .values()
            .flat_map(|parameter| parameter.destinations.iter().copied())
            .collect();
        let outline = scripts.outline(&CodePages::cp1252());
        entries(&outline, &mut |entry| {
            let blocks = entry
                .below
                .iter()
                .filter(|below| below.note.starts_with("block") || below.note.starts_with("graph"));
            let labels: Vec<&str> = blocks.map(|block| block.label.as_str()).collect();
            let apart: BTreeSet<&str> = labels.iter().copied().collect();
            assert_eq!(apart.len(), labels.len(), "{name}: {labels:?}");
            let role = entry.note.split(' ').next().filter(|_| entry.note.contains(" = "));
            let value = ["variable", "local", "setting"].iter().position(|it| role == Some(*it));
            if let Some(role) = value {
                let index = (entry.node.unwrap().0 >> 8) as u32;
                assert_eq!(role == 0, written.contains(&index), "{name}: {}", entry.label);
                variables += usize::from(role == 0);
            }
        });
    });
    assert!(corpus::root().is_none() || variables > 500, "{variables}");
}

/// How many building blocks, parameters and operations of real files the tables know, and how many blocks have the name
/// of their prototype.
#[test]
fn the_tables_know_nearly_all_that_real_files_use() {
    let mut blocks = [0; 3];
    let mut operations = [0; 2];
    let mut parameters = [0; 2];
    let mut unknown = BTreeSet::new();
    each(|name, scripts, _| {
        for (index, behavior) in &scripts.behaviors {
            let Some(prototype) = behavior.prototype else { continue };
            blocks[0] += 1;
            let Some(known) = behavior.known() else {
                unknown.insert(prototype.guid);
                continue;
            };
            blocks[1] += 1;
            blocks[2] += usize::from(scripts.name(*index) == known.name.as_bytes());
            assert_eq!(scripts.registered_name(*index), Some(known.name), "{name}");
        }
        for operation in scripts.operations.values() {
            operations[0] += 1;
            operations[1] += usize::from(registered::operation(operation.operation).is_some());
        }
        for parameter in scripts.parameters.values() {
            // An input without a source has no type, and what stands for the owner has none.
            if parameter.parameter_type != [0; 2] {
                parameters[0] += 1;
                let known = parameter_type::find(parameter.parameter_type).is_some();
                parameters[1] += usize::from(known);
            }
        }
    });
    if blocks[0] > 0 {
        // Neither is it in the sources that the table rests on.
        assert_eq!(unknown, [[0x021E_6FA7, 0x6FE7_4610]].into(), "{unknown:x?}");
        assert_eq!((blocks, operations, parameters), (BLOCKS, OPERATIONS, PARAMETERS));
    }
}

/// All, known ones, and those with the name of their prototype, in the corpus.
const BLOCKS: [usize; 3] = [4751, 4733, 4713];
/// All, and known ones.
const OPERATIONS: [usize; 2] = [318, 318];
/// All with a type, and those whose type is known.
const PARAMETERS: [usize; 2] = [34010, 34010];

/// The outline names what it shows.
#[test]
fn outlines_name_blocks_types_and_members() {
    let mut lines = Vec::new();
    each(|name, scripts, _| {
        fn all(outline: &Outline, lines: &mut Vec<String>) {
            lines.push(format!("{}  {}", outline.label, outline.note));
            outline.below.iter().for_each(|below| all(below, lines));
        }
        if name == "gameplay.nmo" {
            let outlines = scripts.outline(&CodePages::cp1252());
            outlines.iter().for_each(|outline| all(outline, &mut lines));
        }
    });
    if lines.is_empty() {
        return;
    }
    for expected in [
        "Switch On Parameter  block, Logics/Streaming",
        "Start Frozen  local Boolean = no",
        "Get Name  operation",
        "maxDepth  variable Float = 0",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected}");
    }
    let is_raw = |line: &&String| line.contains("  block ") && line.contains('-');
    assert_eq!(lines.iter().find(is_raw), None, "no GUID is left in this file");
}
