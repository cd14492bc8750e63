//! Every known field of one entry.

use super::{
    FileRef,
    input::Input,
    output::{Outcome, Output},
    request::Shown,
    run::Run,
    session::Session,
};
use crate::{
    Entry, Result, Task, Val,
    core::text::CodePages,
    core::walk::{FieldWindow, Flat, FlatField, finish},
    open::json::{DescribedFieldRow, FieldRow, ShownFieldRow},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeSeq};

/// Every known field of one entry
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, - for standard input, or a folder of SpellForce archives
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR"))]
    pub file: FileRef,
    /// Path of the entry, as `ls` prints it
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub path: String,
    /// Leave out so many fields at the beginning
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t, hide_default_value = true)
    )]
    pub offset: u64,
    /// So many fields at the most
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub limit: Option<u64>,
    /// Rows for people: `shown`, a text that they read, in place of values
    #[cfg_attr(feature = "clap", arg(skip))]
    pub for_people: bool,
    /// Fields with their descriptions, for whoever changes them: what they are, and names of values that they may have
    #[cfg_attr(feature = "clap", arg(skip))]
    pub described: bool,
    /// So many items of each list at the most
    #[cfg_attr(feature = "clap", arg(skip))]
    pub max_items: Option<u64>,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// An entry with its fields.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// The path of the entry.
    pub path: &'a str,
    /// Kind of the entry.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Size of the entry in bytes.
    pub size: u64,
    /// Fields of the entry, in the order of their bytes.
    #[schemars(with = "Vec<ShowField>")]
    pub fields: JsonFields<'a>,
}

/// A field, as data, with its description, or for people.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it only describes what `Fields` writes")]
enum ShowField {
    Data(FieldRow<'static>),
    Described(DescribedFieldRow<'static>),
    Shown(ShownFieldRow<'static>),
}

/// Fields that become JSON one by one: as JSON they take several times what they are.
#[derive(Debug)]
pub struct JsonFields<'a> {
    flat: &'a Flat,
    pages: &'a CodePages,
    form: FieldForm,
}

/// Form of fields in rows.
#[derive(Clone, Copy, Debug)]
enum FieldForm {
    /// Values as data.
    Data,
    /// The same, with descriptions.
    Described,
    /// Values are texts that people read.
    Shown,
}

impl Serialize for JsonFields<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = to.serialize_seq(Some(self.flat.fields.len()))?;
        for field in &self.flat.fields {
            match self.form {
                FieldForm::Data => fields.serialize_element(&FieldRow::of(field, self.pages))?,
                FieldForm::Described => {
                    fields.serialize_element(&DescribedFieldRow::of(field, self.pages))?;
                }
                FieldForm::Shown => {
                    fields.serialize_element(&ShownFieldRow::of(field, self.pages))?;
                }
            }
        }
        fields.end()
    }
}

/// Memory in bytes that a value takes as JSON, beside itself: its text, and as digits the bytes that this does not show.
fn json_size(field: &FlatField) -> u64 {
    let (len, factor) = match &field.value {
        Val::Bytes(bytes) => (bytes.len(), 2),
        Val::Text(bytes) => (bytes.len(), if bytes.is_ascii() { 3 } else { 5 }),
        Val::Str(text) => (text.len(), 2),
        _ => (0, 0),
    };
    (len as u64).saturating_mul(factor)
}

/// Hands out an entry with its fields as one row.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("show", session, out);
    run.show(&request.shown)?;
    run.options.headers_suffice = true;
    if let Some(mut file) = run.open(&Input::named(&request.file))? {
        let opened = file.held.get()?;
        let pages = opened.code_pages();
        let Some(node) = run.find_one(&file.name, opened, &request.path) else {
            return run.finish();
        };
        let mut head = (String::new(), String::new(), 0);
        let mut each = |entry: &Entry<'_>, _: &mut Task<'_>| {
            head = (entry.path.to_owned(), entry.kind.to_owned(), entry.size);
            Ok(())
        };
        opened
            .run_silent(|container, task| finish(container.entry(node, &pages, task, &mut each)))?;
        let part =
            FieldWindow { items: request.max_items, offset: request.offset, limit: request.limit };
        let mut flat = Flat::default();
        let walked = opened.run(|container, task| {
            let walked = task.keeping(|task, most| {
                // People read all of them at once.
                let share = if request.for_people { most / 6 } else { most };
                flat = Flat::within(share).only(part);
                let walked = finish(container.walk(node, task, &mut flat));
                (walked, if request.for_people { most } else { flat.held() })
            });
            let charged =
                task.budget.memory(flat.fields.iter().map(json_size).max().unwrap_or_default());
            if charged.is_err() {
                flat.fields.clear();
            }
            walked.and(charged)
        });
        let findings = opened.take_findings();
        if !(walked.is_err() && flat.fields.is_empty()) {
            let (path, kind, size) = (head.0.as_str(), head.1.as_str(), head.2);
            let form = match (request.for_people, request.described) {
                (true, _) => FieldForm::Shown,
                (false, true) => FieldForm::Described,
                (false, false) => FieldForm::Data,
            };
            let fields = JsonFields { flat: &flat, pages: &pages, form };
            run.row(&Row { file: &file.name, path, kind, size, fields })?;
        }
        run.settle(&file.name, &findings);
        if let Err(error) = walked {
            run.failed(&file.name, error);
        }
    }
    run.finish()
}
