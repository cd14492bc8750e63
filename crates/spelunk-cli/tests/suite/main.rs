//! The command, run as users do.

mod common;
mod completion;
mod doors;
mod edit;
mod examples;
mod exits;
mod inputs;
mod interrupts;
mod kept;
mod loaders;
mod many;
mod mount;
mod parity;
mod real;
mod remote;
mod schemas;
mod setup;
mod turns;
