//! Checks of a chunk beyond its header: identifiers, lists, sub-chunks at any depth, versions.

use super::{
    Chunk, Form, LAST_VERSION, OPTION_ALLOWDYN, OPTION_CHN, OPTION_FILE, OPTION_IDS, OPTION_MAN,
    item::{MAX_DEPTH, SubChunks},
    list::{Entries, ListKind, ListTarget},
    plain,
    section::{HEADER_LEN, bit_of},
};
use crate::codes;
use spelunk_core::{Error, Result, Seg, Task};

/// The option bits that files hold.
const KNOWN_OPTIONS: u8 = OPTION_IDS | OPTION_MAN | OPTION_CHN | OPTION_FILE | OPTION_ALLOWDYN;
/// The bytes of the versions of generations A and B and of sub-chunks that are 0.
const HIGH_BYTES: u32 = 0xFF00_FF00;
/// Steps that a finding costs, so that a list of nothing but damage does not keep reporting for long.
const FINDING_STEPS: u64 = 64;

/// Owner of the chunk that is looked at, for the paths of findings.
#[derive(Clone, Copy)]
enum Trail<'t> {
    /// A chunk that stands for itself.
    Outermost,
    /// The chunk of the item at a position among its kind.
    Of(&'static str, usize),
    /// Target of an entry of the CHN list; the position in the sequence where it is in one.
    Sub(&'t Trail<'t>, usize, Option<usize>),
}

impl Trail<'_> {
    fn wrap(&self, error: Error) -> Error {
        match *self {
            Trail::Outermost => error.field("chunk"),
            Trail::Of(kind, index) => {
                error.field("chunk").within(Seg::Index(index as u64)).field(kind)
            }
            Trail::Sub(outer, entry, item) => {
                let error = match item {
                    Some(item) => error.within(Seg::Index(item as u64)),
                    None => error,
                };
                let error = error.within(Seg::Index(entry as u64)).field(ListKind::Chunks.name());
                outer.wrap(error)
            }
        }
    }

    /// Pays for a finding, and places it.
    fn located(&self, error: Error, task: &mut Task<'_>) -> Result<Error> {
        task.budget.steps(FINDING_STEPS)?;
        Ok(self.wrap(error))
    }
}

/// Whether a record is surely a sound chunk: one without lists, whose size fits and whose chain reaches its end
/// without an identifier that may have come before. Most chunks of real files are found sound by that; the others have
/// to be looked at.
#[inline]
pub fn is_surely_sound(bytes: &[u8]) -> bool {
    let Some((_, data)) = plain(bytes) else { return false };
    let mut left = data;
    let mut least = HEADER_LEN;
    let mut known = 0_u64;
    while let Some(([identifier, next], _)) = left.split_first_chunk::<HEADER_LEN>() {
        let bit = bit_of(identifier.get());
        let next = next.get() as usize;
        if known & bit != 0 {
            return false;
        }
        if next == 0 {
            return true;
        }
        if next < least {
            return false;
        }
        known |= bit;
        least = next.saturating_add(HEADER_LEN);
        left = data.get(next..).unwrap_or_default();
    }
    // No identifier at all is sound, one that is cut short is not.
    data.is_empty()
}

