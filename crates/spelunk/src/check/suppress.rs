//! Findings that are known, and are not to fail a build (`docs/lint.md#suppressions`).

use crate::{Code, Collect, Error, Finding, Result, Seg, check::registry, open::codes};
use globset::{GlobBuilder, GlobMatcher};
use std::{collections::BTreeSet, fmt::Write};

/// A line of a file of suppressions: a code, and where its findings are passed over.
#[derive(Debug)]
struct Suppression {
    code: &'static Code,
    glob: Option<GlobMatcher>,
    path: Option<String>,
    /// The comment right above it.
    reason: Option<String>,
    /// The line of the file, from 1, and its text.
    line: usize,
    text: String,
    matched: bool,
}

/// Suppressions that a file lists.
#[derive(Debug, Default)]
pub struct Suppressions {
    list: Vec<Suppression>,
}

/// A finding that was passed over, and why.
#[derive(Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The comment above the suppression.
    pub reason: Option<String>,
}

impl Suppressions {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`BAD_SUPPRESSION`](codes::BAD_SUPPRESSION) with the first line that is none.
    pub fn parse(text: &str) -> Result<Suppressions> {
        let mut list = Vec::new();
        let mut reason = None;
        for (line, text) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let text = text.trim();
            if let Some(comment) = text.strip_prefix('#') {
                reason = Some(comment.trim().to_owned());
                continue;
            }
            let comment = reason.take();
            if text.is_empty() {
                continue;
            }
            let found = suppression(text, line)
                .map_err(|error| error.within(Seg::Index(line as u64)).field("line"))?;
            list.push(Suppression { reason: comment, ..found });
        }
        Ok(Suppressions { list })
    }

    /// Takes the findings out that are passed over in the file that was named `file`; gives them, and the number of all,
    /// those included that were counted and not kept.
    pub fn apply(&mut self, file: &str, findings: &mut Collect) -> (Vec<Suppressed>, u64) {
        let here: Vec<&mut Suppression> =
            self.list.iter_mut().filter(|known| known.is_for(file)).collect();
        let covers = |finding: &Finding| {
            let path = finding.error.path();
            here.iter().any(|known| known.covers(finding.error.code(), &path))
        };
        let whole =
            |code: &Code| here.iter().any(|known| known.path.is_none() && known.code.id == code.id);
        let (taken, count) = findings.take(covers, whole);
        let mut suppressed = Vec::new();
        let mut here = here;
        for finding in taken {
            let mut reason = None;
            let (code, path) = (finding.error.code(), finding.error.path());
            for known in here.iter_mut().filter(|known| known.covers(code, &path)) {
                known.matched = true;
                reason = reason.or_else(|| known.reason.clone());
            }
            suppressed.push(Suppressed { finding, reason });
        }
        (suppressed, count)
    }

    /// The lines that passed nothing over so far, with their numbers.
    pub fn unmatched(&self) -> impl Iterator<Item = (usize, &str)> {
        let unmatched = self.list.iter().filter(|known| !known.matched);
        unmatched.map(|known| (known.line, known.text.as_str()))
    }
}

fn suppression(text: &str, line: usize) -> Result<Suppression> {
    let bad = |why: String| Error::new(&codes::BAD_SUPPRESSION).found(why);
    let mut parts = text.splitn(3, char::is_whitespace).map(str::trim);
    let id = parts.next().unwrap_or_default();
    let code = registry::code(id).ok_or_else(|| bad(format!("`{id}`, which is no code")))?;
    let glob = parts.next().filter(|glob| !glob.is_empty());
    let glob = glob.map(|glob| {
        let built = GlobBuilder::new(glob).case_insensitive(true).literal_separator(false).build();
        built.map(|glob| glob.compile_matcher()).map_err(|error| bad(error.to_string()))
    });
    let path = parts.next().filter(|path| !path.is_empty()).map(str::to_owned);
    let (glob, text) = (glob.transpose()?, text.to_owned());
    Ok(Suppression { code, glob, path, reason: None, line, text, matched: false })
}

impl Suppression {
    /// Whether it is about a file of this name. What stands behind any slash of it counts too.
    fn is_for(&self, file: &str) -> bool {
        let Some(glob) = &self.glob else { return true };
        let file = file.replace('\\', "/");
        let behind = file.match_indices('/').filter_map(|(at, _)| file.get(at.saturating_add(1)..));
        glob.is_match(&file) || behind.into_iter().any(|name| glob.is_match(name))
    }

    /// Whether it passes over this finding of a file that it is for: one at its path, or below it. The position of an
    /// object does not count beside its class and name.
    fn covers(&self, code: &Code, found: &str) -> bool {
        let is_at = |path: &String| {
            let below = without_index(found).strip_prefix(without_index(path));
            below.is_some_and(|below| below.is_empty() || below.starts_with(['.', '[', '/']))
        };
        code.id == self.code.id && self.path.as_ref().is_none_or(is_at)
    }
}

