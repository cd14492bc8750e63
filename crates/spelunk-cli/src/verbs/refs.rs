//! `refs`: what entries refer to, and what refers to them.

use super::door::{RowPrinter, call};
use crate::output::{CommandSession, FAINT, LABEL, TITLE};
use serde_json::Value;
use spelunk::{Result, verbs::refs};

pub fn run(request: &refs::Request, session: &mut CommandSession) -> Result<()> {
    let request = refs::Request { for_people: !session.common.json, ..request.clone() };
    let mut links = Links::default();
    call(refs::run, &request, &mut links, session)?;
    links.heads_to(None, session)
}

/// Links by what they are, with what is linked.
#[derive(Default)]
struct Links {
    /// The headings of an entry that are due.
    headings: Vec<&'static str>,
    /// Whether the first of them is printed, and what is below it comes.
    is_listed: bool,
}

/// The headings of what an entry has to do with others, in their order, and of what behaviours have to do with a message.
const HEADINGS: [(&str, &str); 5] = [
    ("refers_to", "refers to"),
    ("referred_by", "referred to by"),
    ("sent_by", "sent by"),
    ("awaited_by", "awaited by"),
    ("held_by", HELD),
];

/// The heading of values that no block sends or waits for, which few messages have.
const HELD: &str = "held by";

impl Links {
    /// Prints the headings up to that of this relation, or all; those without anything below them say so.
    fn heads_to(&mut self, relation: Option<&str>, session: &mut CommandSession) -> Result<()> {
        let wanted = HEADINGS.iter().position(|(name, _)| Some(*name) == relation);
        while let Some(heading) = self.headings.first().copied() {
            let nth = HEADINGS.iter().position(|(_, text)| *text == heading);
            let is_wanted = nth.is_some() && nth == wanted;
            if self.is_listed {
                if is_wanted {
                    return Ok(());
                }
                self.is_listed = false;
            } else if is_wanted {
                self.is_listed = true;
                return Ok(writeln!(session.out(), "  {heading}")?);
            } else if heading != HELD {
                writeln!(session.out(), "  {heading} nothing")?;
            }
            self.headings.remove(0);
        }
        Ok(())
    }
}

impl RowPrinter for Links {
    fn row(&mut self, row: &Value, session: &mut CommandSession) -> Result<()> {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let kind = row["kind"].as_str().unwrap_or_else(|| text("field"));
        match text("relation") {
            relation @ ("entry" | "message") => {
                let of = if relation == "entry" { &HEADINGS[..2] } else { &HEADINGS[2..] };
                self.headings = of.iter().map(|(_, text)| *text).collect();
                writeln!(session.out(), "{TITLE}{}{TITLE:#}", text("label"))?;
            }
            relation @ ("refers_to" | "referred_by" | "sent_by" | "awaited_by" | "held_by") => {
                self.heads_to(Some(relation), session)?;
                let other = text(if relation == "refers_to" { "target_label" } else { "label" });
                let missing = if row["missing"] == true { ", missing" } else { "" };
                writeln!(session.out(), "    {other}  {LABEL}{kind}{missing}{LABEL:#}")?;
            }
            "closure" => writeln!(session.out(), "{}", text("label"))?,
            "cycle" => {
                let names = row["labels"].as_array().into_iter().flatten();
                let names: Vec<&str> = names.filter_map(Value::as_str).collect();
                let names = names.join(", ");
                writeln!(session.out(), "{LABEL}in a circle:{LABEL:#} {names}")?;
            }
            _ => {
                let (to, from) = (text("target_label"), text("label"));
                writeln!(
                    session.out(),
                    "{LABEL}missing:{LABEL:#} {to}  {LABEL}{kind}{LABEL:#}  {FAINT}for {from}{FAINT:#}"
                )?;
            }
        }
        Ok(())
    }
}
