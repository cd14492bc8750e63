//! Data as it is laid out for a FileVersion.

use super::{
    Owner, Prefix, Records,
    manager::ManagerHead,
    offset,
    record::{IdRecordHead, OldDataHead, OldRecordHead, RecordHead},
};
use crate::file::{
    part::{PieceSink, SectionContent},
    table::ObjectTable,
};
use spelunk_core::scalar::Word;
use zerocopy::IntoBytes;

/// Data as it is laid out for a FileVersion.
pub(in crate::file) struct DataLayout<'f> {
    pub(in crate::file) prefix: Option<Prefix>,
    pub(in crate::file) table: &'f ObjectTable,
    pub(in crate::file) records: &'f Records,
}

impl DataLayout<'_> {
    /// Bytes of the chunk as they are stored.
    fn stored(&self, owner: Owner) -> &[u8] {
        let records = self.records;
        if let Some(old) = records.old(owner) {
            return old.data.stored_bytes();
        }
        match records.edits.get(&owner) {
            Some(edited) => edited,
            None => records.part(owner).of(&records.plain),
        }
    }

    /// Offsets of the size dword of each object when this is laid out.
    pub(in crate::file) fn sizes_at(&self) -> impl Iterator<Item = u64> + '_ {
        let records = self.records;
        let prefix = self.prefix.map_or(0, |_| size_of::<Prefix>() as u64);
        let managers = (0..offset(records.managers.len())).fold(prefix, |sum, index| {
            let chunk = self.stored(Owner::Manager(index)).len() as u64;
            sum.saturating_add(12).saturating_add(chunk)
        });
        (0..offset(records.objects.len())).scan(managers, move |start, index| {
            let head = u64::from(records.head_len(index));
            let size_at = start.saturating_add(head).saturating_sub(4);
            let chunk = self.stored(Owner::Object(index)).len() as u64;
            *start = start.saturating_add(head).saturating_add(chunk);
            Some(size_at)
        })
    }
}

impl SectionContent for DataLayout<'_> {
    fn lay_out(&self, out: &mut impl PieceSink) {
        let records = self.records;
        self.prefix.iter().for_each(|prefix| out.put(prefix.as_bytes()));
        for (manager, index) in records.managers.iter().zip(0..) {
            let chunk = self.stored(Owner::Manager(index));
            let head = ManagerHead { guid: manager.guid, size: offset(chunk.len()).into() };
            out.put(head.as_bytes());
            out.put(chunk);
        }
        for index in 0..offset(records.objects.len()) {
            let chunk = self.stored(Owner::Object(index));
            let size = offset(chunk.len()).into();
            let id = || self.table.objects.get(index as usize).map_or(0, |object| object.id).into();
            match records.version {
                0..=3 => {
                    let Some(old) = records.old.get(index as usize) else { continue };
                    let unpack_size = old.unpack_size.into();
                    out.put(OldRecordHead { id: id(), unpack_size }.as_bytes());
                    if old.has_data() {
                        let save_flags = Word::new(old.save_flags);
                        let class_id = old.class_id.into();
                        out.put(OldDataHead { class_id, save_flags, data_size: size }.as_bytes());
                    }
                }
                4..=6 => out.put(IdRecordHead { id: id(), size }.as_bytes()),
                _ => out.put(RecordHead { size }.as_bytes()),
            }
            out.put(chunk);
        }
        out.put(records.rest.of(&records.plain));
    }
}
