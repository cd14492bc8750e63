//! Managers, building blocks, types of parameters and operations that engines and their plugins register under GUIDs
//! (`docs/formats/virtools-registered.md`).
//!
//! Files name these things by GUID alone. The tables are text that is part of the program: a line for each GUID, in
//! ascending order, with tabs between the columns. Nothing is read before a name is asked for; then a line is found
//! by bisection.

pub mod prototype;
pub(crate) mod table;

use prototype::Prototype;
use spelunk_core::field::GuidNames;
use table::GuidTable;

/// GUID and name.
static MANAGERS: GuidTable = GuidTable(include_str!("managers.tsv"));
/// GUID and name.
static OPERATIONS: GuidTable = GuidTable(include_str!("operations.tsv"));
/// GUID and the columns of [`Prototype`].
static PROTOTYPES: GuidTable = GuidTable(include_str!("prototypes.tsv"));

/// The name of a manager, without the word "manager"; `None` for one that is not known.
pub fn manager(guid: [u32; 2]) -> Option<&'static str> {
    MANAGERS.row(guid)?.column(0)
}

/// The name of an operation on parameters; `None` for one that is not known.
pub fn operation(guid: [u32; 2]) -> Option<&'static str> {
    OPERATIONS.row(guid)?.column(0)
}

/// The prototype of a building block; `None` for one that is not known.
pub fn prototype(guid: [u32; 2]) -> Option<Prototype> {
    PROTOTYPES.row(guid).and_then(Prototype::of)
}

/// All prototypes that are known, with their GUIDs, in ascending order.
pub fn prototypes() -> impl Iterator<Item = ([u32; 2], Prototype)> {
    PROTOTYPES.rows().filter_map(|(guid, row)| Some((guid, Prototype::of(row)?)))
}

/// Names of managers.
pub static MANAGER_NAMES: GuidNames =
    GuidNames { name: manager, guid: |name| MANAGERS.find(0, name) };

/// Names of operations.
pub static OPERATION_NAMES: GuidNames =
    GuidNames { name: operation, guid: |name| OPERATIONS.find(0, name) };

/// Names of building blocks.
pub static PROTOTYPE_NAMES: GuidNames = GuidNames {
    name: |guid| PROTOTYPES.row(guid)?.column(0),
    guid: |name| PROTOTYPES.find(0, name),
};

/// Names of what plugins of any category register: managers and building blocks.
pub static PLUGIN_NAMES: GuidNames = GuidNames {
    name: |guid| PROTOTYPES.row(guid)?.column(0).or_else(|| manager(guid)),
    guid: |name| PROTOTYPES.find(0, name).or_else(|| MANAGERS.find(0, name)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::parameter_type::TYPES;
    use spelunk_core::{Field, Ty, Val};
    use std::collections::BTreeSet;

    #[test]
    fn every_guid_stands_once_and_is_found() {
        for (table, count) in
            [(&MANAGERS, 29), (&OPERATIONS, 179), (&PROTOTYPES, 677), (&TYPES, 190)]
        {
            let guids: Vec<_> = table.rows().map(|(guid, _)| guid).collect();
            assert_eq!(guids.len(), count);
            assert_eq!(table.0.lines().count(), count, "no line is passed over");
            assert!(guids.is_sorted_by(|a, b| a < b), "ascending, each once");
            for (guid, row) in table.rows() {
                assert_eq!(table.row(guid), Some(row));
                let [d1, d2] = guid;
                for near in [[d1, d2 ^ 1], [d1 ^ 0x100, d2]] {
                    assert!(table.row(near).is_none() || guids.contains(&near));
                }
            }
            for none in [[0, 0], [u32::MAX, u32::MAX], [0x8000_0000, 7]] {
                assert_eq!(table.row(none), None);
            }
        }
    }

    #[test]
    fn names_go_both_ways_unless_several_have_them() {
        let wait = [0x6F87_2F34, 0x3A1E_4D1E];
        assert_eq!(prototype(wait), None);
        let mut seen = BTreeSet::new();
        for (guid, prototype) in prototypes() {
            assert!(seen.insert(prototype.name.to_ascii_lowercase()), "{}", prototype.name);
            assert_eq!((PROTOTYPE_NAMES.guid)(prototype.name), Some(guid));
            assert_eq!((PLUGIN_NAMES.name)(guid), Some(prototype.name));
        }
        assert_eq!((MANAGER_NAMES.guid)("texture font"), Some([0x64FB_5810, 0x7326_2D3B]));
        assert_eq!(manager([0x3D24_2466, 0]), Some("Attribute"));
        assert_eq!(operation([0x0144_05EB, 0x2E08_7EEC]), Some("Xor"));
        assert_eq!((OPERATION_NAMES.guid)("no such operation"), None);
        let twice = GuidTable("00000001-00000000\tSet\n00000002-00000000\tset\n");
        assert_eq!((twice.find(0, "Set"), twice.find(0, "Get")), (None, None));
    }

    #[test]
    fn fields_of_guids_are_shown_and_taken_by_name() {
        let field = Field::new("manager", Ty::Guid, "").guids(&MANAGER_NAMES);
        let value = Val::Guid(0x4F24_3100, 0x28AB_3F51);
        assert_eq!(field.meaning(&value).as_deref(), Some("VSL"));
        assert_eq!(field.meaning(&Val::Guid(1, 2)), None);
        let stored = field.encode(&value, &[]).ok();
        assert!(stored.is_some());
        assert_eq!(field.encode(&Val::from("vsl"), &[]).ok(), stored);
        assert_eq!(field.encode(&Val::from("4f243100-28ab3f51"), &[]).ok(), stored);
        assert_eq!(field.encode(&Val::from("Vessel"), &[]).ok(), None);
    }
}