impl Chunk<'_> {
    /// Reports what is wrong in the chunk and in its sub-chunks. Ids that no object has are not; nor are plain
    /// words in a sub-chunk where identifiers could be. Bytes that are no whole dword are reported with the
    /// size of the record ([`codes::CHUNK_SIZE`]).
    ///
    /// # Errors
    /// Limits, and what the sink makes of a finding.
    pub fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        self.check(&Trail::Outermost, 0, task)
    }

    /// The same for the chunk of an item, as of `object[17]`, which the paths of the findings name.
    ///
    /// # Errors
    /// Limits, and what the sink makes of a finding.
    #[inline]
    pub fn verify_of(&self, kind: &'static str, index: usize, task: &mut Task<'_>) -> Result<()> {
        self.check(&Trail::Of(kind, index), 0, task)
    }

    #[inline]
    fn check(&self, trail: &Trail<'_>, depth: usize, task: &mut Task<'_>) -> Result<()> {
        task.budget.touch(self.at.len)?;
        if self.has_odd_header() || self.rest.len() >= 4 {
            self.report_header(trail, task)?;
        }
        if !self.form.is_sub() {
            self.check_identifiers(trail, task)?;
        }
        if !self.ids.words().is_empty() {
            self.check_entries(ListKind::Ids, trail, task, |entry| self.objects(entry).is_some())?;
        }
        if !self.managers.words().is_empty() {
            let sound = |entry| self.manager_ints(entry).is_some();
            self.check_entries(ListKind::Managers, trail, task, sound)?;
        }
        if !self.chunks.words().is_empty() {
            self.check_sub_chunks(trail, depth, task)?;
        }
        Ok(())
    }

    #[inline]
    fn has_odd_header(&self) -> bool {
        let odd = match self.form {
            Form::Bare => return false,
            Form::C => return self.options() & !KNOWN_OPTIONS != 0 || self.is_opaque(),
            Form::SubBare => return false,
            Form::A | Form::B => 0,
            Form::SubA | Form::Sub => self.extra >> 1,
        };
        odd | self.versions & HIGH_BYTES != 0 || self.chunk_version() > LAST_VERSION
    }

    #[cold]
    fn report_header(&self, trail: &Trail<'_>, task: &mut Task<'_>) -> Result<()> {
        let header = self.header_len() as u64;
        let header = self.at.part(0, header.saturating_mul(4));
        let mut warn = |error: Error| {
            let error = trail.located(error.at(header), task)?;
            task.warn(error)
        };
        if self.chunk_version() > LAST_VERSION {
            let error = Error::new(&codes::CHUNK_VERSION).field("chunk_version");
            warn(
                error
                    .expected(format!("at most {LAST_VERSION}"))
                    .found(u32::from(self.chunk_version())),
            )?;
        }
        let options = self.options() & !KNOWN_OPTIONS;
        if options != 0 && !self.is_opaque() {
            let error = Error::new(&codes::CHUNK_OPTIONS).field("options");
            warn(error.found(format!("{options:#04x}")))?;
        }
        let has_versions = !matches!(self.form, Form::Bare | Form::C | Form::SubBare);
        if has_versions && self.versions & HIGH_BYTES != 0 {
            let error = Error::new(&codes::VERSION_BYTES);
            warn(error.found(format!("{:#010x}", self.versions)))?;
        }
        if matches!(self.form, Form::SubA | Form::Sub) && self.extra > 1 {
            let error = Error::new(&codes::HAS_FILE).field("has_file");
            warn(error.expected("0 or 1").found(self.extra))?;
        }
        if self.rest.len() >= 4 && !self.is_opaque() {
            let start = self.at.len.saturating_sub(self.rest.len() as u64);
            let at = self.at.part(start, self.rest.len() as u64);
            let error = Error::new(&codes::CHUNK_REST).at(at).field("rest");
            warn(error.found(format!("{} bytes", at.len)))?;
        }
        Ok(())
    }

    /// The chain reaches the end of the data, and no identifier comes twice.
    #[inline]
    fn check_identifiers(&self, trail: &Trail<'_>, task: &mut Task<'_>) -> Result<()> {
        let mut sections = self.sections();
        // Identifiers mostly rise. One that does not came before only where its bit is known.
        let (mut highest, mut known, mut suspect) = (None, 0_u64, false);
        for section in sections.by_ref() {
            let bit = bit_of(section.identifier);
            suspect |= highest >= Some(section.identifier) && known & bit != 0;
            highest = highest.max(Some(section.identifier));
            known |= bit;
        }
        if suspect {
            self.check_unique(trail, task)?;
        }
        match sections.broken() {
            Some(index) => self.report_broken(index, trail, task),
            None => Ok(()),
        }
    }

    #[cold]
    fn check_unique(&self, trail: &Trail<'_>, task: &mut Task<'_>) -> Result<()> {
        let count = self.sections().count() as u64;
        task.budget.steps(count)?;
        let mut all = task.budget.vec(count)?;
        all.extend(self.sections().map(|section| (section.identifier, section.index)));
        all.sort_unstable();
        for (before, (identifier, index)) in all.iter().zip(all.iter().skip(1)) {
            if before.0 == *identifier {
                let error = Error::new(&codes::REPEATED_IDENTIFIER)
                    .at(self.data_at(*index, HEADER_LEN))
                    .field("identifier")
                    .found(format!("{identifier:#x}"));
                let error = trail.located(error, task)?;
                task.note(error)?;
            }
        }
        task.budget.release(size_of_val(&*all) as u64);
        Ok(())
    }

    #[cold]
    fn report_broken(&self, index: usize, trail: &Trail<'_>, task: &mut Task<'_>) -> Result<()> {
        let head = self.data.get(index..).and_then(<[_]>::first_chunk::<HEADER_LEN>);
        let first = index == 0;
        let error = Error::new(if first { &codes::NO_CHAIN } else { &codes::IDENTIFIER });
        let error = match head {
            Some([identifier, next]) => {
                let last = self.data.len().saturating_sub(HEADER_LEN);
                error
                    .at(self.data_at(index.saturating_add(1), 1))
                    .field("next")
                    .within(Seg::Key(format!("{:#x}", identifier.get()).into()))
                    .expected(format!("0, or {} to {last}", index.saturating_add(HEADER_LEN)))
                    .found(next.get())
            }
            None => error
                .at(self.data_at(index, 1))
                .field("data")
                .expected("an identifier of two dwords")
                .found("one dword"),
        };
        let error = trail.located(error, task)?;
        // Plain words look like a damaged first identifier.
        if first { task.warn(error) } else { task.error(error) }
    }

    #[inline]
    fn check_entries(
        &self,
        kind: ListKind,
        trail: &Trail<'_>,
        task: &mut Task<'_>,
        sound: impl Fn(ListTarget) -> bool,
    ) -> Result<()> {
        let mut entries = self.list(kind).entries();
        let mut nth = 0_usize;
        while let Some(entry) = entries.next() {
            if !sound(entry) {
                self.report_entry((kind, nth), entry, &entries, trail, task)?;
            }
            nth = nth.saturating_add(1);
        }
        Ok(())
    }

    /// Reports an entry, the last one that was taken of `entries`.
    #[cold]
    fn report_entry(
        &self,
        (kind, nth): (ListKind, usize),
        entry: ListTarget,
        entries: &Entries<'_>,
        trail: &Trail<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let words = self.list(kind).words().len();
        let start = words.saturating_sub(entries.left()).saturating_sub(entry.width());
        let error = Error::new(&codes::LIST_ENTRY)
            .at(self.list_at(kind, start, entry.width()))
            .within(Seg::Index(nth as u64))
            .field(kind.name())
            .expected(format!("what ends within {} dwords", self.data.len()));
        let error = match entry {
            ListTarget::Single(index) => error.found(format!("index {index}")),
            ListTarget::Sequence(index) => error.found(format!("a sequence at index {index}")),
            ListTarget::Cut => error.found("a sequence without an index"),
        };
        let error = trail.located(error, task)?;
        task.error(error)
    }

    fn sequence_of(&self, entry: ListTarget) -> Option<SubChunks<'_>> {
        match entry {
            ListTarget::Sequence(index) => self.sub_chunks(index as usize),
            _ => None,
        }
    }

    fn check_sub_chunks(&self, trail: &Trail<'_>, depth: usize, task: &mut Task<'_>) -> Result<()> {
        let mut entries = self.chunks.entries();
        let mut nth = 0_usize;
        while let Some(entry) = entries.next() {
            match (entry, self.sequence_of(entry)) {
                (ListTarget::Single(index), _) if (index as usize) < self.data.len() => {
                    let chunk = self.sub_chunk(index as usize).map(|(chunk, _)| chunk);
                    check_sub(chunk, &Trail::Sub(trail, nth, None), depth, task)?;
                }
                (_, Some(chunks)) => {
                    // Sequences may lie in each other, so each is paid for.
                    task.budget.steps(chunks.len().into())?;
                    for (item, chunk) in chunks.enumerate() {
                        check_sub(chunk, &Trail::Sub(trail, nth, Some(item)), depth, task)?;
                    }
                }
                _ => self.report_entry((ListKind::Chunks, nth), entry, &entries, trail, task)?,
            }
            nth = nth.saturating_add(1);
        }
        Ok(())
    }
}

