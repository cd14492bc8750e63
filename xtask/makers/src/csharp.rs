//! `Generated.cs`: the requests and the rows of all verbs as classes of C#, made of the description of the API.
//!
//! A verb has one class for what it is asked and one for what it answers. Where rows have several forms, the class has the properties of
//! all of them, and those that not every form has may be null: C# has no type for one of several. What has a name in the description is
//! a class of that name where it means the same everywhere, and has the verb before its name otherwise.

mod words;

use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};
use words::{sentence, summary, words};

/// The file, from the root of the workspace on.
pub(crate) const FILE: &str = "dotnet/Spelunk.Net/Generated.cs";

/// Path and text of the file, of the description of the API.
pub fn file(api: &Value) -> (String, String) {
    let mut made = Made::of(api);
    let mut methods = String::new();
    for (verb, schemas) in entries(&api["verbs"]) {
        let title = words(verb);
        let request = made.root(verb, &schemas["request"], Side::Request);
        let row = match &schemas["row"] {
            Value::Null => "JObject".to_owned(),
            row => made.root(verb, row, Side::Row),
        };
        methods += &summary("        ", schemas["request"]["description"].as_str().unwrap_or(""));
        // Writing to a text does not fail.
        let _ = writeln!(methods, "        public Rows<{row}> {title}({request} request)");
        let call = format!("Call<{request}, {row}>(\"{verb}\", request)");
        let _ = writeln!(methods, "        {{\n            return {call};\n        }}\n");
    }
    let mut text = HEAD.to_owned();
    let _ = writeln!(text, "        public const int ApiVersion = {};\n", api["version"]);
    let _ = writeln!(text, "{}\n    }}", methods.trim_end());
    for (name, class) in &made.classes {
        let _ = write!(text, "\n{}", class.text(name));
    }
    text += "}\n";
    (FILE.to_owned(), text)
}

const HEAD: &str = "\
// Requests and rows of all verbs. Made by `cargo xtask docs` of crates/spelunk-cli/api.json: change neither by hand.

using System.Collections.Generic;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Spelunk
{
    public sealed partial class Session
    {
        /// <summary>The version of the description that requests and rows were made of.</summary>
";

/// What a program writes, or what it reads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Request,
    Row,
}

/// A schema of the description, and where references in it lead.
#[derive(Clone, Copy)]
struct Root<'a> {
    verb: &'a str,
    defs: &'a Value,
    side: Side,
}

/// The part that a reference names.
fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().and_then(|text| text.strip_prefix("#/$defs/"))
}

/// The forms that a schema may have, where it has several.
fn choices(schema: &Value) -> Option<&Vec<Value>> {
    schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array())
}

/// The types of a schema, without null.
fn types(schema: &Value) -> Vec<&str> {
    let many = schema["type"].as_array().into_iter().flatten();
    let all = many.chain([&schema["type"]]);
    all.filter_map(Value::as_str).filter(|ty| *ty != "null").collect()
}

fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// An object whose properties have names that are known.
fn is_class(schema: &Value) -> bool {
    types(schema) == ["object"] && entries(&schema["properties"]).next().is_some()
}

/// An object of which only the values are known.
fn is_map(schema: &Value) -> bool {
    types(schema) == ["object"] && !is_class(schema) && schema["additionalProperties"].is_object()
}

fn is_open(schema: &Value) -> bool {
    matches!(schema["additionalProperties"], Value::Bool(true) | Value::Object(_))
}

