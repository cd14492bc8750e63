//! Scripts of Virtools files as data: JSON, Graphviz, and inventories of building blocks.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use spelunk_core::{
    Error, Result, Val,
    nearest::with_near,
    text::{CodePages, until_nul},
};
use spelunk_open::{Model, Opened, codes, model};
use std::collections::BTreeMap;
pub use virtools::script::messages::MessageRole;
use virtools::{
    class::behavior::Prototype,
    registered,
    script::{Behavior, Scripts, ValueText, blocks::Uses},
};

/// Works on the scripts of a file.
fn with_scripts<T>(
    opened: &mut Opened,
    work: impl FnOnce(&Scripts<'_>, &CodePages) -> T,
) -> Result<T> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let file = model::virtools(container, &codes::NO_SCRIPTS)?;
        Ok(work(&Scripts::of(file, &mut task.budget)?, &pages))
    })
}

/// The position of the behaviour that a path names.
fn behavior_at(opened: &mut Opened, path: &str) -> Result<u32> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let found = container.find(path, &pages, task)?;
        let index = match (Model::of(container), found.as_slice()) {
            (Model::Virtools(file), [node]) => file.object_index(*node),
            _ => None,
        };
        index.ok_or_else(|| {
            Error::new(&codes::core::NOT_FOUND)
                .expected("the path of one behaviour")
                .found(format!("`{path}`"))
        })
    })
}

/// A behaviour that has to do with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageUse {
    /// What it has to do with it.
    pub role: MessageRole,
    /// Position of the behaviour in the object table.
    pub behavior: u32,
    /// Name of the behaviour.
    pub name: String,
    /// Position and name of the script that it belongs to, where it belongs to one.
    pub script: Option<(u32, String)>,
    /// The object whose script that is, by class and name.
    pub owner: Option<String>,
    /// Number of the message in the file.
    pub number: u64,
    /// Whether other behaviours write the message into it, so that this is only the first one.
    pub is_variable: bool,
}

/// The behaviours that send the message of this name, wait for it, or have it as a value: by role, then in the order of the file.
/// Case makes no difference where no message has the very name.
///
/// # Errors
/// [`NO_SCRIPTS`](codes::NO_SCRIPTS) for files of other formats; [`NOT_FOUND`](codes::core::NOT_FOUND) with the messages near the
/// name; reading errors.
pub fn messages(opened: &mut Opened, name: &str) -> Result<Vec<MessageUse>> {
    with_scripts(opened, |scripts, pages| {
        let show = |name: &[u8]| pages.show(until_nul(name)).into_owned();
        let all: Vec<_> = scripts.messages().into_iter().map(|it| (show(it.name), it)).collect();
        let has = |is: &dyn Fn(&str) -> bool| all.iter().any(|(known, _)| is(known));
        let is_exact = has(&|known| known == name);
        let is = |known: &str| match is_exact {
            true => known == name,
            false => known.eq_ignore_ascii_case(name),
        };
        if !has(&is) {
            return Err(Error::new(&codes::core::NOT_FOUND)
                .expected("a message that a script sends or waits for")
                .found(with_near(name, all.iter().map(|(known, _)| known.as_str()))));
        }
        let mut uses: Vec<MessageUse> = all
            .iter()
            .filter(|(known, _)| is(known))
            .map(|(_, it)| {
                let script = scripts.script_of(it.behavior);
                let owner = script.and_then(|script| scripts.behaviors.get(&script)?.owner);
                MessageUse {
                    role: it.role,
                    behavior: it.behavior,
                    name: show(scripts.name(it.behavior)),
                    script: script.map(|script| (script, show(scripts.name(script)))),
                    owner: owner.map(|owner| {
                        format!("{}/{}", scripts.class(owner), show(scripts.name(owner)))
                    }),
                    number: it.number,
                    is_variable: it.is_variable,
                }
            })
            .collect();
        uses.sort_by_key(|it| (it.role, it.behavior));
        uses.dedup();
        Ok(uses)
    })?
}

