//! Values as JSON.
//!
//! 32-bit words that are versions, flags or hashes are strings of eight digits (`"0x0201000e"`), GUIDs, UUIDs and hashes
//! text, bytes hexadecimal. Numbers that JSON lacks (infinite, not a number) are objects with their bits. Of a text of the
//! file the JSON is what is shown; where its stored bytes are others, [`Val::stored_text`] stands beside it.

use super::digits::{hex, to_hex};
use crate::{
    error::{Result, Seg},
    field::{Field, Ty, Val},
    text::{CodePages, until_nul},
};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// A value with what its text is in, which is written as JSON.
#[derive(Clone, Copy, Debug)]
pub struct Json<'v>(pub &'v Val<'v>, pub &'v CodePages);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let Json(value, pages) = *self;
        match value {
            Val::None => to.serialize_unit(),
            Val::Bool(value) => to.serialize_bool(*value),
            Val::U(number) | Val::Ref(number, _) => to.serialize_u64(*number),
            Val::I(number) => to.serialize_i64(*number),
            Val::F(number) if number.is_finite() => to.serialize_f64(f64::from(*number)),
            Val::F(number) => to.collect_map([(BITS, format!("{:#010x}", number.to_bits()))]),
            Val::Text(bytes) => to.serialize_str(&pages.show(until_nul(bytes))),
            Val::Str(text) => to.serialize_str(text),
            Val::List(items) => to.collect_seq(items.iter().map(|item| Json(item, pages))),
            Val::Word(_)
            | Val::Word64(_)
            | Val::Guid(..)
            | Val::Uuid(_)
            | Val::Hash(..)
            | Val::Bytes(_) => to.collect_str(value),
        }
    }
}

/// The key of the bits of a number that JSON lacks.
const BITS: &str = "bits";

impl<'v> Val<'v> {
    /// The value as JSON, with text in these code pages.
    pub fn to_json(&self, pages: &CodePages) -> Value {
        match self {
            // They may be long, and a text that grows takes up to twice its length.
            Val::Bytes(bytes) => to_hex(bytes).into(),
            // Plain values have a form in JSON.
            _ => serde_json::to_value(Json(self, pages)).unwrap_or_default(),
        }
    }

    /// The stored bytes of a text as hexadecimal, where the shown text is not exactly them.
    pub fn stored_text(&self, pages: &CodePages) -> Option<String> {
        let Val::Text(bytes) = self else { return None };
        let shown = pages.show(until_nul(bytes));
        (shown.as_bytes() != bytes.as_ref()).then(|| to_hex(bytes))
    }

    /// The value that JSON gives by itself, without a field: text is [`Val::Str`], whatever it is to be, and numbers with a
    /// fraction are rounded to the nearest one of 32 bits. `None` for an object that is no number, and for numbers beyond all
    /// of these.
    pub fn from_json(json: &'v Value) -> Option<Val<'v>> {
        Some(match json {
            Value::Null => Val::None,
            Value::Bool(value) => Val::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => Val::U(number),
                (None, Some(number)) => Val::I(number),
                (None, None) => {
                    // What is finite here and not in 32 bits would be stored as another number.
                    Val::F(Some(number.as_f64()? as f32).filter(|number| number.is_finite())?)
                }
            },
            Value::String(text) => Val::Str(text.as_str().into()),
            Value::Array(items) => {
                Val::List(items.iter().map(Val::from_json).collect::<Option<_>>()?)
            }
            Value::Object(map) => Val::F(f32::from_bits(bits(map)?)),
        })
    }

    /// The text that JSON has as what is shown, with its stored bytes beside it: they are the value, unless the text was
    /// changed.
    pub fn text_from_json(shown: &'v str, stored: Option<&Value>, pages: &CodePages) -> Val<'v> {
        let stored = stored.and_then(Value::as_str).and_then(hex);
        match stored.filter(|stored| pages.show(until_nul(stored)) == shown) {
            Some(stored) => Val::Text(stored.into()),
            None => Val::Str(shown.into()),
        }
    }
}

/// The bits of a number that JSON lacks.
fn bits(map: &Map<String, Value>) -> Option<u32> {
    let text = map.get(BITS).filter(|_| map.len() == 1)?.as_str()?;
    super::digits::unsigned(text.strip_prefix("0x")?, 16)?.try_into().ok()
}

impl Field {
    /// The value as JSON, with text in these code pages.
    pub fn to_json(&self, value: &Val<'_>, pages: &CodePages) -> Value {
        value.to_json(pages)
    }

