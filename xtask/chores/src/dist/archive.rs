//! Entries as archives whose bytes follow from the entries alone.

use flate2::{Compression, GzBuilder, write::DeflateEncoder};
use rawzip::{CompressionMethod, ZipArchiveWriter, time::UtcDateTime};
use std::io::{self, Write};

/// A file of an archive.
#[derive(Clone)]
pub struct Entry {
    /// Its path, with `/`.
    pub path: String,
    pub bytes: Vec<u8>,
    mode: u32,
}

impl Entry {
    /// A file to read.
    pub fn file(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { path: path.to_owned(), bytes, mode: 0o644 }
    }

    /// A file to run.
    pub fn program(path: &str, bytes: Vec<u8>) -> Entry {
        Entry { path: path.to_owned(), bytes, mode: 0o755 }
    }
}

/// A gzipped tar archive, all of one time and of no user.
pub fn tar_gz(entries: &[Entry], epoch: u64) -> io::Result<Vec<u8>> {
    let packed = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(packed);
    for entry in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(entry.bytes.len() as u64);
        header.set_mode(entry.mode);
        header.set_mtime(epoch);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, &entry.path, &*entry.bytes)?;
    }
    archive.into_inner()?.finish()
}

/// A zip archive, all of one time, which these hold in steps of two seconds.
pub fn zip(entries: &[Entry], epoch: u64) -> io::Result<Vec<u8>> {
    let time = UtcDateTime::from_unix(i64::try_from(epoch).map_err(io::Error::other)?);
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for entry in entries {
        let (mut file, data) = archive
            .new_file(&entry.path)
            .compression_method(CompressionMethod::DEFLATE)
            .last_modified(time)
            .unix_permissions(entry.mode)
            .start()
            .map_err(io::Error::other)?;
        let mut data = data.wrap(DeflateEncoder::new(&mut file, Compression::best()));
        data.write_all(&entry.bytes)?;
        let (packed, sums) = data.finish().map_err(io::Error::other)?;
        packed.finish()?;
        file.finish(sums).map_err(io::Error::other)?;
    }
    archive.finish().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn entries() -> Vec<Entry> {
        vec![Entry::file("a/README", b"read me".repeat(99)), Entry::program("a/run", vec![1, 2])]
    }

    #[test]
    fn tar_archives_hold_their_entries() {
        let bytes = tar_gz(&entries(), 1_700_000_000).unwrap();
        assert_eq!(bytes, tar_gz(&entries(), 1_700_000_000).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            assert_eq!(entry.header().mtime().unwrap(), 1_700_000_000);
            assert_eq!(entry.header().uid().unwrap(), 0);
            let path = entry.path().unwrap().to_str().unwrap().to_owned();
            found.push((path, entry.header().mode().unwrap(), bytes));
        }
        let wanted = entries().into_iter().map(|entry| (entry.path, entry.mode, entry.bytes));
        assert_eq!(found, wanted.collect::<Vec<_>>());
    }

    #[test]
    fn zip_archives_hold_their_entries() {
        let bytes = zip(&entries(), 1_700_000_000).unwrap();
        assert_eq!(bytes, zip(&entries(), 1_700_000_000).unwrap());
        let archive = rawzip::ZipArchive::from_slice(&bytes).unwrap();
        let mut found = Vec::new();
        for entry in archive.entries() {
            let entry = entry.unwrap();
            let at = archive.get_entry(entry.wayfinder()).unwrap();
            let mut bytes = Vec::new();
            let inflated = flate2::read::DeflateDecoder::new(at.data());
            at.verifying_reader(inflated).read_to_end(&mut bytes).unwrap();
            let path = String::from_utf8(entry.file_path().as_bytes().to_vec()).unwrap();
            found.push((path, entry.mode().permissions(), bytes));
        }
        let wanted = entries().into_iter().map(|entry| (entry.path, entry.mode, entry.bytes));
        assert_eq!(found, wanted.collect::<Vec<_>>());
    }
}
