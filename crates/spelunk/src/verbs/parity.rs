//! Parity of verbs and formats: the formats that each verb does something for, and what to do instead of the others. What is
//! said of a format is in its [profile](crate::Profile).

use crate::{Profile, open::detect};

/// The names of all verbs: those of the library, and `catalog`, which stands in a crate of its own.
pub fn verbs() -> impl Iterator<Item = &'static str> {
    super::VERBS.iter().map(|verb| verb.name()).chain(["catalog"])
}

/// The formats that are built in, in the order of tables.
pub fn formats() -> Vec<&'static Profile> {
    detect::built_in().collect()
}

/// The table of verbs and formats, and below it what is said where there is nothing to do.
pub fn table() -> String {
    let formats = formats();
    let heads: Vec<&str> = formats.iter().map(|format| format.title).collect();
    let lines = "---|".repeat(formats.len());
    let mut page = format!("| | {} |\n|---|{lines}\n", heads.join(" | "));
    let mut notes: Vec<&str> = Vec::new();
    for verb in verbs() {
        page.push_str(&format!("| `{verb}` |"));
        for format in &formats {
            let mut nth = |note| {
                let known = notes.iter().position(|known| *known == note);
                let nth = known.unwrap_or_else(|| {
                    notes.push(note);
                    notes.len() - 1
                });
                nth + 1
            };
            let cell = match (format.instead(verb), format.limit(verb)) {
                (Some(why), _) => format!("{}", nth(why)),
                (None, Some(what)) => format!("yes ({})", nth(what)),
                (None, None) => "yes".to_owned(),
            };
            page.push_str(&format!(" {cell} |"));
        }
        page.push('\n');
    }
    page.push('\n');
    for (nth, note) in notes.iter().enumerate() {
        page.push_str(&format!("{}. {note}\n", nth + 1));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_empty_for_one_reason() {
        for format in formats() {
            let all = [format.without, format.limits];
            for verb in all.iter().copied().flatten().flat_map(|remark| remark.verbs) {
                assert!(verbs().any(|known| known == *verb), "{}: {verb}", format.name);
                let remarks = all.iter().copied().flatten();
                let count = remarks.filter(|remark| remark.verbs.contains(verb)).count();
                assert_eq!(count, 1, "{}: {verb}", format.name);
            }
        }
        let instead = |verb| snpak::profile::PROFILE.instead(verb);
        assert_eq!(instead("info"), None);
        assert!(instead("join").is_some_and(|why| why.contains("`append")));
    }
}
