//! The managers that every context has.

use super::{attributes::AttributeTypes, messages::MessageTypes};
use crate::runtime::{
    context::{Context, ContextState},
    store::Store,
};

impl Default for Context {
    fn default() -> Context {
        let mut context = Context { store: Store::default(), rest: ContextState::default() };
        context.register(Box::new(AttributeTypes::default()));
        context.register(Box::new(MessageTypes::default()));
        context
    }
}
