//! The way of requests to servers: each is counted, none waits for ever, and no answer is longer than was asked for.

use crate::{
    exchange::{Exchange, Shared},
    traffic::{Failure, Traffic},
};
use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::{
    HeaderValue, StatusCode,
    header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_RANGE, RANGE, RETRY_AFTER},
};
use http_body::{Body, Frame, SizeHint};
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
        HttpResponseBody, HttpService, ReqwestConnector,
    },
};
use reqwest::redirect::Policy;
use std::{
    error::Error as StdError,
    fmt,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, Once, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

/// Number of bytes of an answer without success that are looked at.
const REASON: u64 = 16 << 10;

/// Number of bytes of a page of a listing, or of an answer with credentials, at the most.
const PAGE: u64 = 64 << 20;

/// Number of bytes of a request for which an answer may come that much later.
const SENT: u64 = 1 << 20;

/// Makes the clients of stores, all of which count into one account.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    pub(crate) traffic: Arc<Traffic>,
    pub(crate) patience: Duration,
    /// Whether the service of the virtual machine may be asked for credentials.
    pub(crate) asks_instance: bool,
    /// The client of web servers; stores have clients with the settings of their own.
    pub(crate) client: Option<HttpClient>,
}

impl Transport {
    /// The same for web servers.
    ///
    /// # Errors
    /// When no certificates can be found.
    pub(crate) fn for_web(&self, tls: bool, proxies: bool) -> Result<Transport, reqwest::Error> {
        provide_cryptography();
        let mut builder = reqwest::Client::builder()
            .connect_timeout(self.patience.min(Duration::from_secs(10)))
            .https_only(tls)
            .user_agent(concat!("spelunk/", env!("CARGO_PKG_VERSION")));
        if !proxies {
            builder = builder.no_proxy();
        }
        if !self.asks_instance {
            // A server must not lead there either.
            builder = builder.redirect(Policy::custom(|attempt| {
                match attempt.url().host_str().is_some_and(is_instance_service) {
                    true => attempt.error("a redirection to the credentials of a virtual machine"),
                    false => Policy::default().redirect(attempt),
                }
            }));
        }
        Ok(Transport { client: Some(HttpClient::new(builder.build()?)), ..self.clone() })
    }
}

/// Whether a host is the service that gives virtual machines their credentials.
fn is_instance_service(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(['.', ']']);
    ["169.254.169.254", "fd00:ec2::254", "metadata.google.internal", "metadata"]
        .iter()
        .any(|service| host.eq_ignore_ascii_case(service))
}

