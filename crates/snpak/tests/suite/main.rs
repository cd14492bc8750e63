//! Packs: what is read of them, what is written, and what becomes of damaged ones.

mod common;
mod corpus;
mod differing;
mod edits;
mod examples;
mod extensions;
mod fixtures;
mod generations;
mod judgements;
mod limits;
mod lint;
#[path = "sets/model.rs"]
mod naive;
mod options;
mod reading;
mod sets;
mod speed;
mod textures;
mod writing;
