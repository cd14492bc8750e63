//! `refs`: what entries refer to, and what refers to them.

use super::{find_one, open_mounted, open_one};
use crate::{
    args::Refs as Args,
    output::{FAINT, LABEL, Session, TITLE},
};
use serde_json::{Map, Value};
use spelunk::{
    Node, Result,
    refs::{Closed, Link, References, Related, told_none},
    sets::Item,
};

pub fn run(args: &Args, session: &mut Session) -> Result<()> {
    session.revision = args.at.generation;
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    // Only the file itself is looked at in another generation.
    session.revision = None;
    let Some(others) = open_mounted(&args.with, session)? else { return Ok(()) };
    let node = match &args.path {
        None => None,
        Some(path) => match find_one(&file, &mut opened, path, session) {
            Some(node) => Some(node),
            None => return Ok(()),
        },
    };
    let findings = opened.take_findings();
    session.settle(&file, &findings);
    let mut references = match References::new(&file, opened, others, &session.options()?) {
        Ok(references) => references,
        Err(error) => {
            session.failed(&file, &error);
            return Ok(());
        }
    };
    if !references.has_refs() {
        session.say(&format!("{file}: {}", told_none(references.format())));
        session.instead(references.format());
        return Ok(());
    }
    let told = tell(args, &file, node, &mut references, session);
    session.settle(&file, references.findings());
    match told {
        Err(error) if error.io_error().is_none() => session.failed(&file, &error),
        told => return told,
    }
    Ok(())
}

fn tell(
    args: &Args,
    file: &str,
    node: Option<Node>,
    references: &mut References,
    session: &mut Session,
) -> Result<()> {
    let needs = args.following.needs();
    let mut print = Print { file, many: !args.with.is_empty(), session };
    match node {
        Some(node) if args.closure => print.closure(&references.closure(&[node], needs)?),
        Some(node) if args.missing => print.missing(&references.closure(&[node], needs)?.missing),
        Some(node) => print.related(&references.of(node)?),
        None => print.missing(&references.missing(needs)?),
    }
}

struct Print<'p> {
    file: &'p str,
    /// Whether there is more than one file.
    many: bool,
    session: &'p mut Session,
}

impl Print<'_> {
    fn related(&mut self, related: &Related) -> Result<()> {
        if self.session.common.json {
            for (relation, links) in [("refers_to", &related.to), ("referred_by", &related.by)] {
                links.iter().try_for_each(|link| self.row(relation, link.json()))?;
            }
            return Ok(());
        }
        let title = self.named(&related.item);
        writeln!(self.session.out(), "{TITLE}{title}{TITLE:#}")?;
        self.list("refers to", related.to.iter().map(|link| (link, self.meant(link))).collect())?;
        let by = related.by.iter().map(|link| (link, self.named(&link.from))).collect();
        self.list("referred to by", by)
    }

    fn list(&mut self, what: &str, links: Vec<(&Link, String)>) -> Result<()> {
        let out = self.session.out();
        if links.is_empty() {
            return Ok(writeln!(out, "  {what} nothing")?);
        }
        writeln!(out, "  {what}")?;
        for (link, text) in links {
            let missing = if link.is_there { "" } else { ", missing" };
            let kind = link.kind.unwrap_or(link.field);
            writeln!(out, "    {text}  {LABEL}{kind}{missing}{LABEL:#}")?;
        }
        Ok(())
    }

    fn closure(&mut self, closed: &Closed) -> Result<()> {
        let circles: Vec<Vec<&Item>> = (closed.cycles.iter())
            .map(|all| all.iter().filter_map(|at| closed.items.get(*at as usize)).collect())
            .collect();
        let required = closed.missing.iter().any(Link::is_required_and_missing);
        if self.session.common.json {
            for (nth, item) in closed.items.iter().enumerate() {
                let mut row = Map::new();
                row.insert("path".into(), item.path.as_str().into());
                row.insert("in".into(), item.file.as_str().into());
                row.insert("type".into(), item.kind.as_str().into());
                row.insert("name".into(), item.name.as_str().into());
                row.insert("asked".into(), (nth < closed.asked).into());
                self.row("closure", row)?;
            }
            for circle in circles {
                let paths: Vec<&str> = circle.iter().map(|item| item.path.as_str()).collect();
                self.row("cycle", Map::from_iter([("paths".to_owned(), Value::from(paths))]))?;
            }
            for link in &closed.missing {
                self.row("missing", link.json())?;
            }
        } else {
            for item in &closed.items {
                let text = self.named(item);
                writeln!(self.session.out(), "{text}")?;
            }
            for circle in circles {
                let names: Vec<String> = circle.iter().map(|item| self.named(item)).collect();
                let names = names.join(", ");
                writeln!(self.session.out(), "{LABEL}in a circle:{LABEL:#} {names}")?;
            }
            self.absent(&closed.missing)?;
        }
        if required {
            self.session.exit.findings();
        }
        Ok(())
    }

    fn missing(&mut self, missing: &[Link]) -> Result<()> {
        if missing.iter().any(Link::is_required_and_missing) {
            self.session.exit.findings();
        }
        if self.session.common.json {
            return missing.iter().try_for_each(|link| self.row("missing", link.json()));
        }
        if missing.is_empty() {
            self.session.say("nothing is missing");
        }
        self.absent(missing)
    }

    fn absent(&mut self, missing: &[Link]) -> Result<()> {
        for link in missing {
            let (from, to) = (self.named(&link.from), self.meant(link));
            let kind = link.kind.unwrap_or(link.field);
            let out = self.session.out();
            writeln!(
                out,
                "{LABEL}missing:{LABEL:#} {to}  {LABEL}{kind}{LABEL:#}  {FAINT}for {from}{FAINT:#}"
            )?;
        }
        Ok(())
    }

    fn row(&mut self, relation: &str, fields: Map<String, Value>) -> Result<()> {
        let mut row = Map::new();
        row.insert("file".into(), self.file.into());
        row.insert("relation".into(), relation.into());
        row.extend(fields);
        self.session.json(&Value::Object(row))
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
        if self.many { format!("{}: {text}", item.file) } else { text }
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
