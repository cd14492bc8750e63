//! Whole pieces of work: a file of any generation becomes a current one, several become one, a part becomes one of its own
//! (`docs/formats/virtools-runtime.md#10-whole-tasks`).

use super::{
    Context, Depth, FileForm, Hooks, Load, Modes, Quiet, Report, Save, SaveTarget,
    load::flags,
    save::{Ended, SaveOutput},
};
use crate::{
    codes,
    file::{File, included::Included},
};
use spelunk_core::{Bytes, Error, Result, Task};
use std::collections::HashMap;

/// Loads a file and saves all of it as a file of the current generation, of the same product and packed alike, its chunks in
/// the current layouts as far as these are known. What it carries along goes with it.
///
/// # Errors
/// Those of [`Context::load`] and [`Saving::end`](super::Saving::end).
pub fn load_and_save(
    file: &File,
    target: SaveTarget<'_>,
    hooks: &mut dyn Hooks,
    task: &mut Task<'_>,
) -> Result<(Report, Ended)> {
    let out = SaveOutput::begin(target)?;
    let mut context = Context::new();
    let load = Load { renew: true, ..Load::everything(None) };
    let report = context.load(file, &load, hooks, task)?;
    let tail = file.tail();
    let save = Save { form: Some(FileForm::of(file)), ..Save::default() };
    let ended = save_all(&mut context, save, (&tail.included, &tail.rest), hooks, task)?;
    out.write(&ended.file, task)?;
    Ok((report, ended))
}

/// Several files as one.
#[derive(Debug)]
pub struct Joined {
    /// The file, of the product of the first one.
    pub file: File,
    /// Report of each file.
    pub reports: Vec<Report>,
}

/// Bytes that finding an included file by its name takes besides the name.
const NAME_ROOM: u64 = 64;

/// Files that become one, one after the other.
#[derive(Debug, Default)]
pub struct Joining {
    context: Context,
    load: Load,
    form: Option<FileForm>,
    included: Vec<Included>,
    /// Position of the first of the included files of a name, in small letters.
    by_name: HashMap<Vec<u8>, usize>,
    /// Whether one of them is the picture of a whole file, which no count covers.
    has_uncounted: bool,
    rest: Vec<u8>,
}

impl Joining {
    /// Begins with nothing. `load` says how files are loaded: the first one with all that it has, the others into what is
    /// there then, so flags that leave something out or make a character hold for these alone. The tables of attributes and
    /// messages are united by names.
    pub fn new(load: Load) -> Joining {
        Joining { load, ..Joining::default() }
    }

    /// Options of the load of the next file.
    fn load(&self) -> Load {
        let first = flags::ONLY_BEHAVIORS | flags::AS_CHARACTER;
        match self.form {
            Some(_) => self.load.clone(),
            None => Load { flags: self.load.flags & !first | flags::DEFAULT, ..self.load.clone() },
        }
    }

    /// Adds a file, and reports what became of its entries. When that fails, nothing was added.
    ///
    /// # Errors
    /// Those of [`Context::load`].
    pub fn add(&mut self, file: &File, task: &mut Task<'_>) -> Result<Report> {
        let mut new = Vec::new();
        for included in &file.tail().included {
            let there = self.by_name.get(&included.name.to_ascii_lowercase());
            let there = there.and_then(|at| self.included.get(*at));
            // The picture of a whole file, which no count covers; engines pass over one alone.
            if !included.counted && self.has_uncounted {
                if there.is_none_or(|it| it.content != included.content) {
                    let name = String::from_utf8_lossy(&included.name).into_owned();
                    task.note(Error::new(&codes::UNCOUNTED_LEFT_OUT).found(name))?;
                }
                continue;
            }
            match there {
                Some(there) if there.content == included.content => continue,
                Some(_) => {
                    let name = String::from_utf8_lossy(&included.name).into_owned();
                    task.warn(Error::new(&codes::INCLUDED_TWICE).found(name))?;
                }
                None => {}
            }
            // Its name is kept once more, to be found by.
            let name = included.name.len() as u64;
            task.budget.memory(name.saturating_add(NAME_ROOM))?;
            new.push(included.clone());
        }
        let rest = &file.tail().rest;
        task.budget.memory(rest.len() as u64)?;
        let report = self.context.load(file, &self.load(), &mut Quiet, task)?;
        for included in new {
            let name = included.name.to_ascii_lowercase();
            self.by_name.entry(name).or_insert(self.included.len());
            self.has_uncounted |= !included.counted;
            self.included.push(included);
        }
        self.rest.extend_from_slice(rest);
        self.form.get_or_insert_with(|| FileForm::of(file));
        Ok(report)
    }

