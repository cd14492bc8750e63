//! `schema`: what the JSON of a verb looks like.

use crate::{args::Schema, output::Session};
use serde_json::{Map, Value};
use spelunk::{Error, Result, codes};
use std::collections::BTreeSet;

/// The schemas by their verbs. What several of them say alike is in `common.json`.
macro_rules! schemas {
    ($($verb:literal)*) => {
        &[$(($verb, include_str!(concat!("../../schemas/", $verb, ".json")))),*]
    };
}

const SCHEMAS: &[(&str, &str)] = schemas! {
    "add" "append" "catalog" "compact" "diff" "explain" "export" "extract" "find" "import" "info" "join" "lint" "ls" "merge" "mv"
    "overlay" "pack" "patch" "query" "refs" "repair" "replace" "rewrite" "rm" "rollback" "set" "show" "subset" "tree"
    "upgrade" "verify"
};

const COMMON: &str = include_str!("../../schemas/common.json");

pub fn run(args: &Schema, session: &mut Session) -> Result<()> {
    let found = SCHEMAS.iter().find(|(verb, _)| *verb == args.verb);
    let Some((_, text)) = found else {
        let verbs: Vec<&str> = SCHEMAS.iter().map(|(verb, _)| *verb).collect();
        return Err(Error::new(&codes::core::NOT_FOUND)
            .expected(format!("a verb that prints JSON: {}", verbs.join(", ")))
            .found(format!("`{}`", args.verb)));
    };
    let schema = whole(text).map_err(|error| Error::io(error.into()))?;
    Ok(writeln!(session.out(), "{schema:#}")?)
}

/// A schema with all that it refers to.
fn whole(text: &str) -> serde_json::Result<Value> {
    let mut schema: Map<String, Value> = serde_json::from_str(text)?;
    let common: Map<String, Value> = serde_json::from_str(COMMON)?;
    let mut defs = match schema.remove("$defs") {
        Some(Value::Object(defs)) => defs,
        _ => Map::new(),
    };
    let mut wanted = BTreeSet::new();
    schema.values().chain(defs.values()).for_each(|value| references(value, &mut wanted));
    while let Some(name) = wanted.pop_first() {
        if let Some(found) = common.get(&name).filter(|_| !defs.contains_key(&name)) {
            references(found, &mut wanted);
            defs.insert(name, found.clone());
        }
    }
    if !defs.is_empty() {
        schema.insert("$defs".to_owned(), defs.into());
    }
    Ok(schema.into())
}

/// The names of the definitions that a schema refers to.
fn references(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            let name = map.get("$ref").and_then(Value::as_str);
            names.extend(name.and_then(|name| name.strip_prefix("#/$defs/")).map(str::to_owned));
            map.values().for_each(|value| references(value, names));
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    /// Verbs that print no data of files, or bytes and nothing else.
    const WITHOUT: [&str; 4] = ["cat", "completions", "man", "schema"];

    #[test]
    fn every_verb_has_a_schema() {
        let command = Cli::command();
        let verbs = command.get_subcommands().map(clap::Command::get_name);
        let described: Vec<&str> = verbs.filter(|verb| !WITHOUT.contains(verb)).collect();
        for verb in &described {
            assert!(SCHEMAS.iter().any(|(known, _)| known == verb), "{verb} has no schema");
        }
        assert_eq!(described.len(), SCHEMAS.len());
    }
}
