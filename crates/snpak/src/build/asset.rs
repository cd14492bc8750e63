//! Assets as they are described to be stored.

use crate::{
    codes,
    compression::{Codec, Encoder, Preset},
    hash,
    index::{BulkEntry, Dependency, IndexEntry},
};
use bytes::Bytes;
use spelunk_core::{
    Error, Result,
    scalar::{Hash128, U32, Uuid},
};
use std::{
    fmt, fs,
    io::{self, Read},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// An asset to be stored.
#[derive(Debug)]
pub struct Asset {
    /// Key of the asset.
    pub id: Uuid,
    /// Id of the loader that the asset is for.
    pub kind: Uuid,
    /// Type of the main payload; the chunks of new bulk payloads have it too.
    pub payload_type: Uuid,
    /// Version of the payload's own format.
    pub schema_version: u32,
    /// Name of the asset, without NULs.
    pub name: Vec<u8>,
    /// Variant of the asset, without NULs. An empty one cannot be stored and counts as none.
    pub variant: Option<Vec<u8>>,
    /// The main payload.
    pub payload: Payload,
    /// The bulk payloads, in their order.
    pub bulk: Vec<Bulk>,
    /// Dependencies of the asset, in order.
    pub dependencies: Vec<Need>,
    /// Words that are stored besides and not understood.
    pub(crate) extra: Extra,
}

/// Bits and bytes of an entry that nothing is known of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extra {
    /// Entry flags but the one of bulk.
    pub(crate) flags: u8,
    /// High byte of the entry's level.
    pub(crate) level: u8,
    /// Last word of the dependency owner.
    pub(crate) owner: U32,
    /// The row of the base that it was made of.
    pub(crate) row: Option<u32>,
}

impl Asset {
    /// An asset without variant, bulk and dependencies, of null kind and type.
    pub fn new(id: Uuid, name: impl Into<Vec<u8>>, payload: Payload) -> Asset {
        Asset {
            id,
            kind: Uuid([0; 16]),
            payload_type: Uuid([0; 16]),
            schema_version: 0,
            name: name.into(),
            variant: None,
            payload,
            bulk: Vec::new(),
            dependencies: Vec::new(),
            extra: Extra::default(),
        }
    }

    /// The variant, where there is one that can be stored.
    pub fn stored_variant(&self) -> Option<&[u8]> {
        self.variant.as_deref().filter(|variant| !variant.is_empty())
    }

    /// Refuses what a pack cannot hold.
    ///
    /// # Errors
    /// [`codes::NAME_NUL`], [`codes::DEPENDENCY`].
    pub(crate) fn check(&self) -> Result<()> {
        let names = self.dependencies.iter().filter_map(|need| need.name.as_deref());
        let strings = [("name", Some(&*self.name)), ("variant", self.stored_variant())];
        let strings = strings.into_iter().filter_map(|(field, string)| Some((field, string?)));
        for (field, string) in strings.chain(names.map(|name| ("dependencies", name))) {
            if string.contains(&0) {
                return Err(self
                    .error(&codes::NAME_NUL)
                    .field(field)
                    .found(format!("\"{}\"", string.escape_ascii())));
            }
        }
        let wrong =
            self.dependencies.iter().find(|need| need.kind > crate::index::MAX_DEPENDENCY_KIND);
        wrong.map_or(Ok(()), |need| {
            let error = self.error(&codes::DEPENDENCY).field("dependencies");
            Err(error.expected("kind 0, 1 or 2").found(u32::from(need.kind)))
        })
    }

    /// An error that is within this asset.
    pub(crate) fn error(&self, code: &'static spelunk_core::Code) -> Error {
        self.locate(Error::new(code))
    }

    /// The asset once more; payloads that are still to be packed are empty in it.
    pub(crate) fn duplicate(&self) -> Asset {
        let bulk = |bulk: &Bulk| Bulk { payload: bulk.payload.duplicate(), ..*bulk };
        Asset {
            name: self.name.clone(),
            variant: self.variant.clone(),
            payload: self.payload.duplicate(),
            bulk: self.bulk.iter().map(bulk).collect(),
            dependencies: self.dependencies.clone(),
            ..*self
        }
    }

    /// Adds which asset an error is about.
    pub(crate) fn locate(&self, error: Error) -> Error {
        let name = String::from_utf8_lossy(&self.name).into_owned();
        error.within(spelunk_core::Seg::Key(name.into())).field("assets")
    }
}

