//! Hooks of an application into loading and saving (`docs/formats/virtools-runtime.md#9-hooks`).

use super::{context::Context, load::Mode};
use crate::chunk::buffer::ChunkBuf;
use spelunk_core::Result;
use std::ops::ControlFlow;

/// An object of a file whose name another object of its class has.
#[derive(Clone, Copy, Debug)]
pub struct Duplicate<'d> {
    /// Class of the object.
    pub class_id: u32,
    /// The name.
    pub name: &'d [u8],
    /// The object that has it.
    pub there: u32,
}

/// Messages to behaviours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message {
    /// The behaviours are about to be saved.
    PreSave = 1,
    /// The behaviours were saved.
    PostSave = 10,
    /// The behaviours were loaded, and all that they refer to.
    Load = 11,
}

/// Stage in the load of an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pass {
    /// The object got its state.
    Load,
    /// The object can take hold of what it owns: its scripts are there.
    Owner,
    /// All objects have their states.
    PostLoad,
    /// State that older versions saved in other ways can be mended.
    Patch,
}

/// Takes part in loading and saving. Whatever a hook returns an error for, or panics in, has not happened: the context is
/// as it was, and a file that was to be written too. No hook may put another context in the place of the one that it gets.
pub trait Hooks {
    /// So many of so many objects are done. [`ControlFlow::Break`] ends the work with
    /// [`CANCELLED`](crate::codes::CANCELLED); engines go on all the same.
    fn progress(&mut self, done: u64, total: u64) -> ControlFlow<()> {
        let _ = (done, total);
        ControlFlow::Continue(())
    }

    /// Asked before the modes of the load are: what is to become of this one? `None` leaves it to them.
    fn duplicate(&mut self, context: &Context, duplicate: Duplicate<'_>) -> Option<Mode> {
        let _ = (context, duplicate);
        None
    }

    /// Asked where neither [`Hooks::duplicate`] nor a mode decides, as an editor asks its user; with `true` the answer holds
    /// for all that follow in this load. Without an answer both have the name.
    fn ask(&mut self, context: &Context, duplicate: Duplicate<'_>) -> Option<(Mode, bool)> {
        let _ = (context, duplicate);
        None
    }

    /// Something was done with an object that is loaded.
    ///
    /// # Errors
    /// Any, to end the load.
    fn pass(&mut self, context: &mut Context, pass: Pass, id: u32) -> Result<()> {
        let _ = (context, pass, id);
        Ok(())
    }

    /// A behaviour gets a message.
    ///
    /// # Errors
    /// Any, to end the work.
    fn message(&mut self, context: &mut Context, message: Message, behavior: u32) -> Result<()> {
        let _ = (context, message, behavior);
        Ok(())
    }

    /// Returns the editor's view of a script that has none stored.
    ///
    /// # Errors
    /// Any, to end the saving.
    fn interface_chunk(&mut self, context: &Context, script: u32) -> Result<Option<ChunkBuf>> {
        let _ = (context, script);
        Ok(None)
    }
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Hooks for Quiet {}
