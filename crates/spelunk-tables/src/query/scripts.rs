//! The tables of scripts: behaviours, what links them, and their parameters.

use super::{
    out::RowSink,
    table::{RowSource, Table, integer, text},
    virtools_table::{NAME, OBJECT, guid, table, type_name},
};
use crate::{cell::Cell, column::SetForm};
use spelunk_core::{Result, Task, Val};
use spelunk_open::Model;
use virtools::script::{Behavior, Io, Scripts, ValueText};

/// Deeper graphs come from damaged files only.
const MAX_DEPTH: usize = 64;

pub(super) const BEHAVIORS: Table = table(
    "behaviors",
    "Scripts, the graphs in them, and building blocks.",
    &[
        OBJECT,
        NAME,
        text("kind", "`script`, `graph` or `block`."),
        integer("owner", "The object whose script it is."),
        text("owner_name", "Name of that object."),
        integer("graph", "The behaviour that it is a part of."),
        integer("script", "The script that it is in; of a script itself its own position."),
        text("script_name", "Name of that script."),
        text("prototype", "GUID of the building block."),
        text("prototype_version", "Version of the building block."),
        text(
            "prototype_name",
            "Name under which the building block is registered, where it is known.",
        ),
        text("category", "Category of the building block, where it is known."),
        text("flags", "Its flags.").sets("behavior.flags"),
        integer("priority", "Higher ones are run earlier.").sets("behavior.priority"),
        integer("target", "The input parameter that names the object it works on.")
            .sets_as("behavior.target", SetForm::Reference),
    ],
    behaviors,
);

pub(super) const IOS: Table = table(
    "ios",
    "Inputs and outputs of behaviours.",
    &[
        OBJECT,
        NAME,
        text("kind", "`input` or `output`."),
        integer("behavior", "Whose it is."),
        integer("position", "Its position among the others."),
    ],
    ios,
);

pub(super) const LINKS: Table = table(
    "links",
    "Links of behaviours: from an output of one, or an input of the graph around it, to an input of one, or an output of the \
     graph around it.",
    &[
        OBJECT,
        integer("graph", "The behaviour that holds the link."),
        integer("script", "The script that it is in."),
        text("script_name", "Name of that script."),
        integer("source", "The output that it starts at.")
            .sets_as("link.source", SetForm::Reference),
        text("source_name", "Name of that output."),
        integer("source_behavior", "The behaviour that has this output."),
        text("source_behavior_name", "Name of that behaviour."),
        integer("destination", "The input that it ends at.")
            .sets_as("link.destination", SetForm::Reference),
        text("destination_name", "Name of that input."),
        integer("destination_behavior", "The behaviour that has this input."),
        text("destination_behavior_name", "Name of that behaviour."),
        integer("delay", "Time from source to destination.")
            .unit("frames")
            .sets_as("link.delays", SetForm::Part("initial_delay")),
    ],
    links,
);

pub(super) const PARAMETERS: Table = table(
    "parameters",
    "Parameters of behaviours, operations and attributes.",
    &[
        OBJECT,
        NAME,
        text("kind", "`input`, `output`, `local`, `setting`, `myself` or `other`."),
        integer("owner", "The behaviour or operation that it belongs to."),
        text("owner_name", "Name of that behaviour or operation."),
        text("type", "GUID of its type."),
        text("type_name", "Name of its type, where it is known."),
        text("value", "Its value as text; inputs take theirs from `source`.")
            .sets_as("parameter.value", SetForm::Quoted),
        integer(
            "value_object",
            "The object that the value is, or the number of the message or attribute.",
        ),
        integer("source", "The parameter that an input takes its value from.")
            .sets_as("data_source.source", SetForm::Reference),
    ],
    parameters,
);

pub(super) const OPERATIONS: Table = table(
    "operations",
    "Operations on parameters.",
    &[
        OBJECT,
        NAME,
        text("operation", "GUID of what it does."),
        text("operation_name", "Name of what it does, where it is known."),
        integer("first", "Its first input parameter."),
        integer("second", "Its second input parameter."),
        integer("output", "The parameter with its result."),
    ],
    operations,
);

