//! Descriptions that textures have of themselves: their main payloads.

use super::format;
use crate::{codes, pack::Pack, types};
use spelunk_core::{
    Described, Error, Record, Result, Space, Span, Task, Walk, Walked, cursor::Cursor, record,
    walk::Group,
};
use zerocopy::IntoBytes;

record! {
    /// Size and format of a texture. Its pixels are bulk chunks of semantic 1, whose sub-index is the mip.
    pub struct TextureInfo: "texture_info", "docs/formats/snpak.md#111-textures", 16 {
        /// Width of the largest mip.
        width: U32 { unit: "pixels" },
        /// Height of the largest mip.
        height: U32 { unit: "pixels" },
        /// Number of mips.
        mip_count: U32,
        /// Format of the pixels.
        format: U32 { values: format::PLAIN },
    }
}

record! {
    /// The first fields of what a compressed texture says of itself.
    pub struct CompressedHead: "compressed_texture_info", "docs/formats/snpak.md#112-compressed-textures", 16 {
        /// Width of the largest mip.
        width: U32 { unit: "pixels" },
        /// Height of the largest mip.
        height: U32 { unit: "pixels" },
        /// Number of mips.
        mip_count: U32,
        /// Format of the blocks.
        format: U32 { values: format::COMPRESSED },
    }
}

record! {
    /// Compression that a texture was to get. Schema 2 has it behind the first fields.
    pub struct CompressedRequest: "compressed_texture_request", "docs/formats/snpak.md#112-compressed-textures", 12 {
        /// The platform that it was compressed for.
        target: U32,
        /// The format that was asked for.
        requested_format: U32,
        /// The quality that was asked for.
        quality: F32,
    }
}

record! {
    /// The fields before the list of mips.
    pub struct CompressedTail: "compressed_texture_tail", "docs/formats/snpak.md#112-compressed-textures", 21 {
        /// Whether colours are sRGB.
        srgb: U8 { values: &[(0, "linear"), (1, "sRGB")] },
        /// Channels of the picture that was compressed.
        channels: U32,
        /// Width of a block.
        block_width: U32 { unit: "pixels" },
        /// Height of a block.
        block_height: U32 { unit: "pixels" },
        /// Number of mips that are listed behind this.
        listed: U64,
    }
}

record! {
    /// A mip as the list states it.
    pub struct ListedMip: "listed_mip", "docs/formats/snpak.md#112-compressed-textures", 12 {
        /// Width of the mip.
        width: U32 { unit: "pixels" },
        /// Height of the mip.
        height: U32 { unit: "pixels" },
        /// Bytes that it takes.
        size: U32 { unit: "bytes" },
    }
}

static TEXTURE: Record = Record::group(
    "texture",
    "docs/formats/snpak.md#11-known-types",
    "What a texture says of itself.",
);

/// Main payload of a texture, as it is stored.
#[derive(Clone, PartialEq, Debug)]
pub enum Info {
    /// Pixels that stand alone.
    Plain(TextureInfo),
    /// Pixels in blocks. No real file had this type: the layout rests on generated ones.
    Compressed {
        /// Size, mips, format.
        head: CompressedHead,
        /// Compression that was asked for; schema 1 does not have it.
        request: Option<CompressedRequest>,
        /// Colour space, channels, blocks.
        tail: CompressedTail,
        /// The mips.
        mips: Vec<ListedMip>,
    },
}

impl Info {
    /// Reads what the asset at this position says of itself; `None` where it is no texture, by its payload type. It
    /// stays charged. What follows behind the known fields is ignored.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for a position without an asset;
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED); [`codes::TEXTURE_SCHEMA`]; those of [`Pack::payload`].
    pub fn read(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<Option<Info>> {
        let entry = pack.entry(row).ok_or_else(crate::pack::not_found)?;
        let is_plain = entry.cooked_payload_type.0 == types::TEXTURE_INFO;
        if !is_plain && entry.cooked_payload_type.0 != types::COMPRESSED_TEXTURE_INFO {
            return Ok(None);
        }
        let payload = pack.payload(row, task)?;
        let at = place(pack, row);
        let mut cursor = Cursor::new(&payload, at.space, at.start);
        if is_plain {
            return Ok(Some(Info::Plain(*cursor.record()?)));
        }
        let head = *cursor.record::<CompressedHead>()?;
        let request = match entry.cooked_schema_version.get() {
            1 => None,
            2 => Some(*cursor.record::<CompressedRequest>()?),
            other => {
                let error = Error::new(&codes::TEXTURE_SCHEMA).at(cursor.span(0));
                return Err(error.field("schema_version").expected("1 or 2").found(other));
            }
        };
        let tail = *cursor.record::<CompressedTail>()?;
        let count = tail.listed.get();
        cursor.expect_items(count, size_of::<ListedMip>() as u64, "listed")?;
        let mut mips = task.budget.vec(count)?;
        for _ in 0..count {
            mips.push(*cursor.record::<ListedMip>()?);
        }
        Ok(Some(Info::Compressed { head, request, tail, mips }))
    }
}

/// Returns the place where the main payload of an asset begins: in the file, or in a space of its own where it is packed.
pub(super) fn place(pack: &Pack, row: usize) -> Span {
    match pack.locate(row) {
        Ok(located) if located.compression() == crate::Compression::NONE => {
            located.at().part(crate::chunk::HEADER_SIZE, located.stored_len())
        }
        _ => Span::new(Space::nth("payload", u32::try_from(row).unwrap_or(u32::MAX)), 0, 0),
    }
}

/// Walks what a texture says of itself. One that is damaged is a finding.
pub(crate) fn show(pack: &Pack, row: usize, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
    let info = match Info::read(pack, row, task) {
        Ok(None) => return Ok(()),
        Ok(Some(info)) => info,
        Err(error) if error.ends_work() => return Err(error.into()),
        Err(error) => return Ok(task.error(error)?),
    };
    let mut at = place(pack, row);
    walk.group(&Group::record("texture", &TEXTURE, None), |walk| {
        match &info {
            Info::Plain(info) => fields(info, &mut at, walk)?,
            Info::Compressed { head, request, tail, mips } => {
                fields(head, &mut at, walk)?;
                if let Some(request) = request {
                    fields(request, &mut at, walk)?;
                }
                fields(tail, &mut at, walk)?;
                walk.group(&Group::list("mips", ListedMip::RECORD, None), |walk| {
                    for (nth, mip) in mips.iter().enumerate() {
                        task.budget.steps(1)?;
                        walk.group(&Group::item(nth, ListedMip::RECORD, None), |walk| {
                            fields(mip, &mut at, walk)
                        })?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(())
    })
}

/// Walks the fields of a record, and goes on behind it.
fn fields<T: Described + IntoBytes + zerocopy::Immutable>(
    record: &T,
    at: &mut Span,
    walk: &mut dyn Walk,
) -> Walked {
    let len = size_of::<T>() as u64;
    T::RECORD.walk(record.as_bytes(), Span { len, ..*at }, walk)?;
    *at = Span { start: at.start.saturating_add(len), len: 0, ..*at };
    Ok(())
}
