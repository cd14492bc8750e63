//! The edits of a file, and the way back: a list of patches, one for each edit.
//!
//! Each step is a patch between the file before and after an edit ([`AnyPatch`]), which is tried before it is kept: taken back, it
//! gives the very bytes of before. So steps can be shown, kept and sent like any other patch.
//!
//! As text, a history is lines of JSON: the first one has the version of the form and the number of steps that are done, the others a step each,
//! the oldest first. What was taken back stands behind what is done.

use crate::patch::{AnyPatch, Print};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use spelunk_core::{Error, Result, Source};
use spelunk_open::{codes, same_bytes, skeleton::Origin};
use std::{collections::VecDeque, sync::Arc};

/// The version of this form.
const VERSION: u32 = 1;

/// Number of steps that are kept, at the most: the oldest ones go.
pub const MAX_STEPS: usize = 1_000;

/// Size of the text of a history in bytes, at the most: the oldest steps go.
pub const MAX_SIZE: u64 = 64 << 20;

/// An edit that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryStep {
    /// Name of the step for people: what was asked for.
    pub label: String,
    /// Time in UTC, as RFC 3339 has it, where there was a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The file before it.
    pub old: Print,
    /// The file after it.
    pub new: Print,
    /// Patch that the step made, which is read when it is wanted.
    patch: Box<RawValue>,
}

impl HistoryStep {
    /// The patch that the step made.
    ///
    /// # Errors
    /// [`BAD_HISTORY`](codes::BAD_HISTORY) where the text of it is damaged.
    pub fn patch(&self) -> Result<AnyPatch> {
        let patch = AnyPatch::parse(self.patch.get().as_bytes())
            .map_err(|error| bad(format!("a step with {error}")))?;
        match (patch.old_print(), patch.new_print()) == (&self.old, &self.new) {
            true => Ok(patch),
            false => Err(bad("a step with the patch of another file")),
        }
    }

    /// The text of the patch, on one line.
    pub fn patch_text(&self) -> &RawValue {
        &self.patch
    }

    /// The size of its text.
    fn size(&self) -> u64 {
        // Times and prints are short.
        const REST: u64 = 256;
        let texts = self.label.len().saturating_add(self.patch.get().len());
        (texts as u64).saturating_add(REST)
    }
}

/// The first line of the text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    spelunk_history: u32,
    done: usize,
}

/// What became of an edit in a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// It is a step. So many of the oldest ones went for it.
    Step {
        /// Number of steps that went.
        dropped: usize,
    },
    /// It changed nothing, so it is none.
    Nothing,
    /// It is the first step: the file was not the one that the steps before led to, so these are gone.
    Anew,
    /// It is larger than a history may be, and cannot be taken back; the steps before it are gone, too.
    TooLarge,
}

/// A way through the steps of a history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Edits are taken back, the last one first.
    Undo,
    /// What was taken back is made again, in the order of before.
    Redo,
}

/// The edits of a file that were made, and those that were taken back.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Those that are done, and behind them those that were taken back.
    steps: VecDeque<HistoryStep>,
    done: usize,
}

impl History {
    /// Reads a history from its text.
    ///
    /// # Errors
    /// [`BAD_HISTORY`](codes::BAD_HISTORY).
    pub fn parse(text: &[u8]) -> Result<History> {
        if text.len() as u64 > MAX_SIZE.saturating_mul(2) {
            return Err(bad(format!("{} bytes", text.len())));
        }
        let mut lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let Some(Ok(head)) = lines.next().map(serde_json::from_slice::<Head>) else {
            return Err(bad("text of another form"));
        };
        if head.spelunk_history != VERSION {
            let found = format!("version {}", head.spelunk_history);
            return Err(bad(found).expected(format!("version {VERSION}")));
        }
        let mut steps = VecDeque::new();
        for line in lines {
            let nth = steps.len().saturating_add(1);
            let step: HistoryStep = serde_json::from_slice(line)
                .map_err(|error| bad(format!("step {nth} with an error: {error}")))?;
            // Each begins where the one before it ended.
            if steps.back().is_some_and(|before: &HistoryStep| before.new != step.old) {
                return Err(bad(format!("step {nth} of another file than the one before it made")));
            }
            steps.push_back(step);
        }
        if head.done > steps.len() || steps.len() > MAX_STEPS {
            return Err(bad(format!("{} steps done of {}", head.done, steps.len())));
        }
        Ok(History { steps, done: head.done })
    }

