//! The server of the page, asked as the page asks it and as nobody should.

mod guard;
mod store;
mod verbs;

use serde_json::Value;
use spelunk::verbs::{FileName, Session};
use spelunk_view::{Server, Settings, Stop};
use std::{
    path::Path,
    thread::{self, JoinHandle},
};
use test_support::http::{self, Answer};

/// A server that runs until this is dropped.
struct Running {
    host: String,
    token: String,
    /// What stands in the fragment behind the token.
    rest: String,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn of(settings: Settings) -> Running {
        Running::with(settings, Session::new)
    }

    fn with(
        settings: Settings,
        session: impl FnOnce(spelunk_view::Confined) -> Session,
    ) -> Running {
        let server = Server::bind(&settings, session).unwrap();
        let address = server.address();
        let (host, fragment) =
            address.strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
        let (token, rest) = fragment.split_at(fragment.find('&').unwrap_or(fragment.len()));
        let (host, token, rest) = (host.to_owned(), token.to_owned(), rest.to_owned());
        let stop = server.stop();
        let thread = Some(thread::spawn(|| server.run().unwrap()));
        Running { host, token, rest, stop, thread }
    }

    /// A request with the token.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let token = format!("Bearer {}", self.token);
        http::ask(&self.host, method, path, &[("Authorization", &token)], body).unwrap()
    }

    /// JSON that came of a request.
    fn json(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.ask(method, path, body.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }

    /// The lines of a call without bodies.
    fn lines(&self, verb: &str, request: &Value) -> Vec<Value> {
        let path = format!("/api/call/{verb}");
        let answer = self.ask("POST", &path, request.to_string().as_bytes());
        assert_eq!(answer.status, 200);
        let lines = answer.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    /// The code of the first diagnostic of a call.
    fn refusal(&self, verb: &str, request: &Value) -> Option<String> {
        let lines = self.lines(verb, request);
        let diagnostic = lines.iter().find_map(|line| line.get("diagnostic"))?;
        Some(diagnostic["code"].as_str()?.to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        self.thread.take().into_iter().for_each(|it| it.join().unwrap());
    }
}

fn settings(subject: &Path) -> Settings {
    Settings { subject: FileName::from(subject), ..Settings::default() }
}
