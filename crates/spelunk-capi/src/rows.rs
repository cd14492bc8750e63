//! What comes of a verb, item by item, while the verb runs on a thread of its own.

use crate::{
    failure::{Failure, Outcome, text},
    session::Session,
};
use serde_json::json;
use spelunk::{
    Cancel, Error, Severity,
    open::{codes, json},
    verbs::{self, CallItem, Progress, RowForm, RunningCall},
};
use std::{
    ffi::{CString, c_char},
    ptr,
    sync::{Mutex, PoisonError, TryLockError},
};

/// What an item is.
#[repr(i32)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SplKind {
    /// All has come. `code` is the exit code that the command would have: 0 clean, 1 error findings or differences, 2 a
    /// request that is wrong, 3 a file that cannot be opened, 4 input or output, 5 not supported.
    #[default]
    SplEnd = 0,
    /// A row: `text` is an object in JSON, as the command prints it with --json.
    SplRow = 1,
    /// A finding or an error: `text` is a diagnostic in JSON, `file` the file that it is about; empty where it is about none,
    /// as when the request is wrong.
    SplDiagnostic = 2,
    /// A sentence about the work.
    SplNote = 3,
    /// Bytes that were asked for, or the next part of them: `text` is their name, `spl_body` lends them.
    SplBody = 4,
    /// How much is done: `text` is {"done", "total", "file", "files"} in JSON: bytes of the files that are done and of all,
    /// the number of the file that is worked on, and how many there are.
    SplProgress = 5,
}

/// An item of what comes of a verb. Texts are UTF-8, end with a 0, and belong to the library until the next call of `spl_next`
/// with the same rows, or until those are freed.
#[repr(C)]
#[derive(Debug)]
pub struct SplItem {
    /// What it is.
    pub kind: SplKind,
    /// The exit code, for `SPL_END`; 0 otherwise.
    pub code: i32,
    /// For `SPL_DIAGNOSTIC`, the file that it is about; empty where it is about none, and for other kinds.
    pub file: *const c_char,
    /// The text of the item.
    pub text: *const c_char,
    /// Length of the text in bytes, without the 0 behind it.
    pub size: usize,
}

impl SplItem {
    /// What stands in the place of an item that did not come.
    pub(crate) const EMPTY: SplItem =
        SplItem { kind: SplKind::SplEnd, code: 0, file: c"".as_ptr(), text: c"".as_ptr(), size: 0 };
}

/// The item that was handed out last.
#[derive(Default)]
struct Item {
    kind: SplKind,
    code: i32,
    file: CString,
    text: CString,
    body: Vec<u8>,
}

impl Item {
    fn new(kind: SplKind, words: &str) -> Item {
        Item { kind, text: text(words), ..Item::default() }
    }

    fn end(code: u8) -> Item {
        Item { code: code.into(), ..Item::default() }
    }

    fn diagnostic(file: &str, diagnostic: &json::Diagnostic) -> Item {
        let words = serde_json::to_string(diagnostic).unwrap_or_default();
        Item { file: text(file), ..Item::new(SplKind::SplDiagnostic, &words) }
    }

    fn of(item: CallItem) -> Item {
        match item {
            // JSON escapes what a text of C cannot hold.
            CallItem::Json(row) => Item {
                kind: SplKind::SplRow,
                text: CString::new(row).unwrap_or_default(),
                ..Item::default()
            },
            CallItem::Row(row) => Item::new(SplKind::SplRow, &row.to_string()),
            CallItem::Body(name, body) => Item { body, ..Item::new(SplKind::SplBody, &name) },
            CallItem::Diagnostic(file, finding) => {
                Item::diagnostic(&file, &json::finding(&finding))
            }
            CallItem::Failed(file, error) => {
                Item::diagnostic(&file, &json::diagnostic(Severity::Error, &error))
            }
            CallItem::Note(words) => Item::new(SplKind::SplNote, &words),
            CallItem::Progress(Progress { done, total, file, files }) => {
                let words = json!({ "done": done, "total": total, "file": file, "files": files });
                Item::new(SplKind::SplProgress, &words.to_string())
            }
            CallItem::End(Ok(outcome)) => Item::end(outcome.code()),
            CallItem::End(Err(error)) => {
                let mut outcome = verbs::Outcome::default();
                outcome.failed(&error);
                Item::end(outcome.code())
            }
        }
    }
}

/// The rows of a verb.
pub(crate) struct Rows {
    cancel: Cancel,
    state: Mutex<State>,
}

/// What belongs to the thread that reads the rows.
struct State {
    /// Nothing when all came.
    call: Option<RunningCall>,
    item: Item,
}

impl State {
    /// Waits for the thread of the verb, which has nothing more to say.
    fn end(&mut self) {
        if let Some(call) = self.call.take() {
            call.finish();
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).end();
    }
}

impl Rows {
    /// Begins a verb.
    pub(crate) fn begin(session: &Session, verb: &str, request: &str) -> Outcome<Rows> {
        let (verb, request) = (verb.to_owned(), request.to_owned());
        let call = RunningCall::begin(session.part(), true, RowForm::Json, move |session, out| {
            Ok(verbs::answer(session, &verb, &request, out))
        })?;
        let cancel = call.cancel().clone();
        Ok(Rows { cancel, state: Mutex::new(State { call: Some(call), item: Item::default() }) })
    }

    /// Ends the verb: what it has still to say comes, then the end.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The state, where no other thread has it.
    fn with<T>(&self, work: impl FnOnce(&mut State) -> Outcome<T>) -> Outcome<T> {
        match self.state.try_lock() {
            Ok(mut state) => work(&mut state),
            Err(TryLockError::Poisoned(poisoned)) => work(&mut poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Failure::busy()),
        }
    }

    /// Waits for the next item. Behind the end comes the end again.
    pub(crate) fn next(&self) -> Outcome<SplItem> {
        self.with(|state| {
            if let Some(call) = &state.call {
                let died = || CallItem::End(Err(Error::new(&codes::PANICKED)));
                state.item = Item::of(call.next(None).unwrap_or_else(died));
            }
            if state.item.kind == SplKind::SplEnd {
                state.end();
            }
            let Item { kind, code, file, text, .. } = &state.item;
            let size = text.as_bytes().len();
            Ok(SplItem { kind: *kind, code: *code, file: file.as_ptr(), text: text.as_ptr(), size })
        })
    }

    /// The bytes of the item that came last.
    pub(crate) fn body(&self) -> Outcome<(*const u8, usize)> {
        self.with(|state| match state.item.kind {
            SplKind::SplBody if state.item.body.is_empty() => Ok((ptr::null(), 0)),
            SplKind::SplBody => Ok((state.item.body.as_ptr(), state.item.body.len())),
            _ => Err(Failure::bad_argument("rows whose last item is SPL_BODY", "another item")),
        })
    }
}
