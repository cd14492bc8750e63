//! The [`record!`](crate::record!) macro: a fixed record's struct and its description from one list.

/// Declares a fixed record: the unaligned little-endian struct, its [`Record`](crate::field::Record)
/// with offsets taken from the struct, and an assertion that the size is the documented one.
///
/// Field types are those of [`scalar`](crate::scalar). A field may have a unit and value names:
///
/// ```
/// use spelunk_core::{Described, record};
///
/// record! {
///     /// A row.
///     pub struct Row: "row", "docs/formats/README.md", 6 {
///         /// Type of the value.
///         kind: U16 { values: &[(1, "door"), (2, "wall")] },
///         /// How long it lasts.
///         duration: U32 { unit: "ms" },
///     }
/// }
/// assert_eq!(Row::RECORD.fields[1].offset, 2);
/// assert_eq!(Row::RECORD.fields[1].field.unit, "ms");
/// ```
#[macro_export]
macro_rules! record {
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident: $title:literal, $page:expr, $size:literal {
            $(
                $(#[doc = $field_doc:literal])+
                $field:ident: $ty:ident $(<$len:literal>)? $({ $($key:ident: $value:expr),* $(,)? })?,
            )*
        }
    ) => {
        $(#[doc = $doc])+
        #[doc = concat!("\n\n", $size, " bytes; see `", $page, "`.")]
        #[derive(
            Clone, Copy, PartialEq, Debug,
            $crate::zerocopy::FromBytes,
            $crate::zerocopy::IntoBytes,
            $crate::zerocopy::KnownLayout,
            $crate::zerocopy::Immutable,
            $crate::zerocopy::Unaligned,
        )]
        #[zerocopy(crate = "zerocopy")]
        #[repr(C)]
        $vis struct $name {
            $($(#[doc = $field_doc])+ pub $field: $crate::scalar::$ty $(<$len>)?,)*
        }

        impl $crate::field::Described for $name {
            const RECORD: &'static $crate::field::Record = {
                static RECORD: $crate::field::Record = $crate::field::Record {
                    name: $title,
                    doc: concat!($($doc,)+).trim_ascii(),
                    page: $page,
                    size: $size,
                    key: &[],
                    fields: &[$($crate::field::Slot {
                        offset: ::core::mem::offset_of!($name, $field) as u32,
                        size: ::core::mem::size_of::<$crate::scalar::$ty $(<$len>)?>() as u32,
                        field: $crate::field::Field {
                            $($($key: $value,)*)?
                            ..$crate::field::Field::new(
                                stringify!($field),
                                <$crate::scalar::$ty $(<$len>)? as $crate::scalar::Scalar>::TY,
                                concat!($($field_doc,)+).trim_ascii(),
                            )
                        },
                    }),*],
                };
                &RECORD
            };
        }

        const _: () = assert!(::core::mem::size_of::<$name>() == $size);
    };
}

#[cfg(test)]
mod tests {
    use crate::{
        Described, Space, Span, Val,
        walk::{Flat, finish},
    };
    use zerocopy::FromBytes;

    crate::record! {
        /// A row of
        /// everything.
        pub struct Row: "row", "docs/formats/README.md", 47 {
            /// Byte.
            kind: U8 { values: &[(7, "seven")] },
            /// Number.
            size: I16 { unit: "bytes" },
            /// Flags.
            flags: Word { bits: &[(1, "one"), (4, "four")] },
            /// Id.
            id: Uuid,
            /// Hash.
            hash: Hash128,
            /// Name.
            name: Text<8>,
        }
    }

    #[test]
    fn struct_and_description_agree() {
        let bytes: Vec<u8> = [7, 0xfe, 0xff, 0x04, 0x03, 0x02, 0x01]
            .into_iter()
            .chain(0..16)
            .chain(1..=16)
            .chain(*b"Wood\0\0\0\0")
            .collect();
        let row = Row::read_from_bytes(&bytes).unwrap();
        assert_eq!(row.size.get(), -2);
        assert_eq!(row.hash.get(), 0x08070605_04030201_100f0e0d_0c0b0a09);
        assert_eq!(Row::RECORD.doc, "A row of everything.");

        let mut flat = Flat::default();
        let span = Span::new(Space::section("data"), 100, 47);
        finish(Row::RECORD.walk(&bytes, span, &mut flat)).unwrap();
        let shown: Vec<_> =
            flat.fields.iter().map(|f| (f.path.as_str(), f.value.to_string())).collect();
        assert_eq!(
            shown,
            [
                ("kind", "7".into()),
                ("size", "-2".into()),
                ("flags", "0x01020304".into()),
                ("id", "00010203-0405-0607-0809-0a0b0c0d0e0f".to_string()),
                ("hash", "0807060504030201100f0e0d0c0b0a09".into()),
                ("name", "\"Wood\\x00\\x00\\x00\\x00\"".into()),
            ]
        );
        assert_eq!(flat.fields[2].at.unwrap(), span.part(3, 4));
        assert_eq!(flat.fields[0].field.meaning(&Val::U(7)).as_deref(), Some("seven"));
        let flags = flat.fields[2].field;
        assert_eq!(flags.meaning(&Val::Word(5)).as_deref(), Some("one | four"));
        assert_eq!(flags.meaning(&Val::Word(8)), None, "unknown bits are legal");

        static SIZE: crate::Field = Row::RECORD.field("size").named("length");
        assert_eq!((SIZE.name, SIZE.unit), ("length", "bytes"));
    }
}
