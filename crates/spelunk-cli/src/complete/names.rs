//! Names that stand in a file besides its entries, and names that are known without one.

use super::{held::look, offers::Offers};
use crate::args::Cli;
use spelunk::{
    File, Halt, Of, Shape, Span, Step, Val, Walk, Walked,
    check::registry,
    core::walk::{Group, finish},
    open::{codes, model},
    tables::languages::{PROFILES, gamedata},
};

/// Columns that the listings of all formats have.
const COLUMNS: [&str; 5] = ["size", "stored_size", "type", "path", "name"];

/// The most entries whose fields are looked at for columns.
const LOOKED_AT: u64 = 50;

/// Offers the verbs, and what else there is help about.
pub fn verbs(typed: &str, offers: &mut Offers) {
    for verb in Cli::command_of(None).get_subcommands() {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        offers.word(typed, verb.get_name(), &about);
    }
}

/// Offers the codes of all findings and errors.
pub fn codes(typed: &str, offers: &mut Offers) {
    registry::codes().for_each(|code| offers.word(typed, code.id, code.title));
}

/// Offers the codes of rules.
pub fn rules(typed: &str, offers: &mut Offers) {
    let rules = registry::all().filter(|known| known.rule.is_some());
    rules.for_each(|rule| offers.word(typed, rule.code.id, rule.code.title));
}

/// Offers the editions of GameData.
pub fn editions(typed: &str, offers: &mut Offers) {
    PROFILES.iter().for_each(|profile| offers.word(typed, profile.name, profile.doc));
}

/// Offers the languages of a file, or those of all editions where it does not tell.
pub fn languages(file: Option<&File>, typed: &str, offers: &mut Offers) {
    if let Some(file) = file {
        look(file, |container, task| {
            let languages = gamedata(container)?.languages(&mut task.budget)?;
            for language in languages.all() {
                let slot = language.slot.to_string();
                offers.word(
                    typed,
                    language.code.unwrap_or(&slot),
                    language.name.unwrap_or_default(),
                );
            }
            Ok(())
        });
    }
    if offers.list.is_empty() {
        let slots = PROFILES.iter().flat_map(|profile| profile.slots);
        slots.for_each(|(_, code, name, _)| offers.word(typed, code, name));
    }
}

/// Offers the states that a file went through.
pub fn generations(file: &File, typed: &str, has_merged: bool, offers: &mut Offers) {
    look(file, |container, task| {
        let count = model::pack(container, &codes::core::ONE_STATE)?.generations(task)?.len();
        (1..=count).for_each(|number| offers.word(typed, &number.to_string(), ""));
        if has_merged && count > 1 {
            offers.word(typed, "merged", "");
        }
        Ok(())
    });
}

/// Offers names of fields of a listing; with `many` behind those that stand there with commas between them.
pub fn columns(file: &File, typed: &str, many: bool, offers: &mut Offers) {
    let (before, last) = match typed.rfind(',').filter(|_| many) {
        Some(at) => typed.split_at(at.saturating_add(1)),
        None => ("", typed),
    };
    let mut names = Names(COLUMNS.iter().map(|name| (*name).to_owned()).collect());
    if many {
        names.0.push("title".to_owned());
    }
    look(file, |container, task| {
        let mut left = LOOKED_AT;
        finish(container.children(Of::Listing, file.code_pages(), task, &mut |entry, task| {
            let _ = entry.details.walk(task, &mut names);
            left = left.saturating_sub(1);
            if left > 0 { Ok(()) } else { Err(Halt::Stop) }
        }))
    });
    let mut found = Offers::default();
    let given: Vec<&str> = before.split(',').collect();
    for name in names.0.iter().filter(|name| !given.contains(&name.as_str())) {
        found.word(last, name, "");
    }
    found.after(before).list.iter().for_each(|offer| offers.word("", &offer.text, ""));
}

/// Offers the spaces of a file, which offsets stand behind.
pub fn spaces(file: &File, typed: &str, offers: &mut Offers) {
    offers.open(typed, "file:", "");
    look(file, |container, _| {
        container
            .spaces()
            .iter()
            .for_each(|span| offers.open(typed, &format!("{}:", span.space), ""));
        Ok(())
    });
}

/// Names of fields at the top of what is walked.
struct Names(Vec<String>);

impl Walk for Names {
    fn enter(&mut self, _: &Group<'_>) -> std::result::Result<Step, Halt> {
        Ok(Step::Over)
    }

    fn field(&mut self, field: &'static spelunk::Field, _: Option<Span>, _: Val<'_>) -> Walked {
        if !self.0.iter().any(|name| name == field.name) {
            self.0.push(field.name.to_owned());
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        Ok(())
    }
}
