//! Registry of the codes: for each its family and page, the rule that it is, and the verbs that report it.

use crate::{Class, Code, Severity, check::rules, open::codes, open::detect::BUILT_IN};
use spelunk_core::lint::{Rule, Rules};
use virtools::runtime::ckerr::CkErr;

pub use spelunk_core::profile::CodeFamily;

/// Codes that no format has of its own.
static COMMON: CodeFamily = CodeFamily {
    about: "all formats and the command",
    page: "docs/codes/spelunk.md",
    lists: &[&spelunk_core::codes::CODES, &codes::CODES],
};

/// The families of all codes.
pub fn families() -> impl Iterator<Item = &'static CodeFamily> {
    let of_formats = BUILT_IN.iter().flat_map(|format| format.families());
    std::iter::once(&COMMON).chain(of_formats)
}

/// Every code that any part of spelunk can report, crate by crate.
pub fn codes() -> impl Iterator<Item = &'static Code> {
    families().flat_map(CodeFamily::codes)
}

/// The code with this id, ignoring case.
pub fn code(id: &str) -> Option<&'static Code> {
    codes().find(|code| code.id.eq_ignore_ascii_case(id))
}

/// An error number of the original software, `CKERR_...`, by its number or its name, and the codes that stand for it.
pub fn native(text: &str) -> Option<(CkErr, Vec<&'static Code>)> {
    let number = CkErr::parse(text)?;
    let is_it = |code: &&Code| code.native.is_some_and(|(_, of)| CkErr(of) == number);
    Some((number, families().flat_map(CodeFamily::codes).filter(is_it).collect()))
}

/// All that is known of a code.
#[derive(Clone, Copy, Debug)]
pub struct RegisteredCode {
    /// The code.
    pub code: &'static Code,
    /// The family that it belongs to.
    pub family: &'static CodeFamily,
    /// The rule of `lint` that it is, with the others of its format.
    pub rule: Option<(&'static Rule, &'static Rules)>,
}

/// Everything that is known of every code, family by family.
pub fn all() -> impl Iterator<Item = RegisteredCode> {
    let of = |family: &'static CodeFamily| family.codes().map(move |code| known(code, family));
    families().flat_map(of)
}

/// Returns everything that is known of the code with this id, ignoring case.
pub fn find(id: &str) -> Option<RegisteredCode> {
    all().find(|known| known.code.id.eq_ignore_ascii_case(id))
}

/// Codes whose ids are nearly this, the nearest first.
pub fn close(id: &str) -> Vec<&'static str> {
    let id = id.to_ascii_uppercase();
    let ids = all().map(|known| (strsim::damerau_levenshtein(&id, known.code.id), known.code.id));
    let mut near: Vec<_> = ids.filter(|(distance, _)| *distance <= 2).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let nearest = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance == nearest);
    near.into_iter().take(4).map(|(_, id)| id).collect()
}

fn known(code: &'static Code, family: &'static CodeFamily) -> RegisteredCode {
    let rule = rules::rules().find_map(|of| {
        let rule = of.rules.iter().find(|rule| rule.code.id == code.id)?;
        Some((rule, of))
    });
    RegisteredCode { code, family, rule }
}

impl RegisteredCode {
    /// Returns the link to its section of a page, from the root of the repository: `docs/codes/virtools.md#vt005`.
    pub fn link(&self) -> String {
        format!("{}#{}", self.family.page, self.code.id.to_ascii_lowercase())
    }

    /// The most that findings of the rule are.
    pub fn severity(&self) -> Option<Severity> {
        self.rule.map(|(rule, _)| rule.severity)
    }

    /// Returns what `spelunk lint --fix` does about it, in words; `None` where that mends nothing of it.
    pub fn fix(&self) -> Option<&'static str> {
        self.rule.and_then(|(rule, _)| rule.fix)
    }

    /// Returns the verbs that report it, in words.
    pub fn reported_by(&self) -> &'static str {
        match (&self.rule, self.code.class) {
            (Some((_, of)), _) if of.is_verified(self.code) => "`lint` and `verify`",
            (Some(_), _) => "`lint`",
            (None, Class::Malformed) => {
                "every verb that reads what is damaged; `verify` finds all of it"
            }
            (None, Class::Rule) => "the verbs that read or make what the rule is about",
            (None, Class::Unsupported | Class::Usage) => "the verbs that were asked for it",
            (None, Class::Limit | Class::Io) => "every verb",
        }
    }

    /// Returns the meaning of its class, with the exit code that comes of it.
    pub const fn meaning(&self) -> &'static str {
        match self.code.class {
            Class::Malformed => {
                "bytes contradict their format. An error finding where the rest can be read (exit code 1), else the file is \
                 not opened (exit code 3)"
            }
            Class::Unsupported => "sound, but this release cannot do it (exit code 5)",
            Class::Limit => {
                "a limit that keeps hostile files at bay was reached. Exit code 3 while a file is opened, 1 later"
            }
            Class::Io => "the operating system refused (exit code 4)",
            Class::Usage => "what was asked for does not exist or makes no sense (exit code 2)",
            Class::Rule => {
                "the bytes can be read, and something about them, or about what is made of them, is not as it should be. \
                 Exit code 1 where it is reported as an error, 0 where as a warning or a note"
            }
        }
    }
}

