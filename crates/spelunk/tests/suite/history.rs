//! Edits step by step, taken back and made again: each state is the very one that was there before.

use spelunk::{
    Bytes, Edit, Error, Opened, Options, Result, Val, compare::history::History, open::codes,
};
use spelunk_fixtures::samples;
use std::sync::Arc;

fn history(bytes: &[u8]) -> History {
    History::new(Arc::new(Bytes::copy_from_slice(bytes)), Options::default())
}

fn bytes(history: &History) -> Vec<u8> {
    let source = history.source();
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

/// Gives a field of an entry another value.
fn set(opened: &mut Opened, entry: &str, field: &str, value: &str) -> Result<()> {
    let pages = opened.code_pages();
    let node = opened.run(|container, task| container.find(entry, &pages, task))?[0];
    opened
        .edit(|edit: &mut dyn Edit, task| {
            edit.set(node, field, Val::Str(value.into()), &pages, task)
        })
        .unwrap()
}

/// Edits a file and goes all the way back and forth.
fn check(old: &[u8], edits: &[(&str, &str, &str)]) {
    let mut history = history(old);
    let mut states = vec![old.to_vec()];
    for (entry, field, value) in edits {
        history.edit(*value, |opened| set(opened, entry, field, value)).unwrap();
        states.push(bytes(&history));
    }
    assert_eq!(history.done().len(), edits.len());
    for state in states.iter().rev().skip(1) {
        assert!(history.undo().unwrap().is_some());
        assert!(bytes(&history) == *state);
    }
    assert!(history.undo().unwrap().is_none());
    for (state, (.., value)) in states.iter().skip(1).zip(edits) {
        assert_eq!(history.redo().unwrap().unwrap().label, *value);
        assert!(bytes(&history) == *state);
    }
    assert!(history.redo().unwrap().is_none() && history.undone().is_empty());
}

#[test]
fn edits_of_gamedata_are_taken_back_byte_for_byte() {
    check(
        &samples::gamedata().build().bytes,
        &[
            ("texts/1/1", "content", "Old sword"),
            ("items/1", "buy_value", "7"),
            ("texts/1/1", "content", "Sword"),
        ],
    );
}

#[test]
fn so_are_those_of_objects_and_assets() {
    check(
        &samples::level().build().bytes,
        &[
            ("CKMaterial/Wood", "material.diffuse", "0xffff0000"),
            ("CK3dObject/Cube", "entity.position[1]", "2.5"),
        ],
    );
    check(
        &samples::pack().build().bytes,
        &[("sounds/wind", "schema_version", "7"), ("levels/forest", "name", "levels/wood")],
    );
}

#[test]
fn an_edit_that_fails_or_changes_nothing_is_no_step() {
    let old = samples::gamedata().build().bytes;
    let mut history = history(&old);
    history.edit("one", |opened| set(opened, "items/1", "buy_value", "7")).unwrap();
    history.undo().unwrap();
    let failed = history.edit("two", |opened| -> Result<()> {
        set(opened, "items/1", "buy_value", "8")?;
        Err(Error::new(&codes::core::NOT_FOUND))
    });
    assert_eq!(failed.unwrap_err().code().id, codes::core::NOT_FOUND.id);
    history.edit("three", |_| Ok(())).unwrap();
    assert!(bytes(&history) == old);
    assert_eq!((history.done().len(), history.undone().len()), (0, 1));
    // Another edit instead of the one that was taken back.
    history.edit("four", |opened| set(opened, "items/1", "buy_value", "9")).unwrap();
    assert_eq!((history.done().len(), history.undone().len()), (1, 0));
}
