//! Requests to a server of this machine, as plain as they can be, and a [server] that answers as badly as it is told to.

use std::{
    fmt::Write as _,
    io::{self, Read, Write},
    net::TcpStream,
};

pub mod server;
mod uploads;

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// Status of the answer: 200 where all is well.
    pub status: u16,
    /// The lines between the status and the body.
    pub head: String,
    /// The bytes that were asked for.
    pub body: Vec<u8>,
}

/// Begins a request, whose answer comes by the stream. In this old version of the protocol it ends with the connection. A `Host` that
/// is not among the headers is `host`.
///
/// # Errors
/// When nobody listens there.
pub fn begin(
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<TcpStream> {
    let mut head = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
    let own = [("Host", host)];
    let own = own.iter().filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
    for (name, value) in own.chain(headers) {
        write!(head, "{name}: {value}\r\n").map_err(io::Error::other)?;
    }
    let mut stream = TcpStream::connect(host)?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"\r\n")?;
    stream.write_all(body)?;
    Ok(stream)
}

/// Makes a request and returns the whole answer.
///
/// # Errors
/// When nobody listens there, or what comes is no answer.
pub fn ask(
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    begin(host, method, path, headers, body)?.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.ok_or_else(|| io::Error::other("an answer without an end of its head"))?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let status = status.ok_or_else(|| io::Error::other(head.clone()))?;
    Ok(Answer { status, head, body: bytes.split_off(end + 4) })
}
