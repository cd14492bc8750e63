//! Catalogues of many files.

mod catalogue;
mod corpus;
mod place;
mod runs;
mod verb;
mod workers;
