//! Files of a real server on this machine, which answers well and badly.

mod faults;
mod reading;
mod stores;
mod writing;

use spelunk_core::Source;
use spelunk_open::files::{Disk, Files, Reading};
use spelunk_remote::{Remote, RemoteOptions};
use std::{sync::Arc, time::Duration};
use test_support::http::server::{ServedFile, Server};

/// Content in which no two parts of some size are alike.
fn content(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        bytes.extend(next());
    }
    bytes.truncate(len);
    bytes
}

/// Options under which a test that goes wrong ends soon. What the environment says of proxies is no part of a test.
fn options() -> RemoteOptions {
    RemoteOptions {
        patience: Duration::from_secs(5),
        retries: 2,
        proxies: false,
        ..RemoteOptions::default()
    }
}

fn files(options: RemoteOptions) -> Remote<Disk> {
    Remote::new(Disk, options)
}

/// A server with one file at `/file`.
fn serving(file: ServedFile) -> Server {
    let server = Server::start().unwrap();
    server.put("/file", file);
    server
}

fn open(files: &Remote<Disk>, server: &Server) -> spelunk_core::Result<Arc<dyn Source>> {
    files.open(&server.url("/file").into(), Reading::default())
}

/// The code of an error.
fn code<T>(result: spelunk_core::Result<T>) -> &'static str {
    result.err().expect("an error").code().id
}

fn read(source: &dyn Source, offset: u64, len: usize) -> spelunk_core::Result<Vec<u8>> {
    let mut buffer = vec![0; len];
    source.read_at(offset, &mut buffer)?;
    Ok(buffer)
}