/// Checks a sub-chunk of a chunk at `depth`, as it was read.
fn check_sub(
    chunk: Result<Option<Chunk<'_>>>,
    trail: &Trail<'_>,
    depth: usize,
    task: &mut Task<'_>,
) -> Result<()> {
    let error = match chunk {
        Ok(None) => return Ok(()),
        Ok(Some(chunk)) if depth < MAX_DEPTH => {
            return chunk.check(trail, depth.saturating_add(1), task);
        }
        Ok(Some(chunk)) => {
            Error::new(&codes::NESTING).at(chunk.at).expected(format!("at most {MAX_DEPTH} levels"))
        }
        Err(error) => error,
    };
    let error = trail.located(error, task)?;
    task.error(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::tests::{MANAGER, everything};
    use spelunk_core::{Budget, Finding, Severity, Span, Strict, finding::Collect, limits::Limits};
    use spelunk_fixtures::chunk::Chunk as Sample;

    fn findings(bytes: &[u8]) -> Vec<Finding> {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let chunk = Chunk::read(bytes, Span::file(0, bytes.len() as u64)).unwrap();
        chunk.verify(&mut task).unwrap();
        sink.findings
    }

    /// Code, path and place of each finding.
    fn told(sample: &Sample) -> Vec<(&'static str, String, u64)> {
        let each = findings(&sample.build().bytes).into_iter().map(|finding| {
            let at = finding.error.place().unwrap();
            assert!(at.end() <= sample.build().bytes.len() as u64);
            (finding.error.code().id, finding.error.path(), at.start)
        });
        each.collect()
    }

    #[test]
    fn a_sound_chunk_has_no_findings() {
        for version in 0..=7 {
            assert_eq!(told(&everything(version)), [], "version {version}");
        }
        // Plain words, and ids that no object has.
        let plain = Sample::sub(1).words(&[2, 3, 9, 13]).object_ref(Some(99));
        assert_eq!(told(&Sample::object(48).identifier(1).sub_chunk(&plain)), []);
        assert_eq!(told(&Sample::manager(1)), []);
        let bare = [1_u8, 0, 0, 0, 0, 0, 0, 0];
        let mut sink = Strict;
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        Chunk::bare(1, &bare, Span::file(0, 8)).verify(&mut task).unwrap();
    }

    #[test]
    fn a_broken_chain_is_told_where_it_breaks() {
        for version in [4, 5, 7] {
            let mut sample = Sample::sub(2).version(version).identifier(0x10).identifier(0x20);
            sample.words[3] = 1;
            let fixture = sample.build();
            let at = fixture.offset_of("data.3") as u64;
            assert_eq!(told(&sample), [("VT042", "chunk.0x20.next".into(), at)]);
        }
        let one = Sample::object(2).word(5);
        assert_eq!(told(&one), [("VT052", "chunk.data".into(), 8)]);
        let twice = Sample::object(2).identifier(9).identifier(1).identifier(9);
        assert_eq!(told(&twice), [("VT050", "chunk.identifier".into(), 8 + 4 * 4)]);
    }

    /// The verdict at a glance is that of a close look.
    #[test]
    fn surely_sound_chunks_are_sound() {
        let plain = Sample::object(2).identifier(3).words(&[7, 8]).identifier(9).identifier(20);
        for sample in [&plain, &Sample::object(2), &Sample::object(2).options(0x10).identifier(1)] {
            let bytes = sample.build().bytes;
            assert!(is_surely_sound(&bytes));
            assert!(findings(&bytes).is_empty());
        }
        let bytes = plain.build().bytes;
        for at in 0..bytes.len() {
            for change in [1, 4, 0x20, 0x80] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                if is_surely_sound(&changed) {
                    assert!(findings(&changed).is_empty(), "{at} {change:#x}");
                }
            }
            assert!(!is_surely_sound(&bytes[..at]), "cut at {at}");
        }
        for odd in [
            everything(7),
            Sample::object(2).identifier(9).identifier(9),
            Sample::object(2).word(1),
            Sample::sub(2).identifier(9),
            Sample::object(2).version(8),
            Sample::sub(2).version(5).identifier(9),
        ] {
            assert!(!is_surely_sound(&odd.build().bytes));
        }
    }

    /// More identifiers than there are bits to know them by.
    #[test]
    fn many_identifiers_that_fall_are_sound() {
        let mut sample = Sample::object(2);
        for identifier in (0..300).rev() {
            sample = sample.identifier(identifier);
        }
        assert_eq!(told(&sample), []);
        assert_eq!(told(&sample.identifier(77))[0].0, "VT050");
    }

    #[test]
    fn entries_outside_the_data_are_told() {
        let sample = Sample::sub(2).identifier(1).word(7).words(&[0; 3]).word(2);
        let data = sample.words.len() as i32;
        for (entries, bad) in [
            (&[2, data][..], &[1_u64][..]),
            (&[-1], &[0]),
            (&[2, -1, data, 3, data + 1, -1], &[1, 3, 4]),
            // The sequence of 7 ends behind the data, the one of 2 ids or numbers, too.
            (&[-1, 2, -1, 6], &[0, 1]),
            (&[-1, i32::MAX], &[0]),
        ] {
            for kind in [ListKind::Ids, ListKind::Managers] {
                let mut damaged = sample.clone();
                let list =
                    if kind == ListKind::Ids { &mut damaged.ids } else { &mut damaged.managers };
                list.extend(entries);
                let paths: Vec<_> =
                    bad.iter().map(|nth| format!("chunk.{}[{nth}]", kind.name())).collect();
                let findings = told(&damaged);
                assert!(findings.iter().all(|(code, ..)| *code == "VT043"), "{findings:?}");
                assert!(
                    findings.iter().map(|(_, path, _)| path).eq(&paths),
                    "{findings:?} {paths:?}"
                );
            }
        }
        let mut cut = sample.clone();
        cut.ids = vec![-1, 4, data];
        let fixture = cut.build();
        assert_eq!(told(&cut)[0].2, fixture.offset_of("ids") as u64 + 8);
        let mut chunks = sample;
        chunks.chunks = vec![data, -1, 2, -1];
        let paths: Vec<_> = told(&chunks).into_iter().map(|(code, path, _)| (code, path)).collect();
        let expected = [0, 1, 2].map(|nth| ("VT043", format!("chunk.chunks[{nth}]")));
        assert_eq!(paths, expected);
    }

    #[test]
    fn damage_in_sub_chunks_is_told_with_its_path() {
        let mut bad = Sample::sub(80).identifier(1).word(5);
        bad.ids = vec![3];
        let sub = Sample::sub(81).sub_chunk_sequence(&[None, Some(bad)]);
        let sample = Sample::object(2).identifier(1).null_sub_chunk().sub_chunk(&sub);
        let ids = "chunk.chunks[0].chunks[0][1].ids[0]";
        assert_eq!(told(&sample)[0].1, ids);
        let mut sizes = sample.clone();
        sizes.words[3] += 1;
        assert_eq!(told(&sizes)[0], ("VT044", "chunk.chunks[0].size".into(), 8 + 3 * 4));
        let mut sink = Strict;
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let bytes = sample.build().bytes;
        let chunk = Chunk::read(&bytes, Span::file(0, bytes.len() as u64)).unwrap();
        let error = chunk.verify_of("object", 17, &mut task).unwrap_err();
        assert_eq!(error.path(), format!("object[17].{ids}"));
    }

    #[test]
    fn too_deep_nesting_is_told() {
        let mut sample = Sample::sub(1).word(5);
        for level in 1..=MAX_DEPTH + 1 {
            sample = Sample::sub(1).sub_chunk(&sample);
            let deep: Vec<_> =
                findings(&Sample::object(2).identifier(1).sub_chunk(&sample).build().bytes)
                    .iter()
                    .map(|finding| finding.error.code().id)
                    .collect();
            let expected: &[_] = if level < MAX_DEPTH { &[] } else { &["VT045"] };
            assert_eq!(deep, expected, "{level}");
        }
    }

    #[test]
    fn odd_headers_are_warnings() {
        let warned = |bytes: &[u8]| {
            let each = findings(bytes).into_iter().map(|finding| {
                assert_eq!(finding.severity, Severity::Warning);
                (finding.error.code().id, finding.error.path())
            });
            each.collect::<Vec<_>>()
        };
        let options = Sample::object(2).options(0x40).build().bytes;
        assert_eq!(warned(&options), [("VT046", "chunk.options".into())]);
        assert_eq!(warned(&[0, 0, 8, 0xFF, 0, 0, 0, 0]), [("VT047", "chunk.chunk_version".into())]);
        for version in [4, 5, 7] {
            let mut bytes = Sample::sub(2).version(version).build().bytes;
            bytes.extend([0; 3]);
            assert_eq!(warned(&bytes), [], "no dword");
            bytes.push(0);
            assert_eq!(warned(&bytes), [("VT048", "chunk.rest".into())]);
            bytes.truncate(bytes.len() - 4);
            for byte in [1, 3] {
                let mut odd = bytes.clone();
                odd[byte] = 1;
                if version < 6 {
                    assert_eq!(warned(&odd), [("VT049", "chunk".into())]);
                }
            }
        }
        for (parent, index, value, code, field) in [
            (7, 4, 0x0007_0100, "VT049", ""),
            (7, 4, 0x0107_0000, "VT049", ""),
            (7, 4, 0x0008_0000, "VT047", ".chunk_version"),
            (7, 6, 2, "VT051", ".has_file"),
            (4, 6, 2, "VT051", ".has_file"),
            (7, 2, 8, "VT048", ".rest"),
        ] {
            let mut sample = Sample::sub(2).version(parent).identifier(1);
            sample = sample.sub_chunk(&Sample::sub(80)).word(0);
            sample.words[index] = value;
            let expected = (code, format!("chunk.chunks[0]{field}"));
            assert_eq!(warned(&sample.build().bytes), [expected]);
        }
    }

    /// Sub-chunks that share their bytes could be looked at again and again.
    #[test]
    fn shared_sub_chunks_end_at_the_limit() {
        let mut sample = Sample::sub(1).words(&[0; 64]);
        for _ in 0..8 {
            sample = Sample::sub(1).sub_chunk(&sample);
            sample.chunks = vec![0; 64];
        }
        let bytes = Sample::object(2).sub_chunk(&sample).build().bytes;
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        let chunk = Chunk::read(&bytes, Span::file(0, bytes.len() as u64)).unwrap();
        assert_eq!(chunk.verify(&mut task).unwrap_err().code().id, "SP011");
        let mut sample = Sample::object(2).manager_int(MANAGER, 1);
        sample.ids = vec![99; 100_000];
        let bytes = sample.build().bytes;
        let chunk = Chunk::read(&bytes, Span::file(0, bytes.len() as u64)).unwrap();
        let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
        assert_eq!(chunk.verify(&mut task).unwrap_err().code().id, "SP011");
    }
}
