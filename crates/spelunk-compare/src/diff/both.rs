//! The two containers of a comparison.

use spelunk_core::{Container, Result, Task, text::CodePages};
use spelunk_open::Opened;

/// A container of a comparison, with its task.
pub(super) struct ComparedContainer<'s, 't> {
    pub(super) container: &'s dyn Container,
    pub(super) task: &'s mut Task<'t>,
    pub(super) pages: &'s CodePages,
}

/// The two containers of a comparison.
pub(super) struct Both<'s, 't, 'u> {
    pub(super) old: ComparedContainer<'s, 't>,
    pub(super) new: ComparedContainer<'s, 'u>,
}

/// Works on both containers.
pub(super) fn both<T>(
    opened: [&mut Opened; 2],
    work: impl FnOnce(Both<'_, '_, '_>) -> Result<T>,
) -> Result<T> {
    let [old, new] = opened;
    let (old_pages, new_pages) = (old.code_pages(), new.code_pages());
    old.run_silent(|container, task| {
        let old = ComparedContainer { container, task, pages: &old_pages };
        new.run_silent(|container, task| {
            let new = ComparedContainer { container, task, pages: &new_pages };
            work(Both { old, new })
        })
    })
}