    /// The value of the field that JSON has. Text is taken as [`Field::parse`] does, so names are as good as numbers.
    ///
    /// # Errors
    /// [`VALUE`](crate::codes::VALUE) for what is no value of the field.
    pub fn from_json<'j>(&self, json: &'j Value) -> Result<Val<'j>> {
        let item = self.item();
        match (self.ty, json) {
            (Ty::Array(..) | Ty::Rest(_), Value::Array(items)) => {
                let item = |(nth, json): (usize, &'j Value)| {
                    let value = item.from_json(json);
                    value.map_err(|error| error.within(Seg::Index(nth as u64)))
                };
                items.iter().enumerate().map(item).collect::<Result<_>>().map(Val::List)
            }
            (_, Value::Null) => Ok(Val::None),
            (_, Value::String(text)) => self.parse(text),
            _ => {
                let value = Val::from_json(json);
                value.ok_or_else(|| match json {
                    Value::Number(number) => self.misfit(&Val::from(number.to_string())),
                    _ => self.misfit(&Val::from("an object")),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn json_of_every_kind_of_value_and_back() {
        let pages = CodePages::cp1252();
        let of = |value: Val<'_>| value.to_json(&pages).to_string();
        for (ty, value, text) in [
            (Ty::U8, Val::U(7), "7"),
            (Ty::I32, Val::I(-7), "-7"),
            (Ty::F32, Val::F(0.1), "0.10000000149011612"),
            (Ty::F32, Val::F(f32::INFINITY), r#"{"bits":"0x7f800000"}"#),
            (Ty::Word, Val::Word(0x0201_000E), r#""0x0201000e""#),
            (Ty::Word64, Val::Word64(1), r#""0x0000000000000001""#),
            (Ty::Guid, Val::Guid(1, 0xA), r#""00000001-0000000a""#),
            (Ty::Uuid, Val::Uuid([1; 16]), r#""01010101-0101-0101-0101-010101010101""#),
            (Ty::Hash128, Val::Hash(1, 2), r#""00000000000000010000000000000002""#),
            (Ty::Bytes, Val::Bytes([0, 255].as_slice().into()), r#""00ff""#),
            (Ty::Bool, Val::Bool(true), "true"),
            (Ty::Array(&Ty::U8, 2), Val::List(vec![Val::U(1), Val::U(2)]), "[1,2]"),
            (Ty::Str, Val::from("\"T\u{fc}r\""), r#""\"Tür\"""#),
        ] {
            assert_eq!(of(value.clone()), text);
            assert_eq!(serde_json::to_string(&Json(&value, &pages)).unwrap(), text);
            let json: Value = serde_json::from_str(text).unwrap();
            let field = Field::new("field", ty, "");
            assert_eq!(field.from_json(&json).unwrap(), value, "{text}");
        }
        assert_eq!(of(Val::Text(b"T\xfcr\0x".as_slice().into())), r#""Tür""#);
    }

    #[test]
    fn names_are_as_good_as_numbers_and_other_things_are_refused() {
        let field = Field::new("kind", Ty::U8, "").values(&[(2, "spot")]);
        assert_eq!(field.from_json(&json!("spot")).unwrap(), Val::U(2));
        assert!(field.from_json(&json!("sport")).is_err());
        assert!(field.from_json(&json!({})).is_err());
        let number = Field::new("number", Ty::F32, "");
        assert!(number.from_json(&json!({"bits": "0x7f800000"})).is_ok());
        for json in [json!({"bits": "0x+f"}), json!(1e39), json!(-1e300)] {
            assert!(number.from_json(&json).is_err(), "{json}");
        }
        let error = field.encode(&field.from_json(&json!(256)).unwrap(), &[]).unwrap_err();
        assert!(error.message().contains("from 0 to 255"), "{error}");
    }

    #[test]
    fn stored_bytes_count_until_the_text_is_changed() {
        let pages = CodePages::cp1252();
        let stored = json!("54fc7200");
        let of = |shown| Val::text_from_json(shown, Some(&stored), &pages);
        assert_eq!(of("T\u{fc}r"), Val::Text(b"T\xfcr\0".as_slice().into()));
        assert_eq!(of("Tor"), Val::from("Tor"));
        let text = Val::Text(b"T\xfcr\0".as_slice().into());
        assert_eq!(text.stored_text(&pages).as_deref(), Some("54fc7200"));
        assert_eq!(Val::Text(b"Tor".as_slice().into()).stored_text(&pages), None);
    }
}