/// A bulk payload of an asset.
#[derive(Debug)]
pub struct Bulk {
    /// 0 unknown, 1 level, 2 auxiliary, from 0x10000 on custom.
    pub semantic: u32,
    /// Level or number within the semantic.
    pub sub_index: u32,
    /// Bytes of the bulk payload.
    pub payload: Payload,
    pub(crate) reserved: [u8; 6],
}

impl Bulk {
    /// A bulk payload.
    pub const fn new(semantic: u32, sub_index: u32, payload: Payload) -> Bulk {
        Bulk { semantic, sub_index, payload, reserved: [0; 6] }
    }

    /// Makes a bulk payload of one that is stored in a pack already, of this asset.
    pub(crate) fn kept(entry: &BulkEntry, asset: &IndexEntry) -> Bulk {
        Bulk {
            semantic: entry.semantic.get(),
            sub_index: entry.sub_index.get(),
            payload: Payload(PayloadOrigin::Kept(StoredChunk::of_bulk(entry, asset))),
            reserved: entry.reserved0,
        }
    }
}

/// An asset that another one needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// Id of the asset that is needed.
    pub asset_id: Uuid,
    /// Name of the asset that is needed, where it is known; without NULs.
    pub name: Option<Vec<u8>>,
    /// 0 required, 1 optional, 2 auxiliary.
    pub kind: u8,
    pub(crate) reserved: [u8; 3],
}

impl Need {
    /// A need of the asset with this id.
    pub const fn new(asset_id: Uuid, name: Option<Vec<u8>>, kind: u8) -> Need {
        Need { asset_id, name, kind, reserved: [0; 3] }
    }

    pub(crate) fn kept(stored: &Dependency, name: Option<&[u8]>) -> Need {
        Need {
            asset_id: stored.asset_id,
            name: name.map(<[u8]>::to_vec),
            kind: stored.kind,
            reserved: stored.reserved,
        }
    }
}

/// The bytes of a payload, and how they are to be stored.
pub struct Payload(pub(crate) PayloadOrigin);

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            PayloadOrigin::New(new) => write!(f, "Payload({:?}, {})", new.content.len, new.codec),
            PayloadOrigin::Packed(packed) => {
                write!(f, "Payload({} packed bytes)", packed.stored.len())
            }
            PayloadOrigin::Kept(kept) => write!(f, "Payload(kept at {:#x})", kept.offset),
        }
    }
}

/// Origin of a payload's bytes.
pub(crate) enum PayloadOrigin {
    /// Bytes that are to be packed.
    New(New),
    /// Bytes that are packed already.
    Packed(PackedBytes),
    /// A chunk of the pack that the asset is in.
    Kept(StoredChunk),
}

/// Bytes that are to be packed.
pub(crate) struct New {
    pub(crate) content: Content,
    pub(crate) codec: Codec,
    /// Whether the plain bytes are stored where packing makes them no smaller.
    pub(crate) only_if_smaller: bool,
    /// Whether it is packed as the payload that it takes the place of, if it does.
    pub(crate) as_before: bool,
}

/// Stored bytes with what a chunk says of them.
#[derive(Clone, Debug)]
pub(crate) struct PackedBytes {
    pub(crate) stored: Bytes,
    pub(crate) plain: u64,
    pub(crate) codec: Codec,
    pub(crate) hash: Hash128,
}

/// Statements of a row about a chunk that is in the pack.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct StoredChunk {
    pub(crate) offset: u64,
    /// With the chunk's header.
    pub(crate) size: u64,
    pub(crate) plain: u64,
    pub(crate) codec: Codec,
    pub(crate) hash: Hash128,
    /// The asset that the row belongs to, and therefore the chunk.
    pub(crate) owner: Uuid,
    /// Payload type of the chunk. An older one that a bulk chunk may have stays, unless the type is changed.
    pub(crate) payload_type: Uuid,
}

impl StoredChunk {
    pub(crate) const fn of_entry(entry: &IndexEntry) -> StoredChunk {
        let [level, _] = entry.level_bytes();
        StoredChunk {
            offset: entry.payload_chunk_offset.get(),
            size: entry.payload_chunk_size_compressed.get(),
            plain: entry.payload_chunk_size_uncompressed.get(),
            codec: Codec { compression: crate::Compression(entry.compression), level },
            hash: entry.payload_hash,
            owner: entry.asset_id,
            payload_type: entry.cooked_payload_type,
        }
    }

