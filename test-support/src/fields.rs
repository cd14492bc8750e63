//! The fields of `info`.

use crate::{findings::assert_none, task::with_task};
use spelunk_core::{
    Collect, Container, Val,
    walk::{Flat, FlatField, finish},
};
use std::ops::Deref;

/// Fields that were walked over.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields(pub Vec<FlatField>);

impl Fields {
    /// The value of the field with this path.
    pub fn find(&self, path: &str) -> Option<&Val<'static>> {
        self.0.iter().find(|field| field.path == path).map(|field| &field.value)
    }

    /// The value of the field with this path.
    ///
    /// # Panics
    /// Where there is none.
    pub fn get(&self, path: &str) -> &Val<'static> {
        self.find(path).unwrap_or_else(|| panic!("no field {path}"))
    }

    /// The value of the field with this path, as text.
    ///
    /// # Panics
    /// Where there is none.
    pub fn text(&self, path: &str) -> String {
        self.get(path).to_string()
    }

    /// The number in the field with this path.
    ///
    /// # Panics
    /// Where there is none.
    pub fn number(&self, path: &str) -> u64 {
        match self.get(path) {
            Val::U(number) => *number,
            other => panic!("{path}: {other:?}"),
        }
    }

    /// Paths and values of all fields, as text.
    pub fn texts(&self) -> Vec<(String, String)> {
        self.0.iter().map(|field| (field.path.clone(), field.value.to_string())).collect()
    }
}

impl Deref for Fields {
    type Target = [FlatField];

    fn deref(&self) -> &[FlatField] {
        &self.0
    }
}

/// The value of the field with this path.
///
/// # Panics
/// Where there is none.
pub fn value(fields: &[FlatField], path: &str) -> Val<'static> {
    let field = fields.iter().find(|field| field.path == path);
    field.unwrap_or_else(|| panic!("no field {path}")).value.clone()
}

/// The fields of `info` of a container without damage.
///
/// # Panics
/// Where the walk fails or finds anything.
pub fn info(container: &dyn Container) -> Fields {
    let (fields, sink) = summary(container);
    assert_none(&sink);
    fields
}

/// The fields of `info` of a container that may be damaged.
///
/// # Panics
/// Where the walk fails.
pub fn info_damaged(container: &dyn Container) -> Fields {
    summary(container).0
}

fn summary(container: &dyn Container) -> (Fields, Collect) {
    let mut flat = Flat::default();
    let (walked, sink) =
        with_task(container.size() as usize, |task| container.info(task, &mut flat));
    finish(walked).expect("a summary");
    (Fields(flat.fields), sink)
}
