//! Plugins that Virtools files need, and registries of those that are there.
//!
//! ```json
//! {
//!   "plugins": [
//!     {"category": "manager", "guid": "4f243100-28ab3f51", "name": "Sectors"},
//!     {"category": 4, "guid": "56495254-4f4f4c53"}
//!   ],
//!   "prototypes": [{"guid": "01234567-89abcdef", "name": "Wait"}]
//! }
//! ```
//!
//! Categories are numbers or the names that `info` prints. Names can be left out, and so can either list.

use crate::{
    Class, Error, Field, Opened, Result, ResultExt, Ty, Val, core::text::until_nul, open::model,
};
use serde_json::{Map, Value};
use spelunk_core::Described;
use std::collections::BTreeMap;
use virtools::{
    codes,
    file::plugins::{BEHAVIOURS, PluginGroupHead, category_name},
    registered::PLUGIN_NAMES,
    runtime::plugins::{self, fault},
    script::blocks::Uses,
};

pub use virtools::runtime::plugins::Registry;

static CATEGORY: Field = PluginGroupHead::RECORD.field("category");
static GUID: Field = Field::new("guid", Ty::Guid, "A plugin or building block.");

/// Reads a registry from its JSON.
///
/// # Errors
/// [`BAD_REGISTRY`](codes::BAD_REGISTRY), with the field that is wrong, or the line where the text is no JSON.
pub fn registry(text: &[u8]) -> Result<Registry> {
    let listed: Value = serde_json::from_slice(text)
        .map_err(|error| bad("JSON", format!("text with an error: {error}")))?;
    let listed = object(&listed, &["plugins", "prototypes"])?;
    let mut registry = Registry::new();
    for (nth, row) in list(listed, "plugins")?.iter().enumerate() {
        let plugin = || {
            let row = object(row, &["category", "guid", "name"])?;
            Ok((category(row).field("category")?, guid(row).field("guid")?, name(row)?))
        };
        let (category, guid, name) = plugin().item("plugins", nth)?;
        registry.add_plugin(category, guid, name);
    }
    for (nth, row) in list(listed, "prototypes")?.iter().enumerate() {
        let prototype = || {
            let row = object(row, &["guid", "name"])?;
            Ok((guid(row).field("guid")?, name(row)?))
        };
        let (guid, name) = prototype().item("prototypes", nth)?;
        registry.add_prototype(guid, name);
    }
    Ok(registry)
}

/// A row, or all of a registry.
type RegistryObject = Map<String, Value>;

fn bad(expected: impl Into<Val<'static>>, found: impl Into<Val<'static>>) -> Error {
    Error::new(&codes::BAD_REGISTRY).expected(expected).found(found)
}

/// A value as it stands in the text; `nothing` where there is none.
fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), Value::to_string)
}

/// An object that has no other fields than these.
fn object<'v>(value: &'v Value, fields: &[&str]) -> Result<&'v RegistryObject> {
    let object = value.as_object().ok_or_else(|| bad("an object", shown(Some(value))))?;
    match object.keys().find(|key| !fields.contains(&key.as_str())) {
        Some(other) => Err(bad(fields.join(", "), format!("`{other}`"))),
        None => Ok(object),
    }
}

fn list<'v>(of: &'v RegistryObject, field: &'static str) -> Result<&'v [Value]> {
    match of.get(field) {
        None => Ok(&[]),
        Some(Value::Array(rows)) => Ok(rows),
        other => Err(bad("a list", shown(other)).field(field)),
    }
}

fn name(row: &RegistryObject) -> Result<Option<&str>> {
    match row.get("name") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name)),
        other => Err(bad("text", shown(other)).field("name")),
    }
}

fn category(row: &RegistryObject) -> Result<u32> {
    let bytes = stored(&CATEGORY, row)?;
    bytes
        .first_chunk()
        .map(|word| u32::from_le_bytes(*word))
        .ok_or_else(|| bad(CATEGORY.expected(), shown(row.get(CATEGORY.name))))
}

fn guid(row: &RegistryObject) -> Result<[u32; 2]> {
    match stored(&GUID, row)?.as_chunks::<4>() {
        ([d1, d2], []) => Ok([d1, d2].map(|word| u32::from_le_bytes(*word))),
        _ => Err(bad(GUID.expected(), shown(row.get(GUID.name)))),
    }
}

