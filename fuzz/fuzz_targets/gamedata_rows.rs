//! Rows of GameData: the first byte chooses a category, the rest is its data. Everything is decoded, looked up, changed and
//! checked; rows come back as they were, and what is changed is found again.
#![no_main]

use spellforce::{
    cff::{Chunks, Content, Draft, FileHeader, Form, MAGIC, NewChunk},
    gamedata::{CATEGORIES, RowBuf, TEXTS, TableDraft, category},
};
use spelunk::{Bytes, Opened, Options};
use spelunk_core::{
    Budget, Collect, Limits, Task,
    scalar::{U32, Word},
    text::CodePages,
};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((first, data)) = data.split_first() else { return };
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(data.len() as u64)), &mut sink);
    let header = FileHeader {
        magic: Word::new(MAGIC),
        format_version: U32::new(2),
        file_type: U32::new(2),
        file_version: U32::new(1),
        checksum: Word::new(0),
    };
    let mut draft = Draft::new(header, Form::Narrow);
    // The chosen category, and texts that it may refer to.
    let chosen = CATEGORIES[usize::from(*first) % CATEGORIES.len()];
    for of in [chosen, category(TEXTS).expect("it is one")] {
        let content = Content::Raw(Bytes::copy_from_slice(data));
        let (id, data_type) = (of.id, of.data_type);
        draft.insert(usize::MAX, NewChunk { id, occurrence: 0, data_type, packed: 0, content });
    }
    let source = draft.source(&mut task).expect("raw chunks fit");
    let Ok(mut opened) = Opened::open(source, &Options::default()) else { return };
    opened.run(|container, task| {
        let gamedata = container.model().and_then(Chunks::gamedata);
        let gamedata = gamedata.expect("it has categories");
        for (chunk, category) in gamedata.categories() {
            let Ok(table) = gamedata.table(chunk, &mut task.budget) else { return };
            let rows: usize = table.rows().map(|row| row.bytes().len()).sum();
            assert_eq!(rows + table.remainder().len(), table.plain().len());
            let _ = gamedata.languages(&mut task.budget);
            let mut draft = TableDraft::of(table);
            for (nth, row) in table.rows().enumerate().take(16) {
                let Ok(found) = gamedata.find(chunk, &row.key_values(), &mut task.budget) else {
                    return;
                };
                assert!(found.contains(&nth));
                let mut new = RowBuf::of(&row);
                for field in 0..category.fields().len() {
                    let _ = new.set_number(field, i64::from(*first));
                    let text = String::from_utf8_lossy(data);
                    let _ = new.set_text(field, &text, &CodePages::cp1252(), *first & 1 == 0);
                }
                if !category.is_polygons() {
                    draft.set(nth, new);
                }
            }
            draft.add(RowBuf::new(category));
            let made = draft.finish();
            let added = category.row_size().unwrap_or(5);
            assert_eq!(made.len(), table.plain().len() + added);
        }
        let _ = container.verify(task);
        let _ = container.all_refs(task, &mut |_, _, _| Ok(()));
    });
});
