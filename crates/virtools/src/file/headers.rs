//! The reader of headers alone: of a file that is far away, Data stay where they are.

use super::{
    DATA, File,
    checksum::Checksum,
    data::Records,
    header::Head,
    included::Tail,
    open::{finish, header1_section, opened, span},
    table::ObjectTable,
};
use spelunk_core::{Class, Finding, Packing, Result, Section, Severity, Source, Span, Task};
use std::sync::OnceLock;

/// The ProductBuilds that real files have. Chunks of theirs are current ones, wherever anybody looked.
const REAL_BUILDS: [u32; 8] = [
    0x0201_0001,
    0x0201_000E,
    0x0205_0030,
    0x0300_0032,
    0x0305_0018,
    0x0305_0035,
    0x0500_0008,
    0x0500_000D,
];

impl File {
    /// Opens what a source holds without Data, for who asks for nothing that Data alone tell. The checksum is not checked, and
    /// of the records there are the sizes of objects.
    ///
    /// `None` where the file has to be read whole: where there is anything to warn of, where FileIndex does not tell the sizes,
    /// below FileVersion 8, and of products of which there are no real files.
    ///
    /// # Errors
    /// Limits; reading errors; what the sink makes of a finding.
    pub(crate) fn headers_from(source: &dyn Source, task: &mut Task<'_>) -> Result<Option<File>> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut own = Task::new(task.budget.clone(), &mut findings);
        (own.threads, own.is_lenient) = (task.threads, task.is_lenient);
        let file = match headers(source, &mut own) {
            Ok(file) => file,
            Err(error) if error.code().class == Class::Malformed => None,
            Err(error) => return Err(error),
        };
        let budget = own.budget;
        let is_odd = findings.iter().any(|finding| finding.severity != Severity::Info);
        let Some(file) = file.filter(|_| !is_odd) else { return Ok(None) };
        task.budget = budget;
        for Finding { severity, error } in findings {
            task.report(severity, error)?;
        }
        Ok(Some(file))
    }
}

/// Reads headers, Header1 and the tail; `None` where that is not enough.
fn headers(source: &dyn Source, task: &mut Task<'_>) -> Result<Option<File>> {
    let len = source.len();
    let start = source.read(0..len.min(Head::LEN), &mut task.budget)?;
    let head = Head::read(&start)?;
    head.check(task)?;
    let header1_at = head.header1_range();
    let data_at = header1_at.end..header1_at.end.saturating_add(head.data_stored_len());
    // Whether equal sizes are those of a stream is told by its bytes alone.
    let is_equal = head.data_stored_len() == head.data_plain_len();
    if head.version() < 8
        || head.data_packed() == is_equal
        || data_at.end > len
        || !REAL_BUILDS.contains(&head.product_build())
    {
        return Ok(None);
    }
    let tail_at = data_at.end..len;
    source.prefetch(&[header1_at.clone(), tail_at.clone()]);
    let stored = source.read(header1_at.clone(), &mut task.budget)?;
    let header1 = header1_section(&head, &header1_at, stored);
    header1.inflate(task)?;
    let plain = header1.plain(&mut task.budget)?;
    let table = ObjectTable::read(plain, header1.plain_at(), &head, task)?;
    let Some(records) = Records::told(&table.objects, &head, &mut task.budget)? else {
        return Ok(None);
    };
    let tail = source.read(tail_at.clone(), &mut task.budget)?;
    let tail = Tail::read(&tail, span(&tail_at), table.included_count(), task)?;
    let data_at = span(&data_at);
    let data = match head.data_packed() {
        true => Section::unread(data_at, Packing::Zlib, Span::new(DATA, 0, head.data_plain_len())),
        false => Section::unread(data_at, Packing::Stored, data_at),
    };
    let file = File {
        records: OnceLock::from(records),
        ..opened(head, Checksum::unchecked(&head), [header1, data], table, tail)
    };
    finish(file, task).map(Some)
}
