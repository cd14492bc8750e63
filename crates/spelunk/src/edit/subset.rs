//! A part of a file as a file of its own.

use crate::{
    Budget, Collect, Error, Opened, Options, Result, Task, WriteOptions,
    containers::sets::{Layer, Layers},
    core::walk,
    entries::refs::Needs,
    entries::select::{self, Select},
    open::{Model, codes, model},
};
use snpak::set;
use spelunk_core::Of;
use std::{
    collections::BTreeSet,
    io::{Seek, Write},
};
use virtools::runtime::{self, Save};

pub use virtools::runtime::Depth;

/// Selection of a part. Fields that are not for files of the format have to be left as they are by default.
#[derive(Debug, Default)]
pub struct SubsetSelection {
    /// Paths of entries, and globs.
    pub paths: Vec<String>,
    /// Virtools files: what becomes of what the objects need.
    pub depth: Depth,
    /// Virtools files: whether the entities below an entity belong to what it needs.
    pub children: bool,
    /// Virtools files: what holds references of which nothing is known is kept as it was, and reported in the findings, instead
    /// of refused.
    pub lossy: bool,
    /// Packs: which dependencies are followed.
    pub needs: Needs,
    /// Packs: others in which the assets find what they need. The file itself wins, then the later ones.
    pub with: Vec<Layer>,
}

/// A part.
#[derive(Debug)]
pub struct Subset {
    made: SubsetContainer,
    /// Noun for an entry: `object` or `asset`.
    pub noun: &'static str,
    /// Entries that were asked for.
    pub asked: usize,
    /// Entries that they need, and that came along.
    pub needed: usize,
    /// Virtools files: objects that the file only refers to.
    pub referred: usize,
    /// Virtools files: objects to which it could only refer, and that no loader would find; references to them are null.
    pub lost: usize,
}

#[derive(Debug)]
enum SubsetContainer {
    File(Box<Opened>),
    Pack(Box<set::Subset>, Budget),
}

impl Subset {
    /// Writes the part; gives its size in bytes.
    ///
    /// # Errors
    /// A chunk that is damaged; limits; writing errors.
    pub fn write(self, out: &mut (impl Write + Seek), findings: &mut Collect) -> Result<u64> {
        match self.made {
            SubsetContainer::File(mut opened) => {
                let start = out.stream_position()?;
                let options = WriteOptions::default();
                let written = opened.run(|container, task| container.write(out, &options, task));
                *findings = opened.take_findings();
                written?;
                Ok(out.stream_position()?.saturating_sub(start))
            }
            SubsetContainer::Pack(part, budget) => {
                let mut task = Task::new(budget.for_next_operation(), findings);
                Ok(part.write(out, snpak::build::Options::default(), &mut task)?.size)
            }
        }
    }
}

/// Makes a file of a part of another one. What is found in the file is added to `findings`.
///
/// # Errors
/// [`NO_SUBSET`](codes::NO_SUBSET) for files of other formats, [`NOT_FOR_FORMAT`](codes::NOT_FOR_FORMAT) for what is not for
/// this one; [`NOT_FOUND`](codes::core::NOT_FOUND) for a path that means no entry; those of [`runtime::subset`] and
/// [`snpak::set::Set::subset`].
pub fn subset(
    label: &str,
    mut opened: Opened,
    part: SubsetSelection,
    options: &Options,
    findings: &mut Collect,
) -> Result<Subset> {
    let container = opened.container();
    if matches!(Model::of(container), Model::Pack(_)) {
        let other = [
            (part.depth != Depth::default(), "--references"),
            (part.children, "--children"),
            (part.lossy, "--lossy"),
        ];
        refuse(&other, container.format())?;
        *findings = opened.take_findings();
        return of_packs(label, opened, part, options, findings);
    }
    model::virtools(container, &codes::NO_SUBSET)?;
    let other = [
        (!part.with.is_empty(), "--with"),
        (!part.needs.optional, "--no-optional"),
        (!part.needs.auxiliary, "--no-auxiliary"),
    ];
    refuse(&other, container.format())?;
    // What is damaged is carried through, and reported.
    let made = opened
        .run(|container, task| container.verify(task))
        .and_then(|()| of_file(&mut opened, &part, options));
    *findings = opened.take_findings();
    made
}

fn refuse(options: &[(bool, &str)], format: &str) -> Result<()> {
    let wrong = options.iter().find(|(is_wanted, _)| *is_wanted);
    wrong.map_or(Ok(()), |(_, option)| {
        Err(Error::new(&codes::NOT_FOR_FORMAT).found(format!("{option} for {format}")))
    })
}

