//! Values of rows: those that tables are filled with, and those of a result.

use spelunk_core::{
    Val,
    text::{CodePages, until_nul},
    value::to_hex,
};
use std::borrow::Cow;

/// How many bytes of a value of bytes are told.
const TOLD_BYTES: usize = 256;

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// NULL.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number in double precision.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes, and what is no text.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// The value of a field. Lists are JSON; bytes, versions, flags, hashes and GUIDs are text; of long bytes only the first ones are told.
    pub(super) fn of<'v>(value: &'v Val<'_>, pages: &'v CodePages) -> Value<'v> {
        match value {
            Val::None => Value::Null,
            Val::Bool(value) => (*value).into(),
            Val::U(number) | Val::Ref(number, _) => (*number).into(),
            Val::I(number) => Value::Integer(*number),
            Val::F(number) => Value::Real(f64::from(*number)),
            Val::Text(bytes) => Value::Text(pages.show(until_nul(bytes))),
            Val::Str(text) => Value::Text(Cow::Borrowed(text)),
            Val::Bytes(bytes) => {
                let told = bytes.get(..TOLD_BYTES).unwrap_or(bytes);
                Value::Text(to_hex(told).into())
            }
            Val::List(_) => Value::Text(value.to_json(pages).to_string().into()),
            other => Value::Text(other.to_string().into()),
        }
    }

    /// The value with its own copy of text. Bytes are none here.
    pub(super) fn into_owned(self) -> Value<'static> {
        match self {
            Value::Null | Value::Bytes(_) => Value::Null,
            Value::Integer(number) => Value::Integer(number),
            Value::Real(number) => Value::Real(number),
            Value::Text(text) => Value::Text(text.into_owned().into()),
        }
    }

    /// What it takes, in bytes.
    pub(super) fn len(&self) -> u64 {
        match self {
            Value::Null => 1,
            Value::Integer(_) | Value::Real(_) => 9,
            Value::Text(text) => text.len() as u64,
            Value::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

impl From<u64> for Value<'_> {
    /// SQLite's whole numbers are signed.
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Value::Real(number as f64), Value::Integer)
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<i32> for Value<'_> {
    fn from(number: i32) -> Self {
        Value::Integer(number.into())
    }
}

impl From<usize> for Value<'_> {
    fn from(number: usize) -> Self {
        (number as u64).into()
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Value::Integer(value.into())
    }
}

impl From<f64> for Value<'_> {
    fn from(number: f64) -> Self {
        Value::Real(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value::Text(Cow::Owned(text))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Value::Text(text)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
