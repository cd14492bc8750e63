//! Edits of any file through the one interface of all formats: the script in front of the file says what is set, renamed,
//! replaced, added and removed.
#![no_main]

#[path = "mutate.rs"]
mod mutate;
#[path = "written.rs"]
mod written;

use spelunk::{
    Bytes, Edit, Halt, Node, Of, Opened, Result, Task, Val,
    core::walk::{Flat, finish},
};
use written::{check, open};

/// The most entries of a file that is edited.
const ENTRIES: usize = 256;

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, _max: usize, seed: u32| {
    mutate::mutate(24, b"", data, size, seed)
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((script, data)) = data.split_first_chunk::<24>() else { return };
    let Ok(mut opened) = open(data) else { return };
    let Some(entries) = entries(&mut opened) else { return };
    let mut is_changed = false;
    for step in script.as_chunks().0 {
        let (node, kind) = &entries[usize::from(step[1]) % entries.len()];
        let fields = fields(&mut opened, *node);
        let pages = opened.code_pages();
        let done = opened.edit(|edit, task| match step[0] % 6 {
            0 | 1 => {
                let nth = usize::from(step[0] / 6) % fields.len().max(1);
                let Some(field) = fields.get(nth) else { return Ok(()) };
                let value = match step[0] % 6 {
                    0 => step[2].to_string(),
                    _ => text(step[2]),
                };
                edit.set(*node, field, Val::Str(value.into()), &pages, task)
            }
            _ => change(edit, *step, *node, kind, task),
        });
        let Some(done) = done else { return };
        is_changed |= done.is_ok();
        // The nodes of the entries behind one that goes may be others then.
        if step[0] % 6 == 4 {
            break;
        }
    }
    if is_changed {
        check(&mut opened);
    }
});

/// The entries with their kinds; `None` where there are none, or too many.
fn entries(opened: &mut Opened) -> Option<Vec<(Node, String)>> {
    let pages = opened.code_pages();
    let mut entries = Vec::new();
    let listed = opened.run(|container, task| {
        finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
            entries.push((entry.node, entry.kind.to_owned()));
            if entries.len() > ENTRIES { Err(Halt::Stop) } else { Ok(()) }
        }))
    });
    listed.ok().filter(|()| (1..=ENTRIES).contains(&entries.len())).map(|()| entries)
}

/// Paths of fields of an entry.
fn fields(opened: &mut Opened, node: Node) -> Vec<String> {
    let mut flat = Flat::within(1 << 20);
    let _ = opened.run_silent(|container, task| finish(container.walk(node, task, &mut flat)));
    flat.fields.into_iter().map(|field| field.path).take(64).collect()
}

fn text(value: u8) -> String {
    char::from(value).to_string().repeat(3)
}

fn change(
    edit: &mut dyn Edit,
    [what, which, value]: [u8; 3],
    node: Node,
    kind: &str,
    task: &mut Task<'_>,
) -> Result<()> {
    match what % 6 {
        2 => edit.rename(node, text(value).as_bytes(), task),
        3 => edit.set_bytes(node, Bytes::from(vec![value; usize::from(which)]), task),
        4 => edit.remove(&[node], value & 1 == 1, task),
        _ => match edit.table(kind) {
            Some(table) => edit.insert(table, &[Val::Str(text(value).into())], task).map(drop),
            None => Ok(()),
        },
    }
}
