//! Whether bytes are a chunk that an object of its class, or a manager, saves.

use super::{File, data::Owner};
use crate::chunk::read::ObjRef;
use crate::{
    chunk::{Chunk, Form, bitmap::image::ImageFormat},
    class::{self, Value, fresh},
    codec::{Saved, read::Reader},
    codes,
    refs::ValueReferences,
};
use spelunk_core::{
    Bytes, Error, Result, Span, Task,
    finding::{Collect, Severity},
    place::Space,
};

/// The space of bytes that come from elsewhere.
const SOURCE: Space = Space::section("source");

/// Owner of the chunk that bytes are to be.
#[derive(Clone, Copy)]
pub(crate) enum ChunkOwner {
    /// Object of a class.
    Object(u32),
    /// Manager at a position.
    Manager(u32),
}

impl File {
    /// Checks that bytes are a chunk that its owner saves: of a generation that is known, of the class of the object, of
    /// sections that are as the class lays them out, with references to objects that are there.
    ///
    /// # Errors
    /// [`codes::NOT_ITS_CHUNK`] with what they are instead; those of [`File::records`]; limits.
    pub fn check_chunk_bytes(
        &self,
        owner: Owner,
        bytes: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let kind = match owner {
            Owner::Object(index) => ChunkOwner::Object(self.class_of(index).unwrap_or_default()),
            Owner::Manager(index) => ChunkOwner::Manager(index),
        };
        self.check_kind(kind, bytes, task)
    }

    /// The same for the chunk of an object to come.
    pub(crate) fn check_kind(
        &self,
        kind: ChunkOwner,
        bytes: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let chunk = match kind {
            ChunkOwner::Object(id) => format!("a chunk of {}", self.class_name(id)),
            ChunkOwner::Manager(_) => "a chunk of the manager".to_owned(),
        };
        let wanted = match kind {
            ChunkOwner::Object(class::TEXTURE | class::MESH) => format!(
                "{chunk} (a picture or a model goes in with `spelunk import SOURCE --into FILE --replace PATH`, any \
                 bytes with `--raw`)"
            ),
            _ => format!("{chunk} (any bytes go in with `--raw`)"),
        };
        let refuse = |found: String| {
            Err(Error::new(&codes::NOT_ITS_CHUNK).expected(wanted.clone()).found(found))
        };
        if bytes.is_empty() {
            return refuse("no bytes, of which engines make no object".to_owned());
        }
        let at = Span::new(SOURCE, 0, bytes.len() as u64);
        let chunk = match (kind, self.head.version()) {
            (ChunkOwner::Object(class_id), 0..=3) => Chunk::bare(class_id, bytes, at),
            _ => match Chunk::read(bytes, at) {
                Ok(chunk) if !chunk.is_opaque() && chunk.rest.is_empty() => chunk,
                Ok(_) => return refuse(described(bytes, None)),
                Err(error) => return refuse(described(bytes, Some(&error))),
            },
        };
        let value = match kind {
            ChunkOwner::Object(class_id) => {
                // Generation C stores eight bits of it.
                let bits = if chunk.form == Form::C { 0xFF } else { u32::MAX };
                // Below FileVersion 7 the chunk names the class.
                let named = self.head.version() < 7;
                let own = if named { class_id } else { fresh::chunk_class(class_id) };
                if chunk.class_id & bits != own & bits {
                    let class = class::name(chunk.class_id, self.head.product_build());
                    return refuse(format!("a chunk of {class}"));
                }
                Value::of_class(class_id)
            }
            ChunkOwner::Manager(index) => {
                let manager = self.records(&mut task.budget)?.managers.get(index as usize);
                manager.map(|manager| Value::of_manager(manager.guid)).unwrap_or_default()
            }
        };
        let mut sink = Collect::default();
        chunk.verify(&mut Task::new(task.budget.clone(), &mut sink))?;
        let is_error = |finding: &&spelunk_core::Finding| finding.severity == Severity::Error;
        if let Some(finding) = sink.findings.iter().find(is_error) {
            return refuse(finding.error.to_string());
        }
        let (mut saved, mut faults) = (Saved { value, ..Saved::default() }, Vec::new());
        Reader::read_into(&mut saved, &chunk, bytes, &mut faults, &mut task.budget)?;
        if let Some(fault) = faults.first() {
            return refuse(fault.to_string());
        }
        if let Some(rest) = saved.extras.as_ref().and_then(|extras| extras.rests.first()) {
            return refuse(format!(
                "{} dwords more than the class reads in section 0x{:x}",
                rest.content.data.len(),
                rest.identifier
            ));
        }
        let mut found = ValueReferences::default();
        saved.visit(&mut found)?;
        let count = self.table.objects.len();
        let out = |(_, reference): &&(_, ObjRef)| matches!(reference, ObjRef::Index(index) if *index as usize >= count);
        match found.all.iter().find(out) {
            Some((field, ObjRef::Index(index))) => refuse(format!(
                "object {index} as {}, in a file of {count} objects",
                field.name.replace('_', " ")
            )),
            _ => Ok(()),
        }
    }
}

/// Description of bytes that are no chunk, for errors.
fn described(bytes: &[u8], error: Option<&Error>) -> String {
    if let Some(format) = ImageFormat::sniff(bytes) {
        return format!("a picture ({})", format!("{format:?}").to_uppercase());
    }
    if bytes.starts_with(b"glTF") {
        return "a model (glTF)".to_owned();
    }
    match error {
        Some(error) => format!("{} bytes that are no chunk: {error}", bytes.len()),
        None => format!("{} bytes that are no chunk of a known generation", bytes.len()),
    }
}
