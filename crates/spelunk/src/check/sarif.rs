//! Findings as SARIF 2.1.0, the form that build servers and editors read (`docs/lint.md#sarif`).

use crate::{
    Code, Error, Severity, Space,
    check::lint,
    check::registry::{self, RegisteredCode},
    check::suppress::Suppressed,
};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde_json::{Map, Value, json};

/// Address of the official schema, which SARIF documents name.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Bytes of paths that are percent-encoded. All others stand as they are.
const KEPT: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}')
    .add(b':');

/// Findings of all files, of which a SARIF document is made.
#[derive(Debug, Default)]
pub struct Log {
    /// The codes that stand in the document, in order: those of all rules, and others that were found.
    codes: Vec<&'static Code>,
    results: Vec<Value>,
}

impl Log {
    /// A document without findings. With `lint` its rules are all of them.
    pub fn new(lint: bool) -> Log {
        let rules = lint::rules().filter(|_| lint).flat_map(|of| of.rules);
        Log { codes: rules.map(|rule| rule.code).collect(), results: Vec::new() }
    }

    /// Adds a finding in a file.
    pub fn add(&mut self, file: &str, severity: Severity, error: &Error) {
        let result = self.result(file, severity, error);
        self.results.push(Value::Object(result));
    }

    /// Adds a finding that was passed over.
    pub fn add_suppressed(&mut self, file: &str, known: &Suppressed) {
        let mut result = self.result(file, known.finding.severity, &known.finding.error);
        let mut suppression = members([("kind", "external".into()), ("status", "accepted".into())]);
        if let Some(reason) = &known.reason {
            suppression.insert("justification".into(), reason.as_str().into());
        }
        result.insert("suppressions".into(), json!([suppression]));
        self.results.push(Value::Object(result));
    }

    fn result(&mut self, file: &str, severity: Severity, error: &Error) -> Map<String, Value> {
        let code = error.code();
        let known = self.codes.iter().position(|known| known.id == code.id);
        let index = known.unwrap_or_else(|| {
            self.codes.push(code);
            self.codes.len().saturating_sub(1)
        });
        let mut physical = members([("artifactLocation", json!({ "uri": uri(file) }))]);
        let mut properties = Map::new();
        if let Some(at) = error.place() {
            if at.space == Space::FILE {
                let region = json!({ "byteOffset": at.start, "byteLength": at.len });
                physical.insert("region".into(), region);
            }
            properties.insert("space".into(), at.space.to_string().into());
            properties.insert("offset".into(), at.start.into());
        }
        let mut location = members([("physicalLocation", Value::Object(physical))]);
        let path = error.path();
        if !path.is_empty() {
            let logical = json!([{ "fullyQualifiedName": path, "kind": "member" }]);
            location.insert("logicalLocations".into(), logical);
        }
        let mut result = Map::new();
        result.insert("ruleId".into(), code.id.into());
        result.insert("ruleIndex".into(), index.into());
        result.insert("level".into(), level(severity).into());
        result.insert("message".into(), json!({ "text": error.message() }));
        result.insert("locations".into(), json!([location]));
        if !properties.is_empty() {
            result.insert("properties".into(), Value::Object(properties));
        }
        result
    }

    /// The document.
    pub fn finish(self) -> Value {
        let known = self.codes.iter().filter_map(|code| registry::find(code.id));
        let rules: Vec<Value> = known.map(|known| rule(&known)).collect();
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "spelunk",
                    "semanticVersion": env!("CARGO_PKG_VERSION"),
                    "rules": rules,
                } },
                "results": self.results,
            }],
        })
    }
}

fn rule(known: &RegisteredCode) -> Value {
    let code = known.code;
    let mut rule = members([
        ("id", code.id.into()),
        ("shortDescription", json!({ "text": code.title })),
        ("fullDescription", json!({ "text": code.help })),
        (
            "help",
            json!({ "text": format!("{} `spelunk explain {}` says more.", code.help, code.id) }),
        ),
    ]);
    if let Some(severity) = known.severity() {
        rule.insert("defaultConfiguration".into(), json!({ "level": level(severity) }));
    }
    let mut properties =
        members([("class", code.class.name().into()), ("page", known.link().into())]);
    if let Some(fix) = known.fix() {
        properties.insert("fix".into(), fix.into());
    }
    rule.insert("properties".into(), Value::Object(properties));
    Value::Object(rule)
}

/// An object with these members.
fn members<const N: usize>(list: [(&str, Value); N]) -> Map<String, Value> {
    list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// The name of a file as it was given, as a reference that SARIF takes: relative to the folder that the run began in, or
/// a `file` URI.
fn uri(file: &str) -> String {
    let slashes = file.replace('\\', "/");
    let encoded = utf8_percent_encode(&slashes, KEPT).to_string();
    let drive = slashes.get(1..3) == Some(":/");
    match (slashes.starts_with('/'), drive) {
        (true, _) => format!("file://{encoded}"),
        (false, true) => format!("file:///{encoded}"),
        _ => encoded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("maps/level 1.nmo"), "maps/level%201.nmo");
        assert_eq!(uri("/tmp/a#1.nmo"), "file:///tmp/a%231.nmo");
        assert_eq!(uri("C:\\maps\\a.nmo"), "file:///C%3A/maps/a.nmo");
    }
}
