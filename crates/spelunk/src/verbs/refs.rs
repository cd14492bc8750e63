//! What entries refer to, and what refers to them.

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
    refs::{Closed, Link, References, told_none},
    sets::Item,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What entries refer to, and what refers to them
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// Path of the entry, as `ls` prints it
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required_unless_present = "missing"))]
    pub path: Option<String>,
    /// Everything that it needs, directly and through others
    #[cfg_attr(feature = "clap", arg(long, requires = "path", conflicts_with = "missing"))]
    pub closure: bool,
    /// What is referred to and not there
    #[cfg_attr(feature = "clap", arg(long))]
    pub missing: bool,
    /// Another pack in which assets find what they need; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "[PREFIX=]PACK"))]
    pub with: Vec<Mounted>,
    /// Which references count.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub following: Following,
    /// How the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
    /// What people know each entry by, and a row for the entry itself
    #[cfg_attr(feature = "clap", arg(skip))]
    pub labels: bool,
}

/// A reference, an entry that is needed, or a circle.
#[derive(Debug, Serialize)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// What it is: `refers_to`, `referred_by`, `closure`, `cycle`, `missing`; with labels, `entry` before those that refer.
    pub relation: &'static str,
    /// The fields of such a row.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
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
    let Some(others) = run.mount(&request.with)? else { return Ok(()) };
    let opened = file.held.get()?;
    let node = match &request.path {
        None => None,
        Some(path) => match run.find_one(&file.name, opened, path) {
            Some(node) => Some(node),
            None => return Ok(()),
        },
    };
    let findings = opened.take_findings();
    run.settle(&file.name, &findings);
    let name = file.name;
    let references = References::new(&name, file.held.into_own()?, others, &run.options);
    let mut references = match references {
        Ok(references) => references,
        Err(error) => {
            run.failed(&name, error);
            return Ok(());
        }
    };
    if !references.has_refs() {
        run.note(&format!("{name}: {}", told_none(references.format())));
        if let Some(profile) = references.profile() {
            run.instead(profile);
        }
        return Ok(());
    }
    let rows = Rows { file: &name, is_one_of_many: !request.with.is_empty(), request };
    let told = rows.hand_out(node, &mut references, run);
    run.settle(&name, references.findings());
    match told {
        Err(error) if error.io_error().is_none() => {
            run.failed(&name, error);
            Ok(())
        }
        told => told,
    }
}

struct Rows<'r> {
    file: &'r str,
    is_one_of_many: bool,
    request: &'r Request,
}

impl Rows<'_> {
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
                if self.request.labels {
                    let label = ("label".to_owned(), self.named(&related.item).into());
                    self.row("entry", Map::from_iter([label]), run)?;
                }
                related.to.iter().try_for_each(|link| self.link("refers_to", link, run))?;
                related.by.iter().try_for_each(|link| self.link("referred_by", link, run))
            }
            None => self.missing(&references.missing(needs)?, run),
        }
    }

    fn closure(&self, closed: &Closed, run: &mut Run<'_>) -> Result<()> {
        for (nth, item) in closed.items.iter().enumerate() {
            let mut fields = Map::new();
            fields.insert("path".into(), item.path.as_str().into());
            fields.insert("in".into(), item.file.as_str().into());
            fields.insert("type".into(), item.kind.as_str().into());
            fields.insert("name".into(), item.name.as_str().into());
            fields.insert("asked".into(), (nth < closed.asked).into());
            if self.request.labels {
                fields.insert("label".into(), self.named(item).into());
            }
            self.row("closure", fields, run)?;
        }
        for circle in &closed.cycles {
            let items = circle.iter().filter_map(|at| closed.items.get(*at as usize));
            let items: Vec<&Item> = items.collect();
            let paths: Value = items.iter().map(|item| item.path.as_str()).collect();
            let mut fields = Map::from_iter([("paths".to_owned(), paths)]);
            if self.request.labels {
                fields.insert("labels".into(), items.iter().map(|item| self.named(item)).collect());
            }
            self.row("cycle", fields, run)?;
        }
        self.absent(&closed.missing, run)
    }

    fn missing(&self, missing: &[Link], run: &mut Run<'_>) -> Result<()> {
        if missing.is_empty() {
            run.note("nothing is missing");
        }
        self.absent(missing, run)
    }

    fn absent(&self, missing: &[Link], run: &mut Run<'_>) -> Result<()> {
        if missing.iter().any(Link::is_required_and_missing) {
            run.found();
        }
        missing.iter().try_for_each(|link| self.link("missing", link, run))
    }

    fn link(&self, relation: &'static str, link: &Link, run: &mut Run<'_>) -> Result<()> {
        let mut fields = link.json();
        if self.request.labels {
            fields.insert("label".into(), self.named(&link.from).into());
            fields.insert("target_label".into(), self.meant(link).into());
        }
        self.row(relation, fields, run)
    }

    fn row(
        &self,
        relation: &'static str,
        fields: Map<String, Value>,
        run: &mut Run<'_>,
    ) -> Result<()> {
        run.row(&Row { file: self.file, relation, fields })
    }

    /// What people know an entry by.
    fn named(&self, item: &Item) -> String {
        let text = match item.path.strip_prefix('#') {
            Some(_) if !item.name.is_empty() => {
                format!("{}/{} {}", item.kind, item.name, item.path)
            }
            Some(_) => format!("{} {}", item.kind, item.path),
            None => item.path.clone(),
        };
        if self.is_one_of_many { format!("{}: {text}", item.file) } else { text }
    }

    /// What a reference means.
    fn meant(&self, link: &Link) -> String {
        match (&link.to, &link.name) {
            (Some(item), _) => self.named(item),
            (None, Some(name)) if !name.is_empty() => format!("{name} ({})", link.key),
            (None, _) => link.key.clone(),
        }
    }
}
