//! Chores of the workspace: what all of them are run with.

#![forbid(unsafe_code)]

pub mod tools;
