//! Names from the tables of known GUIDs for the parts of scripts (`docs/formats/virtools-registered.md`).

use super::{Behavior, Role, Scripts};
use crate::{
    class::parameter_type,
    registered::{self, prototype::Prototype},
};
use spelunk_core::Val;

impl Behavior {
    /// The prototype of a building block that is known; `None` for graphs and for blocks that are not.
    pub fn known(&self) -> Option<Prototype> {
        registered::prototype(self.prototype?.guid)
    }
}

impl Scripts<'_> {
    /// The name with which a part of a script was made: a building block, a pin of one, or an operation. Authors may
    /// have given it another one. `None` for graphs and their pins, and where the GUID is not known.
    pub fn registered_name(&self, index: u32) -> Option<&'static str> {
        if let Some(behavior) = self.behaviors.get(&index) {
            return behavior.known().map(|known| known.name);
        }
        if let Some(operation) = self.operations.get(&index) {
            return registered::operation(operation.operation);
        }
        if let Some(io) = self.ios.get(&index) {
            let known = self.behaviors.get(&io.behavior)?.known()?;
            let position = io.position as usize;
            return match io.is_output {
                true => known.outputs().nth(position),
                false => known.inputs().nth(position),
            };
        }
        let parameter = self.parameters.get(&index)?;
        let behavior = self.behaviors.get(&parameter.owner?)?;
        let known = behavior.known()?;
        let nth = |list: &[u32]| list.iter().position(|own| *own == index);
        let pin = match parameter.role {
            Role::Input => known.input_parameters().nth(nth(&behavior.input_parameters)?),
            Role::Output => known.output_parameters().nth(nth(&behavior.output_parameters)?),
            // Settings and other local parameters share a list, in an order of their own.
            _ => None,
        };
        Some(pin?.name)
    }

    /// Kind of a behaviour: a block with its category, and its registered name where it has another one here.
    pub(super) fn kind(&self, index: u32, behavior: &Behavior) -> String {
        let Some(prototype) = behavior.prototype else {
            return if behavior.is_script() { "script" } else { "graph" }.into();
        };
        let Some(known) = behavior.known() else {
            let [d1, d2] = prototype.guid;
            return format!("block {}", Val::Guid(d1, d2));
        };
        let mut text = String::from("block");
        if self.name(index).strip_suffix(&[0]).unwrap_or(self.name(index)) != known.name.as_bytes()
        {
            text.push(' ');
            text.push_str(known.name);
        }
        if !known.category.is_empty() {
            text.push_str(", ");
            text.push_str(known.category);
        }
        text
    }

    /// Kind of an operation, apart from its name.
    pub(super) fn operation_kind(&self, index: u32, operation: [u32; 2]) -> String {
        let [d1, d2] = operation;
        match registered::operation(operation) {
            None => format!("operation {}", Val::Guid(d1, d2)),
            Some(known) if self.name(index) == known.as_bytes() => "operation".into(),
            Some(known) => format!("operation {known}"),
        }
    }

    /// Name that editors have for the type of a parameter, behind a blank; nothing where it is not known, or none.
    pub(super) fn type_label(&self, parameter: u32) -> String {
        let parameter = self.parameters.get(&parameter);
        let parameter = parameter.filter(|own| own.parameter_type != parameter_type::NONE);
        let label = parameter.and_then(|own| parameter_type::label(own.parameter_type));
        label.map_or_else(String::new, |label| format!(" {label}"))
    }
}
