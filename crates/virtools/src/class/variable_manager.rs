//! The variable manager (`docs/formats/classes/managers.md#variable-manager`).

use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/managers.md#variable-manager";

/// GUID of the variable manager.
pub const GUID: [u32; 2] = [0x98CC_3CC9, 0];

/// Options of the authoring tool and of the engine that products from 2.5 on keep in files.
#[derive(Clone, Debug, Default)]
pub struct VariableManager {
    /// The variables and their descriptions.
    pub variables: Option<Box<Variables>>,
}

/// The variables of a file.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// Names and values.
    pub variables: Vec<Variable>,
    /// Two dwords, 0 in all real files.
    pub reserved: [u32; 2],
    /// Lists of the values that variables can have.
    pub descriptions: Vec<Description>,
}

/// A variable.
#[derive(Clone, Debug, Default)]
pub struct Variable {
    /// Name of the variable, with its group before a slash.
    pub name: Text,
    /// Value of the variable.
    pub value: u32,
}

/// The values that something can have.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The values with their names, such as `enum:0=Uncompressed;8=Compressed`.
    pub values: Text,
    /// GUID of what has these values, as `d1` and `d2`.
    pub of: [u32; 2],
}

impl Layout for VariableManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x98CC_3CC9,
            group!("variables", "Options of the authoring tool and of the engine."),
            &mut self.variables,
            |c, all| {
                let Variables { variables, reserved, descriptions } = all.as_mut();
                c.counted(
                    field!("count", Ty::U32, "How many variables follow."),
                    group!("variables", "The variables."),
                    variables,
                    |c, variable| {
                        c.text(field!("name", Ty::Text, "Group and name."), &mut variable.name)?;
                        c.item(field!("value", Ty::U32, "The value."), &mut variable.value)
                    },
                )?;
                let field = field!("reserved", Ty::Array(&Ty::Word, 2), "0 in all real files.");
                c.item(field, reserved)?;
                c.counted(
                    field!("description_count", Ty::U32, "How many descriptions follow."),
                    group!("descriptions", "Which values there can be."),
                    descriptions,
                    |c, description| {
                        let field = field!("values", Ty::Text, "Values and what they are called.");
                        c.text(field, &mut description.values)?;
                        let field = field!("of", Ty::Guid, "What has these values.");
                        c.item(field, &mut description.of)
                    },
                )
            },
        )
    }
}
