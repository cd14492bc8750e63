//! A server on 127.0.0.1 that knows ranges, tags, and the listings and uploads of S3, and has the faults that it is told to have.

use super::uploads::{self, Uploads};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    fmt::{self, Write as _},
    io::{self, BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    ops::Range,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// Longest time that a connection waits for its next request, and for a reader of its answer.
const IDLE: Duration = Duration::from_secs(20);

/// Number of lines of a head, and of requests of a connection, at the most.
const MANY: usize = 10_000;

/// A file of the server.
#[derive(Clone, Debug)]
pub struct ServedFile {
    /// All bytes of it.
    pub content: Vec<u8>,
    /// The `ETag` with its quotes, where there is one.
    pub tag: Option<String>,
    /// The `Last-Modified`, where there is one.
    pub modified: Option<String>,
    /// Whether parts of it are sent.
    pub has_ranges: bool,
    /// Whether conditions of requests are looked at.
    pub has_conditions: bool,
    /// The `Authorization` that is wanted.
    pub login: Option<String>,
}

impl ServedFile {
    /// A file as good servers have it.
    pub fn new(content: impl Into<Vec<u8>>) -> ServedFile {
        ServedFile {
            content: content.into(),
            tag: Some("\"1\"".to_owned()),
            modified: Some("Thu, 01 Jan 2026 00:00:00 GMT".to_owned()),
            has_ranges: true,
            has_conditions: true,
            login: None,
        }
    }
}

/// What is wrong with one answer.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// It has this status and no file.
    Status(u16),
    /// It comes later.
    Slow(Duration),
    /// The connection ends after so many bytes of the body.
    Cut(usize),
    /// The range is another one than was asked for.
    OtherRange,
    /// The body has no end.
    Endless,
    /// It begins and does not go on.
    Silent(Duration),
    /// The file is this one before the request is answered.
    Changed(ServedFile),
    /// The connection ends before the body of the request was read.
    HangUp,
    /// It has status 503, and asks for so many seconds.
    Busy(u64),
    /// It leads elsewhere.
    Redirect(String),
}

/// A request that came, and what was answered.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// `GET` or another method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers with names in small letters.
    pub headers: HashMap<String, String>,
    /// Status of the answer.
    pub status: u16,
    /// Number of bytes of its body that were sent.
    pub sent: u64,
}

#[derive(Default)]
struct State {
    files: BTreeMap<String, ServedFile>,
    uploads: Uploads,
    faults: HashMap<String, VecDeque<Fault>>,
    asked: Vec<Asked>,
    page: usize,
}

/// A server that ends when it is dropped.
pub struct Server {
    /// Where it listens, as `127.0.0.1:PORT`.
    pub host: String,
    state: Arc<Mutex<State>>,
    is_over: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("host", &self.host).finish_non_exhaustive()
    }
}

impl Server {
    /// Starts a server without files.
    ///
    /// # Errors
    /// When it cannot listen.
    pub fn start() -> io::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let host = listener.local_addr()?.to_string();
        let state = Arc::new(Mutex::new(State { page: 1000, ..State::default() }));
        let is_over = Arc::new(AtomicBool::new(false));
        let (shared, over) = (state.clone(), is_over.clone());
        let listener = thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (state, over) = (shared.clone(), over.clone());
                // Whoever does not read ends the connection.
                thread::spawn(move || stream.and_then(|stream| serve(&stream, &state, &over)));
            }
        });
        Ok(Server { host, state, is_over, listener: Some(listener) })
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// Puts a file at a path.
    pub fn put(&self, path: &str, file: ServedFile) {
        locked(&self.state).files.insert(path.to_owned(), file);
    }

    /// The content of the file at a path.
    pub fn content(&self, path: &str) -> Option<Vec<u8>> {
        locked(&self.state).files.get(path).map(|file| file.content.clone())
    }

    /// Number of uploads in parts that were begun and neither completed nor aborted.
    pub fn uploads(&self) -> usize {
        locked(&self.state).uploads.open()
    }

    /// The faults of the next answers about a path, one for each.
    pub fn fail(&self, path: &str, faults: impl IntoIterator<Item = Fault>) {
        let mut state = locked(&self.state);
        state.faults.entry(path.to_owned()).or_default().extend(faults);
    }

    /// Number of objects on a page of a listing.
    pub fn set_page(&self, size: usize) {
        locked(&self.state).page = size.max(1);
    }

    /// The requests since this was asked before.
    pub fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut locked(&self.state).asked)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // The one who waits for connections sees it with the next one.
        drop(TcpStream::connect(&self.host));
        if let Some(listener) = self.listener.take() {
            drop(listener.join());
        }
    }
}

fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer that is about to be sent.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
    pub(super) fault: Fault,
}

impl Reply {
    pub(super) fn empty(status: u16) -> Reply {
        Reply { status, headers: Vec::new(), body: Vec::new(), fault: Fault::None }
    }
}

fn serve(stream: &TcpStream, state: &Mutex<State>, is_over: &AtomicBool) -> io::Result<()> {
    stream.set_read_timeout(Some(IDLE))?;
    stream.set_write_timeout(Some(IDLE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    for _ in 0..MANY {
        let Some(mut asked) = request(&mut reader)? else { return Ok(()) };
        if is_over.load(Ordering::Relaxed) {
            return Ok(());
        }
        let path = asked.target.split('?').next().unwrap_or_default().to_owned();
        let fault = locked(state).faults.get_mut(&path).and_then(VecDeque::pop_front);
        let fault = fault.unwrap_or(Fault::None);
        if let Fault::HangUp = fault {
            locked(state).asked.push(asked);
            return Ok(());
        }
        let length = asked.headers.get("content-length").and_then(|length| length.parse().ok());
        let mut body = vec![0; length.unwrap_or_default()];
        reader.read_exact(&mut body)?;
        let reply = reply(&asked, body, fault, &mut locked(state));
        asked.status = reply.status;
        let is_head = asked.method == "HEAD";
        let place = {
            let mut state = locked(state);
            state.asked.push(asked);
            state.asked.len() - 1
        };
        let mut note = |sent: u64| {
            if let Some(asked) = locked(state).asked.get_mut(place) {
                asked.sent += sent;
            }
        };
        if !send(stream, &reply, is_head, &mut note)? {
            return Ok(());
        }
    }
    Ok(())
}

/// The next request of a connection; `None` at its end.
fn request(reader: &mut impl BufRead) -> io::Result<Option<Asked>> {
    let mut asked = Asked::default();
    for nth in 0..MANY {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end() {
            "" => return Ok(Some(asked)),
            line if nth == 0 => {
                let mut words = line.split(' ').map(str::to_owned);
                asked.method = words.next().unwrap_or_default();
                asked.target = words.next().unwrap_or_default();
            }
            line => {
                let (name, value) = line.split_once(':').unwrap_or((line, ""));
                asked.headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
            }
        }
    }
    Ok(None)
}

fn reply(asked: &Asked, body: Vec<u8>, fault: Fault, state: &mut State) -> Reply {
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    match &fault {
        Fault::Status(status) => {
            return Reply { body: b"<Error>no</Error>".to_vec(), ..Reply::empty(*status) };
        }
        Fault::Busy(seconds) => {
            return Reply {
                headers: vec![("Retry-After", seconds.to_string())],
                ..Reply::empty(503)
            };
        }
        Fault::Redirect(to) => {
            return Reply { headers: vec![("Location", to.clone())], ..Reply::empty(302) };
        }
        Fault::Changed(file) => drop(state.files.insert(path.to_owned(), file.clone())),
        _ => {}
    }
    if let "PUT" | "POST" | "DELETE" = &*asked.method {
        let reply = uploads::reply(asked, body, &mut state.uploads, &mut state.files);
        return Reply { fault, ..reply };
    }
    if query.split('&').any(|pair| pair == "list-type=2") {
        return Reply { body: listing(path, query, state).into_bytes(), ..Reply::empty(200) };
    }
    match state.files.get(path) {
        Some(file) => Reply { fault, ..of_file(asked, file) },
        None => Reply::empty(404),
    }
}

fn of_file(asked: &Asked, file: &ServedFile) -> Reply {
    let header = |name: &str| asked.headers.get(name);
    if file.login.is_some() && header("authorization") != file.login.as_ref() {
        return Reply::empty(401);
    }
    let is_other = |name: &str, own: &Option<String>| {
        header(name).is_some_and(|wanted| own.as_ref() != Some(wanted) || wanted.starts_with("W/"))
    };
    let refused =
        is_other("if-match", &file.tag) || is_other("if-unmodified-since", &file.modified);
    if file.has_conditions && refused {
        return Reply::empty(412);
    }
    let mut reply = Reply::empty(200);
    reply.headers.extend(file.tag.clone().map(|tag| ("ETag", tag)));
    reply.headers.extend(file.modified.clone().map(|time| ("Last-Modified", time)));
    let len = file.content.len();
    let range = header("range").filter(|_| file.has_ranges);
    let Some(range) = range.and_then(|range| asked_range(range, len)) else {
        reply.body.clone_from(&file.content);
        return reply;
    };
    if range.is_empty() {
        return Reply {
            headers: vec![("Content-Range", format!("bytes */{len}"))],
            ..Reply::empty(416)
        };
    }
    reply.status = 206;
    let text = format!("bytes {}-{}/{len}", range.start, range.end - 1);
    reply.headers.push(("Content-Range", text));
    reply.body = file.content[range].to_vec();
    reply
}

/// The range that a header asks for; an empty one where the file has no such bytes.
fn asked_range(header: &str, len: usize) -> Option<Range<usize>> {
    let (start, last) = header.strip_prefix("bytes=")?.split_once('-')?;
    let start: usize = start.parse().ok()?;
    let end = if last.is_empty() { len } else { last.parse::<usize>().ok()? + 1 };
    Some(start.min(len)..end.min(len))
}

/// Sends an answer; whether the connection goes on.
fn send(
    mut stream: &TcpStream,
    reply: &Reply,
    is_head: bool,
    sent: &mut dyn FnMut(u64),
) -> io::Result<bool> {
    if let Fault::Slow(time) = reply.fault {
        thread::sleep(time);
    }
    let mut head = format!("HTTP/1.1 {} It\r\n", reply.status);
    let write = |head: &mut String, name: &str, value: &str| {
        let value = match (name, &reply.fault) {
            ("Content-Range", Fault::OtherRange) => "bytes 1-1/1000000",
            _ => value,
        };
        write!(head, "{name}: {value}\r\n").map_err(io::Error::other)
    };
    for (name, value) in &reply.headers {
        write(&mut head, name, value)?;
    }
    if let Fault::Endless = reply.fault {
        head.push_str("Transfer-Encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        // Whoever reads on gets 64 MiB, and not more than a test can bear.
        for _ in 0..1024 {
            stream.write_all(b"10000\r\n")?;
            stream.write_all(&[7; 0x10000])?;
            stream.write_all(b"\r\n")?;
            sent(0x10000);
        }
        return Ok(false);
    }
    write(&mut head, "Content-Length", &reply.body.len().to_string())?;
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if is_head {
        return Ok(true);
    }
    let end = match reply.fault {
        Fault::Cut(len) => len.min(reply.body.len()),
        Fault::Silent(_) => 0,
        _ => reply.body.len(),
    };
    // It is counted before it is seen.
    sent(end as u64);
    stream.write_all(&reply.body[..end])?;
    if let Fault::Silent(time) = reply.fault {
        thread::sleep(time);
    }
    Ok(end == reply.body.len())
}

/// A page of the objects of a bucket, as version 2 of the listings of S3 has them.
fn listing(bucket: &str, query: &str, state: &State) -> String {
    let value = |name: &str| {
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| decoded(value))
    };
    let (prefix, delimiter) = (value("prefix").unwrap_or_default(), value("delimiter"));
    let after = value("continuation-token").unwrap_or_default();
    let start = format!("{}/", bucket.trim_end_matches('/'));
    let (mut objects, mut prefixes, mut next) = (String::new(), BTreeSet::new(), None);
    let mut count = 0;
    for (path, file) in &state.files {
        let path = decoded(path);
        let Some(key) = path.strip_prefix(&start) else { continue };
        let Some(rest) = key.strip_prefix(&prefix).filter(|_| key > after.as_str()) else {
            continue;
        };
        if let Some((folder, _)) = delimiter.as_ref().and_then(|it| rest.split_once(it.as_str())) {
            prefixes.insert(format!("{prefix}{folder}/"));
            continue;
        }
        if count == state.page {
            break;
        }
        count += 1;
        next = Some(key.to_owned());
        let (size, tag) = (file.content.len(), file.tag.clone().unwrap_or_default());
        let _ = write!(
            objects,
            "<Contents><Key>{}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
             <ETag>{}</ETag><Size>{size}</Size></Contents>",
            escaped(key),
            escaped(&tag)
        );
    }
    let next = next.filter(|_| count == state.page);
    let token =
        next.map(|key| format!("<NextContinuationToken>{}</NextContinuationToken>", escaped(&key)));
    let folders: String = prefixes
        .iter()
        .map(|prefix| {
            format!("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", escaped(prefix))
        })
        .collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult>\
         <IsTruncated>{}</IsTruncated>{}{objects}{folders}</ListBucketResult>",
        token.is_some(),
        token.unwrap_or_default()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Text without the escapes of addresses.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escape = after.get(..2).filter(|_| *first == b'%');
        let escape = escape.and_then(|two| std::str::from_utf8(two).ok());
        match escape.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
