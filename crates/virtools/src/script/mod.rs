//! Scripts: graphs of behaviours with their links and parameters (`docs/formats/classes/behaviors.md#scripts`).
//!
//! Files store behaviours, inputs, outputs, links, parameters and operations as objects of their own that refer to
//! each other. [`Scripts`] puts them together.

pub mod blocks;
pub mod dot;
mod known;
pub mod messages;
mod outline;
mod value;

use crate::{
    chunk::read::{ObjRef, Reader},
    class::{self, Value, behavior::Prototype},
    codec::{Array, Reference},
    file::{File, data::Owner, value::has_no_value},
    names::FileNames,
};
use spelunk_core::{Budget, Result};
use std::collections::BTreeMap;
pub use value::ValueText;
use zerocopy::little_endian::U32;

/// All scripts of a file. Everything is named by its position in the object table.
#[derive(Debug)]
pub struct Scripts<'f> {
    file: &'f File,
    names: FileNames<'f>,
    /// The behaviours, by their positions.
    pub behaviors: BTreeMap<u32, Behavior>,
    /// The links.
    pub links: BTreeMap<u32, Link>,
    /// The parameters of all kinds.
    pub parameters: BTreeMap<u32, Parameter>,
    /// The operations.
    pub operations: BTreeMap<u32, Operation>,
    /// Inputs and outputs of behaviours.
    pub ios: BTreeMap<u32, Io>,
}

/// A behaviour.
#[derive(Clone, Debug, Default)]
pub struct Behavior {
    /// Building block that the behaviour is an instance of; graphs have none.
    pub prototype: Option<Prototype>,
    /// [`FLAGS`](crate::class::behavior::FLAGS).
    pub flags: u32,
    /// Higher ones are run earlier.
    pub priority: i32,
    /// The object whose script it is.
    pub owner: Option<u32>,
    /// The graph that it is a part of.
    pub graph: Option<u32>,
    /// The input that names what the behaviour works on.
    pub target: Option<u32>,
    /// Behaviours of a graph.
    pub sub_behaviors: Vec<u32>,
    /// Links of a graph.
    pub links: Vec<u32>,
    /// Operations of a graph.
    pub operations: Vec<u32>,
    /// Input parameters.
    pub input_parameters: Vec<u32>,
    /// Output parameters.
    pub output_parameters: Vec<u32>,
    /// Local parameters, settings among them.
    pub local_parameters: Vec<u32>,
    /// Inputs.
    pub inputs: Vec<u32>,
    /// Outputs.
    pub outputs: Vec<u32>,
    /// Whether its graph has another one of the same name.
    pub has_namesake: bool,
}

impl Behavior {
    /// Whether it is a script: a graph that belongs to an object.
    pub const fn is_script(&self) -> bool {
        self.flags & class::behavior::flags::SCRIPT != 0
    }
}

/// A link.
#[derive(Clone, Copy, Debug, Default)]
pub struct Link {
    /// An output of a behaviour, or an input of the graph around it.
    pub source: Option<u32>,
    /// An input of a behaviour, or an output of the graph around it.
    pub destination: Option<u32>,
    /// Frames from source to destination.
    pub delay: i32,
}

/// An input or an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Io {
    /// Behaviour that has the input or output.
    pub behavior: u32,
    /// Whether it is an output.
    pub is_output: bool,
    /// Position among the others.
    pub position: u32,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Role of the parameter for its owner.
    pub role: Role,
    /// The behaviour or the operation that it belongs to.
    pub owner: Option<u32>,
    /// Type, as `d1` and `d2`.
    pub parameter_type: [u32; 2],
    /// Source of the value, for inputs.
    pub source: Option<u32>,
    /// Destinations of the value, for outputs.
    pub destinations: Vec<u32>,
    /// Value as text; inputs have none of their own.
    pub value: Option<ValueText>,
    /// Whether outputs write it, so that its value is only the first one.
    pub is_variable: bool,
}

/// Role of a parameter for its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Takes its value from a source.
    Input,
    /// Is changed by its owner.
    Output,
    /// Holds a value inside a behaviour.
    Local,
    /// A local one that is set when the building block is configured.
    Setting,
    /// The owner of the script.
    Myself,
    /// A parameter of another kind: of an attribute, for example.
    Other,
}

impl Role {
    /// Name of the role in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::Output => "output",
            Role::Local => "local",
            Role::Setting => "setting",
            Role::Myself => "myself",
            Role::Other => "other",
        }
    }
}

