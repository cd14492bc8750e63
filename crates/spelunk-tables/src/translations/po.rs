//! Translations as PO catalogues of GNU gettext: the files that Poedit, Weblate and other translators' tools work on.
//!
//! The context of a message is the id of its text, so that texts that are alike in one language may differ in the other.
//! Plural forms have no place in a game's texts. The crates that read PO were tried and left: one of them panics at a quoted
//! line before the first keyword and makes as many strings as the number in `msgstr[N]` says, the other one panics where a
//! keyword stands out of order and opens the file whose path its text happens to be.

use super::{Name, Sheet, Translation, TranslationUnit};
use spelunk_core::{Error, Result, Seg};
use spelunk_open::codes;
use std::io::Write;

/// The longest text that fits, in bytes of its code page.
const ROOM: usize = 511;

/// Writes a catalogue: of all texts, or only of those without a translation.
///
/// # Errors
/// Writing errors.
pub fn write(sheet: &Sheet, untranslated: bool, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "# Texts of a SpellForce GameData.cff, from {} to {}.", sheet.from, sheet.to)?;
    writeln!(out, "# A text has room for {ROOM} bytes in the code page of its language.")?;
    write!(out, "msgid \"\"\nmsgstr \"\"\n")?;
    for (key, value) in [
        ("Project-Id-Version", "GameData.cff"),
        ("Language", sheet.to.as_str()),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=UTF-8"),
        ("Content-Transfer-Encoding", "8bit"),
        ("X-Source-Language", &sheet.from),
    ] {
        writeln!(out, "\"{key}: {value}\\n\"")?;
    }
    let wanted = |text: &&TranslationUnit| !untranslated || text.target.is_empty();
    for TranslationUnit { name, handle, source, target } in sheet.texts.iter().filter(wanted) {
        writeln!(out)?;
        if !handle.is_empty() {
            writeln!(out, "#. {}", handle.replace(char::is_control, " "))?;
        }
        writeln!(out, "#: texts/{}/{}", name.id, sheet.pair.to)?;
        writeln!(out, "msgctxt \"{name}\"")?;
        string("msgid", source, out)?;
        string("msgstr", target, out)?;
    }
    Ok(())
}

/// Writes a string, each of its lines in a line.
fn string(keyword: &str, text: &str, out: &mut dyn Write) -> Result<()> {
    write!(out, "{keyword} ")?;
    if text.trim_end_matches('\n').contains('\n') {
        writeln!(out, "\"\"")?;
    }
    let mut line = String::new();
    for part in text.split_inclusive('\n') {
        line.clear();
        for c in part.chars() {
            match c {
                '"' | '\\' => line.extend(['\\', c]),
                '\n' => line.push_str("\\n"),
                '\r' => line.push_str("\\r"),
                '\t' => line.push_str("\\t"),
                // Three digits whatever stands behind them.
                c if c.is_ascii_control() => line.push_str(&format!("\\{:03o}", u32::from(c))),
                c => line.push(c),
            }
        }
        writeln!(out, "\"{line}\"")?;
    }
    if text.is_empty() {
        writeln!(out, "\"\"")?;
    }
    Ok(())
}

/// Whether this is a catalogue, as far as its start shows: comments and a first keyword.
pub fn is_for(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines
        .find(|line| !line.is_empty() && !line.starts_with(b"#"))
        .is_some_and(|line| line.starts_with(b"msgid") || line.starts_with(b"msgctxt"))
}

/// The part of a message that a string belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MessageField {
    Context,
    Source,
    Target,
}

/// A message that is read.
#[derive(Default)]
struct Message {
    context: Option<String>,
    source: Option<String>,
    target: Option<String>,
    is_fuzzy: bool,
    last: Option<MessageField>,
}

impl Message {
    fn part(&mut self, part: MessageField) -> &mut Option<String> {
        match part {
            MessageField::Context => &mut self.context,
            MessageField::Source => &mut self.source,
            MessageField::Target => &mut self.target,
        }
    }

