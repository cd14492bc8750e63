//! `schema`: what the JSON of a verb looks like.

use crate::{args::Schema, output::CommandSession};
use serde_json::Value;
use spelunk::{Error, Result, open::codes};

/// The requests and rows of all verbs, and all codes: made of their types and descriptions by `cargo xtask docs`.
const API: &str = include_str!("../../api.json");

pub fn run(args: &Schema, session: &mut CommandSession) -> Result<()> {
    let api: Value = serde_json::from_str(API).map_err(|error| Error::io(error.into()))?;
    let Some(verb) = &args.verb else { return Ok(writeln!(session.out(), "{api:#}")?) };
    let part = if args.request { "request" } else { "row" };
    let schema = &api["verbs"][verb][part];
    if schema.is_null() {
        let verbs = api["verbs"].as_object().into_iter().flatten();
        let verbs = verbs.filter(|(_, verb)| !verb[part].is_null());
        let verbs: Vec<&str> = verbs.map(|(name, _)| name.as_str()).collect();
        let what = if args.request { "takes requests" } else { "prints JSON" };
        return Err(Error::new(&codes::core::NOT_FOUND)
            .expected(format!("a verb that {what}: {}", verbs.join(", ")))
            .found(format!("`{verb}`")));
    }
    Ok(writeln!(session.out(), "{schema:#}")?)
}