/// All scripts, or one behaviour, in the language of Graphviz.
///
/// # Errors
/// [`NO_SCRIPTS`](codes::NO_SCRIPTS) for files of other formats; a path that names no behaviour; reading errors.
pub fn dot(opened: &mut Opened, path: Option<&str>) -> Result<String> {
    let behavior = path.map(|path| behavior_at(opened, path)).transpose()?;
    with_scripts(opened, |scripts, pages| scripts.dot(behavior, pages))
}

/// All scripts as data.
///
/// # Errors
/// [`NO_SCRIPTS`](codes::NO_SCRIPTS) for files of other formats; reading errors.
pub fn json(opened: &mut Opened) -> Result<Value> {
    with_scripts(opened, |scripts, pages| {
        let name = |index: u32| pages.show(until_nul(scripts.name(index))).into_owned();
        let behaviors: Vec<Value> = scripts
            .behaviors
            .iter()
            .map(|(index, behavior)| behavior_json(*index, behavior, &name))
            .collect();
        let ios: Vec<Value> = scripts
            .ios
            .iter()
            .map(|(index, io)| {
                json!({
                    "index": index,
                    "name": name(*index),
                    "behavior": io.behavior,
                    "kind": if io.is_output { "output" } else { "input" },
                    "position": io.position,
                })
            })
            .collect();
        let links: Vec<Value> = scripts
            .links
            .iter()
            .map(|(index, link)| {
                json!({
                    "index": index,
                    "source": link.source,
                    "destination": link.destination,
                    "delay": link.delay,
                })
            })
            .collect();
        let parameters: Vec<Value> = scripts
            .parameters
            .iter()
            .map(|(index, parameter)| {
                let [d1, d2] = parameter.parameter_type;
                json!({
                    "index": index,
                    "name": name(*index),
                    "kind": parameter.role.name(),
                    "owner": parameter.owner,
                    "type": Val::Guid(d1, d2).to_string(),
                    "type_name": virtools::class::parameter_type::name(parameter.parameter_type),
                    "source": parameter.source,
                    "destinations": parameter.destinations,
                    "value": parameter.value.as_ref().map(|value| value.show(pages)),
                    "value_index": match &parameter.value {
                        Some(ValueText::Named { index, .. }) => Some(*index),
                        _ => None,
                    },
                })
            })
            .collect();
        let operations: Vec<Value> = scripts
            .operations
            .iter()
            .map(|(index, operation)| {
                let [d1, d2] = operation.operation;
                json!({
                    "index": index,
                    "name": name(*index),
                    "operation": Val::Guid(d1, d2).to_string(),
                    "operation_name": registered::operation(operation.operation),
                    "inputs": operation.inputs,
                    "output": operation.output,
                })
            })
            .collect();
        json!({
            "behaviors": behaviors,
            "ios": ios,
            "links": links,
            "parameters": parameters,
            "operations": operations,
        })
    })
}

fn behavior_json(index: u32, behavior: &Behavior, name: &dyn Fn(u32) -> String) -> Value {
    let kind = match behavior.prototype {
        Some(_) => "block",
        None if behavior.is_script() => "script",
        None => "graph",
    };
    json!({
        "index": index,
        "name": name(index),
        "kind": kind,
        "owner": behavior.owner,
        "owner_name": behavior.owner.map(name),
        "graph": behavior.graph,
        "prototype": behavior.prototype.map(|prototype| guid(&prototype)),
        "prototype_version": behavior.prototype.map(|prototype| version(&prototype)),
        "prototype_name": behavior.known().map(|known| known.name),
        "prototype_category": behavior.known().map(|known| known.category),
        "flags": Val::Word(behavior.flags).to_string(),
        "priority": behavior.priority,
        "target": behavior.target,
        "behaviors": behavior.sub_behaviors,
        "links": behavior.links,
        "operations": behavior.operations,
        "inputs": behavior.inputs,
        "outputs": behavior.outputs,
        "input_parameters": behavior.input_parameters,
        "output_parameters": behavior.output_parameters,
        "local_parameters": behavior.local_parameters,
    })
}

fn guid(prototype: &Prototype) -> String {
    let [d1, d2] = prototype.guid;
    Val::Guid(d1, d2).to_string()
}

