//! Values of slots as patches have them.

use crate::patch::form::bad;
use serde_json::{Map, Value as Json, json};
use snpak::{
    AssetId, Codec, Compression,
    build::Need,
    edit::state::{AssetField, PayloadState, Value},
};
use spelunk_core::{
    Result,
    scalar::{Hash128, Uuid},
    value::{digits_128, hex, to_hex},
};

/// A value, and the number of the block that holds the bytes of a payload.
pub(super) type Stated = (Value, Option<u32>);

/// A value as a patch has it.
pub(super) fn write(value: &Value, block: Option<u32>) -> Json {
    match value {
        Value::Text(bytes) => text(bytes),
        Value::Uuid(id) => AssetId(id.0).to_string().into(),
        Value::Number(number) => (*number).into(),
        Value::Needs(needs) => needs.iter().map(need).collect(),
        Value::Payload(PayloadState { hash, size, codec }) => {
            let mut written = json!({
                "size": size,
                "hash": format!("{:032x}", hash.get()),
                "compression": codec.compression.0,
                "level": codec.level,
            });
            if let (Some(block), Some(written)) = (block, written.as_object_mut()) {
                written.insert("block".into(), block.into());
            }
            written
        }
    }
}

/// Bytes that are no text are written in hexadecimal.
fn text(bytes: &[u8]) -> Json {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!({ "bytes": to_hex(bytes) }),
    }
}

fn need(need: &Need) -> Json {
    let mut written = Map::new();
    written.insert("asset_id".into(), AssetId(need.asset_id.0).to_string().into());
    written.extend(need.name.as_ref().map(|name| ("name".to_owned(), text(name))));
    written.insert("kind".into(), need.kind.into());
    written.into()
}

/// Reads the value of a slot in a patch.
pub(super) fn read(slot: AssetField, json: &Json) -> Result<Stated> {
    let wrong = || bad(format!("a value of `{slot}` that cannot be read"));
    let value = match slot {
        AssetField::Name | AssetField::Variant => read_text(json).map(Value::Text),
        AssetField::Kind | AssetField::PayloadType => read_id(json).map(Value::Uuid),
        AssetField::SchemaVersion => number(json).map(Value::Number),
        AssetField::Dependencies => {
            let items = json.as_array().ok_or_else(wrong)?;
            items.iter().map(read_need).collect::<Option<_>>().map(Value::Needs)
        }
        AssetField::Payload | AssetField::Bulk { .. } => {
            let stored = read_stored(json).map(Value::Payload).ok_or_else(wrong)?;
            let block = json.get("block").map(|block| number(block).ok_or_else(wrong));
            return Ok((stored, block.transpose()?));
        }
    };
    Ok((value.ok_or_else(wrong)?, None))
}

fn read_text(json: &Json) -> Option<Vec<u8>> {
    match json {
        Json::String(text) => Some(text.as_bytes().to_vec()),
        json => hex(json.get("bytes")?.as_str()?),
    }
}

fn read_id(json: &Json) -> Option<Uuid> {
    AssetId::parse(json.as_str()?).map(|id| Uuid(id.0))
}

fn number<N: TryFrom<u64>>(json: &Json) -> Option<N> {
    json.as_u64()?.try_into().ok()
}

fn read_need(json: &Json) -> Option<Need> {
    let name = match json.get("name") {
        Some(name) => Some(read_text(name)?),
        None => None,
    };
    Some(Need::new(read_id(json.get("asset_id")?)?, name, number(json.get("kind")?)?))
}

fn read_stored(json: &Json) -> Option<PayloadState> {
    Some(PayloadState {
        hash: Hash128::new(digits_128(json.get("hash")?.as_str()?)?),
        size: number(json.get("size")?)?,
        codec: Codec {
            compression: Compression(number(json.get("compression")?)?),
            level: number(json.get("level")?)?,
        },
    })
}