/// Returns the link to the section about a code, seen from the folder `from`.
pub(crate) fn link(code: &Code, from: &str) -> String {
    let link = find(code.id).map(|known| known.link()).unwrap_or_default();
    link.strip_prefix(from).unwrap_or(&link).to_owned()
}

/// The pages of all codes, with their paths: one for each family, and a list of all.
pub fn pages() -> Vec<(String, String)> {
    let mut list = String::from(
        "# Codes\n\nErrors, findings and rules carry a code that never means anything else. `spelunk explain CODE` shows what \
         these pages have. Generated by `cargo xtask docs`.\n",
    );
    let mut pages = Vec::new();
    for family in families() {
        let about = family.about;
        let mut page =
            format!("# Codes of {about}\n\nGenerated by `cargo xtask docs` from the registry.\n");
        list.push_str(&format!(
            "\n## Codes of {about}\n\n| code | class | meaning |\n|---|---|---|\n"
        ));
        for code in family.codes() {
            let known = known(code, family);
            let link = known.link();
            let link = link.strip_prefix("docs/").unwrap_or(&link);
            let (id, class) = (code.id, code.class.name());
            list.push_str(&format!("| [{id}]({link}) | {class} | {} |\n", code.title));
            page.push_str(&section(&known));
        }
        pages.push((family.page.to_owned(), page));
    }
    pages.insert(0, ("docs/codes.md".to_owned(), list));
    pages
}

/// Section of a page about a code.
fn section(known: &RegisteredCode) -> String {
    let code = known.code;
    let mut text = format!("\n## {}\n\n**{}.**\n\n{}\n\n", code.id, capital(code.title), code.help);
    text.push_str(&format!("* Class {}: {}.\n", code.class.name(), known.meaning()));
    if let Some((rule, of)) = known.rule {
        text.push_str(&format!("* A rule about {}; {}.\n", of.about, at_most(rule.severity)));
    }
    text.push_str(&format!("* Reported by {}.\n", known.reported_by()));
    if let Some(fix) = known.fix() {
        text.push_str(&format!("* `spelunk lint --fix` {fix}.\n"));
    }
    if let Some((name, number)) = code.native {
        text.push_str(&format!("* In the original software: `{name}` ({number}).\n"));
    }
    text
}

/// Returns the severity that findings of a rule have at most, in words.
pub const fn at_most(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "an error at most: the game breaks",
        Severity::Warning => "a warning at most",
        Severity::Info => "a note at most",
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_and_every_rule_is_known() {
        let pages = pages();
        for known in all() {
            let page = pages.iter().find(|(path, _)| path == known.family.page).unwrap();
            assert!(page.1.contains(&format!("\n## {}\n", known.code.id)), "{}", known.code.id);
        }
        let rules = rules::rules().flat_map(|of| of.rules);
        for rule in rules {
            assert!(find(rule.code.id).unwrap().rule.is_some(), "{}", rule.code.id);
        }
    }

    #[test]
    fn codes_are_found_in_any_case_and_near_ones_are_named() {
        assert_eq!(find("vt005").unwrap().link(), "docs/codes/virtools.md#vt005");
        assert_eq!(find("gd001").unwrap().reported_by(), "`lint` and `verify`");
        assert_eq!(find("PK020").unwrap().reported_by(), "`lint`");
        assert!(close("sp0010").contains(&"SP010"));
        assert!(close("level.nmo").is_empty());
    }

    #[test]
    fn ids_are_unique_and_every_code_says_what_it_means() {
        let mut ids = std::collections::BTreeSet::new();
        for code in super::codes() {
            assert!(ids.insert(code.id), "{} is used twice", code.id);
            let (letters, digits) = code.id.split_at(2);
            assert!(letters.chars().all(|c| c.is_ascii_uppercase()), "{}", code.id);
            assert!(digits.len() == 3 && digits.parse::<u16>().is_ok(), "{}", code.id);
            assert!(!code.title.ends_with('.') && !code.title.is_empty(), "{}", code.id);
            assert!(code.help.ends_with('.'), "{}", code.id);
        }
        assert!(ids.len() > 40);
    }
}
