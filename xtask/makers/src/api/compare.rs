//! What changed between two descriptions of the API: what breaks programs that go by the old one, and what does not.

use serde_json::Value;
use std::collections::BTreeSet;

/// What changed, in sentences.
#[derive(Debug, Default)]
pub struct Changes {
    /// What breaks programs: what goes or changes its type, and what requests have to have.
    pub incompatible: Vec<String>,
    /// What does not: whatever comes.
    pub compatible: Vec<String>,
}

/// Compares two descriptions.
pub fn changes(old: &Value, new: &Value) -> Changes {
    let mut changes = Changes::default();
    for (verb, schemas) in entries(&old["verbs"]) {
        let known = &new["verbs"][verb];
        if known.is_null() {
            changes.incompatible.push(format!("the verb `{verb}` is gone"));
            continue;
        }
        for (part, side) in [("request", Side::Request), ("row", Side::Row)] {
            let roots = [&schemas[part], &known[part]];
            let about = format!("`{verb}`, {}", side.name());
            let mut comparison =
                Comparison { side, roots, about, seen: BTreeSet::new(), changes: &mut changes };
            comparison.schemas(roots[0], roots[1], "");
        }
    }
    for (verb, _) in entries(&new["verbs"]).filter(|(verb, _)| old["verbs"][verb].is_null()) {
        changes.compatible.push(format!("the verb `{verb}` is new"));
    }
    for (code, _) in entries(&old["codes"]).filter(|(code, _)| new["codes"][code].is_null()) {
        changes.incompatible.push(format!("the code {code} is gone"));
    }
    for (code, _) in entries(&new["codes"]).filter(|(code, _)| old["codes"][code].is_null()) {
        changes.compatible.push(format!("the code {code} is new"));
    }
    changes
}

/// What programs write, or what they read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Request,
    Row,
}

impl Side {
    const fn name(self) -> &'static str {
        match self {
            Side::Request => "requests",
            Side::Row => "rows",
        }
    }
}

struct Comparison<'c> {
    side: Side,
    /// Where references of the old and of the new schema lead.
    roots: [&'c Value; 2],
    about: String,
    /// References that were compared.
    seen: BTreeSet<[String; 2]>,
    changes: &'c mut Changes,
}

impl<'c> Comparison<'c> {
    fn breaks(&mut self, what: &str) {
        self.changes.incompatible.push(format!("{}: {what}", self.about));
    }

    fn schemas(&mut self, old: &'c Value, new: &'c Value, path: &str) {
        let references = [old, new].map(|schema| schema["$ref"].as_str().unwrap_or_default());
        let is_known = references != ["", ""] && !self.seen.insert(references.map(str::to_owned));
        if is_known {
            return;
        }
        let (old, new) = (resolved(self.roots[0], old), resolved(self.roots[1], new));
        let what =
            if path.is_empty() { "a whole".to_owned() } else { format!("the field `{path}`") };
        if new.is_null() {
            if !old.is_null() {
                self.breaks(&format!("{what} is gone"));
            }
            return;
        }
        self.types(old, new, &what);
        self.properties(old, new, path);
        for key in ["items", "additionalProperties", "then"] {
            if old[key].is_object() && new[key].is_object() {
                self.schemas(&old[key], &new[key], path);
            }
        }
        for key in ["anyOf", "oneOf", "allOf"] {
            self.forms(&old[key], &new[key], path);
        }
    }

    /// Readers have to know every type that comes, writers every type that they write has to be taken.
    fn types(&mut self, old: &Value, new: &Value, what: &str) {
        let (was, is) = (types(old), types(new));
        let fits = match self.side {
            Side::Row => was.is_empty() || !is.is_empty() && is.iter().all(|ty| has(&was, ty)),
            Side::Request => is.is_empty() || !was.is_empty() && was.iter().all(|ty| has(&is, ty)),
        };
        if !fits {
            let named = |types: &[&str]| match types {
                [] => "anything".to_owned(),
                types => types.join(" or "),
            };
            self.breaks(&format!("{what} changes its type from {} to {}", named(&was), named(&is)));
        }
        let values = |schema: &Value| schema["enum"].as_array().cloned().unwrap_or_default();
        let (was, is) = (values(old), values(new));
        if let Some(gone) = was.iter().find(|value| !is.is_empty() && !is.contains(value))
            && self.side == Side::Request
        {
            self.breaks(&format!("{what} takes no {gone} any more"));
        }
    }

    fn properties(&mut self, old: &'c Value, new: &'c Value, path: &str) {
        let below = |name: &str| {
            if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
        };
        for (name, schema) in entries(&old["properties"]) {
            match &new["properties"][name] {
                Value::Null => self.breaks(&format!("the field `{}` is gone", below(name))),
                new => self.schemas(schema, new, &below(name)),
            }
        }
        for (name, _) in entries(&new["properties"]) {
            if old["properties"][name].is_null() {
                let told = format!("{}: the field `{}` is new", self.about, below(name));
                self.changes.compatible.push(told);
            }
        }
        let (was, is) = (texts(&old["required"]), texts(&new["required"]));
        match self.side {
            Side::Row => {
                for name in was.iter().filter(|name| !is.contains(name)) {
                    // What is gone is told already.
                    if !new["properties"][name].is_null() {
                        self.breaks(&format!("the field `{}` may be missing now", below(name)));
                    }
                }
            }
            Side::Request => {
                for name in is.iter().filter(|name| !was.contains(name)) {
                    self.breaks(&format!("the field `{}` is required now", below(name)));
                }
            }
        }
    }