fn entries(object: &Value) -> impl Iterator<Item = (&str, &Value)> {
    object.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

impl<'a> Root<'a> {
    /// The forms that a schema may have, each as what it is, without null. What stands for a file stays a reference.
    fn forms<'s>(&self, schema: &'s Value, found: &mut Vec<&'s Value>, depth: usize)
    where
        'a: 's,
    {
        if depth == 0 || is_null(schema) {
            return;
        }
        match (reference(schema), choices(schema)) {
            (Some(FILE_REF), _) => found.push(schema),
            (Some(name), _) => self.forms(&self.defs[name], found, depth.saturating_sub(1)),
            (None, Some(choices)) => {
                for choice in choices {
                    self.forms(choice, found, depth.saturating_sub(1));
                }
            }
            (None, None) => found.push(schema),
        }
    }

    /// Whether null is one of the values.
    fn may_be_null(&self, schema: &Value, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let target = reference(schema).map(|name| &self.defs[name]);
        let forms = choices(schema).into_iter().flatten().chain(target);
        let has_null =
            schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")));
        is_null(schema)
            || has_null
            || forms.into_iter().any(|form| self.may_be_null(form, depth.saturating_sub(1)))
    }
}

/// Forms are no deeper in each other.
const DEPTH: usize = 16;

/// What stands for a file in requests, which is written by hand.
const FILE_REF: &str = "FileRef";

/// Classes that are written by hand.
const OWN: &str = "Asset Failure FileDiagnostic FileHandle FileRef Handle ImageView Json MeshView Native Pack PackHandle \
                   Progress Rows RowsBase Session SessionOptions SpelunkException SpelunkFile Status Utf8 View";

/// A type of C#.
#[derive(Clone, PartialEq, Eq)]
struct Type {
    name: String,
    /// Whether it is one that cannot be null.
    is_value: bool,
    may_be_null: bool,
}

impl Type {
    fn object(name: impl Into<String>) -> Type {
        Type { name: name.into(), is_value: false, may_be_null: true }
    }

    fn value(name: &str) -> Type {
        Type { name: name.to_owned(), is_value: true, may_be_null: false }
    }

    fn text(&self) -> String {
        let mark = if self.is_value && self.may_be_null { "?" } else { "" };
        format!("{}{mark}", self.name)
    }
}

/// The type of a whole number.
fn integer(schema: &Value) -> &'static str {
    match schema["format"].as_str() {
        Some("uint64" | "uint") => "ulong",
        Some("uint32") => "uint",
        Some("int32") => "int",
        Some("uint8") => "byte",
        _ if schema["maximum"].as_u64().is_some_and(|most| i64::try_from(most).is_err()) => "ulong",
        _ => "long",
    }
}

/// A property of a class.
struct Property {
    json: String,
    ty: Type,
    about: String,
}

/// A class.
struct Class {
    about: String,
    properties: Vec<Property>,
    /// Whether there may be others.
    is_open: bool,
}

impl Class {
    fn text(&self, name: &str) -> String {
        let mut text = summary("    ", &self.about);
        let _ = writeln!(text, "    public sealed class {name}\n    {{");
        let mut members = Vec::new();
        let mut taken = BTreeSet::from([name.to_owned()]);
        for Property { json, ty, about } in &self.properties {
            let mut member = words(json);
            // A member may not have the name of its class.
            while !taken.insert(member.clone()) {
                member += "Value";
            }
            let ignored = match ty.may_be_null {
                true => ", NullValueHandling = NullValueHandling.Ignore",
                false => "",
            };
            let mut lines = summary("        ", about);
            let _ = writeln!(lines, "        [JsonProperty(\"{json}\"{ignored})]");
            let _ = writeln!(lines, "        public {} {member} {{ get; set; }}", ty.text());
            members.push(lines);
        }
        if self.is_open {
            let about = "What else there is, by its names.";
            let others = "        [JsonExtensionData]\n        public IDictionary<string, JToken> Others { get; set; }\n";
            members.push(summary("        ", about) + others);
        }
        text += &members.join("\n");
        text += "    }\n";
        text
    }
}

/// What is made.
struct Made<'a> {
    /// The parts that mean the same wherever their name stands.
    shared: BTreeSet<&'a str>,
    /// The names of the classes of verbs.
    roots: BTreeSet<String>,
    classes: BTreeMap<String, Class>,
    /// The names of classes that are made, or are being made.
    begun: BTreeSet<String>,
}