    /// The text of the history.
    ///
    /// # Errors
    /// None that can be caused.
    pub fn text(&self) -> Result<Vec<u8>> {
        let head = Head { spelunk_history: VERSION, done: self.done };
        let mut text = serde_json::to_vec(&head).map_err(unwritten)?;
        for step in &self.steps {
            text.push(b'\n');
            serde_json::to_writer(&mut text, step).map_err(unwritten)?;
        }
        text.push(b'\n');
        Ok(text)
    }

    /// All steps, the oldest first.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = &HistoryStep> {
        self.steps.iter()
    }

    /// The number of steps that can be taken back; the others were.
    pub const fn done(&self) -> usize {
        self.done
    }

    /// The number of steps that can be made again.
    pub fn undone(&self) -> usize {
        self.steps.len().saturating_sub(self.done)
    }

    /// Whether these are the bytes that the steps lead to; also where there are none.
    ///
    /// # Errors
    /// Reading errors.
    pub fn fits(&self, now: &dyn Source) -> Result<bool> {
        Ok(match self.state() {
            Some(state) => *state == Print::of(now, None)?,
            None => true,
        })
    }

    /// The file as the steps that are done left it.
    fn state(&self) -> Option<&Print> {
        let last = self.done.checked_sub(1).and_then(|last| self.steps.get(last));
        last.map(|step| &step.new).or_else(|| self.steps.front().map(|step| &step.old))
    }

    /// Takes up an edit that made `new` of `old`. What was taken back before is forgotten.
    ///
    /// # Errors
    /// Reading errors; limits. Nothing has changed then.
    pub fn record(
        &mut self,
        label: impl Into<String>,
        time: Option<String>,
        old: &Origin<'_>,
        new: &Origin<'_>,
    ) -> Result<Recorded> {
        if same_bytes(&**old.source, &**new.source)? {
            return Ok(Recorded::Nothing);
        }
        let patch = AnyPatch::both_ways(old, new)?;
        let (old, new) = (patch.old_print().clone(), patch.new_print().clone());
        let is_anew = self.state().is_some_and(|state| *state != old);
        let text = serde_json::value::to_raw_value(&patch).map_err(unwritten)?;
        drop(patch);
        match is_anew {
            true => self.steps.clear(),
            false => self.steps.truncate(self.done),
        }
        self.steps.push_back(HistoryStep { label: label.into(), time, old, new, patch: text });
        let dropped = self.fit(MAX_STEPS, MAX_SIZE);
        self.done = self.steps.len();
        Ok(match (self.done, is_anew) {
            (0, _) => Recorded::TooLarge,
            (_, true) => Recorded::Anew,
            _ => Recorded::Step { dropped },
        })
    }

    /// Lets the oldest steps go that are too many or too large; gives their number.
    fn fit(&mut self, most: usize, size: u64) -> usize {
        let all = self.steps.len();
        let mut held = self.steps.iter().map(HistoryStep::size).fold(0, u64::saturating_add);
        while self.steps.len() > most || held > size {
            let Some(oldest) = self.steps.pop_front() else { break };
            held = held.saturating_sub(oldest.size());
        }
        all.saturating_sub(self.steps.len())
    }

    /// The step that the next one on this way is about.
    pub fn next(&self, way: Way) -> Option<&HistoryStep> {
        self.steps.get(match way {
            Way::Undo => self.done.checked_sub(1)?,
            Way::Redo => self.done,
        })
    }

    /// The file as it is one step further on this way; `None` where there is none. [`History::go`] goes there.
    ///
    /// # Errors
    /// [`HISTORY_CHANGED`](codes::HISTORY_CHANGED) where the file is not the one that the steps lead to; [`BAD_HISTORY`](codes::BAD_HISTORY); limits;
    /// reading errors.
    pub fn made(&self, way: Way, now: &Origin<'_>) -> Result<Option<Arc<dyn Source>>> {
        let Some(step) = self.next(way) else { return Ok(None) };
        let patch = step.patch()?;
        made(if way == Way::Undo { patch.reversed() } else { patch }, now).map(Some)
    }

    /// Goes one step on this way, where there is one.
    pub fn go(&mut self, way: Way) {
        self.done = match way {
            Way::Undo => self.done.saturating_sub(1),
            Way::Redo => self.done.saturating_add(1).min(self.steps.len()),
        };
    }
}

