//! The records of managers (`docs/formats/virtools.md#51-manager-records`).

use crate::{file::part::PlainSpan, registered};
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
pub(crate) static GUID: Field = ManagerHead::RECORD.field("guid").guids(&registered::MANAGER_NAMES);

/// The record of a manager.
#[derive(Clone, Copy, Debug)]
pub struct Manager {
    /// The manager.
    pub guid: Guid,
    /// The bytes of its chunk in plain Data; none for a manager without one.
    pub chunk: PlainSpan,
}

/// Takes a manager's record; gives its fixed part and goes on behind its chunk. `rest` stays where it is when
/// the record is cut short, and the size that was read is reported.
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

    /// The name of the manager, without the word "manager"; `None` for one that is not known.
    pub fn name(&self) -> Option<&'static str> {
        registered::manager([self.guid.d1.get(), self.guid.d2.get()])
    }

    /// Place of the record, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        let start = u64::from(self.chunk.at).saturating_sub(12);
        at.part(start, self.chunk.end().saturating_sub(start))
    }
}