    /// The file, of the product of the first one. `lossy` as in [`Save::lossy`].
    ///
    /// # Errors
    /// Those of [`Saving::end`](super::Saving::end).
    pub fn end(mut self, lossy: bool, task: &mut Task<'_>) -> Result<File> {
        let form = self.form.unwrap_or_else(|| FileForm::of(&File::new()));
        let save = Save { form: Some(form), lossy, ..Save::default() };
        let rest = Bytes::from(self.rest);
        let ended = save_all(&mut self.context, save, (&self.included, &rest), &mut Quiet, task)?;
        Ok(ended.file)
    }
}

/// Unites files, as [`Joining`] does: `modes` say what becomes of objects of one class and name of which each of two files has
/// one; objects of one file are not compared with each other.
///
/// # Errors
/// Those of [`Joining::add`] and [`Joining::end`].
pub fn join(files: &[&File], modes: Modes, task: &mut Task<'_>) -> Result<Joined> {
    let mut joining = Joining::new(Load::everything(Some(modes)));
    let reports = files.iter().map(|file| joining.add(file, task)).collect::<Result<_>>()?;
    Ok(Joined { file: joining.end(false, task)?, reports })
}

/// Makes a file of objects of another one, by their positions, with what they need.
///
/// # Errors
/// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) where there is no such object; those of [`Context::load`] and
/// [`Saving::end`](super::Saving::end).
pub fn subset(
    file: &File,
    positions: &[u32],
    depth: Depth,
    children: bool,
    task: &mut Task<'_>,
) -> Result<Ended> {
    subset_as(file, positions, Save { depth, children, ..Save::default() }, task)
}

/// Makes a file as [`subset`] does, as `save` says; where that names no form, in that of `file`.
///
/// # Errors
/// Those of [`subset`].
pub fn subset_as(file: &File, positions: &[u32], save: Save, task: &mut Task<'_>) -> Result<Ended> {
    let mut context = Context::new();
    let report = context.load(file, &Load::everything(None), &mut Quiet, task)?;
    let mut ids = Vec::with_capacity(positions.len());
    for position in positions {
        let entry = report.entries.get(*position as usize).and_then(|entry| entry.id);
        let missing = || Error::new(&spelunk_core::codes::NOT_FOUND).found(*position);
        ids.push(entry.ok_or_else(missing)?);
    }
    let save = Save { form: save.form.or_else(|| Some(FileForm::of(file))), ..save };
    let mut quiet = Quiet;
    let mut saving = context.start_save(save, SaveTarget::Model, &mut quiet)?;
    saving.objects(ids, task)?;
    for included in &file.tail().included {
        if saving.mentions(&included.name, task)? {
            saving.include(&included.name, included.content.clone())?;
        }
    }
    saving.end(task)
}

/// Saves all objects of a context, in the order of their ids.
fn save_all(
    context: &mut Context,
    save: Save,
    (included, rest): (&[Included], &Bytes),
    hooks: &mut dyn Hooks,
    task: &mut Task<'_>,
) -> Result<Ended> {
    let save = Save { depth: Depth::Given, ..save };
    let ids: Vec<u32> = context.ids().collect();
    let mut saving = context.start_save(save, SaveTarget::Model, hooks)?;
    saving.objects(ids, task)?;
    for file in included {
        saving.include_record(file)?;
    }
    saving.carry(rest.clone());
    saving.end(task)
}
