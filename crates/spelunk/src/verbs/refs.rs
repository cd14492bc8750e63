//! References of entries, and references to them.

use super::{
    FileRef,
    input::Input,
    mounted::Mounted,
    output::{Outcome, Output},
    request::{Following, Shown},
    run::Run,
    session::Session,
};
use crate::{
    Node, Result,
    containers::sets::EntrySummary,
    core::nearest::near_it,
    entries::lookup,
    entries::refs::{Closed, EntryLink, References, no_refs},
    models::scripts::{self, MessageRole, MessageUse},
    open::codes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// References of entries, and references to them
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Path of the entry, as `ls` prints it; or message/NAME: who sends this message of Virtools, and who waits for it
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required_unless_present = "missing"))]
    pub path: Option<String>,
    /// Everything that it needs, directly and through others
    #[cfg_attr(feature = "clap", arg(long, requires = "path", conflicts_with = "missing"))]
    pub closure: bool,
    /// List the references to what is not there
    #[cfg_attr(feature = "clap", arg(long))]
    pub missing: bool,
    /// Another pack in which assets find what they need; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "[PREFIX=]PACK"))]
    pub with: Vec<Mounted>,
    /// Choice of the references that count.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub following: Following,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
    /// Rows for people: what they know each entry by, and a row for the entry itself
    #[cfg_attr(feature = "clap", arg(skip))]
    pub for_people: bool,
}

/// A reference, an entry that is needed, or a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// A reference.
    Link(LinkRow<'a>),
    /// With `closure`: an entry that is needed.
    Needed(NeededRow<'a>),
    /// With `closure`: entries that need each other in a circle.
    Cycle(CycleRow<'a>),
    /// For people: the entry that was asked for.
    Entry(EntryRow<'a>),
}

/// A reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LinkRow<'a> {
    /// The file.
    pub file: &'a str,
    /// Whether the entry that was asked for refers, is referred to, or what is referred to is missing; of a message whether the
    /// behaviour sends it, waits for it, or has it as a value.
    #[schemars(extend("enum" = ["refers_to", "referred_by", "missing", "sent_by", "awaited_by", "held_by"]))]
    pub relation: &'static str,
    /// Path of the entry that refers.
    pub path: &'a str,
    /// The file that it is in.
    #[serde(rename = "in")]
    pub file_of: &'a str,
    /// The field that refers.
    pub field: &'static str,
    /// Path of the entry that is referred to; null where there is none.
    pub target: Option<&'a str>,
    /// The file that it is in.
    pub target_in: Option<&'a str>,
    /// Type of the entry that is referred to.
    pub target_type: Option<&'a str>,
    /// Name of the entry that is referred to, or the one that is stored with the reference.
    pub target_name: Option<&'a str>,
    /// Key by which the reference refers: an id, a position.
    pub key: &'a str,
    /// Degree to which it is needed, in formats that have degrees.
    pub kind: Option<&'static str>,
    /// Whether what is referred to is not there.
    pub missing: bool,
    /// For people: what people know the entry by that refers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// For people: what people know the entry by that is referred to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_label: Option<String>,
}

/// An entry that is needed, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NeededRow<'a> {
    /// The file.
    pub file: &'a str,
    /// `closure`.
    #[schemars(extend("const" = "closure"))]
    pub relation: &'static str,
    /// Path of the entry.
    pub path: &'a str,
    /// The file that it is in.
    #[serde(rename = "in")]
    pub file_of: &'a str,
    /// Type of the entry.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Name of the entry; empty where it has none.
    pub name: &'a str,
    /// Whether it was asked for, and not only needed.
    pub asked: bool,
    /// For people: what people know it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Entries that need each other in a circle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CycleRow<'a> {
    /// The file.
    pub file: &'a str,
    /// `cycle`.
    #[schemars(extend("const" = "cycle"))]
    pub relation: &'static str,
    /// Paths of the entries.
    pub paths: Vec<&'a str>,
    /// For people: what people know them by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}

/// The entry that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EntryRow<'a> {
    /// The file.
    pub file: &'a str,
    /// `entry`, or `message`.
    #[schemars(extend("enum" = ["entry", "message"]))]
    pub relation: &'static str,
    /// Name by which people know it.
    pub label: String,
}

/// Hands out a row for each reference, or each entry of a closure.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("refs", session, out);
    run.show(&request.shown)?;
    work(request, &mut run)?;
    run.finish()
}

