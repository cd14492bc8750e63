//! The records of managers (`docs/formats/virtools.md#51-manager-records`).

use crate::file::part::Part;
use spelunk_core::{Field, Span, field::Described, record, scalar::Guid};
use zerocopy::FromBytes;

record! {
    /// The fixed part of a manager's record; its chunk follows.
    pub struct ManagerHead: "manager", "docs/formats/virtools.md#51-manager-records", 12 {
        /// The manager.
        guid: Guid,
        /// Bytes of the chunk; 0 for none.
        size: U32 { unit: "bytes" },
    }
}

/// The GUID of a manager.
pub(crate) static GUID: Field = ManagerHead::RECORD.field("guid");

/// What the managers of the SDK are called, by the first word of their GUID; the second one is 0.
const MANAGER_NAMES: &[(u32, &str)] = &[
    (0x7CBB_3B91, "Object"),
    (0x3D24_2466, "Attribute"),
    (0x466A_0FAC, "Message"),
    (0x4209_36F9, "Floor"),
    (0x3824_4712, "Collision"),
    (0x7F00_4791, "Grid"),
    (0x89CE_7B32, "Time"),
    (0x58D6_21AE, "Behavior"),
    (0xF787_C904, "Input"),
    (0xDCE1_35F6, "Sound"),
    (0x5941_54A6, "Midi"),
    (0x9A4B_8E3D, "Interface"),
    (0xA213_C8D5, "Render"),
    (0x9CE5_7AB6, "Parameter"),
    (0x15FD_54B9, "Path"),
    (0x98CC_3CC9, "Variable"),
];

/// The record of a manager.
#[derive(Clone, Copy, Debug)]
pub struct Manager {
    /// The manager.
    pub guid: Guid,
    /// The bytes of its chunk in plain Data; none for a manager without one.
    pub chunk: Part,
}

/// Takes a manager's record; gives its fixed part and goes on behind its chunk. `rest` stays where it is when
/// the record is cut short, and the size that was read is told.
pub(super) fn take<'a>(rest: &mut &'a [u8]) -> std::result::Result<&'a ManagerHead, Option<u32>> {
    let (head, behind) = ManagerHead::ref_from_prefix(rest).map_err(|_| None)?;
    let size = head.size.get();
    *rest = behind.get(size as usize..).ok_or(Some(size))?;
    Ok(head)
}

impl Manager {
    /// The fixed part as stored.
    pub fn head(&self) -> ManagerHead {
        ManagerHead { guid: self.guid, size: self.chunk.len.into() }
    }

    /// What the manager is called, where it is one of the SDK's.
    pub fn name(&self) -> Option<&'static str> {
        let d1 = Some(self.guid.d1.get()).filter(|_| self.guid.d2.get() == 0)?;
        MANAGER_NAMES.iter().find(|(known, _)| *known == d1).map(|(_, name)| *name)
    }

    /// Where the record lies, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        let start = u64::from(self.chunk.at).saturating_sub(12);
        at.part(start, self.chunk.end().saturating_sub(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn managers_have_the_names_of_the_page() {
        let page = include_str!("../../../../../docs/formats/virtools.md");
        for (d1, name) in MANAGER_NAMES {
            let row = format!("| `{d1:08X}` | {name} ");
            assert!(page.contains(&row), "{row}");
        }
    }
}
