//! Catalogues of many files.

mod catalogue;
mod corpus;
mod verb;
