//! Files of the disk that a saved file holds (`docs/formats/virtools-runtime.md#84-included-files`).

use super::Saving;
use crate::{
    class::{
        self, Value,
        bitmap::{self, Bitmap},
        sound::{self, Sound},
        sprite::Sprite,
        texture::TextureData,
    },
    codec::Text,
    codes,
    file::{included::file_name, value::has_no_value},
    runtime::path_manager::Category,
};
use spelunk_core::{
    Bytes, Class, Error, Result, Task,
    source::{self, Mapping},
    text::until_nul,
};
use std::{collections::BTreeSet, path::Path};

impl Saving<'_, '_> {
    /// Has the file hold a file of the disk, under its name there without its folders. One that cannot be read is held
    /// without content, as engines do it; that is reported.
    ///
    /// # Errors
    /// Those of [`Saving::include`]; a name that the code page of the [search paths](super::Context::paths) lacks; limits;
    /// what the sink makes of the report.
    pub fn include_path(&mut self, path: &Path, task: &mut Task<'_>) -> Result<()> {
        let lacking =
            || Error::new(&spelunk_core::codes::NOT_ENCODED).found(path.display().to_string());
        let name = path.file_name().and_then(|name| self.context().paths().encode(name.to_str()?));
        let name = name.ok_or_else(lacking)?;
        let content = content(path, task)?;
        self.include(&name, content)
    }

    /// Has the file hold the file that a file calls so, which is looked for in the search paths of a category. Where it is
    /// in none of them nothing is included, as in engines, and that is reported; returns whether it is there.
    ///
    /// # Errors
    /// Those of [`Saving::include_path`].
    pub fn include_found(
        &mut self,
        name: &[u8],
        category: Category,
        task: &mut Task<'_>,
    ) -> Result<bool> {
        let name = until_nul(name);
        let Some(path) = self.context().paths().resolve(category, name) else {
            let name = String::from_utf8_lossy(name).into_owned();
            task.warn(Error::new(&codes::NOT_INCLUDED).found(format!("`{name}`")))?;
            return Ok(false);
        };
        let content = content(&path, task)?;
        self.include(name, content).map(|()| true)
    }

    /// Has the file hold the files of the objects that are to be saved with them, unless it holds one of that name.
    pub(super) fn include_originals(&mut self, task: &mut Task<'_>) -> Result<()> {
        let mut held: BTreeSet<Vec<u8>> =
            self.included.iter().map(|file| file.name.to_ascii_lowercase()).collect();
        let whole = self.entries.iter().filter(|entry| !entry.is_reference).map(|entry| entry.id);
        for id in whole.collect::<Vec<u32>>() {
            let class_id = self.context().object(id).map_or(0, |object| object.class_id());
            let families = [class::TEXTURE, class::SPRITE, class::SOUND];
            if !families.into_iter().any(|family| class::is_a(class_id, family)) {
                continue;
            }
            task.budget.steps(1)?;
            let before = task.budget.left().memory;
            let value = match self.context().value(id, &mut Vec::new(), &mut task.budget) {
                Err(error) if has_no_value(&error) => None,
                value => value?,
            };
            task.budget.release(before.saturating_sub(task.budget.left().memory));
            let Some((category, names)) = value.as_ref().and_then(|it| originals(&it.value)) else {
                continue;
            };
            for name in names.iter().map(|name| until_nul(name.text())) {
                let key = file_name(name).to_ascii_lowercase();
                if !key.is_empty() && held.insert(key) {
                    self.include_found(name, category, task)?;
                }
            }
        }
        Ok(())
    }
}

/// Content of a file of the disk; nothing where it cannot be read.
fn content(path: &Path, task: &mut Task<'_>) -> Result<Bytes> {
    let read = |task: &mut Task<'_>| {
        let file = source::open(path, Mapping::Never)?;
        file.read(0..file.len(), &mut task.budget)
    };
    match read(task) {
        Err(error) if error.code().class == Class::Io => {
            let found = format!("`{}` ({error})", path.display());
            task.warn(Error::new(&codes::INCLUDED_EMPTY).found(found))?;
            Ok(Bytes::new())
        }
        content => content,
    }
}

/// The files that an object names and that are to be saved with it.
fn originals(value: &Value) -> Option<(Category, &[Text])> {
    let (option, bitmap) = match value {
        Value::Texture(it) => {
            let old = it.old_save.as_ref().map(|save| save.option);
            (it.data().map(TextureData::save_option).or(old), &it.bitmap)
        }
        Value::Sprite(it) => sprite(it),
        Value::SpriteText(it) => sprite(&it.sprite),
        Value::Sound(it) => return sound_file(it),
        Value::WaveSound(it) => return sound_file(&it.sound),
        Value::MidiSound(it) => return sound_file(&it.sound),
        _ => return None,
    };
    let names = bitmap.file_names.as_deref().filter(|_| option == Some(bitmap::ORIGINAL_FILE));
    Some((Category::BITMAPS, names?))
}

fn sprite(sprite: &Sprite) -> (Option<u32>, &Bitmap) {
    (sprite.save.as_ref().map(|save| save.option), &sprite.bitmap)
}

fn sound_file(sound: &Sound) -> Option<(Category, &[Text])> {
    let source = sound.source.as_ref().filter(|it| it.save_option == sound::ORIGINAL_FILE);
    Some((Category::SOUNDS, std::slice::from_ref(&source?.file)))
}