    pub(crate) const fn of_bulk(entry: &BulkEntry, asset: &IndexEntry) -> StoredChunk {
        let compression = crate::Compression(entry.compression);
        StoredChunk {
            offset: entry.chunk_offset.get(),
            size: entry.size_compressed.get(),
            plain: entry.size_uncompressed.get(),
            codec: Codec { compression, level: entry.level },
            hash: entry.hash,
            owner: asset.asset_id,
            payload_type: asset.cooked_payload_type,
        }
    }
}

impl Payload {
    /// A payload that is packed as the extension of a name recommends, by zstd where that says nothing, and plain where packing
    /// makes it no smaller.
    pub fn recommended(name: &str, content: impl Into<Content>) -> Payload {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let preset = extension.as_deref().and_then(Preset::of_extension);
        let codec = preset.map_or_else(Codec::default, Preset::codec);
        Payload::new(content, codec).only_if_smaller().as_before()
    }

    /// Plain bytes that are packed with `codec`.
    pub fn new(content: impl Into<Content>, codec: Codec) -> Payload {
        Payload(PayloadOrigin::New(New {
            content: content.into(),
            codec,
            only_if_smaller: false,
            as_before: false,
        }))
    }

    /// The same, stored plain where packing makes it no smaller.
    #[must_use]
    pub fn only_if_smaller(mut self) -> Payload {
        if let PayloadOrigin::New(new) = &mut self.0 {
            new.only_if_smaller = true;
        }
        self
    }

    /// The same, packed as the payload that it takes the place of, where there is one ([`Draft::put`](crate::edit::Draft)).
    #[must_use]
    pub fn as_before(mut self) -> Payload {
        if let PayloadOrigin::New(new) = &mut self.0 {
            new.as_before = true;
        }
        self
    }

    /// Takes note of how the payload is packed that this one takes the place of.
    pub(crate) fn follow(&mut self, old: &Payload) {
        let codec = old.codec();
        if let PayloadOrigin::New(new) = &mut self.0
            && new.as_before
            && codec.is_known()
        {
            (new.codec, new.only_if_smaller) = (codec, false);
        }
    }

    /// Bytes that are packed with `codec` already; `plain` is the size and `hash` the XXH3-128 of what they unpack
    /// to, in the stored form. They are stored as they are, and nobody checks them before they are read.
    pub const fn packed(stored: Bytes, codec: Codec, plain: u64, hash: Hash128) -> Payload {
        Payload(PayloadOrigin::Packed(PackedBytes { stored, plain, codec, hash }))
    }

    /// The payload, packed now.
    ///
    /// # Errors
    /// Reading errors; those of [`Encoder::encode`].
    pub(crate) fn at_once(self, encoder: &mut Encoder) -> Result<Payload> {
        match self.0 {
            PayloadOrigin::New(new) => Ok(Payload(PayloadOrigin::Packed(new.pack(encoder)?))),
            form => Ok(Payload(form)),
        }
    }

    /// The payload once more; empty where it is still to be packed.
    pub(crate) fn duplicate(&self) -> Payload {
        Payload(match &self.0 {
            PayloadOrigin::Packed(packed) => PayloadOrigin::Packed(packed.clone()),
            PayloadOrigin::Kept(kept) => PayloadOrigin::Kept(*kept),
            PayloadOrigin::New(_) => PayloadOrigin::Packed(PackedBytes {
                stored: Bytes::new(),
                plain: 0,
                codec: Codec::NONE,
                hash: hash::hash128(&[]),
            }),
        })
    }

    /// Takes the payload; what is to be packed is no more in its place.
    pub(crate) fn take(&mut self) -> Payload {
        let rest = self.duplicate();
        std::mem::replace(self, rest)
    }

    /// Returns the codec by which the payload is, or is to be, stored.
    pub const fn codec(&self) -> Codec {
        match &self.0 {
            PayloadOrigin::New(new) => new.codec,
            PayloadOrigin::Packed(packed) => packed.codec,
            PayloadOrigin::Kept(kept) => kept.codec,
        }
    }
}

/// Source of plain bytes. Readers and files are opened when it is their turn.
pub struct Content {
    from: From,
    /// Number of bytes, where it is known before.
    pub(crate) len: Option<u64>,
}

enum From {
    Bytes(Bytes),
    /// Only its owner calls it, but a pack that is being made can be looked at from anywhere.
    Later(Mutex<Later>),
}

/// Gives the bytes.
type Later = Box<dyn FnOnce() -> Result<Bytes> + Send>;

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Content").field("len", &self.len).finish_non_exhaustive()
    }
}

