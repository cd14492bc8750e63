//! Parity of verbs and formats: the formats and dialects that each verb does something for, and what to do instead of the
//! others. What is said of a format is in its [profile](crate::Profile).

use crate::{Profile, open::detect};

/// The names of all verbs: those of the library, and `catalog`, which stands in a crate of its own.
pub fn verbs() -> impl Iterator<Item = &'static str> {
    super::VERBS.iter().map(|verb| verb.name()).chain(["catalog"])
}

/// The formats that are built in, in the order of tables.
pub fn formats() -> Vec<&'static Profile> {
    detect::built_in().collect()
}

/// The names of the dialects of all formats, each once, in the order of tables.
pub fn dialects() -> Vec<&'static str> {
    let mut names = Vec::new();
    for dialect in formats().into_iter().flat_map(|format| format.dialects) {
        if !names.contains(&dialect.name) {
            names.push(dialect.name);
        }
    }
    names
}

/// The files that a column of the table is about: those of a format, or those of a dialect in all formats that have it.
struct Column {
    title: &'static str,
    formats: Vec<&'static Profile>,
    dialect: Option<&'static str>,
}

impl Column {
    fn of_format(format: &'static Profile) -> Column {
        Column { title: format.title, formats: vec![format], dialect: None }
    }

    fn of_dialect(name: &'static str) -> Column {
        let formats = formats().into_iter().filter(|format| format.dialect(name).is_some());
        let formats: Vec<&Profile> = formats.collect();
        let first = formats.first().and_then(|format| format.dialect(name));
        let title = first.map_or(name, |dialect| dialect.title);
        Column { title, formats, dialect: Some(name) }
    }

    /// Whether the verb does something for any of the files, and what is said of those for which it does not do all.
    fn cell(&self, verb: &str) -> (bool, Vec<&'static str>) {
        let mut does = false;
        let mut notes = Vec::new();
        for format in &self.formats {
            let instead = instead(format, self.dialect, verb);
            does |= instead.is_none();
            let dialect = self.dialect.and_then(|name| format.dialect(name));
            let limit = dialect.map_or_else(|| format.limit(verb), |dialect| dialect.limit(verb));
            notes.extend(instead.or(limit).filter(|note| !notes.contains(note)));
        }
        (does, notes)
    }
}

/// Advice in place of a verb that has nothing to do with files of a format, or with those of a dialect of it.
pub fn instead(format: &Profile, dialect: Option<&str>, verb: &str) -> Option<&'static str> {
    let dialect = dialect.and_then(|name| format.dialect(name));
    dialect.and_then(|dialect| dialect.instead(verb)).or_else(|| format.instead(verb))
}

/// The table of verbs, formats and dialects, and below it what is said where there is nothing to do, or not for all files.
pub fn table() -> String {
    let columns = formats().into_iter().map(Column::of_format);
    let columns: Vec<Column> =
        columns.chain(dialects().into_iter().map(Column::of_dialect)).collect();
    let heads: Vec<&str> = columns.iter().map(|column| column.title).collect();
    let lines = "---|".repeat(columns.len());
    let mut page = format!("| | {} |\n|---|{lines}\n", heads.join(" | "));
    let mut notes: Vec<&str> = Vec::new();
    for verb in verbs() {
        page.push_str(&format!("| `{verb}` |"));
        for column in &columns {
            let (does, said) = column.cell(verb);
            let mut numbers = Vec::new();
            for note in said {
                let known = notes.iter().position(|known| *known == note);
                let nth = known.unwrap_or_else(|| {
                    notes.push(note);
                    notes.len() - 1
                });
                numbers.push((nth + 1).to_string());
            }
            let numbers = numbers.join(", ");
            let cell = match (does, numbers.is_empty()) {
                (true, true) => "yes".to_owned(),
                (true, false) => format!("yes ({numbers})"),
                (false, _) => numbers,
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
    use spelunk_core::profile::Remark;

    /// Each verb is one that there is, and at most one remark is about it.
    fn are_sound(name: &str, all: &[&'static [Remark]]) {
        let remarks = || all.iter().copied().flatten();
        for verb in remarks().flat_map(|remark| remark.verbs) {
            assert!(verbs().any(|known| known == *verb), "{name}: {verb}");
            let count = remarks().filter(|remark| remark.verbs.contains(verb)).count();
            assert_eq!(count, 1, "{name}: {verb}");
        }
    }

    #[test]
    fn a_cell_is_empty_for_one_reason() {
        for format in formats() {
            are_sound(format.name, &[format.without, format.limits]);
            for dialect in format.dialects {
                are_sound(dialect.name, &[format.without, dialect.without, dialect.limits]);
            }
        }
        let instead = |verb| snpak::profile::PROFILE.instead(verb);
        assert_eq!(instead("info"), None);
        assert!(instead("join").is_some_and(|why| why.contains("`append")));
    }
}