    /// Alternatives are told apart by what they refer to, or by their places.
    fn forms(&mut self, old: &'c Value, new: &'c Value, path: &str) {
        let lists = [old, new].map(|list| list.as_array().map_or(&[][..], Vec::as_slice));
        for (nth, form) in lists[0].iter().enumerate() {
            let reference = form["$ref"].as_str();
            let same = match reference {
                Some(_) => lists[1].iter().find(|new| new["$ref"].as_str() == reference),
                None => lists[1]
                    .iter()
                    .find(|new| new["if"] == form["if"] && form.get("if").is_some())
                    .or_else(|| lists[1].get(nth).filter(|new| new.get("$ref").is_none())),
            };
            match same {
                Some(new) => self.schemas(form, new, path),
                None => {
                    let name = reference.and_then(|name| name.rsplit('/').next()).unwrap_or("one");
                    let at = if path.is_empty() { String::new() } else { format!(" of `{path}`") };
                    self.breaks(&format!("the form {name}{at} is gone"));
                }
            }
        }
    }
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The schema that one refers to.
fn resolved<'v>(root: &'v Value, schema: &'v Value) -> &'v Value {
    let path = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
    path.and_then(|path| root.pointer(path)).unwrap_or(schema)
}

/// The types that a schema lets through; none where it lets through all.
fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(ty) => vec![ty],
        list => texts(list),
    }
}

/// Whether a type is among others: every whole number is a number.
fn has(types: &[&str], ty: &str) -> bool {
    types.contains(&ty) || ty == "integer" && types.contains(&"number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What changes when a schema takes the place of another one, of rows and of requests.
    fn told(old: &Value, new: &Value) -> [String; 2] {
        ["row", "request"].map(|part| {
            let api = |schema: &Value| json!({ "verbs": { "ls": { part: schema } } });
            changes(&api(old), &api(new)).incompatible.join("; ")
        })
    }

    fn object(properties: Value, required: &[&str]) -> Value {
        json!({ "type": "object", "properties": properties, "required": required })
    }

    #[test]
    fn what_goes_breaks_both_sides() {
        let old = object(json!({ "a": { "type": "string" }, "b": { "$ref": "#/$defs/B" } }), &[]);
        let mut deep = old.clone();
        deep["$defs"]["B"] = object(json!({ "c": { "type": "string" } }), &[]);
        let mut less = deep.clone();
        less["$defs"]["B"]["properties"] = json!({});
        assert_eq!(
            told(&deep, &less),
            ["`ls`, rows: the field `b.c` is gone", "`ls`, requests: the field `b.c` is gone"]
        );
        let forms = |names: &[&str]| {
            let forms: Vec<Value> =
                names.iter().map(|name| json!({ "$ref": format!("#/$defs/{name}") })).collect();
            json!({ "anyOf": forms })
        };
        let [rows, _] = told(&forms(&["A", "B"]), &forms(&["A"]));
        assert_eq!(rows, "`ls`, rows: the form B is gone");
        assert_eq!(told(&forms(&["A"]), &forms(&["B", "A"])), ["", ""]);
        let gone = changes(
            &json!({ "verbs": { "ls": {} }, "codes": { "VT001": {} } }),
            &json!({ "verbs": {}, "codes": {} }),
        );
        assert_eq!(gone.incompatible, ["the verb `ls` is gone", "the code VT001 is gone"]);
    }

    #[test]
    fn readers_know_the_types_that_they_knew_and_writers_write_them() {
        let field = |ty: Value| object(json!({ "a": { "type": ty } }), &[]);
        let wide = field(json!(["string", "null"]));
        let narrow = field(json!("string"));
        let [rows, requests] = told(&narrow, &wide);
        assert_eq!(
            rows,
            "`ls`, rows: the field `a` changes its type from string to string or null"
        );
        assert_eq!(requests, "");
        let [rows, requests] = told(&wide, &narrow);
        assert_eq!(rows, "");
        assert!(requests.contains("changes its type from string or null to string"), "{requests}");
        assert!(
            told(&field(json!("integer")), &field(json!("string"))).iter().all(|it| !it.is_empty())
        );
        let whole = told(&field(json!("number")), &field(json!("integer")));
        assert_eq!(whole[0], "");
    }

    #[test]
    fn what_is_new_breaks_requests_only_where_it_has_to_be_there() {
        let a = json!({ "a": { "type": "string" } });
        let both = json!({ "a": { "type": "string" }, "b": { "type": "string" } });
        assert_eq!(told(&object(a.clone(), &["a"]), &object(both.clone(), &["a"])), ["", ""]);
        assert_eq!(
            told(&object(a.clone(), &["a"]), &object(both, &["a", "b"])),
            ["", "`ls`, requests: the field `b` is required now"]
        );
        assert_eq!(
            told(&object(a.clone(), &["a"]), &object(a, &[])),
            ["`ls`, rows: the field `a` may be missing now", ""]
        );
    }

    #[test]
    fn values_that_requests_take_stay() {
        let field = |values: Value| object(json!({ "a": { "enum": values } }), &[]);
        let [rows, requests] = told(&field(json!(["x", "y"])), &field(json!(["x", "z"])));
        assert_eq!((rows.as_str(), requests.contains("takes no \"y\"")), ("", true), "{requests}");
    }
}
