//! `CKParameterIn` (`docs/formats/classes/parameters.md#ckparameterin`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
    parameter::INT,
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::{Field, Ty};

const PAGE: &str = "docs/formats/classes/parameters.md#ckparameterin";

/// An input of a behaviour or an operation: a value that comes from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct ParameterIn {
    /// State that every object saves.
    pub object: Object,
    /// Source of the value, and its type.
    pub source: Option<InputSource>,
    /// The other input whose source it shares, and its type.
    pub shared: Option<InputSource>,
    /// Whether the input is not used.
    pub disabled: bool,
    /// All about it at once.
    pub default: Option<DefaultData>,
    /// Below data version 1: the object that it is an input of.
    pub old_owner: Option<Reference>,
    /// Below data version 1: the other input whose source it shares.
    pub old_shared: Option<Reference>,
    /// Below data version 1: where its value comes from.
    pub old_source: Option<Reference>,
}

/// Source of the value of an input.
#[derive(Clone, Debug, Default)]
pub struct InputSource {
    /// The type of the value, as `d1` and `d2`.
    pub parameter_type: [u32; 2],
    /// Object that the input belongs to; below data version 5 only.
    pub owner: Option<Reference>,
    /// The parameter.
    pub parameter: Reference,
}

/// All about an input.
#[derive(Clone, Debug, Default)]
pub struct DefaultData {
    /// The type of the value, as `d1` and `d2`.
    pub parameter_type: [u32; 2],
    /// Object that the input belongs to.
    pub owner: Reference,
    /// The other input whose source it shares.
    pub shared: Reference,
    /// Source of the value.
    pub source: Reference,
}

static SOURCE: Field = Field::new("source", Ty::U32, "The parameter whose value it takes.");
static SHARED: Field = Field::new("shared", Ty::U32, "The input whose source it shares.");
static OWNER: Field = Field::new("owner", Ty::U32, "What it is an input of.");
static TYPE: Field = Field::new("type", Ty::Guid, "The type of the value.")
    .guids(&super::parameter_type::TYPE_NAMES);

impl Layout for ParameterIn {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)?;
        c.section(
            0x1000,
            group!("data_source", "Its type, and where its value comes from."),
            &mut self.source,
            |c, source| from(c, &SOURCE, source),
        )?;
        c.section(
            0x800,
            group!("data_shared", "Its type, and the input whose source it shares."),
            &mut self.shared,
            |c, shared| from(c, &SHARED, shared),
        )?;
        c.flag(0x2000, field!("disabled", Ty::Bool, "The input is not used."), &mut self.disabled)?;
        c.section(
            0x400,
            group!("default_data", "All about the input."),
            &mut self.default,
            |c, all| {
                c.item(&TYPE, &mut all.parameter_type)?;
                c.object(&OWNER, &mut all.owner)?;
                c.object(&SHARED, &mut all.shared)?;
                c.object(&SOURCE, &mut all.source)
            },
        )?;
        c.section(
            0x80,
            group!("old_owner", "Below data version 1."),
            &mut self.old_owner,
            |c, owner| c.object(&OWNER, owner),
        )?;
        c.section(
            0x100,
            group!("old_shared", "Below data version 1."),
            &mut self.old_shared,
            |c, shared| c.object(&SHARED, shared),
        )?;
        c.section(
            0x200,
            group!("old_source", "Below data version 1."),
            &mut self.old_source,
            |c, source| c.object(&SOURCE, source),
        )
    }
}

fn from<C: Codec>(c: &mut C, field: &'static Field, source: &mut InputSource) -> Coded<C> {
    c.item(&TYPE, &mut source.parameter_type)?;
    let old = c.version() < 5;
    if c.when(old, "data version below 5") {
        c.object(&OWNER, source.owner.get_or_insert_default())?;
    }
    c.object(field, &mut source.parameter)
}

impl Fresh for ParameterIn {
    fn fresh(host: &Host) -> ParameterIn {
        let source = InputSource { parameter_type: INT, owner: None, parameter: host.null() };
        ParameterIn { source: Some(source), ..ParameterIn::default() }
    }
}

impl Renew for ParameterIn {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        // The object that it is an input of names it in turn.
        for source in [&mut self.source, &mut self.shared].into_iter().flatten() {
            source.owner = None;
        }
        match (&self.old_owner, &self.old_shared, &self.old_source) {
            (None, None, None) => Ok(()),
            _ => Err("nothing tells the type of its value"),
        }
    }
}
