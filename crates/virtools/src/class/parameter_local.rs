//! `CKParameterLocal` (`docs/formats/classes/parameters.md#ckparameterlocal`).

use super::{
    fresh::{Fresh, Host},
    parameter::Parameter,
};
use crate::codec::{Codec, Coded, Layout, field};
use spelunk_core::Ty;

/// A value that a behaviour owns.
#[derive(Clone, Debug, Default)]
pub struct ParameterLocal {
    /// State of the base class; without a value where it is `myself`.
    pub parameter: Parameter,
    /// Whether the parameter stands for the owner of the script.
    pub myself: bool,
    /// Whether the parameter is a setting of a building block.
    pub setting: bool,
}

impl Layout for ParameterLocal {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.parameter.layout(c)?;
        let field = field!("myself", Ty::Bool, "It stands for the owner of the script.");
        c.flag(0x200, field, &mut self.myself)?;
        let field = field!("setting", Ty::Bool, "It is a setting of a building block.");
        c.flag(0x400, field, &mut self.setting)
    }
}

impl Fresh for ParameterLocal {
    fn fresh(host: &Host) -> ParameterLocal {
        ParameterLocal { parameter: Fresh::fresh(host), ..ParameterLocal::default() }
    }
}
