//! A finished document, and the files that it becomes.

use super::model::Root;
use spelunk_core::Result;
use std::io::{self, Write};

/// A glTF document and its one buffer.
#[derive(Debug)]
pub struct Gltf {
    pub(super) root: Root,
    pub(super) bin: Vec<u8>,
}

/// A chunk of a `.glb` file.
fn chunk(kind: &[u8; 4], content: &[u8], fill: u8, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&padded(content.len()).to_le_bytes())?;
    out.write_all(kind)?;
    out.write_all(content)?;
    out.write_all(&vec![fill; content.len().wrapping_neg() & 3])
}

/// A length with what fills it up to whole dwords. Buffers are far smaller than 4 GiB: the budget sees to that.
fn padded(len: usize) -> u32 {
    u32::try_from(len.next_multiple_of(4)).unwrap_or(u32::MAX)
}

impl Gltf {
    /// Writes it as one `.glb` file.
    ///
    /// # Errors
    /// What `out` gives.
    pub fn write_glb(&self, out: &mut dyn Write) -> Result<()> {
        let json = serde_json::to_vec(&self.root).map_err(io::Error::other)?;
        let bin = if self.bin.is_empty() { 0 } else { 8 + padded(self.bin.len()) };
        let len = (12 + 8 + padded(json.len())).saturating_add(bin);
        out.write_all(b"glTF")?;
        out.write_all(&2_u32.to_le_bytes())?;
        out.write_all(&len.to_le_bytes())?;
        chunk(b"JSON", &json, b' ', out)?;
        if !self.bin.is_empty() {
            chunk(b"BIN\0", &self.bin, 0, out)?;
        }
        Ok(())
    }

    /// The text of a `.gltf` file, whose buffer is in a file of this name, and the content of that file.
    ///
    /// # Errors
    /// None that is known.
    pub fn into_files(mut self, bin_name: &str) -> Result<(Vec<u8>, Vec<u8>)> {
        for buffer in &mut self.root.buffers {
            buffer.uri = Some(percent_encoded(bin_name));
        }
        let mut json = serde_json::to_vec_pretty(&self.root).map_err(io::Error::other)?;
        json.push(b'\n');
        Ok((json, self.bin))
    }
}

/// A file name as a relative URI.
fn percent_encoded(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