/// An operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operation {
    /// GUID of the operation, as `d1` and `d2`.
    pub operation: [u32; 2],
    /// Inputs of the operation.
    pub inputs: [Option<u32>; 2],
    /// Result of the operation.
    pub output: Option<u32>,
}

impl<'f> Scripts<'f> {
    /// Reads the scripts of a file. Objects that are damaged are left out.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub fn of(file: &'f File, budget: &mut Budget) -> Result<Scripts<'f>> {
        let names = FileNames::of(file, budget)?;
        let mut scripts = Scripts {
            file,
            names,
            behaviors: BTreeMap::new(),
            links: BTreeMap::new(),
            parameters: BTreeMap::new(),
            operations: BTreeMap::new(),
            ios: BTreeMap::new(),
        };
        let mut owners = Vec::new();
        for index in 0..u32::try_from(file.table().objects.len()).unwrap_or(u32::MAX) {
            budget.steps(1)?;
            let class_id = file.class_of(index).unwrap_or_default();
            if class::SCRIPTS.contains(&class_id) {
                // What is kept of an object takes no more than its value did.
                let value = match file.value(Owner::Object(index), &mut Vec::new(), budget) {
                    Ok(Some(saved)) => saved.value,
                    Err(error) if has_no_value(&error) => continue,
                    Ok(None) => continue,
                    Err(error) => return Err(error),
                };
                budget.memory(KEPT)?;
                scripts.take(index, value);
            } else if class::is_a(class_id, class::BE_OBJECT) {
                owners.push(index);
            }
        }
        scripts.put_together(owners, budget)?;
        Ok(scripts)
    }

    fn take(&mut self, index: u32, value: Value) {
        match value {
            Value::Behavior(value) => {
                let Some(data) = value.data else { return };
                let behavior = Behavior {
                    prototype: data.prototype,
                    flags: data.flags,
                    priority: data.priority.unwrap_or_default(),
                    owner: None,
                    graph: None,
                    target: data.target.and_then(of),
                    sub_behaviors: positions(&data.sub_behaviors),
                    links: positions(&data.links),
                    operations: positions(&data.operations),
                    input_parameters: positions(&data.input_parameters),
                    output_parameters: positions(&data.output_parameters),
                    local_parameters: positions(&data.local_parameters),
                    inputs: positions(&data.inputs),
                    outputs: positions(&data.outputs),
                    has_namesake: false,
                };
                self.behaviors.insert(index, behavior);
            }
            Value::BehaviorLink(value) => {
                let Some(link) = value.link else { return };
                let delay = link.initial_delay().into();
                let (source, destination) = (of(link.ends.source), of(link.ends.destination));
                self.links.insert(index, Link { source, destination, delay });
            }
            Value::ParameterOperation(value) => {
                let Some(data) = value.operation else { return };
                let end = |end: Option<Reference>| end.and_then(of);
                let inputs = [end(data.first()), end(data.second())];
                let output = end(data.output());
                self.operations
                    .insert(index, Operation { operation: data.operation, inputs, output });
            }
            Value::ParameterIn(value) => {
                let source = value.source.or(value.shared);
                let mut parameter = Parameter::new(Role::Input);
                if let Some(source) = source {
                    parameter.parameter_type = source.parameter_type;
                    parameter.source = of(source.parameter);
                }
                self.parameters.insert(index, parameter);
            }
            Value::ParameterOut(value) => {
                let mut parameter = self.parameter(Role::Output, value.parameter.parameter);
                parameter.destinations = positions(&value.destinations);
                self.parameters.insert(index, parameter);
            }
            Value::ParameterLocal(value) => {
                let role = match (value.myself, value.setting) {
                    (true, _) => Role::Myself,
                    (_, true) => Role::Setting,
                    _ => Role::Local,
                };
                let parameter = self.parameter(role, value.parameter.parameter);
                self.parameters.insert(index, parameter);
            }
            Value::Parameter(value) => {
                let parameter = self.parameter(Role::Other, value.parameter);
                self.parameters.insert(index, parameter);
            }
            _ => {}
        }
    }

    fn parameter(&self, role: Role, content: Option<class::parameter::TypedValue>) -> Parameter {
        let mut parameter = Parameter::new(role);
        if let Some(content) = content {
            parameter.parameter_type = content.parameter_type;
            parameter.value = Some(ValueText::of(&content, &self.names));
        }
        parameter
    }

    /// Finds out what belongs to what.
    fn put_together(&mut self, owners: Vec<u32>, budget: &mut Budget) -> Result<()> {
        let mut graphs = Vec::new();
        for (index, behavior) in &self.behaviors {
            graphs.extend(behavior.sub_behaviors.iter().map(|sub| (*sub, *index)));
            let lists = [(&behavior.inputs, false), (&behavior.outputs, true)];
            for (list, is_output) in lists {
                for (io, position) in list.iter().zip(0..) {
                    self.ios.insert(*io, Io { behavior: *index, is_output, position });
                }
            }
            let lists = [
                &behavior.input_parameters,
                &behavior.output_parameters,
                &behavior.local_parameters,
            ];
            for parameter in lists.into_iter().flatten().chain(&behavior.target) {
                let Some(parameter) = self.parameters.get_mut(parameter) else { continue };
                // A graph that exports a parameter lists it, too: it belongs to the innermost one.
                let outer = parameter.owner.and_then(|owner| self.behaviors.get(&owner));
                let is_inner = |outer: &Behavior| outer.sub_behaviors.contains(index);
                if outer.is_none_or(|outer| behavior.prototype.is_some() || is_inner(outer)) {
                    parameter.owner = Some(*index);
                }
            }
        }
        for (index, operation) in &self.operations {
            for parameter in operation.inputs.iter().chain([&operation.output]).flatten() {
                if let Some(parameter) = self.parameters.get_mut(parameter) {
                    parameter.owner = Some(*index);
                }
            }
        }
        let mut named: BTreeMap<(u32, &[u8]), u32> = BTreeMap::new();
        for (sub, graph) in &graphs {
            let count = named.entry((*graph, self.name(*sub))).or_default();
            *count = count.saturating_add(1);
        }
        for (sub, graph) in graphs {
            let count = named.get(&(graph, self.name(sub)));
            if let Some(behavior) = self.behaviors.get_mut(&sub) {
                behavior.graph = Some(graph);
                behavior.has_namesake = count.is_some_and(|count| *count > 1);
            }
        }
        let written = self.parameters.values().flat_map(|parameter| &parameter.destinations);
        for parameter in written.copied().collect::<Vec<u32>>() {
            if let Some(parameter) = self.parameters.get_mut(&parameter) {
                parameter.is_variable = true;
            }
        }
        for owner in owners {
            const SCRIPTS: u32 = 0x800;
            let chunk = match self.file.chunk(Owner::Object(owner), budget) {
                Ok(Some(chunk)) => chunk,
                Err(error) if !has_no_value(&error) => return Err(error),
                _ => continue,
            };
            let Some(mut reader) = Reader::find(chunk, SCRIPTS) else { continue };
            for script in reader.objects("scripts").into_iter().flatten() {
                if let ObjRef::Index(script) = script
                    && let Some(behavior) = self.behaviors.get_mut(&script)
                {
                    behavior.owner = Some(owner);
                }
            }
        }
        Ok(())
    }

    /// The scripts, in the order of the object table.
    pub fn scripts(&self) -> impl Iterator<Item = (u32, &Behavior)> {
        let all = self.behaviors.iter().map(|(index, behavior)| (*index, behavior));
        all.filter(|(_, behavior)| behavior.is_script())
    }

    /// The stored name of an object.
    pub fn name(&self, index: u32) -> &'f [u8] {
        let table = self.file.table();
        table.objects.get(index as usize).map_or(&[], |object| table.name(object))
    }

    /// The class of an object.
    pub fn class(&self, index: u32) -> std::borrow::Cow<'static, str> {
        self.file.class_name(self.file.class_of(index).unwrap_or_default())
    }
}

/// Memory that is charged for what is kept of an object.
const KEPT: u64 = 256;

impl Parameter {
    const fn new(role: Role) -> Parameter {
        Parameter {
            role,
            owner: None,
            parameter_type: [0; 2],
            source: None,
            destinations: Vec::new(),
            value: None,
            is_variable: false,
        }
    }
}

/// A position in the object table, which references of objects are.
fn position(word: u32) -> Option<u32> {
    match ObjRef::of(word, true) {
        ObjRef::Index(index) => Some(index),
        _ => None,
    }
}

fn positions(list: &Option<Array<U32>>) -> Vec<u32> {
    let words = list.iter().flat_map(|all| all.iter());
    words.filter_map(|word| position(word.get())).collect()
}

fn of(reference: Reference) -> Option<u32> {
    position(reference.value)
}