impl<'a> Made<'a> {
    fn of(api: &'a Value) -> Made<'a> {
        let mut meanings: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (_, schemas) in entries(&api["verbs"]) {
            for (_, schema) in entries(schemas) {
                for (name, part) in entries(&schema["$defs"]) {
                    meanings.entry(name).or_default().insert(part.to_string());
                }
            }
        }
        let mut shared: BTreeSet<&str> = meanings.keys().copied().collect();
        // What refers to something that differs differs too.
        loop {
            let refers = |text: &String, name: &str| text.contains(&format!("\"#/$defs/{name}\""));
            let gone: Vec<&str> =
                meanings.keys().copied().filter(|name| !shared.contains(name)).collect();
            let differs = |name: &&str| {
                meanings.get(*name).is_some_and(|texts| {
                    texts.len() > 1
                        || texts.iter().any(|text| gone.iter().any(|gone| refers(text, gone)))
                })
            };
            let left: BTreeSet<&str> =
                shared.iter().copied().filter(|name| !differs(name)).collect();
            if left.len() == shared.len() {
                break;
            }
            shared = left;
        }
        let verbs = entries(&api["verbs"]).map(|(verb, _)| words(verb));
        let roots =
            verbs.flat_map(|verb| [format!("{verb}Request"), format!("{verb}Row")]).collect();
        Made { shared, roots, classes: BTreeMap::new(), begun: BTreeSet::new() }
    }

    /// The class of what a verb is asked or answers.
    fn root(&mut self, verb: &str, schema: &Value, side: Side) -> String {
        let root = Root { verb, defs: &schema["$defs"], side };
        let ending = if side == Side::Request { "Request" } else { "Row" };
        let name = format!("{}{ending}", words(verb));
        let mut forms = Vec::new();
        root.forms(schema, &mut forms, DEPTH);
        if forms.iter().any(|form| is_map(form)) {
            // Whatever has names of its own takes those of other forms too, so these are classes apart.
            for form in choices(schema).into_iter().flatten() {
                self.type_of(root, form, &name);
            }
            forms.retain(|form| is_map(form));
        }
        self.class(root, &name, schema["description"].as_str(), &forms);
        // What details are, by the format.
        for form in schema["allOf"].as_array().into_iter().flatten() {
            for (property, details) in entries(&form["then"]["properties"]) {
                let ty = self.type_of(root, details, &name).name;
                let when = form["if"]["properties"]["format"]["const"].as_str().unwrap_or_default();
                let class = self.classes.get_mut(&name);
                let known = class.and_then(|class| {
                    class.properties.iter_mut().find(|known| known.json == property)
                });
                if let Some(known) = known {
                    known.about +=
                        &format!("\nOf the format {when} they are {ty}: `ToObject<{ty}>()`.");
                }
            }
        }
        name
    }

    /// The class of a part that has a name.
    fn name_of(&self, root: Root<'_>, part: &str) -> String {
        let name = words(part);
        let is_free = !self.roots.contains(&name) && !OWN.split(' ').any(|own| own == name);
        match is_free && self.shared.contains(part) {
            true => name,
            false => format!("{}{name}", words(root.verb)),
        }
    }

    /// The type of what a schema describes. `name` is that of the class that it is, where it is one.
    fn type_of(&mut self, root: Root<'_>, schema: &Value, name: &str) -> Type {
        let mut ty = match (reference(schema), choices(schema)) {
            (Some(FILE_REF), _) => Type::object(FILE_REF),
            (Some(part), _) => {
                let name = self.name_of(root, part);
                self.type_of(root, &root.defs[part], &name)
            }
            (None, Some(choices)) => self.type_of_one(root, schema, choices, name),
            (None, None) => self.simple(root, schema, name),
        };
        ty.may_be_null |= root.may_be_null(schema, DEPTH);
        ty
    }

    /// The type of one of several forms.
    fn type_of_one(
        &mut self,
        root: Root<'_>,
        schema: &Value,
        choices: &[Value],
        name: &str,
    ) -> Type {
        let others: Vec<&Value> = choices.iter().filter(|choice| !is_null(choice)).collect();
        if let [only] = others.as_slice() {
            return self.type_of(root, only, name);
        }
        let mut forms = Vec::new();
        root.forms(schema, &mut forms, DEPTH);
        let classes: Vec<&Value> = forms.iter().copied().filter(|form| is_class(form)).collect();
        // Whoever asks may choose the form, and takes that in parts.
        if !classes.is_empty() && (classes.len() == forms.len() || root.side == Side::Request) {
            self.class(root, name, schema["description"].as_str(), &classes);
            return Type::object(name);
        }
        let mut known = forms.iter().map(|form| self.type_of(root, form, name));
        match known.next() {
            Some(first) if known.all(|other| other.name == first.name) => first,
            _ => Type::object("JToken"),
        }
    }

    /// The type of a schema that is neither a reference nor one of several.
    fn simple(&mut self, root: Root<'_>, schema: &Value, name: &str) -> Type {
        match types(schema).as_slice() {
            ["string"] => Type::object("string"),
            [] if schema["const"].is_string() => Type::object("string"),
            ["integer"] => Type::value(integer(schema)),
            ["number"] => Type::value("double"),
            ["boolean"] => Type::value("bool"),
            ["array"] if schema["items"].is_object() => {
                let item = self.type_of(root, &schema["items"], name);
                Type::object(format!("List<{}>", item.text()))
            }
            ["array"] => Type::object("JArray"),
            ["object"] if is_class(schema) => {
                self.class(root, name, schema["description"].as_str(), &[schema]);
                Type::object(name)
            }
            ["object"] if is_map(schema) => {
                let value = self.type_of(root, &schema["additionalProperties"], name);
                Type::object(format!("Dictionary<string, {}>", value.text()))
            }
            ["object"] => Type::object("JObject"),
            _ => Type::object("JToken"),
        }
    }

    /// Makes a class with the properties of these forms.
    fn class(&mut self, root: Root<'_>, name: &str, about: Option<&str>, forms: &[&Value]) {
        if !self.begun.insert(name.to_owned()) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        for (json, _) in forms.iter().flat_map(|form| entries(&form["properties"])) {
            if !names.contains(&json) {
                names.push(json);
            }
        }
        let properties =
            names.into_iter().filter_map(|json| self.property(root, name, json, forms));
        let class = Class {
            about: about.unwrap_or_default().to_owned(),
            properties: properties.collect(),
            is_open: forms.iter().any(|form| is_open(form)),
        };
        self.classes.insert(name.to_owned(), class);
    }

    /// A property of a class with these forms; `None` where no form may have it.
    fn property(
        &mut self,
        root: Root<'_>,
        class: &str,
        json: &str,
        forms: &[&Value],
    ) -> Option<Property> {
        let found = forms.iter().map(|form| &form["properties"][json]);
        let found: Vec<&Value> = found.filter(|schema| schema.is_object()).collect();
        let about = found.first()?["description"].as_str().unwrap_or_default();
        let mut kinds: Vec<Value> = Vec::new();
        for schema in &found {
            let mut kind = (*schema).clone();
            if let Some(kind) = kind.as_object_mut() {
                kind.remove("description");
            }
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let kind = match kinds.as_slice() {
            [only] => {
                let mut only = only.clone();
                // A class that it is has this description.
                if reference(&only).is_none() {
                    only["description"] = about.into();
                }
                only
            }
            several => json!({ "anyOf": several, "description": about }),
        };
        let mut ty = self.type_of(root, &kind, &format!("{class}{}", words(json)));
        let has = |form: &&&Value| {
            form["required"].as_array().is_some_and(|names| names.iter().any(|name| name == json))
        };
        ty.may_be_null |= forms.iter().filter(has).count() < forms.len();
        let about = [about, &values(root, &kind), &default(&kind)];
        let about = about.into_iter().filter(|part| !part.is_empty());
        let about = about.map(sentence).collect::<Vec<_>>();
        Some(Property { json: json.to_owned(), ty, about: about.join(" ") })
    }
}

/// A sentence with the texts that a value may be, where only some may.
fn values(root: Root<'_>, schema: &Value) -> String {
    let mut forms = Vec::new();
    root.forms(schema, &mut forms, DEPTH);
    let known = forms
        .iter()
        .flat_map(|form| form["enum"].as_array().into_iter().flatten().chain([&form["const"]]));
    let known: Vec<String> =
        known.filter_map(Value::as_str).map(|text| format!("`{text}`")).collect();
    match known.as_slice() {
        [] => String::new(),
        [only] => format!("It is {only}."),
        several => format!("One of {}.", several.join(", ")),
    }
}

/// A sentence with what counts where nothing is said.
fn default(schema: &Value) -> String {
    match &schema["default"] {
        Value::Number(number) => format!("Without it {number}."),
        Value::String(text) if !text.is_empty() => format!("Without it `{text}`."),
        Value::Bool(true) => "Without it true.".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the class of this name.
    fn class<'t>(text: &'t str, name: &str) -> &'t str {
        let start = text.find(&format!("public sealed class {name}\n")).unwrap();
        text[start..].split("\n    }\n").next().unwrap()
    }

    fn made(mut row: Value, defs: Value) -> String {
        row["$defs"] = defs;
        let request = json!({ "type": "object", "description": "Lists & more", "$defs": {}, "properties": {
            "file": { "$ref": "#/$defs/FileRef" },
            "limit": { "type": ["integer", "null"], "format": "uint64", "default": 3 },
        }, "required": ["file"] });
        file(&json!({ "version": 7, "verbs": { "ls": { "request": request, "row": row } } })).1
    }

    #[test]
    fn verbs_are_methods_and_properties_that_may_be_missing_may_be_null() {
        let row = json!({ "type": "object", "properties": {
            "size": { "type": "integer", "format": "uint64" }, "is_on": { "type": "boolean" },
        }, "required": ["size"] });
        let text = made(row, json!({}));
        assert!(text.contains("ApiVersion = 7;"), "{text}");
        assert!(text.contains("public Rows<LsRow> Ls(LsRequest request)"), "{text}");
        assert!(text.contains("<summary>Lists &amp; more</summary>"), "{text}");
        let request = class(&text, "LsRequest");
        assert!(request.contains("public FileRef File "), "{request}");
        assert!(
            request.contains("public ulong? Limit ") && request.contains("Without it 3."),
            "{request}"
        );
        let row = class(&text, "LsRow");
        assert!(row.contains("public ulong Size ") && row.contains("public bool? IsOn "), "{row}");
    }

    #[test]
    fn forms_are_one_class_and_parts_that_differ_are_several() {
        let entry = json!({ "type": "object", "properties": {
            "entry": { "$ref": "#/$defs/Entry" }, "children": { "type": "array", "items": { "$ref": "#/$defs/A" } },
        }, "required": ["entry"] });
        let defs = json!({ "A": entry, "B": { "type": "object", "properties": {
            "entry": { "type": "string" }, "class": { "type": "integer", "maximum": u64::MAX },
        } }, "Entry": { "type": "object", "properties": { "entry": { "const": "x" } } } });
        let text =
            made(json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }] }), defs);
        let row = class(&text, "LsRow");
        // It is an object in one form and a text in the other.
        assert!(
            row.contains("public JToken Entry ") && row.contains("public ulong? Class "),
            "{row}"
        );
        assert!(row.contains("public List<A> Children "), "{row}");
        assert!(class(&text, "A").contains("public Entry Entry "), "{text}");
        assert!(class(&text, "Entry").contains("public string EntryValue "), "{text}");
    }

    #[test]
    fn whatever_has_names_of_its_own_leaves_other_forms_alone() {
        let defs = json!({ "Table": { "type": "object", "properties": { "columns": { "type": "array" } } } });
        let answer = json!({ "type": "object", "additionalProperties": { "type": "string" } });
        let text = made(json!({ "anyOf": [answer, { "$ref": "#/$defs/Table" }] }), defs);
        assert!(class(&text, "LsRow").contains("IDictionary<string, JToken> Others"), "{text}");
        assert!(!class(&text, "LsRow").contains("Columns"), "{text}");
        assert!(class(&text, "Table").contains("public JArray Columns "), "{text}");
    }

    #[test]
    fn the_classes_are_current() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let api = std::fs::read_to_string(root.join("crates/spelunk-cli/api.json")).unwrap();
        let (path, text) = file(&serde_json::from_str(&api).unwrap());
        let found = std::fs::read_to_string(root.join(&path)).unwrap();
        assert!(found.replace("\r\n", "\n") == text, "{path} is old: run `cargo xtask docs`");
    }
}
