//! What comes of a verb, item by item, while the verb runs on a thread of its own.

use crate::{
    failure::{Failure, Outcome, text},
    queue::Queue,
    session::Session,
};
use serde_json::json;
use spelunk::{
    Cancel, Error, Finding, Result, Severity,
    open::{codes, json},
    verbs::{self, Output, Progress, Row, RowForm},
};
use std::{
    ffi::{CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::{Arc, Mutex, PoisonError, TryLockError},
    thread::{self, JoinHandle},
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
    /// The file that it is about; empty where it is about none.
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

/// What the thread of a verb sends.
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

    fn body(name: &str, bytes: &[u8]) -> Item {
        Item { body: bytes.to_vec(), ..Item::new(SplKind::SplBody, name) }
    }

    /// About the memory that it takes, in bytes.
    fn size(&self) -> usize {
        let texts = self.file.as_bytes().len().saturating_add(self.text.as_bytes().len());
        texts.saturating_add(self.body.len()).saturating_add(size_of::<Item>())
    }

    fn diagnostic(file: &str, diagnostic: &json::Diagnostic) -> Item {
        let words = serde_json::to_string(diagnostic).unwrap_or_default();
        Item { file: text(file), ..Item::new(SplKind::SplDiagnostic, &words) }
    }
}

/// Sends what comes of a verb.
struct Sender(Arc<Queue<Item>>);

impl Sender {
    fn send(&self, item: Item) -> Result<()> {
        let size = item.size();
        match self.0.push(item, size) {
            true => Ok(()),
            false => Err(Error::new(&codes::core::CANCELLED)),
        }
    }
}

impl Output for Sender {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        let mut bytes = Vec::new();
        row.write(&mut bytes)?;
        // JSON escapes what a text of C cannot hold.
        let text = CString::new(bytes).unwrap_or_default();
        self.send(Item { kind: SplKind::SplRow, text, ..Item::default() })
    }

    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.send(Item::body(name, bytes))
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        // Where nobody waits any more, nobody wants to know.
        let _ = self.send(Item::diagnostic(file, &json::finding(finding)));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        let _ = self.send(Item::diagnostic(file, &json::diagnostic(Severity::Error, error)));
    }

    fn note(&mut self, text: &str) {
        let _ = self.send(Item::new(SplKind::SplNote, text));
    }

    fn form(&self) -> RowForm {
        RowForm::Json
    }

    fn progress(&mut self, progress: &Progress) {
        let Progress { done, total, file, files } = *progress;
        let words = json!({ "done": done, "total": total, "file": file, "files": files });
        // Of how much is done, what is not waited for is not missed.
        let item = Item::new(SplKind::SplProgress, &words.to_string());
        let size = item.size();
        self.0.offer(item, size);
    }
}

/// The rows of a verb.
pub(crate) struct Rows {
    cancel: Cancel,
    queue: Arc<Queue<Item>>,
    state: Mutex<State>,
}

/// What belongs to the thread that reads the rows.
struct State {
    /// Nothing when all came.
    thread: Option<JoinHandle<()>>,
    /// The item that was handed out last.
    item: Item,
}

impl State {
    /// Waits for the thread, which has nothing more to say.
    fn end(&mut self) {
        if let Some(thread) = self.thread.take() {
            // It catches its panics.
            let _ = thread.join();
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.queue.close();
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).end();
    }
}

impl Rows {
    /// Begins a verb.
    pub(crate) fn begin(session: &Session, verb: &str, request: &str) -> Outcome<Rows> {
        let queue = Arc::<Queue<Item>>::default();
        let (mut out, printed) = (Sender(queue.clone()), Sender(queue.clone()));
        let part = session.part(Arc::new(move |bytes| printed.send(Item::body("-", bytes))));
        let cancel = part.cancel().clone();
        let (verb, request) = (verb.to_owned(), request.to_owned());
        let run = move || {
            let work = AssertUnwindSafe(|| verbs::answer(&part, &verb, &request, &mut out).code());
            let code = catch_unwind(work).unwrap_or_else(|_| {
                let (error, mut ended) = (Error::new(&codes::PANICKED), verbs::Outcome::default());
                out.failed("", &error);
                ended.failed(&error);
                ended.code()
            });
            // Where nobody waits any more, nobody wants to know.
            let _ = out.send(Item { code: code.into(), ..Item::default() });
        };
        let thread = thread::Builder::new().name("spelunk verb".to_owned()).spawn(run);
        let state = State { thread: Some(thread.map_err(Error::io)?), item: Item::default() };
        Ok(Rows { cancel, queue, state: Mutex::new(state) })
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
            if state.thread.is_some() {
                state.item = self.queue.pop();
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
