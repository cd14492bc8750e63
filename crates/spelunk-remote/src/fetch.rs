//! Parts of files, as servers send them.

use crate::{
    RemoteOptions,
    exchange::{Exchange, Shared},
    traffic::{Failure, Traffic},
};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use http::{Extensions, HeaderValue, StatusCode, Uri};
use object_store::{GetOptions, GetResult, ObjectMeta, ObjectStore, UpdateVersion, path::Path};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use std::{error::Error as StdError, ops::Range, sync::Arc, time::Duration};

/// A file of a store.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) key: Path,
    pub(crate) uri: Option<Uri>,
    pub(crate) login: Option<HeaderValue>,
    /// Number of bytes that are taken in from a server that sends no parts.
    pub(crate) most: u64,
    pub(crate) retries: usize,
    pub(crate) traffic: Arc<Traffic>,
}

/// The state of a file, by which it is known again.
#[derive(Clone, Debug)]
pub(crate) struct Stamp(ObjectMeta);

/// A part that came, or more.
pub(crate) struct Fetched {
    pub(crate) bytes: Bytes,
    pub(crate) stamp: Stamp,
    /// All of the file, where the server sends no parts.
    pub(crate) whole: Option<Bytes>,
}

impl Stamp {
    pub(crate) const fn len(&self) -> u64 {
        self.0.size
    }

    /// The time of the last change, where the server says it.
    pub(crate) fn modified(&self) -> Option<std::time::SystemTime> {
        self.is_dated().then(|| self.0.last_modified.into())
    }

    fn is_dated(&self) -> bool {
        self.0.last_modified.timestamp() != 0
    }

    /// The state as object stores take it that are to replace no other one.
    pub(crate) fn version(&self) -> UpdateVersion {
        UpdateVersion { e_tag: self.0.e_tag.clone(), version: self.0.version.clone() }
    }

    /// Tag, size and time as text.
    pub(crate) fn text(&self) -> String {
        let tag = self.0.e_tag.as_deref().unwrap_or_default();
        format!("{tag} {} {}", self.0.size, self.0.last_modified.timestamp())
    }

    /// Lets the server refuse when the file is another one. Weak tags are never equal there, so the time has to do.
    fn conditions(&self, mut options: GetOptions) -> GetOptions {
        match &self.0.e_tag {
            Some(tag) if !tag.starts_with("W/") => options.if_match = Some(tag.clone()),
            _ if self.is_dated() => options.if_unmodified_since = Some(self.0.last_modified),
            _ => {}
        }
        options
    }

    /// Compares with an answer, for servers that take no conditions.
    pub(crate) fn check(&self, now: &ObjectMeta) -> Result<()> {
        let same_tag = match (&self.0.e_tag, &now.e_tag) {
            (Some(before), Some(now)) => before == now,
            _ => self.0.last_modified == now.last_modified || !self.is_dated(),
        };
        match same_tag && self.0.size == now.size {
            true => Ok(()),
            false => Err(Error::new(&codes::REMOTE_CHANGED)),
        }
    }
}

