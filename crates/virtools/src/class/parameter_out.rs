//! `CKParameterOut` (`docs/formats/classes/parameters.md#ckparameterout`).

use super::{
    fresh::{Fresh, Host},
    parameter::Parameter,
};
use crate::codec::{Array, Codec, Coded, Layout, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/parameters.md#ckparameterout";

/// An output of a behaviour or an operation, and the value of an attribute.
#[derive(Clone, Debug, Default)]
pub struct ParameterOut {
    /// What its base class saves.
    pub parameter: Parameter,
    /// The parameters that the value is copied to.
    pub destinations: Option<Array<U32>>,
}

impl Layout for ParameterOut {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.parameter.layout(c)?;
        c.section(
            0x20,
            group!("destinations", "The parameters that the value is copied to."),
            &mut self.destinations,
            |c, all| c.objects(field!("destinations", Ty::U32, "Where the value goes."), all),
        )
    }
}

impl Fresh for ParameterOut {
    fn fresh(host: &Host) -> ParameterOut {
        ParameterOut { parameter: Fresh::fresh(host), destinations: None }
    }
}