/// A file of suppressions that passes over what was found, gathered file by file.
#[derive(Debug, Default)]
pub struct Baseline {
    /// Names of files with what was found in each: codes, and paths where not all findings of the code are meant.
    files: Vec<(String, BTreeSet<(&'static str, String)>)>,
    count: u64,
}

impl Baseline {
    /// Adds what was found in a file. Of codes of which not all findings were kept all are meant.
    pub fn add(&mut self, file: &str, findings: &Collect) {
        let mut found = BTreeSet::new();
        for (code, _, count) in findings.counts() {
            self.count = self.count.saturating_add(*count);
            if *count > Collect::PER_CODE {
                found.insert((code.id, String::new()));
            }
        }
        for finding in &findings.findings {
            let (id, path) = (finding.error.code().id, finding.error.path());
            let path = without_index(&path);
            // Line breaks in names would break the line.
            let is_plain = !path.contains(char::is_control) && path.trim() == path;
            found.insert((id, if is_plain { path.to_owned() } else { String::new() }));
        }
        self.files.push((file.to_owned(), found));
    }

    /// The text of the file, and how many findings it passes over. What was found in a single file is passed over in any,
    /// so that it holds for the next version under another name too.
    pub fn finish(self) -> (String, u64) {
        let mut text =
            "# Findings that were there when this was written: CODE [GLOB of files [PATH]]\n"
                .to_owned();
        let is_single = self.files.len() == 1;
        for (file, found) in &self.files {
            let glob = if is_single { "*".to_owned() } else { glob_of(file) };
            let is_whole = |id: &'static str| found.contains(&(id, String::new()));
            for (id, path) in found.iter().filter(|(id, path)| path.is_empty() || !is_whole(id)) {
                let _ = writeln!(text, "{}", format!("{id} {glob} {path}").trim_end());
            }
        }
        (text, self.count)
    }
}

/// A path without the position of the object that it begins with, where class and name follow: that is another one when
/// objects were added or removed.
fn without_index(path: &str) -> &str {
    let behind =
        path.strip_prefix('#').map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let behind = behind.and_then(|rest| rest.strip_prefix(' '));
    behind.filter(|rest| rest.contains('/')).unwrap_or(path)
}

/// A glob that means a file of this name.
fn glob_of(file: &str) -> String {
    let mut glob = String::new();
    for letter in file.chars() {
        match letter {
            '\\' => glob.push('/'),
            '*' | '?' | '[' | ']' | '{' | '}' | '!' => glob.push('?'),
            letter if letter.is_whitespace() => glob.push('?'),
            letter => glob.push(letter),
        }
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Severity, Span};
    use spelunk_core::Sink;

    fn found(paths: &[&'static str]) -> Collect {
        let mut findings = Collect::default();
        for path in paths {
            let error = Error::new(&codes::core::TRUNCATED).at(Span::file(0, 1)).field(path);
            findings.report(Finding { severity: Severity::Error, error }).unwrap();
        }
        findings
    }

    #[test]
    fn codes_files_and_paths_are_matched() {
        let text = "# Known.\nsp001 maps/*.nmo a\n\nSP001 other.nmo\nSP002\n";
        let mut known = Suppressions::parse(text).unwrap();
        let mut findings = found(&["a", "a.b", "ab"]);
        let (passed, count) = known.apply("/games/Maps/level 1.nmo", &mut findings);
        assert_eq!((passed.len(), count, findings.findings.len()), (2, 2, 1));
        assert_eq!(passed[0].reason.as_deref(), Some("Known."));
        assert_eq!(known.unmatched().collect::<Vec<_>>(), [(4, "SP001 other.nmo"), (5, "SP002")]);
        assert!(findings.has_errors());
    }

    #[test]
    fn what_is_no_suppression_is_reported_with_its_line() {
        let error = Suppressions::parse("SP001\nSP0 a\n").unwrap_err();
        assert_eq!((error.code().id, error.path().as_str()), ("SP161", "line[2]"));
        assert!(Suppressions::parse("SP001 [a\n").is_err());
    }

    #[test]
    fn a_baseline_passes_over_what_it_was_made_of() {
        let name = "my [first] level.nmo";
        let mut findings = found(&["a", "#1 CKMesh/Two words"]);
        for offset in 0..2000 {
            let error = Error::new(&codes::core::INFLATE).at(Span::file(offset, 1));
            findings.report(Finding { severity: Severity::Error, error }).unwrap();
        }
        let mut baseline = Baseline::default();
        baseline.add(name, &findings);
        let (text, count) = baseline.finish();
        assert_eq!((count, text.lines().count()), (2002, 4), "{text}");
        let mut known = Suppressions::parse(&text).unwrap();
        assert_eq!(known.apply(name, &mut findings).1, 2002);
        assert!(!findings.has_errors());
        assert_eq!(known.unmatched().count(), 0);
    }

    #[test]
    fn a_baseline_of_one_file_holds_for_its_next_version() {
        let mut baseline = Baseline::default();
        baseline.add("level_v1.nmo", &found(&["#1 CKMesh/Floor.faces", "#17"]));
        let (text, _) = baseline.finish();
        assert!(text.contains("SP001 * CKMesh/Floor.faces\n"), "{text}");
        let mut next = found(&["#4 CKMesh/Floor.faces", "#17", "#1 CKMesh/Wall.faces"]);
        let passed = Suppressions::parse(&text).unwrap().apply("level_v2.nmo", &mut next);
        assert_eq!((passed.1, next.findings.len()), (2, 1));
        // Of several files each has its own.
        let mut baseline = Baseline::default();
        baseline.add("one.nmo", &found(&["#1 CKMesh/Floor.faces"]));
        baseline.add("two.nmo", &found(&[]));
        let (text, _) = baseline.finish();
        let mut other = found(&["#1 CKMesh/Floor.faces"]);
        assert_eq!(Suppressions::parse(&text).unwrap().apply("two.nmo", &mut other).1, 0);
        // Files of suppressions that name positions still count.
        let mut known = Suppressions::parse("SP001 one.nmo #1 CKMesh/Floor").unwrap();
        assert_eq!(known.apply("one.nmo", &mut other).1, 1);
    }
}
