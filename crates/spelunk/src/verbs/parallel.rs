//! Files side by side: threads share the files of a verb, and what it hands out comes in their order.
//!
//! Each thread works on one file with a [`Run`] of its own, whose output is a [`Recorder`]: it sends what is handed out in
//! parts to the thread that called the verb, which plays the parts of one file after the other to the real output. A thread
//! whose file has handed out [`PARTS`] parts before its turn waits, so what is in memory does not grow with the files.

use super::{
    input::Input,
    output::{Heading, Outcome, Output, Row, RowForm},
    run::{Run, RunSeed},
};
use crate::{Buffers, Error, Finding, Result, open::codes};
use serde_json::Value;
use std::{
    borrow::{Borrow, Cow},
    collections::VecDeque,
    io::{self, Write},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
};

/// Files of this size in bytes are worked on alone: they have all threads, and take all of the memory that one file may.
const ALONE: u64 = 64 << 20;
/// Files that are begun for each thread before the first of them is done.
const BEGUN: usize = 4;
/// Parts of a file that wait for its turn.
const PARTS: usize = 32;
/// Bytes of a part, roughly.
const PART: usize = 32 << 10;
/// Bytes that an event counts as, beside those of its texts.
const EVENT: usize = 128;

/// The work of a verb on one file.
pub(super) type Work<'w, R> = dyn Fn(&mut Run<'_>, &Input) -> Result<R> + Sync + 'w;

/// What comes of a file: what the verb handed out meanwhile, in parts, and the end.
enum Part<R> {
    Events(Vec<Event>),
    End(Result<R>, Outcome),
}

/// A file for a thread, and where what comes of it goes.
struct Job<'i, R> {
    input: &'i Input,
    to: SyncSender<Part<R>>,
}

