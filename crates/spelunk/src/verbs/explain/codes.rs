//! Meanings of codes.

use super::request::Request;
use crate::{
    Code, Error, Result,
    check::registry::{self, RegisteredCode},
    open::codes,
    verbs::{FileRef, run::Run},
};
use schemars::JsonSchema;
use serde::Serialize;

/// A code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeRow {
    /// The code.
    pub code: &'static str,
    /// Class of the code.
    pub class: &'static str,
    /// Condition that the code stands for, in one line.
    pub title: &'static str,
    /// Meaning of the code, and what can be done about it.
    pub help: &'static str,
    /// The same condition in the original software.
    pub native: Option<Native>,
    /// Severity that findings of a rule have at most.
    pub severity: Option<&'static str>,
    /// Files that a rule is about.
    pub about: Option<&'static str>,
    /// Words for what mending does about it.
    pub fix: Option<&'static str>,
    /// Verbs that report it.
    pub told_by: String,
    /// Link to the page that describes it, from the root of the repository.
    pub page: String,
    /// For people: more of it.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<CodeDetails>,
}

/// An error number of the original software.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Native {
    /// Name of the condition: `CKERR_...`.
    pub name: &'static str,
    /// The number.
    pub number: i32,
}

/// Further facts about a code, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CodeDetails {
    /// Meaning of the class.
    pub class_meaning: &'static str,
    /// Severity that findings of a rule have at most, as people say it.
    pub at_most: Option<&'static str>,
}

impl CodeRow {
    /// All that is known of a code.
    pub fn of(known: &RegisteredCode) -> CodeRow {
        let code = known.code;
        CodeRow {
            code: code.id,
            class: code.class.name(),
            title: code.title,
            help: code.help,
            native: code.native.map(|(name, number)| Native { name, number }),
            severity: known.severity().map(|severity| severity.name()),
            about: known.rule.map(|(_, of)| of.about),
            fix: known.fix(),
            told_by: known.reported_by().replace('`', ""),
            page: known.link(),
            details: None,
        }
    }
}

/// Page that lists the error numbers of the original software.
const NUMBERS: &str = "docs/formats/virtools-runtime.md#error-numbers";

/// Hands out the row about the code with this id.
pub(super) fn show(subject: &FileRef, request: &Request, run: &mut Run<'_>) -> Result<()> {
    let id = run.name(subject)?;
    if let Some((number, codes)) = registry::native(&id) {
        return run.row(&native(&number.to_string(), number.0, &codes, request));
    }
    let Some(known) = registry::find(&id) else {
        let is_there = match subject {
            FileRef::Name(name) => run.files().len(name).is_some() || run.files().is_folder(name),
            FileRef::Open(_) => true,
        };
        let close = registry::close(&id);
        let expected = match (is_there, close.is_empty()) {
            (true, _) => format!(
                "an offset behind the file, or --map or --hex: `spelunk explain {id} --map`"
            ),
            (false, false) => format!("{}, perhaps", close.join(" or ")),
            (false, true) => "a code such as VT012, or a file and an offset".to_owned(),
        };
        return Err(Error::new(&codes::NO_CODE).expected(expected).found(format!("`{id}`")));
    };
    let at_most = known.severity().map(registry::at_most);
    let details = CodeDetails { class_meaning: known.meaning(), at_most };
    let details = Some(details).filter(|_| request.for_people);
    run.row(&CodeRow { details, ..CodeRow::of(&known) })
}

/// An error number of the original software.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NativeRow {
    /// Name and number of the error.
    pub native: NativeNumber,
    /// Meaning of such numbers.
    pub help: &'static str,
    /// The codes that stand for it.
    pub codes: Vec<&'static str>,
    /// Page of the documentation, from the root of the repository on.
    pub page: &'static str,
    /// For people: the titles of these codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub titles: Option<Vec<&'static str>>,
    /// For people: name and number as people read them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
}

/// The name of an error number, CKERR_..., and the number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NativeNumber {
    /// Name of the error: `CKERR_...`.
    pub name: String,
    /// The number.
    pub number: i32,
}

/// Returns the row about an error number of the original software, with the codes that stand for it.
fn native(name: &str, number: i32, codes: &[&'static Code], request: &Request) -> NativeRow {
    let first = name.split(' ').next().unwrap_or_default().to_owned();
    let titles = || codes.iter().map(|code| code.title).collect();
    NativeRow {
        native: NativeNumber { name: first, number },
        help: "An error number of the original software, which its functions return; programs that stand in for it \
               return the same.",
        codes: codes.iter().map(|code| code.id).collect(),
        page: NUMBERS,
        titles: request.for_people.then(titles),
        shown: request.for_people.then(|| name.to_owned()),
    }
}

/// Lists the rules.
pub(super) fn rules(run: &mut Run<'_>) -> Result<()> {
    let mut rules = registry::all().filter(|known| known.rule.is_some());
    rules.try_for_each(|known| run.row(&CodeRow::of(&known)))
}

/// Lists all codes.
pub(super) fn all(run: &mut Run<'_>) -> Result<()> {
    registry::all().try_for_each(|known| run.row(&CodeRow::of(&known)))
}