impl Object {
    /// A part of the file, or all of it where it is shorter. With `stamp` the file is still the one of before.
    ///
    /// # Errors
    /// Those of the `REMOTE_` codes.
    pub(crate) async fn get(&self, range: Range<u64>, stamp: Option<&Stamp>) -> Result<Fetched> {
        let mut left = self.retries;
        loop {
            match self.once(range.clone(), stamp).await {
                // Stores make requests again; an answer that ends early is only theirs to mend where it has a tag.
                Err(error) if error.code() == &codes::REMOTE_CUT && left > 0 => {
                    left -= 1;
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                result => return result,
            }
        }
    }

    async fn once(&self, range: Range<u64>, stamp: Option<&Stamp>) -> Result<Fetched> {
        let exchange = Exchange::new(self.uri.clone(), self.login.clone(), self.most);
        let mut extensions = Extensions::new();
        extensions.insert(Shared(exchange.clone()));
        let options = GetOptions::new().with_range(Some(range)).with_extensions(extensions);
        let options = match stamp {
            Some(stamp) => stamp.conditions(options),
            None => options,
        };
        let answer = match self.store.get_opts(&self.key, options).await {
            Ok(answer) => answer,
            Err(error) => return self.without(&exchange, &error, stamp).await,
        };
        let meta = answer.meta.clone();
        if let Some(stamp) = stamp {
            stamp.check(&meta)?;
        }
        let bytes = self.body(answer, &exchange).await?;
        let whole = exchange.seen().whole.take();
        Ok(Fetched { bytes, stamp: Stamp(meta), whole })
    }

    /// The body of an answer, which is as long as it says.
    async fn body(&self, answer: GetResult, exchange: &Exchange) -> Result<Bytes> {
        let len = answer.range.end.saturating_sub(answer.range.start);
        let mut bytes = BytesMut::with_capacity(usize::try_from(len).unwrap_or_default());
        let mut stream = answer.into_stream();
        // What may follow is nobody's: whoever waits for the end of an answer may wait for ever.
        while (bytes.len() as u64) < len {
            let Some(next) = stream.next().await else { break };
            bytes.extend_from_slice(&next.map_err(|_| self.explain(exchange, true))?);
        }
        match bytes.len() as u64 == len {
            true => Ok(bytes.freeze()),
            false => Err(Error::new(&codes::REMOTE_CUT)
                .expected(format!("{len} bytes"))
                .found(format!("{}", bytes.len()))),
        }
    }

    /// What a request without an answer means: an empty file, which has no part, or an error.
    async fn without(
        &self,
        exchange: &Exchange,
        error: &object_store::Error,
        stamp: Option<&Stamp>,
    ) -> Result<Fetched> {
        let failure = exchange.seen().failure.clone();
        let is_outside = failure == Some(Failure::Status(416));
        if stamp.is_none() && is_outside {
            let whole = self.whole().await?;
            return Ok(whole);
        }
        let is_other = is_outside || failure == Some(Failure::Status(412));
        if is_other || matches!(error, object_store::Error::Precondition { .. }) {
            return Err(Error::new(&codes::REMOTE_CHANGED));
        }
        Err(self.explain(exchange, false))
    }

    /// All of an object that has no first byte.
    async fn whole(&self) -> Result<Fetched> {
        let exchange = Exchange::new(self.uri.clone(), self.login.clone(), self.most);
        let mut extensions = Extensions::new();
        extensions.insert(Shared(exchange.clone()));
        let options = GetOptions::new().with_extensions(extensions);
        let answer = self.store.get_opts(&self.key, options).await;
        let answer = answer.map_err(|_| self.explain(&exchange, false))?;
        match answer.meta.size {
            0 => Ok(Fetched {
                bytes: Bytes::new(),
                stamp: Stamp(answer.meta),
                whole: Some(Bytes::new()),
            }),
            // The server does not give the start of what is there.
            len => Err(Error::new(&codes::REMOTE_ANSWER)
                .expected(format!("the first of {len} bytes"))
                .found("416 Range Not Satisfiable")),
        }
    }

    /// The error of what the transport saw.
    fn explain(&self, exchange: &Exchange, is_begun: bool) -> Error {
        let mut seen = exchange.seen();
        match (seen.failure.take(), self.traffic.take_failure()) {
            (Some(Failure::Connection(why)), _) if is_begun => {
                Error::new(&codes::REMOTE_CUT).found(why)
            }
            (Some(failure), _) => failure.error(),
            // A request that is no question for a file was one for the right to ask.
            (None, Some(failure @ Failure::Instance)) => failure.error(),
            (None, Some(failure)) => {
                Error::new(&codes::REMOTE_SETTINGS).found(format!("no credentials: {failure}"))
            }
            (None, None) => {
                let range = seen.content_range.take();
                let found = range.map_or_else(
                    || "an answer without a range".to_owned(),
                    |range| format!("Content-Range: {range}"),
                );
                Error::new(&codes::REMOTE_ANSWER)
                    .expected("the bytes that were asked for")
                    .found(found)
            }
        }
    }
}

impl Failure {
    /// The error that says so.
    pub(crate) fn error(self) -> Error {
        let code = match &self {
            Failure::Status(_) => &codes::REMOTE_STATUS,
            Failure::Connection(_) => &codes::REMOTE_UNREACHABLE,
            Failure::Limit(_) => &codes::REMOTE_LIMIT,
            Failure::Answer(_) => &codes::REMOTE_ANSWER,
            Failure::Instance => &codes::REMOTE_SETTINGS,
            Failure::TooLarge(_) => &codes::REMOTE_WHOLE,
        };
        let error = Error::new(code);
        match self {
            Failure::Limit(limit) => error.expected(limit),
            Failure::TooLarge(most) => error
                .expected(format!("at most {most} bytes"))
                .found("a larger file, sent as a whole"),
            other => error.found(other.to_string()),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Status(status) => {
                let reason = StatusCode::from_u16(*status).ok();
                let reason = reason.and_then(|status| status.canonical_reason());
                write!(f, "{status} {}", reason.unwrap_or_default())
            }
            Failure::Connection(why) | Failure::Limit(why) | Failure::Answer(why) => {
                f.write_str(why)
            }
            Failure::Instance => write!(
                f,
                "no credentials: none are set, and the service of a virtual machine is asked for some only with {}=1",
                RemoteOptions::INSTANCE_CREDENTIALS
            ),
            Failure::TooLarge(most) => write!(f, "more than {most} bytes"),
        }
    }
}

/// The innermost words of an error, which are those of the system or of a library and repeat no address.
pub(crate) fn innermost(error: &dyn StdError) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
