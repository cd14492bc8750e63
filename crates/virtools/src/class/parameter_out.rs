//! `CKParameterOut` (`docs/formats/classes/parameters.md#ckparameterout`).

use super::fresh::{Fresh, Host};
pub use super::parameter::ParameterOut;
use crate::codec::{Codec, Coded, Layout, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/parameters.md#ckparameterout";

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
