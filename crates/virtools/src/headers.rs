//! A file that is far away as a container: headers are there, and all of it when something deeper is asked for.

use crate::{entries::PathTarget, file::File, paths};
use spelunk_core::{
    Bytes, Container, EachRef, Field, Node, Of, Outline, Profile, Result, Source, Space, Span,
    Task, Walk, Walked, WriteOptions,
    container::{Each, View},
    text::CodePages,
    zlib::KnownPacking,
};
use std::{
    io,
    sync::{Arc, OnceLock},
};

/// A file of which Data were not read. Whoever changes it opens it whole: it has no editing side.
pub(crate) struct Headers {
    /// The file [without Data](File::headers_from).
    file: File,
    source: Arc<dyn Source>,
    /// All of it, once that was asked for.
    whole: OnceLock<File>,
}

impl Headers {
    pub(crate) fn of(file: File, source: Arc<dyn Source>) -> Headers {
        Headers { file, source, whole: OnceLock::new() }
    }

    /// All of the file, with its checksum checked, read now if it was not before.
    fn whole(&self, task: &mut Task<'_>) -> Result<&File> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let mark = task.budget.mark();
        let whole = File::read_from(&*self.source, task)?;
        Ok(task.budget.keep(mark, &self.whole, whole))
    }

    /// As much of the file as there is.
    fn known(&self) -> &File {
        self.whole.get().unwrap_or(&self.file)
    }

    /// The file for what Data are needed for, or not.
    fn file_for(&self, needs_data: bool, task: &mut Task<'_>) -> Result<&File> {
        if needs_data { self.whole(task) } else { Ok(self.known()) }
    }

    /// The file for the content of an entry.
    fn file_with(&self, node: Node, task: &mut Task<'_>) -> Result<&File> {
        let is_told = matches!(
            PathTarget::of(node),
            Some(PathTarget::Header1 | PathTarget::PluginGroup(_) | PathTarget::Included(_))
        );
        self.file_for(!is_told, task)
    }
}

