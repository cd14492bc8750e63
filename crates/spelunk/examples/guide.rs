//! What `docs/guides/library.md` shows: opening any file, its entries and fields, a change, the differences.
//!
//! `cargo run -p spelunk --example guide -- FILE`

use spelunk::{
    Of, Opened, Options, Result, WriteOptions,
    compare::diff::{self, diff},
    core::replace::{Existing, Replacement},
    core::walk,
    edit::batch::Batch,
};
use std::path::Path;
use virtools::runtime::{Context, Load, Quiet, Save, SaveTarget, path_manager::Category};

/// The format and the number of findings.
pub fn what(path: &Path) -> Result<String> {
    let opened = Opened::open_path(path, &Options::default())?;
    let findings = &opened.findings().findings;
    for finding in findings {
        eprintln!("{finding}");
    }
    Ok(format!("{}, {} findings", opened.container().format(), findings.len()))
}

/// Path, kind and name of each entry.
pub fn list(path: &Path) -> Result<Vec<String>> {
    let mut opened = Opened::open_path(path, &Options::default())?;
    let pages = opened.code_pages();
    let mut lines = Vec::new();
    opened.run(|container, task| {
        walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
            let name = pages.show(entry.name.unwrap_or_default());
            lines.push(format!("{} {} {name}", entry.path, entry.kind));
            Ok(())
        }))
    })?;
    Ok(lines)
}

/// Every field of the entries that `entry` names, with its value.
pub fn fields(path: &Path, entry: &str) -> Result<Vec<String>> {
    let mut opened = Opened::open_path(path, &Options::default())?;
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let mut flat = walk::Flat::default();
        for node in container.find(entry, &pages, task)? {
            walk::finish(container.walk(node, task, &mut flat))?;
        }
        Ok(flat.fields.iter().map(|field| format!("{} = {}", field.path, field.value)).collect())
    })
}

/// Writes `old` to `new` with another value in a field of an entry.
pub fn change(old: &Path, new: &Path, entry: &str, field: &str, value: &str) -> Result<()> {
    let mut opened = Opened::open_path(old, &Options::default())?;
    Batch::new().set(entry, field, value.to_owned()).apply(&mut opened)?;

    // The new file is there when it is complete, or not at all.
    let mut file = Replacement::begin(new, Existing::Refuse)?;
    opened.run(|container, task| container.write(&mut file, &WriteOptions::default(), task))?;
    file.commit().map(drop)
}

/// How many entries differ between two files of one format.
pub fn differences(old: &Path, new: &Path) -> Result<usize> {
    let mut old = Opened::open_path(old, &Options::default())?;
    let mut new = Opened::open_path(new, &Options::default())?;
    Ok(diff(&mut old, &mut new, &diff::Options::default())?.changes.len())
}

/// Opens a file that nobody vouches for: with 16 MiB at most, and no damage allowed.
pub fn careful(path: &Path) -> Result<Opened> {
    let options = Options { max_memory: Some(16 << 20), strict: true, ..Options::default() };
    Opened::open_path(path, &options)
}

/// How many objects a Virtools file has, told by the model of the format.
pub fn objects(path: &Path) -> Result<Option<usize>> {
    let opened = Opened::open_path(path, &Options::default())?;
    let file = opened.container().model::<virtools::File>();
    Ok(file.map(|file| file.table().objects.len()))
}

/// Loads a Virtools file and saves all of it to `new`, with the pictures that its textures want included, and a text. Gives
/// how many files that are.
pub fn with_files(path: &Path, folder: &Path, new: &Path) -> Result<usize> {
    let mut opened = Opened::open_path(path, &Options::default())?;
    opened.run(|container, task| {
        let Some(file) = container.model::<virtools::File>() else { return Ok(0) };
        let mut context = Context::new();
        context.paths_mut().add(Category::BITMAPS, folder);
        context.paths_mut().add(Category::DATA, folder);
        let report = context.load(file, &Load::default(), &mut Quiet, task)?;
        let objects = report.entries.iter().filter_map(|entry| entry.id);

        let mut quiet = Quiet;
        let mut saving = context.start_save(Save::default(), SaveTarget::Path(new), &mut quiet)?;
        saving.objects(objects, task)?;
        saving.include_found(b"C:\\Work\\Readme.txt", Category::DATA, task)?;
        Ok(saving.end(task)?.file.tail().included.len())
    })
}

fn main() -> Result<()> {
    for path in std::env::args().skip(1) {
        let path = Path::new(&path);
        println!("{}", what(path)?);
        for line in list(path)? {
            println!("{line}");
        }
    }
    Ok(())
}
