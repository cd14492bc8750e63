//! Sees a pack change while it is open.
//!
//! `hot_reload PACK` looks at a pack once a second until it changed five times. Without a pack one is made in a temporary
//! folder, appended to and replaced.

use snpak::{
    Codec, OpenOptions,
    build::{Asset, Options, Payload, name_id},
    edit::{Draft, append::Growing},
    set::reload::{Reload, Watched},
};
use spelunk_core::{Budget, Collect, Limits, Result, Task, source::Mapping};
use std::{env, fs, path::Path, thread, time::Duration};

fn main() -> Result<()> {
    match env::args_os().nth(1) {
        Some(path) => watch(Path::new(&path)),
        None => demonstrate(),
    }
}

/// Runs some work with limits of its own.
fn run<T>(work: impl FnOnce(&mut Task<'_>) -> Result<T>) -> Result<T> {
    let mut findings = Collect::default();
    work(&mut Task::new(Budget::new(Limits::for_len(1 << 30)), &mut findings))
}

/// Never mapped: on Windows a file that is mapped cannot be replaced, and elsewhere one that is cut short while it is mapped
/// ends the process.
fn open(path: &Path) -> Result<Watched> {
    run(|task| Watched::open(path, Mapping::Never, OpenOptions::default(), task))
}

fn watch(path: &Path) -> Result<()> {
    let mut watched = open(path)?;
    let mut changes = 0;
    while changes < 5 {
        thread::sleep(Duration::from_secs(1));
        changes += usize::from(look(&mut watched)?);
    }
    Ok(())
}

/// Looks once, tells what is there, and whether that is new.
fn look(watched: &mut Watched) -> Result<bool> {
    match run(|task| watched.reload(task))? {
        Reload::Unchanged => println!("unchanged"),
        Reload::BeingWritten(error) => println!("being written, the old pack stays: {error}"),
        Reload::Changed(changes) => {
            for id in &changes.added {
                println!("+ {id}");
            }
            for id in &changes.removed {
                println!("- {id}");
            }
            for (id, what) in &changes.changed {
                println!("~ {id}: {}", what.names().collect::<Vec<_>>().join(", "));
            }
            return Ok(true);
        }
    }
    Ok(false)
}

fn asset(name: &str, text: &'static str) -> Asset {
    let payload = Payload::new(text.as_bytes(), Codec::default());
    Asset::new(name_id(name.as_bytes(), None), name, payload)
}

fn demonstrate() -> Result<()> {
    let folder = env::temp_dir().join(format!("snpak-hot-reload-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let shown = show(&folder.join("forest.snpak"));
    fs::remove_dir_all(&folder)?;
    shown
}

fn show(path: &Path) -> Result<()> {
    write(path, &[("trees/oak", "oak"), ("trees/birch", "birch")])?;
    let mut watched = open(path)?;
    let old = watched.pack().clone();
    look(&mut watched)?;

    println!("\nanother program appends:");
    run(|task| {
        let growing = Growing::open(path, task)?;
        let mut draft = Draft::of(growing.pack().clone(), &mut task.budget)?;
        draft.put(asset("trees/oak", "a taller oak"), &mut task.budget)?;
        draft.put(asset("trees/pine", "pine"), &mut task.budget)?;
        growing.append(draft, Options::default(), task)
    })?;
    look(&mut watched)?;
    let text = |pack: &snpak::Pack| run(|task| pack.payload(0, task));
    println!("old handle: {:?}, new one: {:?}", text(&old)?, text(watched.pack())?);

    println!("\nanother program is in the middle of writing the header:");
    let sound = fs::read(path)?;
    let mut torn = sound.clone();
    torn[28] ^= 1;
    fs::write(path, torn)?;
    look(&mut watched)?;

    println!("\nanother file takes its place:");
    let new = path.with_extension("new");
    write(&new, &[("trees/pine", "pine")])?;
    fs::rename(new, path)?;
    look(&mut watched)?;
    println!("old handle: {:?}", text(&old)?);
    Ok(())
}

/// Writes a pack.
fn write(path: &Path, assets: &[(&str, &'static str)]) -> Result<()> {
    run(|task| {
        let mut draft = Draft::default();
        for (name, text) in assets {
            draft.add(asset(name, text))?;
        }
        let mut file = fs::File::create(path)?;
        draft.write(&mut file, Options::default(), task).map(drop)
    })
}
