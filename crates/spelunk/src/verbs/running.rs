//! Calls of verbs that run on threads of their own, for doors whose callers take item by item what comes of them.

use super::{
    output::{Outcome, Output, Progress, Row, RowForm},
    queue::Queue,
    session::Session,
};
use crate::{Cancel, Error, Finding, Result, open::codes};
use serde_json::Value;
use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::{self, JoinHandle},
    time::Duration,
};

/// What comes of a verb.
#[derive(Debug)]
pub enum CallItem {
    /// A row, as a value.
    Row(Value),
    /// A row, as JSON.
    Json(Vec<u8>),
    /// Bytes that were asked for, or the next part of them, and their name.
    Body(String, Vec<u8>),
    /// What was noticed of a file.
    Diagnostic(String, Box<Finding>),
    /// Why something could not be done with a file.
    Failed(String, Error),
    /// A sentence about the work.
    Note(String),
    /// How much is done.
    Progress(Progress),
    /// All has come.
    End(Result<Outcome>),
}

impl CallItem {
    /// About the memory that it takes, in bytes.
    fn size(&self) -> usize {
        let held = match self {
            CallItem::Row(row) => size_of_value(row),
            CallItem::Json(row) => row.len(),
            CallItem::Body(name, bytes) => name.len().saturating_add(bytes.len()),
            CallItem::Diagnostic(text, _) | CallItem::Failed(text, _) => {
                // A message is about as long as a line, or one of a few.
                text.len().saturating_add(256)
            }
            CallItem::Note(text) => text.len(),
            CallItem::Progress(_) | CallItem::End(_) => 0,
        };
        held.saturating_add(size_of::<CallItem>())
    }
}

/// About the memory that a value takes beside its own place, in bytes.
fn size_of_value(value: &Value) -> usize {
    let own = size_of::<Value>();
    let held = |value| own.saturating_add(size_of_value(value));
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(held).fold(0, usize::saturating_add),
        Value::Object(fields) => {
            let sizes = fields.iter().map(|(name, value)| held(value).saturating_add(name.len()));
            sizes.fold(0, usize::saturating_add)
        }
        _ => 0,
    }
}

/// Sends what comes of a verb. Where the call was ended there is no waiting for room: rows are refused, and what is said of it comes.
#[derive(Clone)]
struct Sender {
    queue: Arc<Queue<CallItem>>,
    form: RowForm,
    cancel: Cancel,
}

impl Sender {
    fn send(&self, item: CallItem) -> Result<()> {
        let size = item.size();
        match self.queue.push(item, size, || self.cancel.check().is_err()) {
            true => Ok(()),
            false => Err(Error::new(&codes::core::CANCELLED)),
        }
    }

    /// Sends what is not wanted any more once the call was ended.
    fn send_content(&self, item: CallItem) -> Result<()> {
        self.cancel.check()?;
        self.send(item)
    }
}

impl Output for Sender {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        self.send_content(match self.form {
            RowForm::Value => CallItem::Row(row.value().into_owned()),
            RowForm::Json => {
                let mut bytes = Vec::new();
                row.write(&mut bytes)?;
                CallItem::Json(bytes)
            }
        })
    }

    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.send_content(CallItem::Body(name.to_owned(), bytes.to_vec()))
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        // Where nobody waits any more, nobody wants to know.
        let _ = self.send(CallItem::Diagnostic(file.to_owned(), Box::new(finding.clone())));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        let _ = self.send(CallItem::Failed(file.to_owned(), error.clone()));
    }

    fn note(&mut self, text: &str) {
        let _ = self.send(CallItem::Note(text.to_owned()));
    }

    fn form(&self) -> RowForm {
        self.form
    }

    fn progress(&mut self, progress: &Progress) {
        // Of how much is done, what is not waited for is not missed.
        let item = CallItem::Progress(*progress);
        let size = item.size();
        self.queue.offer(item, size);
    }
}

/// Closes a queue at the end of the thread that fills it, however that ends.
struct Closed(Arc<Queue<CallItem>>);

impl Drop for Closed {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A call of a verb that runs on a thread of its own. It is ended when this is dropped.
pub struct RunningCall {
    cancel: Cancel,
    queue: Arc<Queue<CallItem>>,
    thread: Option<JoinHandle<()>>,
}

impl fmt::Debug for RunningCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunningCall").finish_non_exhaustive()
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.end();
    }
}