    /// Adds it to what was read, if it is complete; the header is left out.
    fn finish(self, line: u64, all: &mut Vec<Translation>) -> Result<()> {
        let (source, target) = match (self.source, self.target) {
            (Some(source), Some(target)) => (source, target),
            (None, None) if self.context.is_none() => return Ok(()),
            _ => return Err(bad("msgid and msgstr of a message", line)),
        };
        let Some(context) = self.context else {
            let is_header = source.is_empty() && all.is_empty();
            return if is_header {
                Ok(())
            } else {
                Err(bad("msgctxt with the id of a text", line))
            };
        };
        let name: Name = context
            .parse()
            .map_err(|_| bad("the id of a text in msgctxt", line).found(format!("`{context}`")))?;
        all.push(Translation { name, source: Some(source), target, is_fuzzy: self.is_fuzzy });
        Ok(())
    }
}

/// Reads a catalogue.
///
/// # Errors
/// [`TEXTS_TABLE`](codes::TEXTS_TABLE) with the line.
pub fn read(bytes: &[u8]) -> Result<Vec<Translation>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let lines = before.iter().filter(|byte| **byte == b'\n').count() as u64;
        bad("text in UTF-8", lines.saturating_add(1))
    })?;
    let mut all = Vec::new();
    let mut message = Message::default();
    let mut nth = 0;
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim) {
        nth = u64::saturating_add(nth, 1);
        if line.is_empty() {
            continue;
        }
        if line.starts_with('#') {
            // Comments stand before a message; the end of the one before is behind its msgstr.
            if message.last == Some(MessageField::Target) {
                std::mem::take(&mut message).finish(nth, &mut all)?;
            }
            if let Some(flags) = line.strip_prefix("#,") {
                message.is_fuzzy |= flags.split(',').any(|flag| flag.trim() == "fuzzy");
            }
            continue;
        }
        if line.starts_with('"') {
            let part = message.last.ok_or_else(|| bad("a keyword first", nth))?;
            let string = quoted(line, nth)?;
            message.part(part).get_or_insert_default().push_str(&string);
            continue;
        }
        let (keyword, rest) = line.split_at(line.find(['"', ' ', '\t']).unwrap_or(line.len()));
        let part = match keyword {
            "msgctxt" => MessageField::Context,
            "msgid" => MessageField::Source,
            "msgstr" => MessageField::Target,
            _ => {
                let error = bad("msgctxt, msgid or msgstr", nth);
                return Err(error.found(format!("`{}`", keyword.escape_debug())));
            }
        };
        let is_next = match part {
            MessageField::Context => message.last == Some(MessageField::Target),
            MessageField::Source => matches!(message.last, Some(MessageField::Target)),
            MessageField::Target => false,
        };
        if is_next {
            std::mem::take(&mut message).finish(nth, &mut all)?;
        }
        let string = quoted(rest.trim_start(), nth)?;
        message.last = Some(part);
        if message.part(part).replace(string).is_some() {
            return Err(bad("each keyword of a message once", nth));
        }
    }
    message.finish(nth, &mut all)?;
    Ok(all)
}

/// The text of a quoted string.
fn quoted(line: &str, nth: u64) -> Result<String> {
    let wrong = || bad("a string in quotes", nth);
    let inner = line.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or_else(wrong)?;
    let mut text = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = match c {
            '"' => return Err(wrong()),
            '\\' => chars.next().ok_or_else(wrong)?,
            c => {
                text.push(c);
                continue;
            }
        };
        text.push(match escaped {
            'a' => '\u{7}',
            'b' => '\u{8}',
            't' => '\t',
            'n' => '\n',
            'v' => '\u{b}',
            'f' => '\u{c}',
            'r' => '\r',
            '"' | '\\' | '\'' | '?' => escaped,
            '0'..='7' => {
                let mut code = escaped.to_digit(8).unwrap_or_default();
                for _ in 0..2 {
                    let digit = chars.peek().and_then(|c| c.to_digit(8));
                    let Some(digit) = digit else { break };
                    code = code.saturating_mul(8).saturating_add(digit);
                    chars.next();
                }
                char::from_u32(code).filter(char::is_ascii).ok_or_else(wrong)?
            }
            _ => return Err(wrong()),
        });
    }
    Ok(text)
}

#[cold]
fn bad(expected: &'static str, line: u64) -> Error {
    Error::new(&codes::TEXTS_TABLE)
        .expected(expected)
        .within(Seg::Key(format!("line {line}").into()))
}
