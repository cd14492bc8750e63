//! Updating one of very many assets by an append, beside writing an index block of that size; both flushed.

use super::{Work, with_task};
use crate::timing::{Rounds, seconds};
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
    time::{Duration, Instant},
};

pub fn measure(work: &Work) -> io::Result<()> {
    let source = work.folder.join("tiny.snpak");
    let [ours, bare] = ["ours", "bare"].map(|name| work.folder.join(format!("{name}.tmp")));
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
        let started = Instant::now();
        with_task(2, |task| {
            let growing = Growing::open(&ours, task)?;
            let (draft, options) = (update(growing.pack(), number, task)?, Options::default());
            growing.append(draft, options, task)
        })
        .expect("appended");
        started.elapsed()
    };
    let mut opened = [Duration::ZERO; 2];
    let mut write = || {
        let file = restore(&bare).expect("restored");
        let started = Instant::now();
        file.write_all_at(&index, size).expect("written");
        file.sync_all().expect("flushed");
        file.write_all_at(&head, 0).expect("written");
        file.sync_all().expect("flushed");
        started.elapsed()
    };
    let mut open = || {
        drop(restore(&ours).expect("restored"));
        let started = Instant::now();
        with_task(2, |task| Growing::open(&ours, task).map(drop)).expect("opened");
        opened[0] = started.elapsed();
        opened[0]
    };
    let rounds = Rounds::timed(11, [&mut append, &mut write, &mut open]);
    let [append, write, open] = rounds.medians().map(seconds);
    println!(
        "append one of {} assets: {append} with opening ({open}) / {write}, {:.3} of writing the index block; without opening {:.3} (at most 1.5)",
        index.len() / 128,
        rounds.median(|[append, write, _]| append / write),
        rounds.median(|[append, write, open]| (append - open) / write),
    );
    fs::remove_file(&ours)?;
    fs::remove_file(&bare)
}

/// A draft in which the asset in the middle has another payload.
fn update(
    pack: &std::sync::Arc<Pack>,
    number: u64,
    task: &mut spelunk_core::Task<'_>,
) -> Result<Draft> {
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
