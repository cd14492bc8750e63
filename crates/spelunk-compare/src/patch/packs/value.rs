//! Values of slots as patches tell them.

use crate::patch::bad;
use serde_json::{Map, Value as Json, json};
use snpak::{
    AssetId, Codec, Compression,
    build::Need,
    edit::state::{Slot, Stored, Value},
};
use spelunk_core::{
    Result,
    scalar::{Hash128, Uuid},
    value::{digits_128, hex, to_hex},
};

/// A value, and the number of the block that holds the bytes of a payload.
pub(super) type Told = (Value, Option<u32>);

/// A value as a patch tells it.
pub(super) fn tell(value: &Value, block: Option<u32>) -> Json {
    match value {
        Value::Text(bytes) => text(bytes),
        Value::Uuid(id) => AssetId(id.0).to_string().into(),
        Value::Number(number) => (*number).into(),
        Value::Needs(needs) => needs.iter().map(need).collect(),
        Value::Payload(Stored { hash, size, codec }) => {
            let mut told = json!({
                "size": size,
                "hash": format!("{:032x}", hash.get()),
                "compression": codec.compression.0,
                "level": codec.level,
            });
            if let (Some(block), Some(told)) = (block, told.as_object_mut()) {
                told.insert("block".into(), block.into());
            }
            told
        }
    }
}

/// Bytes that are no text are told in hexadecimal.
fn text(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "bytes": to_hex(bytes) }),
    }
}

fn need(need: &Need) -> Json {
    let mut told = Map::new();
    told.insert("asset_id".into(), AssetId(need.asset_id.0).to_string().into());
    told.extend(need.name.as_ref().map(|name| ("name".to_owned(), text(name))));
    told.insert("kind".into(), need.kind.into());
    told.into()
}

/// The value of a slot that a patch tells.
pub(super) fn read(slot: Slot, told: &Json) -> Result<Told> {
    let wrong = || bad(format!("a value of `{slot}` that cannot be read"));
    let value = match slot {
        Slot::Name | Slot::Variant => read_text(told).map(Value::Text),
        Slot::Kind | Slot::PayloadType => read_id(told).map(Value::Uuid),
        Slot::SchemaVersion => number(told).map(Value::Number),
        Slot::Dependencies => {
            let items = told.as_array().ok_or_else(wrong)?;
            items.iter().map(read_need).collect::<Option<_>>().map(Value::Needs)
        }
        Slot::Payload | Slot::Bulk { .. } => {
            let stored = read_stored(told).map(Value::Payload).ok_or_else(wrong)?;
            let block = told.get("block").map(|block| number(block).ok_or_else(wrong));
            return Ok((stored, block.transpose()?));
        }
    };
    Ok((value.ok_or_else(wrong)?, None))
}

fn read_text(told: &Json) -> Option<Vec<u8>> {
    match told {
        Json::String(text) => Some(text.as_bytes().to_vec()),
        told => hex(told.get("bytes")?.as_str()?),
    }
}

fn read_id(told: &Json) -> Option<Uuid> {
    AssetId::parse(told.as_str()?).map(|id| Uuid(id.0))
}

fn number<N: TryFrom<u64>>(told: &Json) -> Option<N> {
    told.as_u64()?.try_into().ok()
}

fn read_need(told: &Json) -> Option<Need> {
    let name = match told.get("name") {
        Some(name) => Some(read_text(name)?),
        None => None,
    };
    Some(Need::new(read_id(told.get("asset_id")?)?, name, number(told.get("kind")?)?))
}

fn read_stored(told: &Json) -> Option<Stored> {
    Some(Stored {
        hash: Hash128::new(digits_128(told.get("hash")?.as_str()?)?),
        size: number(told.get("size")?)?,
        codec: Codec {
            compression: Compression(number(told.get("compression")?)?),
            level: number(told.get("level")?)?,
        },
    })
}