impl RunningCall {
    /// Begins the work of a call in a [part](Session::part) of a session, which it has for itself, with rows in this form. Where the
    /// call `takes_output`, what verbs write to `-` comes as items of that name. Where the work panics, that is an error of no file.
    ///
    /// # Errors
    /// When there can be no thread.
    pub fn begin(
        session: Session,
        takes_output: bool,
        form: RowForm,
        work: impl FnOnce(&Session, &mut dyn Output) -> Result<Outcome> + Send + 'static,
    ) -> Result<RunningCall> {
        let (cancel, queue) = (session.cancel().clone(), Arc::<Queue<CallItem>>::default());
        let mut out = Sender { queue: queue.clone(), form, cancel: cancel.clone() };
        let printed = out.clone();
        let print = move |bytes: &[u8]| {
            printed.send_content(CallItem::Body("-".to_owned(), bytes.to_vec()))
        };
        let session = match takes_output {
            true => session.part_with_output(Arc::new(print)),
            false => session,
        };
        let run = move || {
            let _closed = Closed(out.queue.clone());
            let work = AssertUnwindSafe(|| work(&session, &mut out));
            let outcome = catch_unwind(work).unwrap_or_else(|_| {
                let (error, mut ended) = (Error::new(&codes::PANICKED), Outcome::default());
                out.failed("", &error);
                ended.failed(&error);
                Ok(ended)
            });
            let _ = out.send(CallItem::End(outcome));
        };
        let thread = thread::Builder::new().name("spelunk verb".to_owned()).spawn(run);
        Ok(RunningCall { cancel, queue, thread: Some(thread.map_err(Error::io)?) })
    }

    /// The flag that ends the call: what the verb has still to say comes, then the end.
    pub const fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Waits for the next item, which is nobody else's; with a time no longer than that. Behind the [end](CallItem::End) there is none.
    pub fn next(&self, patience: Option<Duration>) -> Option<CallItem> {
        self.queue.pop(patience)
    }

    /// Ends the call, and takes no more of what comes of it. It does not wait for the thread.
    fn end(&self) {
        self.cancel.cancel();
        self.queue.close();
    }

    /// Ends the call, and waits until its thread is gone.
    pub fn finish(mut self) {
        self.end();
        if let Some(thread) = self.thread.take() {
            // It catches its panics.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verbs::Memory;
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        time::Instant,
    };

    fn begin(
        work: impl FnOnce(&Session, &mut dyn Output) -> Result<Outcome> + Send + 'static,
    ) -> RunningCall {
        let session = Session::new(Memory::new());
        RunningCall::begin(session.part(), false, RowForm::Json, work).unwrap()
    }

    #[test]
    fn what_is_ended_ends_also_where_nobody_takes_what_comes() {
        let has_ended = Arc::new(AtomicBool::new(false));
        let ended = has_ended.clone();
        let call = begin(move |_, out| {
            let error = (0_u64..).find_map(|row| out.row(&row).err());
            ended.store(true, Ordering::SeqCst);
            Err(error.unwrap())
        });
        let first = call.next(None);
        assert!(matches!(first, Some(CallItem::Json(row)) if row == b"0"));
        call.cancel().cancel();
        let begun = Instant::now();
        while !has_ended.load(Ordering::SeqCst) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it waits for room");
            thread::sleep(Duration::from_millis(1));
        }
        // The rows that were there before it are there still, and then the end.
        let last = std::iter::from_fn(|| call.next(None)).last();
        assert!(matches!(last, Some(CallItem::End(Err(error))) if error.is_cancelled()));
        assert!(call.next(None).is_none());
    }

    #[test]
    fn a_panic_is_an_error_of_no_file() {
        let call = begin(|_, _| panic!("a mistake"));
        let failed = call.next(None);
        let is_panic = |error: &Error| error.code().id == codes::PANICKED.id;
        assert!(
            matches!(failed, Some(CallItem::Failed(file, error)) if file.is_empty() && is_panic(&error))
        );
        let end = call.next(None);
        assert!(matches!(end, Some(CallItem::End(Ok(outcome))) if outcome.code() > 1));
        assert!(call.next(None).is_none());
        call.finish();
    }
}
