//! Who may ask: the page that this server serves, in a browser of this machine, and nobody else.

use crate::calls::Calls;
use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use spelunk::{Error, Result};
use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use subtle::ConstantTimeEq;
use tokio::time::sleep;

/// What the page may load: itself, and what it made. Nothing may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; \
    media-src blob:; connect-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Number of random bytes of a token.
const TOKEN_LEN: usize = 32;

/// The token, the hosts that the server answers under, and when it was asked last.
#[derive(Debug)]
pub struct Guard {
    token: String,
    hosts: [String; 2],
    asked: Mutex<Instant>,
}

impl Guard {
    /// The guard of a server at this port, with a new token.
    ///
    /// # Errors
    /// Where the system has no random numbers.
    pub fn new(port: u16) -> Result<Guard> {
        let mut random = [0; TOKEN_LEN];
        getrandom::fill(&mut random).map_err(|error| Error::io(io::Error::other(error)))?;
        let token = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        Ok(Guard { token, hosts, asked: Mutex::new(Instant::now()) })
    }

    /// The address of the page. The token stands in the fragment, which browsers send to nobody.
    pub fn address(&self, file: Option<&str>) -> String {
        let [host, _] = &self.hosts;
        let file = file.map(|file| format!("&file={}", utf8_percent_encode(file, ESCAPED)));
        format!("http://{host}/#token={}{}", self.token, file.unwrap_or_default())
    }

    /// Whether the request came by a name of this server: another one may be somebody else's, who had it lead here.
    fn knows_host(&self, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        host.is_some_and(|host| self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host)))
    }

    /// Whether no other site asks.
    fn knows_origin(&self, headers: &HeaderMap) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        origins.all(|origin| {
            let host = origin.to_str().ok().and_then(|origin| origin.strip_prefix("http://"));
            host.is_some_and(|host| self.hosts.iter().any(|known| known == host))
        })
    }

    /// Whether whoever asks was given the address.
    fn knows_token(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(header::AUTHORIZATION).and_then(|given| given.to_str().ok());
        let given = given.and_then(|given| given.strip_prefix("Bearer "));
        given.is_some_and(|given| given.as_bytes().ct_eq(self.token.as_bytes()).into())
    }

    fn touch(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Returns when nobody asked for so long, and no call runs.
    pub async fn wait_for_idle(&self, idle: Duration, calls: &Calls) {
        loop {
            let asked = *self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            let left = idle.saturating_sub(asked.elapsed());
            if left.is_zero() && !calls.is_busy() {
                return;
            }
            if left.is_zero() {
                self.touch();
            }
            sleep(left.max(Duration::from_millis(100))).await;
        }
    }
}

/// What is escaped of text in a fragment: everything but letters, digits, and what paths are made of.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');

/// Lets nobody in but the page.
pub async fn watch(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let is_call = request.uri().path().starts_with("/api/");
    let mut response = if !guard.knows_host(headers) || !guard.knows_origin(headers) {
        (StatusCode::FORBIDDEN, "This server answers its own page alone.\n").into_response()
    } else if is_call && !guard.knows_token(headers) {
        let text = "The token is missing or wrong: open the address that `spelunk view` printed.\n";
        (StatusCode::UNAUTHORIZED, text).into_response()
    } else {
        guard.touch();
        next.run(request).await
    };
    response.headers_mut().extend(HEADERS);
    response
}
