//! Field descriptions of summaries and listings, several at a time.

/// Declares static fields: `NAME: "key" Type "Description." "unit";`.
macro_rules! fields {
    ($($name:ident: $key:literal $ty:ident $doc:literal $($unit:literal)?;)*) => {
        $(pub(crate) static $name: spelunk_core::Field =
            spelunk_core::Field::new($key, spelunk_core::Ty::$ty, $doc)$(.unit($unit))?;)*
    };
}

/// Declares static fields that a record describes: `NAME: Record "field";`, or
/// `NAME: Record "field" as "key";` where a listing calls it otherwise.
macro_rules! fields_of {
    ($($name:ident: $record:ident $field:literal $(as $key:literal)?;)*) => {
        $(pub(crate) static $name: spelunk_core::Field =
            <$record as spelunk_core::Described>::RECORD.field($field)$(.named($key))?;)*
    };
}

pub(crate) use {fields, fields_of};