/// Lets TLS stand on the library that this crate is built with, unless the program has chosen one.
pub(crate) fn provide_cryptography() {
    static PROVIDED: Once = Once::new();
    PROVIDED.call_once(|| {
        // An error means that there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

impl HttpConnector for Transport {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        provide_cryptography();
        let client = match &self.client {
            Some(client) => client.clone(),
            None => ReqwestConnector::default().connect(options)?,
        };
        let (traffic, patience) = (self.traffic.clone(), self.patience);
        let (asks_instance, not_before) = (self.asks_instance, Mutex::new(Instant::now()));
        Ok(HttpClient::new(Service { client, traffic, patience, asks_instance, not_before }))
    }
}

/// A client that counts.
#[derive(Debug)]
struct Service {
    client: HttpClient,
    traffic: Arc<Traffic>,
    patience: Duration,
    asks_instance: bool,
    not_before: Mutex<Instant>,
}

#[async_trait]
impl HttpService for Service {
    async fn call(&self, mut request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let exchange = request.extensions().get::<Shared>().map(|shared| shared.0.clone());
        let watch = Watch { exchange, traffic: self.traffic.clone() };
        if let Some(exchange) = &watch.exchange {
            let mut seen = exchange.seen();
            (seen.failure, seen.content_range) = (None, None);
            if let Some(uri) = &exchange.uri {
                *request.uri_mut() = uri.clone();
            }
            if let Some(login) = &exchange.login {
                request.headers_mut().insert(AUTHORIZATION, login.clone());
            }
        }
        if !self.asks_instance && request.uri().host().is_some_and(is_instance_service) {
            return Err(watch.fail(Failure::Instance, HttpErrorKind::Unknown));
        }
        let range = request.headers().get(RANGE).cloned();
        let sent = request.body().content_length() as u64;
        // The server that asked for some time gets it from all who ask it.
        sleep_until(self.not_before()).await;
        self.traffic
            .request(sent)
            .map_err(|failure| watch.fail(failure, HttpErrorKind::Unknown))?;
        // What is sent takes its time, too.
        let pieces = u32::try_from(sent.div_ceil(SENT)).unwrap_or(u32::MAX);
        let patience = self.patience.saturating_mul(pieces.saturating_add(1));
        let answer = timeout(patience, self.client.execute(request)).await;
        let answer = answer.map_err(|_| watch.silence())?.map_err(|error| watch.broken(error))?;
        let status = answer.status();
        self.note_pause(&answer);
        let content_range =
            answer.headers().get(CONTENT_RANGE).and_then(|value| value.to_str().ok());
        let (content_range, size) = (content_range.map(str::to_owned), answer.body().size_hint());
        if let Some(exchange) = &watch.exchange {
            exchange.seen().content_range = content_range.clone();
        }
        let limit = match (status.is_success(), status, &range, &content_range) {
            (false, ..) => Limit::Cut(REASON),
            (_, StatusCode::OK, Some(range), _) => {
                return self.whole(answer, range, watch).await;
            }
            (_, StatusCode::PARTIAL_CONTENT, _, Some(range)) => {
                Limit::Refuse(span(range).map_or(0, |(start, end)| end - start))
            }
            _ => Limit::Refuse(PAGE),
        };
        if !status.is_success() {
            watch.note(Failure::Status(status.as_u16()));
        }
        let (mut head, body) = answer.into_parts();
        // Some servers send parts in chunks, and say nowhere else how long they are.
        if let (Limit::Refuse(len), None) = (&limit, head.headers.get(CONTENT_LENGTH)) {
            head.headers.insert(CONTENT_LENGTH, size.exact().unwrap_or(*len).into());
        }
        let body = Metered::new(body, limit, watch, self.patience);
        Ok(HttpResponse::from_parts(head, HttpResponseBody::new(body)))
    }
}

impl Service {
    /// The time before which the server wants no request.
    fn not_before(&self) -> Instant {
        *self.not_before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of how long a busy server asks to be left alone. Nobody waits for longer than for an answer.
    fn note_pause(&self, answer: &HttpResponse) {
        let is_busy = [StatusCode::SERVICE_UNAVAILABLE, StatusCode::TOO_MANY_REQUESTS]
            .contains(&answer.status());
        let seconds = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        if let Some(seconds) = seconds.and_then(|text| text.trim().parse().ok()).filter(|_| is_busy)
        {
            let pause = Duration::from_secs(seconds).min(self.patience);
            let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
            *not_before = (*not_before).max(Instant::now() + pause);
        }
    }

    /// Takes in a whole file from a server that sends no parts, and answers with the part.
    async fn whole(
        &self,
        answer: HttpResponse,
        range: &HeaderValue,
        watch: Watch,
    ) -> Result<HttpResponse, HttpError> {
        let most = watch.exchange.as_ref().map_or(PAGE, |exchange| exchange.most);
        let (mut head, body) = answer.into_parts();
        if body.size_hint().lower() > most {
            return Err(watch.fail(Failure::TooLarge(most), HttpErrorKind::Unknown));
        }
        let body = Metered::new(body, Limit::Refuse(u64::MAX), watch.clone(), self.patience);
        let mut frames = HttpResponseBody::new(body).bytes_stream();
        let mut whole = BytesMut::new();
        while let Some(bytes) = frames.next().await {
            whole.extend_from_slice(&bytes?);
            if whole.len() as u64 > most {
                return Err(watch.fail(Failure::TooLarge(most), HttpErrorKind::Unknown));
            }
        }
        let whole = whole.freeze();
        let len = whole.len() as u64;
        let asked = range.to_str().ok().and_then(asked);
        let (start, end) = asked.unwrap_or((0, len));
        let (start, end) = (start.min(len), end.min(len));
        if let Some(exchange) = &watch.exchange {
            exchange.seen().whole = Some(whole.clone());
        }
        let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        let part = whole.slice(index(start)..index(end));
        if part.is_empty() {
            // There is no range without a byte: that of an empty file is seen beside the answer.
            watch.note(Failure::Status(StatusCode::RANGE_NOT_SATISFIABLE.as_u16()));
            head.status = StatusCode::RANGE_NOT_SATISFIABLE;
            return Ok(HttpResponse::from_parts(head, HttpResponseBody::from(Bytes::new())));
        }
        head.status = StatusCode::PARTIAL_CONTENT;
        head.headers.insert(CONTENT_LENGTH, part.len().into());
        let range = HeaderValue::try_from(format!("bytes {start}-{}/{len}", end - 1));
        head.headers.insert(CONTENT_RANGE, range.map_err(|error| unknown(&error))?);
        Ok(HttpResponse::from_parts(head, HttpResponseBody::from(part)))
    }
}

/// The start and the end of a `Range` of one part.
fn asked(range: &str) -> Option<(u64, u64)> {
    let (start, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    Some((start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?))
}

/// The start and the end of a `Content-Range`.
fn span(range: &str) -> Option<(u64, u64)> {
    let (range, _) = range.trim().strip_prefix("bytes ")?.split_once('/')?;
    let (start, last) = range.split_once('-')?;
    let (start, end): (u64, u64) = (start.parse().ok()?, last.parse::<u64>().ok()?.checked_add(1)?);
    (start <= end).then_some((start, end))
}

/// Those who want to know what went wrong.
#[derive(Clone)]
struct Watch {
    exchange: Option<Arc<Exchange>>,
    traffic: Arc<Traffic>,
}

impl Watch {
    fn note(&self, failure: Failure) {
        match &self.exchange {
            Some(exchange) => exchange.seen().failure = Some(failure),
            None => self.traffic.note(failure),
        }
    }

    fn fail(&self, failure: Failure, kind: HttpErrorKind) -> HttpError {
        let text = format!("{failure:?}");
        self.note(failure);
        HttpError::new(kind, io::Error::other(text))
    }

    /// The error of a server that says nothing.
    fn silence(&self) -> HttpError {
        self.fail(Failure::Connection("no answer in time".to_owned()), HttpErrorKind::Timeout)
    }

    /// The error of a connection. Its innermost words are those of the system, and hold no address.
    fn broken(&self, error: HttpError) -> HttpError {
        let mut innermost: &dyn StdError = &error;
        while let Some(source) = innermost.source() {
            innermost = source;
        }
        self.note(Failure::Connection(innermost.to_string()));
        error
    }
}

fn unknown(error: &dyn fmt::Display) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, io::Error::other(error.to_string()))
}

/// What becomes of an answer that is longer than this.
#[derive(Clone, Copy)]
enum Limit {
    /// It ends there.
    Cut(u64),
    /// It is an error.
    Refuse(u64),
}

/// The body of an answer.
struct Metered {
    body: HttpResponseBody,
    limit: Limit,
    watch: Watch,
    patience: Duration,
    /// The time when nobody waits any longer for the next frame.
    alarm: Pin<Box<Sleep>>,
}

impl Metered {
    fn new(body: HttpResponseBody, limit: Limit, watch: Watch, patience: Duration) -> Metered {
        Metered { body, limit, watch, patience, alarm: Box::pin(sleep(patience)) }
    }

    /// Counts a frame.
    fn count(&mut self, len: u64) -> Result<bool, HttpError> {
        let counted = self.watch.traffic.body(len);
        counted.map_err(|failure| self.watch.fail(failure, HttpErrorKind::Unknown))?;
        match &mut self.limit {
            Limit::Cut(left) | Limit::Refuse(left) if *left >= len => *left -= len,
            Limit::Cut(_) => return Ok(false),
            Limit::Refuse(_) => {
                let failure = Failure::Answer("more bytes than the answer says".to_owned());
                return Err(self.watch.fail(failure, HttpErrorKind::Unknown));
            }
        }
        Ok(true)
    }
}

impl Body for Metered {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => {
                let patience = self.patience;
                self.alarm.as_mut().reset(Instant::now() + patience);
                let len = frame.data_ref().map_or(0, |data| data.len() as u64);
                Poll::Ready(match self.count(len) {
                    Ok(true) => Some(Ok(frame)),
                    Ok(false) => None,
                    Err(error) => Some(Err(error)),
                })
            }
            Poll::Ready(Some(Err(error))) => Poll::Ready(Some(Err(self.watch.broken(error)))),
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => match self.alarm.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(Some(Err(self.watch.silence()))),
                Poll::Pending => Poll::Pending,
            },
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self.limit {
            Limit::Refuse(_) => self.body.size_hint(),
            Limit::Cut(_) => SizeHint::new(),
        }
    }
}