fn work(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let Some(mut file) = run.open(&Input::named(&request.file))? else { return Ok(()) };
    // Only the file itself is looked at in another generation.
    run.options.revision = None;
    // One that the session keeps open may be among the others, too.
    let mut findings = file.held.get()?.take_findings();
    let (name, mut opened) = (file.name, file.held.into_own()?);
    if let Some(message) = request.path.as_deref().and_then(|path| path.strip_prefix(MESSAGE))
        && !request.closure
        && !request.missing
    {
        let uses = scripts::messages(&mut opened, message);
        findings.absorb(opened.take_findings());
        run.settle(&name, &findings);
        match uses {
            Ok(uses) => return messages(&name, message, &uses, request, run),
            Err(error) if error.code() == &codes::NO_SCRIPTS => {}
            Err(error) => {
                run.failed(&name, error);
                return Ok(());
            }
        }
    }
    let Some(others) = run.mount(&request.with)? else { return Ok(()) };
    let node = match &request.path {
        None => None,
        Some(path) => match lookup::find_one(&mut opened, path) {
            Ok(node) => Some(node),
            Err(error) => {
                let is_message = error.code() == &codes::core::NOT_FOUND
                    && scripts::messages(&mut opened, path).is_ok();
                let near = Some(format!("`{MESSAGE}{path}`")).filter(|_| is_message);
                let error = match near {
                    Some(near) => error.found(near_it(&format!("`{path}`"), Some(near))),
                    None => error,
                };
                run.failed(&name, lookup::listed_by(&name, error));
                return Ok(());
            }
        },
    };
    findings.absorb(opened.take_findings());
    run.settle(&name, &findings);
    let references = References::new(&name, opened, others, &run.options);
    let mut references = match references {
        Ok(references) => references,
        Err(error) => {
            run.failed(&name, error);
            return Ok(());
        }
    };
    if !references.has_refs() {
        run.note(&format!("{name}: {}", no_refs(references.format())));
        if let Some(profile) = references.profile() {
            run.instead(profile);
        }
        return Ok(());
    }
    let rows = ReferenceRows { file: &name, is_one_of_many: !request.with.is_empty(), request };
    let done = rows.hand_out(node, &mut references, run);
    run.settle(&name, references.findings());
    match done {
        Err(error) if run.is_taken() => {
            run.failed(&name, error);
            Ok(())
        }
        done => done,
    }
}

/// What stands before the name of a message in the place of a path.
const MESSAGE: &str = "message/";

/// Hands out the behaviours that have to do with a message.
fn messages(
    file: &str,
    message: &str,
    uses: &[MessageUse],
    request: &Request,
    run: &mut Run<'_>,
) -> Result<()> {
    let target = format!("{MESSAGE}{message}");
    if request.for_people {
        run.row(&EntryRow { file, relation: "message", label: target.clone() })?;
    }
    for it in uses {
        let relation = match it.role {
            MessageRole::Sends => "sent_by",
            MessageRole::Waits => "awaited_by",
            MessageRole::Holds => "held_by",
        };
        let path = format!("#{}", it.behavior);
        run.row(&LinkRow {
            file,
            relation,
            path: &path,
            file_of: file,
            field: "message",
            target: Some(&target),
            target_in: Some(file),
            target_type: Some("message"),
            target_name: Some(message),
            key: &it.number.to_string(),
            kind: None,
            missing: false,
            label: request.for_people.then(|| label(it)),
            target_label: request.for_people.then(|| target.clone()),
        })?;
    }
    Ok(())
}

/// Returns the name by which people know a behaviour: with its script, and the object whose script that is.
fn label(it: &MessageUse) -> String {
    let mut text = format!("CKBehavior/{} #{}", it.name, it.behavior);
    if let Some((script, name)) = it.script.as_ref().filter(|(script, _)| *script != it.behavior) {
        text.push_str(&format!(" in {name} #{script}"));
    }
    if let Some(owner) = &it.owner {
        text.push_str(&format!(" of {owner}"));
    }
    if it.is_variable {
        text.push_str(", at first");
    }
    text
}