/// The bytes of a field of a row.
fn stored(field: &Field, row: &RegistryObject) -> Result<Vec<u8>> {
    let value = row.get(field.name).unwrap_or(&Value::Null);
    let stored = field.from_json(value).and_then(|value| field.encode(&value, &[]));
    stored.map_err(|error| error.with_code(&codes::BAD_REGISTRY))
}

/// Plugins and building blocks that a file needs of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Number of plugins and building blocks that the file needs.
    pub count: usize,
    /// Needs that the registry lacks, in the order of the file.
    pub missing: Vec<Missing>,
}

/// A plugin, or a building block, that a registry lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Number of its category: 4 are building blocks.
    pub category: u32,
    /// GUID of the plugin or building block, as its two words.
    pub guid: [u32; 2],
    /// Name, where it is known: that of the registry under another category, that of the known building block or manager, else
    /// that of most behaviours that are one.
    pub name: Option<String>,
    /// Number of behaviours of the file that are such a building block.
    pub behaviors: u64,
}

impl Missing {
    /// Returns the name of its category, where that is known.
    pub fn category_name(&self) -> Option<&'static str> {
        category_name(self.category)
    }

    /// Returns its GUID as text.
    pub fn guid(&self) -> String {
        let [d1, d2] = self.guid;
        Val::Guid(d1, d2).to_string()
    }
}

/// Looks up what a file needs. Without a registry all of it is missing; with one that is kept as a finding,
/// [`PLUGINS_MISSING`](codes::PLUGINS_MISSING).
///
/// # Errors
/// [`NO_PLUGINS`](codes::NO_PLUGINS) for files of other formats; reading errors; limits.
pub fn needs(opened: &mut Opened, registry: Option<&Registry>) -> Result<Needs> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let file = model::virtools(container, &codes::NO_PLUGINS)?;
        let nothing = Registry::new();
        let checked = registry.unwrap_or(&nothing).check(file, &mut task.budget)?;
        let all = nothing.check(file, &mut task.budget)?;
        let uses = match plugins::uses(file, &mut task.budget) {
            // The list stands in another section: its needs are reported without names then.
            Err(error) if error.code().class == Class::Malformed => {
                task.error(error)?;
                BTreeMap::new()
            }
            uses => uses?,
        };
        let mut needs = Needs {
            count: all.iter().map(|group| group.missing().count()).sum(),
            missing: Vec::new(),
        };
        for group in &checked {
            for guid in group.missing() {
                let registered = registry.and_then(|registry| registry.find(guid, None)?.name);
                let uses = uses.get(&guid).filter(|_| group.category == BEHAVIOURS);
                let registered = registered.or_else(|| (PLUGIN_NAMES.name)(guid));
                let name = registered.map(str::to_owned);
                let name = name.or_else(|| Some(pages.show(usual(uses?)?).into_owned()));
                let size =
                    name.as_ref().map_or(0, String::len).saturating_add(size_of::<Missing>());
                task.budget.memory(size as u64)?;
                let behaviors = uses.map_or(0, |uses| uses.count);
                needs.missing.push(Missing { category: group.category, guid, name, behaviors });
            }
        }
        if registry.is_some()
            && let Some(fault) = fault(file, &checked)
        {
            task.warn(fault)?;
        }
        Ok(needs)
    })
}

/// Whether an error is that a file is of a format that needs no plugins.
pub fn is_other_format(error: &Error) -> bool {
    error.code().id == codes::NO_PLUGINS.id
}

