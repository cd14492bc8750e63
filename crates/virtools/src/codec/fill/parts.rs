//! The parts of a tree of what fields are to become, and the errors of one that has others.

use crate::{codec::tree::Tree, codes};
use spelunk_core::{Error, Field, Result, Val};
use std::borrow::Cow;

pub(super) fn entries(tree: Tree<'_>) -> Result<Vec<(Cow<'_, str>, Tree<'_>)>> {
    match tree {
        Tree::Map(entries) => Ok(entries),
        other => Err(misfit("value", "a group of fields", &other)),
    }
}

/// Values of one type from a list, or from a text as people write lists.
pub(super) fn parts<'l, 't>(field: &Field, tree: &'l Tree<'t>) -> Option<Cow<'l, [Tree<'t>]>> {
    match tree {
        Tree::List(items) => Some(Cow::Borrowed(items)),
        Tree::Val(Val::Str(text)) => {
            Some(field.split(text).map(|part| Tree::Val(part.to_owned().into())).collect())
        }
        Tree::Val(Val::List(items)) => Some(items.iter().cloned().map(Tree::Val).collect()),
        Tree::Val(Val::None) => Some(Cow::Borrowed(&[])),
        Tree::Val(_) | Tree::Map(_) => None,
    }
}

/// The position that a step of a path names, below `len`.
pub(super) fn position(step: &str, len: usize) -> Result<usize> {
    let index = step.parse().ok().filter(|index| *index < len);
    index.ok_or_else(|| {
        Error::new(&codes::NO_FIELD)
            .expected(format!("a position below {len}"))
            .found(step.to_owned())
    })
}

/// Whether a tree stands for a null sub-chunk: null, or a size of 0 alone.
pub(super) fn is_null(tree: &Tree<'_>) -> bool {
    match tree {
        Tree::Val(value) => *value == Val::None,
        Tree::Map(entries) => matches!(&**entries, [(key, Tree::Val(Val::U(0)))] if key == "size"),
        Tree::List(_) => false,
    }
}

/// The error of what is no value of a field.
#[cold]
pub(super) fn refuse(field: &Field, found: &Tree<'_>) -> Error {
    match found {
        Tree::Val(value) => field.misfit(value).field(field.name),
        found => misfit(field.name, field.expected(), found).with_code(&spelunk_core::codes::VALUE),
    }
}

#[cold]
pub(super) fn misfit(
    name: &'static str,
    expected: impl Into<Val<'static>>,
    found: &Tree<'_>,
) -> Error {
    let error = Error::new(&codes::VALUE).field(name).expected(expected);
    match found {
        Tree::Val(value) => error.found(value.clone().into_owned()),
        Tree::List(items) => error.found(format!("{} items", items.len())),
        Tree::Map(_) => error.found("a group of fields"),
    }
}