/// Works on the scripts of a file, where it is one of Virtools.
fn with_scripts(
    source: &RowSource<'_>,
    task: &mut Task<'_>,
    work: impl FnOnce(&Scripts<'_>) -> Result<()>,
) -> Result<()> {
    let Model::Virtools(file) = Model::of(source.container) else { return Ok(()) };
    task.transient(|task| work(&Scripts::of(file, &mut task.budget)?))
}

/// The script that a behaviour is in.
fn script_of(scripts: &Scripts<'_>, behavior: u32) -> Option<u32> {
    let above = |index: &u32| scripts.behaviors.get(index)?.graph;
    let mut all = std::iter::successors(Some(behavior), above).take(MAX_DEPTH);
    all.find(|index| scripts.behaviors.get(index).is_some_and(Behavior::is_script))
}

fn behaviors(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scripts(source, task, |scripts| {
        let name = |index: u32| source.show(scripts.name(index));
        for (index, behavior) in &scripts.behaviors {
            let kind = match behavior.prototype {
                Some(_) => "block",
                None if behavior.is_script() => "script",
                None => "graph",
            };
            let script = script_of(scripts, *index);
            let version = |version| Val::Word(version).to_string();
            out.row(&[
                (*index).into(),
                name(*index),
                kind.into(),
                behavior.owner.into(),
                behavior.owner.map(name).into(),
                behavior.graph.into(),
                script.into(),
                script.map(name).into(),
                behavior.prototype.map(|prototype| guid(prototype.guid)).into(),
                behavior.prototype.map(|prototype| version(prototype.version)).into(),
                behavior.known().map(|known| known.name).into(),
                behavior.known().map(|known| known.category).into(),
                Val::Word(behavior.flags).to_string().into(),
                behavior.priority.into(),
                behavior.target.into(),
            ])?;
        }
        Ok(())
    })
}

fn ios(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scripts(source, task, |scripts| {
        for (index, io) in &scripts.ios {
            let Io { behavior, is_output, position } = *io;
            let kind = if is_output { "output" } else { "input" };
            let name = source.show(scripts.name(*index));
            out.row(&[(*index).into(), name, kind.into(), behavior.into(), position.into()])?;
        }
        Ok(())
    })
}

fn links(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scripts(source, task, |scripts| {
        let name = |index: u32| source.show(scripts.name(index));
        let held = scripts
            .behaviors
            .iter()
            .flat_map(|(graph, behavior)| behavior.links.iter().map(move |link| (*link, *graph)));
        let graphs: std::collections::BTreeMap<u32, u32> = held.collect();
        for (index, link) in &scripts.links {
            let graph = graphs.get(index).copied();
            let script = graph.and_then(|graph| script_of(scripts, graph));
            let behavior = |io: Option<u32>| Some(scripts.ios.get(&io?)?.behavior);
            let [from, to] = [behavior(link.source), behavior(link.destination)];
            out.row(&[
                (*index).into(),
                graph.into(),
                script.into(),
                script.map(name).into(),
                link.source.into(),
                link.source.map(name).into(),
                from.into(),
                from.map(name).into(),
                link.destination.into(),
                link.destination.map(name).into(),
                to.into(),
                to.map(name).into(),
                link.delay.into(),
            ])?;
        }
        Ok(())
    })
}

fn parameters(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scripts(source, task, |scripts| {
        let name = |index: u32| source.show(scripts.name(index));
        for (index, parameter) in &scripts.parameters {
            let object = match &parameter.value {
                Some(ValueText::Named { index, .. }) => Cell::from(*index),
                _ => Cell::Null,
            };
            out.row(&[
                (*index).into(),
                name(*index),
                parameter.role.name().into(),
                parameter.owner.into(),
                parameter.owner.map(name).into(),
                guid(parameter.parameter_type).into(),
                type_name(parameter.parameter_type).into(),
                parameter.value.as_ref().map(|value| value.show(source.pages)).into(),
                object,
                parameter.source.into(),
            ])?;
        }
        Ok(())
    })
}

fn operations(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    with_scripts(source, task, |scripts| {
        for (index, operation) in &scripts.operations {
            let [first, second] = operation.inputs;
            out.row(&[
                (*index).into(),
                source.show(scripts.name(*index)),
                guid(operation.operation).into(),
                virtools::registered::operation(operation.operation).into(),
                first.into(),
                second.into(),
                operation.output.into(),
            ])?;
        }
        Ok(())
    })
}