/// The name that most behaviours of a kind have; of several the first one.
fn usual(uses: &Uses) -> Option<&[u8]> {
    let named = uses.names.iter().map(|(name, count)| (until_nul(name), count));
    let named = named.filter(|(name, _)| !name.is_empty());
    named.rev().max_by_key(|(_, count)| **count).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Severity};
    use spelunk_fixtures::samples;
    use std::sync::Arc;

    fn opened(bytes: Vec<u8>) -> Opened {
        Opened::open(Arc::new(crate::Bytes::from(bytes)), &Options::default()).unwrap()
    }

    #[test]
    fn registries_are_read_by_name_and_number() {
        let text = br#"{
            "plugins": [
                {"category": "Manager", "guid": "4f243100-28AB3F51", "name": "Sectors"},
                {"category": 77, "guid": "00000001-00000000"}
            ],
            "prototypes": [{"guid": "01234567-89abcdef"}]
        }"#;
        let registry = registry(text).unwrap();
        let found = registry.find([0x4F24_3100, 0x28AB_3F51], Some(3)).unwrap();
        assert_eq!(found.name, Some("Sectors"));
        assert!(registry.find([1, 0], Some(77)).is_some());
        assert!(registry.find([0x0123_4567, 0x89AB_CDEF], Some(4)).is_some());
        assert_eq!(super::registry(b"{}").unwrap(), Registry::new());
    }

    #[test]
    fn what_is_wrong_with_a_registry_is_reported_with_its_place() {
        for (text, path, part) in [
            ("", "", "line 1"),
            ("[]", "", "expected an object, found []"),
            (r#"{"plugin": []}"#, "", "expected plugins, prototypes, found `plugin`"),
            (r#"{"plugins": {}}"#, "plugins", "expected a list, found {}"),
            (r#"{"prototypes": ["x"]}"#, "prototypes[0]", "found \"x\""),
            (r#"{"prototypes": [{"name": "x"}]}"#, "prototypes[0].guid", "found nothing"),
            (r#"{"prototypes": [{"guid": "1-2"}]}"#, "prototypes[0].guid", "found `1-2`"),
            (
                r#"{"plugins": [{"category": 4, "guid": "00000001-00000002"}, {"category": 4, "guid": 1}]}"#,
                "plugins[1].guid",
                "found `1`",
            ),
            (
                r#"{"plugins": [{"category": 4, "guid": "00000001-00000002", "name": 7}]}"#,
                "plugins[0].name",
                "found 7",
            ),
            (
                r#"{"plugins": [{"category": 4, "guid": "00000001-00000002", "Name": ""}]}"#,
                "plugins[0]",
                "found `Name`",
            ),
            (r#"{"plugins": [{"category": "manger"}]}"#, "plugins[0].category", "found `manger`"),
            (r#"{"plugins": [{"category": -1}]}"#, "plugins[0].category", "found `-1`"),
            (
                r#"{"plugins": [{"category": 4294967296}]}"#,
                "plugins[0].category",
                "found `4294967296`",
            ),
        ] {
            let error = registry(text.as_bytes()).unwrap_err();
            assert_eq!((error.code().id, error.path().as_str()), ("VT097", path), "{text}");
            assert!(error.message().contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_missing_has_its_name_and_its_uses() {
        let mut opened = opened(samples::gameplay().build().bytes);
        let all = needs(&mut opened, None).unwrap();
        let named: Vec<_> =
            all.missing.iter().map(|it| (it.name.as_deref(), it.behaviors)).collect();
        assert_eq!((all.count, named), (2, vec![(Some("Wait"), 1), (Some("Send Message"), 1)]));
        assert!(opened.findings().findings.is_empty(), "without a registry nothing is known");

        // Registered, but as something else: the name that it has there is known all the same.
        let mut registry = Registry::new();
        registry.add_prototype(all.missing[0].guid, None);
        registry.add_plugin(3, all.missing[1].guid, Some("Messages"));
        let some = needs(&mut opened, Some(&registry)).unwrap();
        assert_eq!((some.count, some.missing.len()), (2, 1));
        assert_eq!(some.missing[0].name.as_deref(), Some("Messages"));
        let findings = &opened.findings().findings;
        assert_eq!(findings.len(), 1);
        assert_eq!(
            (findings[0].error.code().id, findings[0].severity),
            ("VT095", Severity::Warning)
        );
    }

    #[test]
    fn a_damaged_data_section_costs_names_alone() {
        let fixture = samples::gameplay().build();
        let mut bytes = fixture.bytes.clone();
        let at = fixture.range_of("data").start;
        bytes[at..at + 8].fill(0xFF);
        let mut opened = opened(bytes);
        let needs = needs(&mut opened, None).unwrap();
        assert_eq!((needs.missing.len(), &needs.missing[0].name), (2, &None));
        assert!(opened.findings().has_errors());
    }

    #[test]
    fn other_formats_need_none() {
        let error = needs(&mut opened(samples::pack().build().bytes), None).unwrap_err();
        assert_eq!(error.code().id, "VT096");
    }
}