impl Content {
    /// Bytes that are made on one of the packing threads. `len` is how many are expected; it decides how much is worked
    /// on at once, no more.
    pub fn later(
        len: Option<u64>,
        make: impl FnOnce() -> Result<Bytes> + Send + 'static,
    ) -> Content {
        Content { from: From::Later(Mutex::new(Box::new(make))), len }
    }

    /// The bytes of a reader, which is opened and read to its end when it is its turn; `len` as for [`Content::later`].
    pub fn reader(
        len: Option<u64>,
        open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
    ) -> Content {
        Content::later(len, move || {
            let expected = len.and_then(|len| usize::try_from(len).ok()).unwrap_or_default();
            let mut bytes = Vec::new();
            bytes.try_reserve(expected).map_err(|_| {
                let found = format!("{expected} bytes for a payload");
                Error::new(&spelunk_core::codes::MEMORY).found(found)
            })?;
            open()?.read_to_end(&mut bytes)?;
            Ok(bytes.into())
        })
    }

    /// Returns the bytes of a file. Errors name its path.
    pub fn file(path: PathBuf, len: Option<u64>) -> Content {
        Content::later(len, move || match fs::read(&path) {
            Ok(bytes) => Ok(bytes.into()),
            Err(error) => {
                let text = format!("{}: {error}", path.display());
                Err(Error::io(io::Error::new(error.kind(), text)))
            }
        })
    }

    /// All of the bytes.
    ///
    /// # Errors
    /// Reading errors.
    pub(crate) fn read(self) -> Result<Bytes> {
        match self.from {
            From::Bytes(bytes) => Ok(bytes),
            From::Later(make) => make.into_inner().unwrap_or_else(PoisonError::into_inner)(),
        }
    }
}

impl<T: Into<Bytes>> std::convert::From<T> for Content {
    fn from(bytes: T) -> Content {
        let bytes = bytes.into();
        let len = Some(bytes.len() as u64);
        Content { from: From::Bytes(bytes), len }
    }
}

/// The asset id that the reference makes of a name and a variant: a version 5 UUID of `NAME|VARIANT` in the namespace of
/// domain names (`docs/formats/snpak.md`, section 4.2).
pub fn name_id(name: &[u8], variant: Option<&[u8]>) -> Uuid {
    let text = [name, b"|", variant.unwrap_or_default()].concat();
    Uuid(uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_DNS, &text).into_bytes())
}

/// A random asset id: a version 4 UUID, which the specification asks for. It comes from the random numbers of the system.
///
/// # Errors
/// [`codes::NO_RANDOM`] in browsers; what the system says.
pub fn random_id() -> Result<Uuid> {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    {
        let mut bytes = [0; 16];
        let filled = getrandom::fill(&mut bytes);
        filled.map_err(|error| Error::io(std::io::Error::other(error.to_string())))?;
        Ok(Uuid(uuid::Builder::from_random_bytes(bytes).into_uuid().into_bytes()))
    }
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    Err(Error::new(&codes::NO_RANDOM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_names_are_those_of_the_reference() {
        let id = uuid::Uuid::from_bytes(name_id(b"textures/a", None).0);
        assert_eq!(id.to_string(), "05a9d6d8-fce7-57af-90e2-711efb36d6c5");
    }

    #[test]
    fn random_ids_are_of_version_4_and_differ() {
        let ids: std::collections::BTreeSet<_> = (0..100).map(|_| random_id().unwrap().0).collect();
        assert_eq!(ids.len(), 100);
        for id in ids {
            let id = uuid::Uuid::from_bytes(id);
            assert_eq!(
                (id.get_version_num(), id.get_variant()),
                (4, uuid::Variant::RFC4122),
                "{id}"
            );
        }
    }

    #[test]
    fn names_with_nuls_and_unknown_kinds_of_needs_are_refused() {
        let asset =
            |name: &str| Asset::new(Uuid([1; 16]), name, Payload::new(&b"oak"[..], Codec::NONE));
        asset("oak").check().unwrap();
        assert_eq!(asset("o\0k").check().unwrap_err().code().id, codes::NAME_NUL.id);
        let mut needy = asset("oak");
        needy.dependencies.push(Need::new(Uuid([2; 16]), None, 3));
        assert_eq!(needy.check().unwrap_err().code().id, codes::DEPENDENCY.id);
        let mut variant = asset("oak");
        variant.variant = Some(Vec::new());
        assert_eq!(variant.stored_variant(), None);
    }
}