struct ReferenceRows<'r> {
    file: &'r str,
    is_one_of_many: bool,
    request: &'r Request,
}

impl ReferenceRows<'_> {
    fn hand_out(
        &self,
        node: Option<Node>,
        references: &mut References,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let needs = self.request.following.needs();
        match node {
            Some(node) if self.request.closure => {
                self.closure(&references.closure(&[node], needs)?, run)
            }
            Some(node) if self.request.missing => {
                self.missing(&references.closure(&[node], needs)?.missing, run)
            }
            Some(node) => {
                let related = references.of(node)?;
                if self.request.for_people {
                    let (file, label) = (self.file, self.named(&related.item));
                    run.row(&EntryRow { file, relation: "entry", label })?;
                }
                related.to.iter().try_for_each(|link| self.link("refers_to", link, run))?;
                related.by.iter().try_for_each(|link| self.link("referred_by", link, run))
            }
            None => self.missing(&references.missing(needs)?, run),
        }
    }

    fn closure(&self, closed: &Closed, run: &mut Run<'_>) -> Result<()> {
        for (nth, item) in closed.items.iter().enumerate() {
            run.row(&NeededRow {
                file: self.file,
                relation: "closure",
                path: &item.path,
                file_of: &item.file,
                kind: &item.kind,
                name: &item.name,
                asked: nth < closed.asked,
                label: self.request.for_people.then(|| self.named(item)),
            })?;
        }
        for circle in &closed.cycles {
            let items = circle.iter().filter_map(|at| closed.items.get(*at as usize));
            let items: Vec<&EntrySummary> = items.collect();
            let labels = || items.iter().map(|item| self.named(item)).collect();
            run.row(&CycleRow {
                file: self.file,
                relation: "cycle",
                paths: items.iter().map(|item| item.path.as_str()).collect(),
                labels: self.request.for_people.then(labels),
            })?;
        }
        self.absent(&closed.missing, run)
    }

    fn missing(&self, missing: &[EntryLink], run: &mut Run<'_>) -> Result<()> {
        if missing.is_empty() {
            run.note("nothing is missing");
        }
        self.absent(missing, run)
    }

    fn absent(&self, missing: &[EntryLink], run: &mut Run<'_>) -> Result<()> {
        if missing.iter().any(EntryLink::is_required_and_missing) {
            run.found();
        }
        missing.iter().try_for_each(|link| self.link("missing", link, run))
    }

    fn link(&self, relation: &'static str, link: &EntryLink, run: &mut Run<'_>) -> Result<()> {
        let to = link.to.as_ref();
        let name = to.map(|item| item.name.as_str()).filter(|name| !name.is_empty());
        run.row(&LinkRow {
            file: self.file,
            relation,
            path: &link.from.path,
            file_of: &link.from.file,
            field: link.field,
            target: to.map(|item| item.path.as_str()),
            target_in: to.map(|item| item.file.as_str()),
            target_type: to.map(|item| item.kind.as_str()),
            target_name: name.or(link.name.as_deref()),
            key: &link.key,
            kind: link.kind,
            missing: !link.is_there,
            label: self.request.for_people.then(|| self.named(&link.from)),
            target_label: self.request.for_people.then(|| self.meant(link)),
        })
    }

    /// Returns the name by which people know an entry.
    fn named(&self, item: &EntrySummary) -> String {
        let text = match item.path.strip_prefix('#') {
            Some(_) if !item.name.is_empty() => {
                format!("{}/{} {}", item.kind, item.name, item.path)
            }
            Some(_) => format!("{} {}", item.kind, item.path),
            None => item.path.clone(),
        };
        if self.is_one_of_many { format!("{}: {text}", item.file) } else { text }
    }

    /// Returns the name of what a reference means, for people.
    fn meant(&self, link: &EntryLink) -> String {
        match (&link.to, &link.name) {
            (Some(item), _) => self.named(item),
            (None, Some(name)) if !name.is_empty() => format!("{name} ({})", link.key),
            (None, _) => link.key.clone(),
        }
    }
}