fn version(prototype: &Prototype) -> String {
    Val::Word(prototype.version).to_string()
}

/// A building block, and where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockRow {
    /// GUID of the building block.
    pub prototype: String,
    /// Version of the building block.
    #[schemars(regex(pattern = "^0x[0-9a-f]{8}$"))]
    pub version: String,
    /// Name under which the block is registered; null where it is not known.
    pub name: Option<&'static str>,
    /// Category of the block, with / between levels; null where the block is not known.
    pub category: Option<&'static str>,
    /// Pins with which the block is made; null where it is not known.
    pub pins: Option<BlockPins>,
    /// Number of behaviours made of it.
    pub count: u64,
    /// Names of the behaviours.
    pub names: Vec<String>,
    /// Files that use it.
    pub files: Vec<String>,
}

/// The pins with which a building block is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockPins {
    /// Inputs.
    pub inputs: Vec<&'static str>,
    /// Outputs.
    pub outputs: Vec<&'static str>,
    /// Input parameters.
    pub input_parameters: Vec<BlockParameter>,
    /// Output parameters.
    pub output_parameters: Vec<BlockParameter>,
    /// Settings.
    pub settings: Vec<BlockParameter>,
    /// Other local parameters that have names.
    pub local_parameters: Vec<BlockParameter>,
}

/// A parameter of a building block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockParameter {
    /// Name of the parameter.
    pub name: &'static str,
    /// GUID of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// Constant of its type, where it has one.
    pub type_name: Option<&'static str>,
}

impl BlockPins {
    fn of(known: &registered::prototype::Prototype) -> BlockPins {
        let parameters = |pins: &mut dyn Iterator<Item = registered::prototype::Pin>| {
            let parameter = |pin: registered::prototype::Pin| {
                let [d1, d2] = pin.parameter_type;
                BlockParameter {
                    name: pin.name,
                    kind: Val::Guid(d1, d2).to_string(),
                    type_name: virtools::class::parameter_type::name(pin.parameter_type),
                }
            };
            pins.map(parameter).collect()
        };
        BlockPins {
            inputs: known.inputs().collect(),
            outputs: known.outputs().collect(),
            input_parameters: parameters(&mut known.input_parameters()),
            output_parameters: parameters(&mut known.output_parameters()),
            settings: parameters(&mut known.settings()),
            local_parameters: parameters(&mut known.local_parameters()),
        }
    }
}

/// Building blocks of many files, with their uses.
#[derive(Clone, Debug, Default)]
pub struct Inventory(BTreeMap<Prototype, (Uses, Vec<String>)>);

impl Inventory {
    /// Adds the building blocks of a file.
    ///
    /// # Errors
    /// [`NO_SCRIPTS`](codes::NO_SCRIPTS) for files of other formats; reading errors.
    pub fn add(&mut self, file: &str, opened: &mut Opened) -> Result<()> {
        for (prototype, uses) in with_scripts(opened, |scripts, _| scripts.blocks())? {
            let (all, files) = self.0.entry(prototype).or_default();
            all.count += uses.count;
            for (name, count) in uses.names {
                *all.names.entry(name).or_default() += count;
            }
            files.push(file.to_owned());
        }
        Ok(())
    }

    /// A row for each building block and version: those that are used most first.
    pub fn rows(&self, pages: &CodePages) -> Vec<BlockRow> {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_by_key(|(_, (uses, _))| std::cmp::Reverse(uses.count));
        let line = |(prototype, (uses, files)): (&Prototype, &(Uses, Vec<String>))| {
            let known = registered::prototype(prototype.guid);
            let mut names: Vec<_> = uses.names.iter().collect();
            names.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let names: Vec<_> =
                names.iter().map(|(name, _)| pages.show(until_nul(name)).into_owned()).collect();
            BlockRow {
                prototype: guid(prototype),
                version: version(prototype),
                name: known.map(|known| known.name),
                category: known.map(|known| known.category),
                pins: known.as_ref().map(BlockPins::of),
                count: uses.count,
                names,
                files: files.clone(),
            }
        };
        all.into_iter().map(line).collect()
    }
}
