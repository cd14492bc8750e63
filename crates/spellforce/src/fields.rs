//! Field descriptions of summaries and listings, several at a time.

/// Declares static fields: `NAME: "key" Type "What it is." "unit";`.
macro_rules! fields {
    ($($name:ident: $key:literal $ty:ident $doc:literal $($unit:literal)?;)*) => {
        $(static $name: spelunk_core::Field =
            spelunk_core::Field::new($key, spelunk_core::Ty::$ty, $doc)$(.unit($unit))?;)*
    };
}

pub(crate) use fields;