impl Container for Headers {
    fn profile(&self) -> &'static Profile {
        self.file.profile()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.file.extensions()
    }

    fn size(&self) -> u64 {
        self.file.size()
    }

    fn info(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.known().info(task, walk)
    }

    /// FileIndex tells the sizes of objects, but nothing does of each manager.
    fn children(&self, of: Of, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let needs_data = match of {
            Of::Listing => false,
            Of::Root => true,
            Of::Node(node) => PathTarget::of(node).is_some_and(PathTarget::needs_data),
            Of::Parts(node) => PathTarget::of(node).is_some_and(PathTarget::needs_records),
        };
        self.file_for(needs_data, task)?.children(of, pages, task, each)
    }

    fn entry(&self, node: Node, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let needs_data = PathTarget::of(node).is_some_and(PathTarget::needs_data);
        self.file_for(needs_data, task)?.entry(node, pages, task, each)
    }

    fn outline(
        &self,
        of: View<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Outline>> {
        self.whole(task)?.outline(of, pages, task)
    }

    fn find(&self, path: &str, pages: &CodePages, task: &mut Task<'_>) -> Result<Vec<Node>> {
        self.file_for(paths::needs_data(path), task)?.find(path, pages, task)
    }

    fn find_all(
        &self,
        paths: &[&str],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        let needs_data = paths.iter().any(|path| paths::needs_data(path));
        self.file_for(needs_data, task)?.find_all(paths, pages, task)
    }

    fn bytes(&self, node: Node, task: &mut Task<'_>) -> Result<Bytes> {
        self.file_with(node, task)?.bytes(node, task)
    }

    fn has_refs(&self) -> bool {
        self.file.has_refs()
    }

    fn refs(&self, nodes: &[Node], task: &mut Task<'_>, each: EachRef<'_, usize>) -> Result<()> {
        self.whole(task)?.refs(nodes, task, each)
    }

    fn all_refs(&self, task: &mut Task<'_>, each: EachRef<'_, Node>) -> Result<()> {
        self.whole(task)?.all_refs(task, each)
    }

    fn walk(&self, node: Node, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.file_with(node, task)?.walk(node, task, walk)
    }

    fn spaces(&self) -> Vec<Span> {
        self.known().spaces()
    }

    fn space_bytes(&self, space: Space, task: &mut Task<'_>) -> Result<Bytes> {
        self.whole(task)?.space_bytes(space, task)
    }

    fn is_derived(&self, field: &Field) -> bool {
        self.file.is_derived(field)
    }

    fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self.whole(task)?.layout(task, walk)
    }

    fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        self.whole(task)?.verify(task)
    }

    fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        Container::write(self.whole(task)?, out, options, task)
    }

    fn level(&self, task: &mut Task<'_>) -> Result<Option<u8>> {
        Container::level(self.whole(task)?, task)
    }

    fn packings(&self) -> Vec<KnownPacking> {
        self.known().packings()
    }

    fn recycle(self: Box<Self>, spare: &mut Vec<Vec<u8>>) {
        let Headers { file, whole, .. } = *self;
        file.recycle(spare);
        if let Some(whole) = whole.into_inner() {
            whole.recycle(spare);
        }
    }

    fn fork(&self, task: &mut Task<'_>) -> Result<Option<Box<dyn Container>>> {
        self.whole(task)?.fork(task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FORMAT;
    use spelunk_core::{Budget, Collect, limits::Limits};
    use spelunk_fixtures::samples;

    /// Bytes that are far away.
    struct Far(Bytes);

    impl Source for Far {
        fn len(&self) -> u64 {
            Source::len(&self.0)
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
            self.0.read_at(offset, buffer)
        }

        fn is_remote(&self) -> bool {
            true
        }
    }

    /// The listing of a file as an opened one tells it, and whether Data were left alone; `None` where it cannot be opened.
    fn listed(bytes: &[u8], is_headers: bool) -> Option<(Vec<(String, u64)>, bool)> {
        let source = Arc::new(Far(Bytes::copy_from_slice(bytes)));
        let limits = Limits::for_len(source.len()).with_memory(1 << 22);
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        task.headers_suffice = is_headers;
        let container = FORMAT.open(source, &mut task).ok()?;
        let mut rows = Vec::new();
        let pages = CodePages::cp1252();
        let listed = container.children(Of::Listing, &pages, &mut task, &mut |entry, _| {
            rows.push((entry.path.to_owned(), entry.size));
            Ok(())
        });
        listed.ok()?;
        Some((rows, container.model::<Headers>().is_some()))
    }

    #[test]
    fn who_asks_for_more_opens_all_of_it() {
        let bytes = samples::level().build().bytes;
        let (rows, is_headers) = listed(&bytes, true).unwrap();
        assert!(is_headers);
        assert_eq!(listed(&bytes, false), Some((rows, false)));
    }

    /// Whatever stands in the headers: sizes lie within the file, and where nothing is told without Data, all is as ever.
    #[test]
    fn headers_are_not_trusted() {
        let mut sample = samples::level();
        sample.header1_packing = Some(spelunk_fixtures::virtools::Packing::Stored);
        let built = sample.build();
        let (end, data) = (built.range_of("header1").end, sample.data_section().bytes.len() as u64);
        let mut told = 0;
        for at in 8..end {
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut bytes = built.bytes.clone();
                bytes[at] = value;
                let Some((rows, is_headers)) = listed(&bytes, true) else {
                    assert_eq!(listed(&bytes, false), None, "{at}: {value}");
                    continue;
                };
                told += u32::from(is_headers);
                match is_headers {
                    true => {
                        let most = data
                            .max(u32::from_le_bytes(*bytes[36..].first_chunk().unwrap()).into());
                        assert!(rows.iter().map(|(_, size)| size).sum::<u64>() <= most, "{at}");
                    }
                    false => assert_eq!(listed(&bytes, false), Some((rows, false)), "{at}"),
                }
            }
        }
        assert!(told > 100, "{told}");
        for len in 0..built.bytes.len() {
            assert_eq!(listed(&built.bytes[..len], true), listed(&built.bytes[..len], false));
        }
    }
}
