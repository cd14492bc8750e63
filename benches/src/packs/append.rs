//! Updating one of very many assets by an append, beside writing an index block of that size; both flushed.

use super::Workload;
use crate::{
    clock::{Measured, measured},
    line::{Case, Line, Unit},
    made::with_task,
    work::Work,
};
use snpak::{
    Codec, Pack,
    build::{Asset, Options, Payload},
    edit::{Draft, append::Growing},
};
use spelunk_core::Result;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::FileExt,
    path::Path,
    sync::Arc,
};

const INDEX: &str = "write the index block";

pub const CASE: Case = Case {
    sides: &["open + append", "write the index block", "open"],
    lines: &[
        Line::ratio("packs-append", "append one of 1,000,000 assets, pack open", INDEX)
            .by(|t, _| (t[0] - t[2]) / t[1])
            .at_most(1.5)
            // What both wait for is the disk.
            .on_the_wall(),
        Line::ratio("packs-append-opened", "the same with opening the pack for it", INDEX),
        Line::time("packs-append-open", "open 1,000,000 assets for an append", Unit::Milliseconds)
            .by(|t, _| t[2])
            .at_most(100.0),
    ],
    measure,
};

fn measure(work: &Work) -> io::Result<Measured> {
    let workload = Workload::of(work)?;
    let source = workload.folder.join("tiny.snpak");
    let [ours, bare] = ["ours", "bare"].map(|name| workload.folder.join(format!("{name}.tmp")));
    for path in [&ours, &bare] {
        fs::copy(&source, path)?;
    }
    let head = fs::read(&source)?[..180].to_vec();
    let size = fs::metadata(&source)?.len();
    let index = fs::read(&source)?[u64_at(&head, 28)..][..u64_at(&head, 36)].to_vec();
    let restore = |path: &Path| -> io::Result<File> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.set_len(size)?;
        file.write_all(&head)?;
        file.sync_all()?;
        Ok(file)
    };
    let mut number = 0_u64;
    let mut append = || {
        drop(restore(&ours).expect("restored"));
        number += 1;
        measured(|| {
            with_task(2, |task| {
                let growing = Growing::open(&ours, task)?;
                let (draft, options) = (update(growing.pack(), number, task)?, Options::default());
                growing.append(draft, options, task)
            })
            .expect("appended");
        })
    };
    let mut write = || {
        let file = restore(&bare).expect("restored");
        measured(|| {
            file.write_all_at(&index, size).expect("written");
            file.sync_all().expect("flushed");
            file.write_all_at(&head, 0).expect("written");
            file.sync_all().expect("flushed");
        })
    };
    let mut open = || {
        drop(restore(&ours).expect("restored"));
        measured(|| with_task(2, |task| Growing::open(&ours, task).map(drop)).expect("opened"))
    };
    let measured = Measured::timed(work.rounds, [&mut append, &mut write, &mut open]);
    fs::remove_file(&ours)?;
    fs::remove_file(&bare)?;
    measured.with(format!("{} assets", index.len() / 128))
}

/// A draft in which the asset in the middle has another payload.
fn update(pack: &Arc<Pack>, number: u64, task: &mut spelunk_core::Task<'_>) -> Result<Draft> {
    let mut draft = Draft::of(pack.clone(), &mut task.budget)?;
    let entry = &pack.index().entries()[pack.index().entries().len() / 2];
    let name = pack.name(entry).expect("a name").to_vec();
    let payload = Payload::new(format!("changed {number} times").into_bytes(), Codec::NONE);
    draft.put(Asset::new(entry.asset_id, name, payload), &mut task.budget)?;
    Ok(draft)
}

fn u64_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
}
