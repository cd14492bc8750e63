//! The door for JavaScript: a session whose files are in memory, and every verb by its name, with requests and rows in JSON.

#![forbid(unsafe_code)]

use serde_json::{Value, json as object};
use spelunk::{
    Error, Finding, Result, Severity,
    open::json,
    verbs::{self, Handle, Memory, Output, Row, RowForm},
};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

mod ranges;

use ranges::{RangeSource, Ranges};

/// Files in memory, and the verbs that work on them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    files: Memory,
    session: verbs::Session,
}

#[wasm_bindgen]
impl Session {
    /// A session without files.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript has constructors only")]
    pub fn new() -> Session {
        let files = Memory::new();
        let session = verbs::Session::new(files.clone());
        Session { files, session }
    }

    /// Adds a file of `size` bytes that is read as it is asked for, in the place of one of that name: `ranges` has a method
    /// `read(offset, buffer)`, which fills the whole buffer before it returns, or throws.
    pub fn put_ranges(&self, name: &str, size: f64, ranges: Ranges) {
        self.files.put_source(name, Arc::new(RangeSource::new(size as u64, ranges)));
    }

    /// Puts a file into memory, in the place of one of that name.
    pub fn put(&self, name: &str, bytes: Vec<u8>) {
        self.files.put(name, bytes);
    }

    /// The bytes of a file in memory; nothing where there is none.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        self.files.get(name).map(|bytes| bytes.to_vec())
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) {
        self.files.remove(name);
    }

    /// The names of all files, sorted.
    pub fn names(&self) -> Vec<String> {
        self.files.names().iter().map(ToString::to_string).collect()
    }

    /// Opens a file, and keeps it open: verbs that are given the handle, a number in the place of a name, see what others changed
    /// in it.
    pub fn open(&self, name: &str) -> std::result::Result<u32, String> {
        number(self.session.open(name))
    }

    /// Keeps a copy of an open file as it is now.
    pub fn fork(&self, handle: u32) -> std::result::Result<u32, String> {
        let handle = serde_json::from_value(handle.into()).map_err(|error| error.to_string())?;
        number(self.session.fork(handle))
    }

    /// Closes a file. What was changed in it and not saved is gone.
    pub fn close(&self, handle: u32) {
        if let Ok(handle) = serde_json::from_value(handle.into()) {
            self.session.close(handle);
        }
    }

    /// The names of all verbs.
    pub fn verbs(&self) -> Vec<String> {
        self.session.verbs().iter().map(|verb| verb.name().to_owned()).collect()
    }

    /// Runs a verb with a request in JSON. What is wrong with the request is a diagnostic of no file.
    pub fn call(&self, verb: &str, request: &str) -> Answer {
        let mut answer = Answer::default();
        answer.code = verbs::answer(&self.session, verb, request, &mut answer).code();
        answer
    }
}

/// A handle as requests have it.
fn number(handle: Result<Handle>) -> std::result::Result<u32, String> {
    let handle = handle.map_err(|error| error.to_string())?;
    let number = serde_json::to_value(handle).ok().and_then(|handle| handle.as_u64());
    number.and_then(|number| number.try_into().ok()).ok_or_else(|| "no number".to_owned())
}

/// Answer of a verb.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Answer {
    code: u8,
    rows: Vec<u8>,
    diagnostics: Vec<Value>,
    notes: Vec<String>,
    body: Vec<u8>,
}

#[wasm_bindgen]
impl Answer {
    /// The exit code that the command would have: 0 clean, 1 error findings or differences, and so on.
    #[wasm_bindgen(getter)]
    pub fn code(&self) -> u8 {
        self.code
    }

    /// The rows: a line of JSON each.
    #[wasm_bindgen(getter)]
    pub fn rows(&self) -> String {
        // Rows are JSON, which is UTF-8.
        String::from_utf8_lossy(&self.rows).into_owned()
    }

    /// Findings and errors: a list of diagnostics in JSON, with the files that they are about.
    #[wasm_bindgen(getter)]
    pub fn diagnostics(&self) -> String {
        Value::from(self.diagnostics.clone()).to_string()
    }

    /// Notes on the work, a sentence each.
    #[wasm_bindgen(getter)]
    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Bytes that were asked for.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Vec<u8> {
        self.body.clone()
    }
}

impl Answer {
    fn diagnose(&mut self, file: &str, diagnostic: json::Diagnostic) {
        self.diagnostics.push(object!({ "file": file, "diagnostic": diagnostic }));
    }
}

impl Output for Answer {
    fn row(&mut self, row: &dyn Row) -> Result<()> {
        row.write(&mut self.rows)?;
        self.rows.push(b'\n');
        Ok(())
    }

    fn body(&mut self, _: &str, bytes: &[u8]) -> Result<()> {
        self.body.extend(bytes);
        Ok(())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        self.diagnose(file, json::finding(finding));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.diagnose(file, json::diagnostic(Severity::Error, error));
    }

    fn note(&mut self, text: &str) {
        self.notes.push(text.to_owned());
    }

    fn instead(&mut self, text: &'static str) {
        self.notes.push(text.to_owned());
    }

    fn form(&self) -> RowForm {
        RowForm::Json
    }
}
