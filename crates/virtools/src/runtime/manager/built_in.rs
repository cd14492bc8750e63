//! The managers that every context has.

use super::{attributes::AttributeTypes, messages::MessageTypes};
use crate::runtime::{
    context::{Context, Rest},
    store::Store,
};

impl Default for Context {
    fn default() -> Context {
        let mut context = Context { store: Store::default(), rest: Rest::default() };
        context.register(Box::new(AttributeTypes::default()));
        context.register(Box::new(MessageTypes::default()));
        context
    }
}
