//! Values of fields in patches, and the bytes that they stand for.

use crate::patch::form::bad;
use serde_json::{Value, json};
use spelunk_core::{
    Field, Result, Ty,
    text::{CodePages, until_nul},
    value::{hex, to_hex},
};
use spelunk_open::codes;

/// A value, from which its bytes can be made again.
pub(crate) fn value(field: &Field, bytes: &[u8]) -> Value {
    let written = field.to_json(&field.ty.decode(bytes), &CodePages::cp1252());
    match stored(field, &written, bytes) {
        Ok(again) if again == bytes => written,
        _ => json!({ "hex": to_hex(bytes) }),
    }
}

/// The bytes of a value that takes the place of others.
pub(super) fn stored(field: &Field, written: &Value, old: &[u8]) -> Result<Vec<u8>> {
    let size = old.len();
    let wrong = || bad(format!("{written} for {}", field.name));
    let bytes = match (written, field.ty) {
        (Value::Object(map), _) if map.contains_key("hex") => {
            map["hex"].as_str().and_then(hex).ok_or_else(wrong)?
        }
        (Value::String(text), Ty::Text) => {
            let mut bytes = CodePages::cp1252().encode(text).ok_or_else(wrong)?;
            if bytes.len() > size || until_nul(&bytes).len() != bytes.len() {
                return Err(wrong());
            }
            bytes.resize(size, 0);
            bytes
        }
        _ => {
            let bytes = field.from_json(written).and_then(|value| field.encode(&value, &[]));
            bytes.map_err(|error| error.with_code(&codes::BAD_PATCH))?
        }
    };
    if bytes.len() == size { Ok(bytes) } else { Err(wrong()) }
}
