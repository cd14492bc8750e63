//! `api.json`: the requests and the rows of all verbs as JSON Schemas, and all codes; made of the types in which the code has them,
//! and of the descriptions of fields. What programs go by is compared with what the code makes.

mod compare;

use crate::details::{self, Details};
use compare::Changes;
use serde_json::{Map, Value, json};
use spelunk::{
    check::registry,
    verbs::{API_VERSION, Memory, Session},
};
use std::{fs, io, path::Path};

/// The file, from the root of the workspace on. The command carries it along.
pub(crate) const FILE: &str = "crates/spelunk-cli/api.json";

/// Path and text of the file, as it should be.
///
/// # Errors
/// Where what is there is of this version and programs that go by it would not get on with what the code makes.
pub fn page(root: &Path) -> io::Result<(String, String)> {
    let made = made();
    if let Ok(text) = fs::read_to_string(root.join(FILE)) {
        let old: Value = serde_json::from_str(&text)?;
        if let Some(refusal) = refusal(&old, &made) {
            return Err(io::Error::other(refusal));
        }
    }
    Ok((FILE.to_owned(), format!("{made:#}\n")))
}

/// Why the one may not take the place of the other, where it may not.
fn refusal(old: &Value, made: &Value) -> Option<String> {
    let Changes { incompatible, .. } = compare::changes(old, made);
    let is_same_version = old["version"] == made["version"];
    (is_same_version && !incompatible.is_empty()).then(|| {
        format!(
            "programs that go by {FILE} would break: {}. Keep what was there, or raise `spelunk::verbs::API_VERSION`, which tells \
             them to look",
            incompatible.join("; ")
        )
    })
}

/// What the code makes.
fn made() -> Value {
    let session = Session::new(Memory::new()).register(spelunk_catalog::VERB);
    let mut verbs = Map::new();
    for verb in session.verbs() {
        let row = verb.row_schema().map(|row| {
            let mut row = row.to_value();
            match verb.name() {
                "info" => with_details(&mut row),
                "ls" => with_entries(&mut row),
                _ => {}
            }
            row
        });
        let request = verb.request_schema().to_value();
        verbs.insert(verb.name().to_owned(), json!({ "request": request, "row": row }));
    }
    let code = |known: registry::RegisteredCode| {
        let code = known.code;
        (code.id.to_owned(), json!({ "class": code.class.name(), "title": code.title }))
    };
    let codes: Map<String, Value> = registry::all().map(code).collect();
    json!({
        "about": "Requests that `spelunk::verbs::call` takes and rows that it hands out, which are the lines of `--json`, verb by verb, \
                  as JSON Schemas; and the codes of errors and findings. It may grow while the version stays. Made by `cargo xtask \
                  docs`.",
        "version": API_VERSION,
        "verbs": verbs,
        "codes": codes,
    })
}

/// Says what the details of `info` are, by the format.
fn with_details(row: &mut Value) {
    let mut forms = Vec::new();
    for Details { format, properties, .. } in details::of_files() {
        row["$defs"][format] = json!({
            "type": "object",
            "description": format!("What a file of the format {format} says of itself; of a damaged one what could be read."),
            "properties": properties,
        });
        forms.push(json!({
            "if": { "properties": { "format": { "const": format } }, "required": ["format"] },
            "then": { "properties": { "details": { "$ref": format!("#/$defs/{format}") } } },
        }));
    }
    row["allOf"] = forms.into();
}

/// Says what the entries of `ls` are, by the format. Others that are asked for by their paths have other fields, and none that
/// tells those of the formats apart.
fn with_entries(row: &mut Value) {
    let entry = row["$defs"]["EntryRow"].clone();
    let mut forms = Vec::new();
    for Details { format, properties, required } in details::of_entries() {
        let mut form = entry.clone();
        form["description"] = format!("An entry of a file of the format {format}.").into();
        if let Some(form) = form.as_object_mut() {
            form.remove("additionalProperties");
        }
        for (name, schema) in properties.as_object().into_iter().flatten() {
            if form["properties"][name].is_null() {
                form["properties"][name] = schema.clone();
            }
        }
        let known = form["required"].as_array().cloned().unwrap_or_default();
        let new = required.into_iter().map(Value::from).filter(|name| !known.contains(name));
        form["required"] = known.iter().cloned().chain(new).collect();
        row["$defs"][format] = form;
        forms.push(json!({ "$ref": format!("#/$defs/{format}") }));
    }
    for name in ["class_id", "asset_id"] {
        row["$defs"]["EntryRow"]["properties"][name] = false.into();
    }
    let others = row["anyOf"].as_array().into_iter().flatten().map(|form| {
        let mut form = form.clone();
        if form.get("$ref").is_none() {
            // With `columns`; what has these three is an entry.
            form["not"] = json!({ "required": ["file", "path", "size"] });
        }
        form
    });
    row["anyOf"] = forms.into_iter().chain(others).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_of_the_api_is_current_and_breaks_no_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read_to_string(root.join(FILE)).unwrap();
        let (old, made) = (serde_json::from_str(&text).unwrap(), made());
        if let Some(refusal) = refusal(&old, &made) {
            panic!("{refusal}");
        }
        let told = compare::changes(&old, &made).compatible.join("../..");
        assert!(
            text.replace("\r\n", "\n") == format!("{made:#}\n"),
            "{FILE} is old: run `cargo xtask docs` ({})",
            if told.is_empty() { "descriptions changed" } else { &told }
        );
    }

    #[test]
    fn what_breaks_programs_is_refused_unless_the_version_says_so() {
        let old = json!({ "version": 1, "verbs": { "ls": { "row": {
            "type": "object", "properties": { "path": { "type": "string" } },
        } } } });
        let mut new = old.clone();
        new["verbs"]["ls"]["row"]["properties"] = json!({});
        let refused = refusal(&old, &new).unwrap();
        assert!(refused.contains("`ls`, rows: the field `path` is gone"), "{refused}");
        assert!(refused.contains("API_VERSION"), "{refused}");
        new["version"] = 2.into();
        assert_eq!(refusal(&old, &new), None);
    }
}