fn of_packs(
    label: &str,
    opened: Opened,
    part: SubsetSelection,
    options: &Options,
    findings: &mut Collect,
) -> Result<Subset> {
    let mut layers = vec![Layer::new(label, opened)];
    layers.extend(part.with);
    let mut layers = Layers::new(layers, |nth| i32::from(nth == 0), options)?;
    layers.findings = std::mem::take(findings);
    let made = layers.run(|layers, task| {
        let set = layers.set.as_ref().ok_or_else(|| Error::new(&codes::NO_SUBSET))?;
        let mut assets = BTreeSet::new();
        for path in &part.paths {
            assets.extend(chosen(layers, set, path, task)?);
        }
        let made = set.subset(assets, part.needs.follow(), task)?;
        Ok::<_, Error>((made, task.budget.clone()))
    });
    *findings = std::mem::take(&mut layers.findings);
    let (made, budget) = made?;
    let (asked, needed) = (made.asked, made.needed);
    let made = SubsetContainer::Pack(Box::new(made), budget);
    Ok(Subset { made, noun: "asset", asked, needed, referred: 0, lost: 0 })
}

/// The assets that a path means in the first pack that has it, or a glob in all of them where it is no path.
fn chosen(
    layers: &Layers,
    set: &set::Set,
    path: &str,
    task: &mut Task<'_>,
) -> Result<Vec<set::Provider>> {
    let mut found = Vec::new();
    let first = layers.container(0)?;
    // A path that is not well-formed may still be a glob.
    for node in first.find(path, &layers.pages, task).unwrap_or_default() {
        let key = crate::containers::sets::LayerNode { layer: 0, node };
        found.extend(layers.provider(key));
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let select = Select::new(&[path], &[])?;
    for (nth, layer) in layers.layers.iter().enumerate() {
        let mut add = |node, task: &mut Task<'_>| -> Result<()> {
            let provider = layers.provider(crate::containers::sets::LayerNode { layer: nth, node });
            // What is hidden is not meant by a glob.
            if let Some(provider) = provider
                && set.is_provider(provider, &mut task.budget)?
            {
                task.budget.memory(size_of::<set::Provider>() as u64)?;
                found.push(provider);
            }
            Ok(())
        };
        let container = layer.opened.container();
        walk::finish(container.children(Of::Listing, &layers.pages, task, &mut |entry, task| {
            let mut whole = String::new();
            if !entry.path.starts_with('#') {
                layers.pages.path(layer.prefix.as_bytes(), &mut whole);
            }
            whole.push_str(entry.path);
            let name = layers.pages.show(entry.name.unwrap_or_default());
            if select.wants_named([&whole, entry.kind, &name], &mut task.budget)? {
                add(entry.node, task)?;
            }
            Ok(())
        }))?;
    }
    if found.is_empty() {
        return Err(Error::new(&codes::core::NOT_FOUND)
            .expected("the path of an asset, or a glob")
            .found(format!("`{path}`")));
    }
    Ok(found)
}

fn of_file(opened: &mut Opened, part: &SubsetSelection, options: &Options) -> Result<Subset> {
    let pages = opened.code_pages();
    let size = opened.container().size();
    let (asked, whole, ended) = opened.run(|container, task| {
        let file = model::virtools(container, &codes::NO_SUBSET)?;
        let mut positions = BTreeSet::new();
        for path in &part.paths {
            let objects = select::objects(file, path, &pages, task)?;
            task.budget.memory((objects.len() as u64).saturating_mul(4))?;
            positions.extend(objects);
        }
        let SubsetSelection { depth, children, lossy, .. } = *part;
        let save = Save { depth, children, lossy, ..Save::default() };
        // In the order of the file.
        let positions: Vec<u32> = positions.into_iter().collect();
        let ended = runtime::subset_as(file, &positions, save, task)?;
        // What the file itself only refers to stays so.
        let mut whole = 0_usize;
        for position in &positions {
            let reference = file.reference_id(*position, &mut task.budget)?;
            whole = whole.saturating_add(usize::from(reference.is_none()));
        }
        Ok::<_, Error>((positions.len(), whole, ended))
    })?;
    let (referred, lost) = (ended.references.len(), ended.lost.len());
    let needed = ended.objects.len().saturating_sub(referred).saturating_sub(whole);
    let opened = Opened::made(size, options, |_| Ok(Box::new(ended.file)))?;
    Ok(Subset {
        made: SubsetContainer::File(Box::new(opened)),
        noun: "object",
        asked,
        needed,
        referred,
        lost,
    })
}
