//! Checks of files: findings of sound files ([`lint`]), those that are known already ([`suppress`]), the form that build
//! servers read ([`sarif`]), the codes and their pages ([`registry`]), whether writing gives the same bytes
//! ([`roundtrip`]), and how much is understood ([`coverage`]).

pub mod coverage;
pub mod lint;
pub mod plugins;
pub mod registry;
mod rules;
pub mod sarif;
pub mod suppress;

pub use crate::open::roundtrip;