impl<'a> Run<'a> {
    /// Does the work for each file, several of them side by side where there are threads, and hands the results to `end` in the
    /// order of the files.
    ///
    /// # Errors
    /// The first one in the order of the files; those of the output.
    pub(super) fn each_file<I: Borrow<Input> + Sync, R: Send>(
        &mut self,
        inputs: &[I],
        work: &Work<'_, R>,
        end: &mut dyn FnMut(&mut Run<'a>, R) -> Result<()>,
    ) -> Result<()> {
        let threads = self.thread_count().min(inputs.len());
        // What the session keeps open is lent to one at a time.
        if threads <= 1 || !inputs.iter().all(|input| input.borrow().is_named()) {
            return self.each_in_turn(inputs, work, end);
        }
        self.plan(inputs.iter().map(Borrow::borrow));
        let seed = &self.seed();
        let (give, take) = mpsc::channel();
        let take = &Mutex::new(take);
        thread::scope(|scope| {
            // Gone at the end of this closure, so that the threads end.
            let give = give;
            for _ in 0..threads {
                scope.spawn(move || serve(seed, take, work));
            }
            let ended = self.share(inputs, (threads, &give), work, end);
            // What is in the works goes nowhere any more.
            seed.stop();
            ended
        })
    }

    /// The same one by one on this thread, for work that changes files.
    ///
    /// # Errors
    /// Those of [`Run::each_file`].
    pub(super) fn each_in_turn<I: Borrow<Input>, R>(
        &mut self,
        inputs: &[I],
        work: &Work<'_, R>,
        end: &mut dyn FnMut(&mut Run<'a>, R) -> Result<()>,
    ) -> Result<()> {
        self.plan(inputs.iter().map(Borrow::borrow));
        inputs.iter().try_for_each(|input| self.alone(input.borrow(), work, end))
    }

    /// Gives the files to the threads and plays what comes of them, in order.
    fn share<'i, I: Borrow<Input>, R: Send>(
        &mut self,
        inputs: &'i [I],
        (threads, give): (usize, &mpsc::Sender<Job<'i, R>>),
        work: &Work<'_, R>,
        end: &mut dyn FnMut(&mut Run<'a>, R) -> Result<()>,
    ) -> Result<()> {
        let most = threads.saturating_mul(BEGUN);
        let mut begun: VecDeque<Receiver<Part<R>>> = VecDeque::new();
        for (nth, input) in inputs.iter().map(Borrow::borrow).enumerate() {
            let is_heavy = self.is_heavy(input, nth);
            while begun.len() >= most || (is_heavy && !begun.is_empty()) {
                self.play(begun.pop_front(), end)?;
            }
            if is_heavy {
                self.alone(input, work, end)?;
                continue;
            }
            let (to, from) = mpsc::sync_channel(PARTS);
            // The threads take until this side hangs up.
            let _ = give.send(Job { input, to });
            begun.push_back(from);
        }
        while !begun.is_empty() {
            self.play(begun.pop_front(), end)?;
        }
        Ok(())
    }

    /// Works on a file on this thread.
    fn alone<R>(
        &mut self,
        input: &Input,
        work: &Work<'_, R>,
        end: &mut dyn FnMut(&mut Run<'a>, R) -> Result<()>,
    ) -> Result<()> {
        self.forget_format();
        let result = work(self, input)?;
        end(self, result)?;
        self.advance();
        Ok(())
    }

    /// Plays what comes of a file, until its end.
    fn play<R>(
        &mut self,
        from: Option<Receiver<Part<R>>>,
        end: &mut dyn FnMut(&mut Run<'a>, R) -> Result<()>,
    ) -> Result<()> {
        for part in from.into_iter().flatten() {
            match part {
                Part::Events(events) => {
                    events.into_iter().try_for_each(|event| event.play(self))?;
                }
                Part::End(result, outcome) => {
                    self.take(outcome);
                    end(self, result?)?;
                    self.advance();
                    return Ok(());
                }
            }
        }
        // Its thread has ended before its end: with a panic, which goes on where the threads are joined.
        Err(Error::new(&codes::core::CANCELLED))
    }

    /// Whether a file is worked on alone: a large one, and a folder that is one container.
    fn is_heavy(&self, input: &Input, nth: usize) -> bool {
        self.size(nth) >= ALONE || input.name().is_some_and(|name| self.files().is_folder(name))
    }
}

/// Works on files until there are none left.
fn serve<R>(seed: &RunSeed<'_>, take: &Mutex<Receiver<Job<'_, R>>>, work: &Work<'_, R>) {
    let mut buffers = Buffers::default();
    loop {
        let next = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { input, to }) = next else { return };
        let mut recorder = Recorder::new(seed.form(), &to);
        let mut run = seed.run(&mut recorder, std::mem::take(&mut buffers));
        let result = work(&mut run, input);
        let outcome;
        (outcome, buffers) = run.into_parts();
        let sent = recorder.send();
        // Where nobody listens any more, the verb has ended.
        if sent.is_err() || to.send(Part::End(result, outcome)).is_err() {
            return;
        }
    }
}

/// Something that a verb hands out.
enum Event {
    Begin { file: String, is_one_of_many: bool, columns: Vec<String> },
    Row(RecordedRow),
    End,
    Body(String, Vec<u8>),
    Diagnostic(String, Finding),
    Failed(String, Error),
    Note(String),
    Instead(&'static str),
}

impl Event {
    /// Hands it out.
    fn play(self, run: &mut Run<'_>) -> Result<()> {
        match self {
            Event::Begin { file, is_one_of_many, columns } => {
                return run.begin(&file, is_one_of_many, &columns);
            }
            Event::Row(row) => return run.row(&row),
            Event::End => return run.end(),
            Event::Body(name, bytes) => return run.body(&name, &bytes),
            Event::Diagnostic(file, finding) => run.report(&file, &[finding]),
            Event::Failed(file, error) => run.print_error(&file, &error),
            Event::Note(text) => run.note(&text),
            Event::Instead(text) => run.say_instead(text),
        }
        Ok(())
    }
}

/// A row in the form that the output takes.
enum RecordedRow {
    Json(Vec<u8>),
    Value(Value),
}

impl Row for RecordedRow {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            RecordedRow::Json(bytes) => out.write_all(bytes),
            RecordedRow::Value(value) => serde_json::to_writer(out, value).map_err(io::Error::from),
        }
    }

    fn value(&self) -> Cow<'_, Value> {
        match self {
            // Rows are written by `serde_json`, so it reads them.
            RecordedRow::Json(bytes) => {
                Cow::Owned(serde_json::from_slice(bytes).unwrap_or_default())
            }
            RecordedRow::Value(value) => Cow::Borrowed(value),
        }
    }
}

/// An output that sends what it takes to the thread that has the real one.
struct Recorder<'t, R> {
    form: RowForm,
    to: &'t SyncSender<Part<R>>,
    events: Vec<Event>,
    /// What the events count as, in bytes.
    held: usize,
}

impl<'t, R> Recorder<'t, R> {
    fn new(form: RowForm, to: &'t SyncSender<Part<R>>) -> Recorder<'t, R> {
        Recorder { form, to, events: Vec::new(), held: 0 }
    }

    /// Takes an event that counts as so many bytes.
    fn record(&mut self, event: Event, size: usize) -> Result<()> {
        self.events.push(event);
        self.held = self.held.saturating_add(EVENT).saturating_add(size);
        if self.held < PART { Ok(()) } else { self.send() }
    }

    /// The same for what has no way to fail: a verb that has ended is noticed at its next row.
    fn remark(&mut self, event: Event, size: usize) {
        let _ = self.record(event, size);
    }

    /// Sends what was taken.
    fn send(&mut self) -> Result<()> {
        self.held = 0;
        if self.events.is_empty() {
            return Ok(());
        }
        let part = Part::Events(std::mem::take(&mut self.events));
        self.to.send(part).map_err(|_| Error::new(&codes::core::CANCELLED))
    }
}

impl<R> Output for Recorder<'_, R> {
    fn begin(&mut self, heading: &Heading<'_>) -> Result<()> {
        let Heading { file, is_one_of_many, columns } = *heading;
        let (file, columns) = (file.to_owned(), columns.to_vec());
        let size = file.len();
        self.record(Event::Begin { file, is_one_of_many, columns }, size)
    }

    fn row(&mut self, row: &dyn Row) -> Result<()> {
        match self.form {
            RowForm::Json => {
                let mut bytes = Vec::new();
                row.write(&mut bytes)?;
                let size = bytes.len();
                self.record(Event::Row(RecordedRow::Json(bytes)), size)
            }
            RowForm::Value => {
                let value = row.value().into_owned();
                let size = weight(&value);
                self.record(Event::Row(RecordedRow::Value(value)), size)
            }
        }
    }

    fn end(&mut self) -> Result<()> {
        self.record(Event::End, 0)
    }

    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.record(Event::Body(name.to_owned(), bytes.to_vec()), bytes.len())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        let size = file.len().saturating_add(EVENT);
        self.remark(Event::Diagnostic(file.to_owned(), finding.clone()), size);
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.remark(Event::Failed(file.to_owned(), error.clone()), file.len());
    }

    fn note(&mut self, text: &str) {
        self.remark(Event::Note(text.to_owned()), text.len());
    }

    fn instead(&mut self, text: &'static str) {
        self.remark(Event::Instead(text), 0);
    }

    fn form(&self) -> RowForm {
        self.form
    }
}

/// The memory in bytes that a value takes, roughly.
fn weight(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(weight).sum(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| key.len().saturating_add(weight(value))).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inner.saturating_add(size_of::<Value>())
}