/// The file that a patch makes of the very one that it is for.
fn made(patch: AnyPatch, now: &Origin<'_>) -> Result<Arc<dyn Source>> {
    let found = Print::of(&**now.source, None)?;
    if found != *patch.old_print() {
        let bytes = |print: &Print| format!("{} bytes, XXH3 {}", print.size, print.xxh3);
        return Err(Error::new(&codes::HISTORY_CHANGED)
            .expected(bytes(patch.old_print()))
            .found(bytes(&found)));
    }
    let made = patch.made(now)?;
    match Print::of(&*made, None)? == *patch.new_print() {
        true => Ok(made),
        false => Err(bad("a step that leads to another file than it says")),
    }
}

fn bad(found: impl Into<String>) -> Error {
    Error::new(&codes::BAD_HISTORY).found(found.into())
}

/// The error of a text that cannot be written, which only memory can be the reason of.
fn unwritten(error: serde_json::Error) -> Error {
    Error::io(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history of steps that nothing is known of but their names.
    fn history(labels: &[&str]) -> History {
        let print = |n: usize| format!(r#"{{"size":{n},"xxh3":"0x{n:016x}"}}"#);
        let steps = labels.iter().enumerate().map(|(n, label)| {
            let (old, new) = (print(n), print(n + 1));
            format!("\n{{\"label\":\"{label}\",\"old\":{old},\"new\":{new},\"patch\":{{}}}}")
        });
        let head = format!(r#"{{"spelunk_history":1,"done":{}}}"#, labels.len());
        History::parse(steps.fold(head, |text, step| text + &step).as_bytes()).unwrap()
    }

    fn labels(history: &History) -> Vec<&str> {
        history.steps().map(|step| step.label.as_str()).collect()
    }

    #[test]
    fn the_oldest_steps_go_first() {
        let mut four = history(&["a", "b", "c", "d"]);
        assert_eq!(four.fit(3, u64::MAX), 1);
        assert_eq!(labels(&four), ["b", "c", "d"]);
        let long = "x".repeat(1000);
        let mut last = history(&["a", "b", &long]);
        // The long one has 1,258 bytes, the others 259 each.
        assert_eq!(last.fit(9, 1520), 1);
        assert_eq!(labels(&last), ["b", &long]);
        let mut first = history(&[&long, "b", "c"]);
        assert_eq!(first.fit(9, 1000), 1);
        assert_eq!(labels(&first), ["b", "c"]);
        let mut none = history(&["a", &long]);
        assert_eq!(none.fit(9, 500), 2);
        assert!(none.state().is_none());
    }

    #[test]
    fn text_of_another_form_is_none() {
        for (text, why) in [
            ("", "another form"),
            ("{}", "another form"),
            (r#"{"spelunk_history":2,"done":0}"#, "version 2"),
            (r#"{"spelunk_history":1,"done":1}"#, "1 steps done of 0"),
            ("{\"spelunk_history\":1,\"done\":0}\nx", "step 1"),
        ] {
            let error = History::parse(text.as_bytes()).unwrap_err();
            assert_eq!(error.code(), &codes::BAD_HISTORY);
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
        let torn = history(&["a", "b"]).text().unwrap();
        let torn = String::from_utf8(torn)
            .unwrap()
            .replace("\"new\":{\"size\":1,", "\"new\":{\"size\":9,");
        assert!(History::parse(torn.as_bytes()).unwrap_err().to_string().contains("step 2"));
    }
}
