//! Facts about a file that rules need, read once.

use super::pictures::Pictures;
use crate::{
    chunk::{buffer::ChunkBuf, read::ObjRef, variables, visit::Visit},
    class::{self, MATERIAL, MESH, TEXTURE, Value},
    codec::{Array, Reference, visit::Refs},
    file::{File, data::Owner, included::file_name, value::has_no_value},
    names::FileNames,
    scene::Scene,
};
use spelunk_core::{Budget, Collect, Field, Limits, Result, Task, text::until_nul};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::{IntoBytes, little_endian::U32};

/// Memory that is charged for what is kept of an object or a reference.
const KEPT: u64 = 256;

/// Whether objects of a class are meshes, materials or textures.
pub(super) const fn is_asset(class_id: u32) -> bool {
    matches!(class_id, MATERIAL | TEXTURE | MESH)
}

/// A file that an object needs.
#[derive(Debug)]
pub(super) struct External {
    pub(super) index: u32,
    /// The field that names it.
    pub(super) field: &'static str,
    pub(super) name: Vec<u8>,
}

/// Facts about a file that rules need.
#[derive(Debug)]
pub(super) struct Facts<'f> {
    pub(super) file: &'f File,
    pub(super) scene: Scene<'f>,
    /// Meshes as they are stored.
    pub(super) meshes: BTreeMap<u32, class::mesh::Mesh>,
    /// The members of groups by names; groups of one name together.
    pub(super) groups: BTreeMap<Vec<u8>, Vec<u32>>,
    /// Objects that refer to an object by its position; managers and uncertain users are `None`.
    pub(super) users: BTreeMap<u32, BTreeSet<Option<u32>>>,
    /// Files that objects need.
    pub(super) externals: Vec<External>,
    /// The names of files that the file carries along, without folders, in lower case.
    pub(super) included: BTreeSet<Vec<u8>>,
    /// Places of the pictures of textures.
    pub(super) pictures: BTreeMap<u32, Pictures>,
    /// Fields of objects that refer to positions behind the object table, with the first such position.
    pub(super) outside: BTreeMap<(u32, &'static str), u32>,
    /// Meshes whose vertices have fixed numbers, because skins or animations go by them.
    pub(super) fixed_vertices: BTreeSet<u32>,
    /// Names of meshes, materials and textures that are texts in the file, in lower case.
    mentioned: BTreeSet<Vec<u8>>,
}

/// The name of an object up to its first NUL.
pub(super) fn name(file: &File, index: u32) -> &[u8] {
    let table = file.table();
    until_nul(table.objects.get(index as usize).map_or(&[], |object| table.name(object)))
}

impl<'f> Facts<'f> {
    /// Reads a file. What is damaged is passed over: that is for `verify` to report.
    pub(super) fn of(file: &'f File, task: &mut Task<'_>) -> Result<Facts<'f>> {
        let mut quiet = Collect::default();
        let mut silent = Task::new(task.budget.clone(), &mut quiet);
        let scene = Scene::of(file, &mut silent);
        task.budget = silent.budget;
        let mut facts = Facts {
            file,
            scene: scene?,
            meshes: BTreeMap::new(),
            groups: BTreeMap::new(),
            users: BTreeMap::new(),
            externals: Vec::new(),
            included: included(file),
            pictures: BTreeMap::new(),
            outside: BTreeMap::new(),
            fixed_vertices: BTreeSet::new(),
            mentioned: BTreeSet::new(),
        };
        facts.read(&mut task.budget)?;
        Ok(facts)
    }

    fn read(&mut self, budget: &mut Budget) -> Result<()> {
        let file = self.file;
        let names = FileNames::of(file, budget)?;
        let wanted = assets_by_name(file, budget)?;
        let mut animated = BTreeSet::new();
        for owner in owners(file, budget)? {
            budget.steps(1)?;
            let user = match owner {
                Owner::Object(index) => Some(index),
                Owner::Manager(_) => None,
            };
            let mut found = ReferenceFacts {
                names: &names,
                found: BTreeSet::new(),
                doubtful: BTreeSet::new(),
                outside: Vec::new(),
            };
            let chunk = match file.chunk(owner, budget) {
                Ok(chunk) => chunk,
                Err(error) if has_no_value(&error) => None,
                Err(error) => return Err(error),
            };
            if let Some(chunk) = chunk {
                budget.steps(chunk.data.len() as u64 >> 4)?;
                texts(chunk.data, &wanted, &mut self.mentioned);
            }
            match file.value(owner, &mut Vec::new(), budget) {
                Ok(Some(mut saved)) => {
                    saved.visit(&mut found)?;
                    if let Some(index) = user {
                        self.take(index, saved.value, &mut animated);
                    }
                }
                Err(error) if !has_no_value(&error) => return Err(error),
                _ => found.doubt(chunk.map_or(&[], |chunk| chunk.data)),
            }
            let ReferenceFacts { found, doubtful, outside, .. } = found;
            let kept = found.len().saturating_add(doubtful.len()).saturating_add(outside.len());
            budget.memory((kept as u64).saturating_mul(KEPT))?;
            for (field, target) in outside {
                if let Some(index) = user {
                    self.outside.entry((index, field)).or_insert(target);
                }
            }
            for target in found {
                self.users.entry(target).or_default().insert(user);
            }
            for target in doubtful {
                self.users.entry(target).or_default().insert(None);
            }
        }
        for (index, entity) in &self.scene.entities {
            if entity.has_skin || animated.contains(index) {
                self.fixed_vertices.extend(entity.meshes.iter().chain(&entity.mesh));
            }
        }
        for (group, members) in &self.scene.groups {
            let all = self.groups.entry(name(file, *group).to_vec()).or_default();
            all.extend(members);
        }
        Ok(())
    }

    fn take(&mut self, index: u32, value: Value, animated: &mut BTreeSet<u32>) {
        let mut external = |field, name: &[u8]| {
            if !name.is_empty() {
                self.externals.push(External { index, field, name: name.to_vec() });
            }
        };
        match value {
            Value::Mesh(mesh) => {
                self.meshes.insert(index, *mesh);
            }
            Value::Texture(texture) => {
                bitmap(&texture.bitmap, &mut external);
                self.pictures.insert(index, Pictures::of(&texture, &self.included));
            }
            Value::Sprite(sprite) => bitmap(&sprite.bitmap, &mut external),
            Value::Sound(sound) => source(&sound, &mut external),
            Value::MidiSound(sound) => source(&sound.sound, &mut external),
            Value::WaveSound(sound) => {
                source(&sound.sound, &mut external);
                if let Some(file) = &sound.old_file {
                    external("old_file", file.text());
                }
            }
            Value::ObjectAnimation(animation) => {
                let keyed = animation.animation.iter().map(|keyed| keyed.head.entity);
                let shared = animation.shared.iter().map(|shared| shared.head.entity);
                let entities = keyed.chain(shared).map(|entity| entity.value);
                animated.extend(entities);
            }
            _ => {}
        }
    }

    /// Whether the file is a map of Ballance, or a part of one: it has sectors or a start.
    pub(super) fn is_ballance_map(&self) -> bool {
        self.groups.contains_key(&b"PS_Levelstart"[..])
            || self.groups.keys().any(|name| sector_number(name).is_some())
    }

    /// Whether the name of an object is a text in the file.
    pub(super) fn is_mentioned(&self, index: u32) -> bool {
        self.mentioned.contains(&name(self.file, index).to_ascii_lowercase())
    }

    /// Whether something refers to an object in a way that may distinguish it from an equal one: a cell of a data array, a
    /// parameter, a script, a manager, or what is not known. Entities, meshes, materials, textures and the lists of groups,
    /// levels and scenes only use what they refer to.
    pub(super) fn is_referenced(&self, index: u32) -> bool {
        const USERS: [u32; 5] =
            [class::MESH, class::RENDER_OBJECT, class::GROUP, class::LEVEL, class::SCENE];
        let only_uses = |user: u32| {
            let class_id = self.file.class_of(user).unwrap_or_default();
            is_asset(class_id) || USERS.iter().any(|base| class::is_a(class_id, *base))
        };
        let users = self.users.get(&index).into_iter().flatten();
        users.into_iter().any(|user| !user.is_some_and(only_uses))
    }

    /// The meshes, materials and textures.
    pub(super) fn assets(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let objects = (0..).zip(&self.file.table().objects);
        let assets = objects.map(|(index, object)| (index, object.class_id));
        assets.filter(|(_, class_id)| is_asset(*class_id))
    }
}

/// All objects, and the managers whose chunks can refer to some.
pub(super) fn owners(file: &File, budget: &mut Budget) -> Result<Vec<Owner>> {
    let records = file.records(budget)?;
    let managers = (0..).zip(&records.managers);
    let managers = managers.filter(|(_, manager)| manager.guid != variables::MANAGER);
    let objects = (0..).zip(&file.table().objects);
    let count = records.managers.len().saturating_add(file.table().objects.len()) as u64;
    budget.memory(count.saturating_mul(size_of::<Owner>() as u64))?;
    let managers = managers.map(|(index, _)| Owner::Manager(index));
    Ok(managers.chain(objects.map(|(index, _)| Owner::Object(index))).collect())
}

/// Files that the slots of a bitmap need: those of slots without a picture in the file.
fn bitmap(bitmap: &class::bitmap::Bitmap, external: &mut impl FnMut(&'static str, &[u8])) {
    for (slot, name) in bitmap.file_names.iter().flatten().enumerate() {
        if !bitmap.has_picture(slot) {
            external("file_names", name.text());
        }
    }
    if let Some(movie) = &bitmap.movie {
        external("movie", movie.text());
    }
}

fn source(sound: &class::sound::Sound, external: &mut impl FnMut(&'static str, &[u8])) {
    if let Some(source) = &sound.source {
        external("sound.file", source.file.text());
    }
}

/// Names of meshes, materials and textures in lower case.
fn assets_by_name(file: &File, budget: &mut Budget) -> Result<BTreeSet<Vec<u8>>> {
    let mut wanted = BTreeSet::new();
    for (index, object) in (0..).zip(&file.table().objects) {
        if is_asset(object.class_id) {
            let name = name(file, index);
            budget.memory((name.len() as u64).saturating_add(64))?;
            wanted.insert(name.to_ascii_lowercase());
        }
    }
    Ok(wanted)
}

/// Finds texts, which are a length and so many bytes, that are wanted.
fn texts(words: &[U32], wanted: &BTreeSet<Vec<u8>>, mentioned: &mut BTreeSet<Vec<u8>>) {
    const LONGEST: usize = 512;
    for (nth, word) in words.iter().enumerate() {
        let len = word.get() as usize;
        if !(2..=LONGEST).contains(&len) {
            continue;
        }
        let rest = words.get(nth.saturating_add(1)..).unwrap_or_default();
        if let Some(text) = rest.as_bytes().get(..len) {
            let text = until_nul(text).to_ascii_lowercase();
            if wanted.contains(&text) {
                mentioned.insert(text);
            }
        }
    }
}

/// References of a value.
struct ReferenceFacts<'n, 'f> {
    names: &'n FileNames<'f>,
    found: BTreeSet<u32>,
    /// Objects that the value may refer to.
    doubtful: BTreeSet<u32>,
    /// Positions behind the object table, with the fields that hold them.
    outside: Vec<(&'static str, u32)>,
}

impl ReferenceFacts<'_, '_> {
    fn take(&mut self, field: Option<&'static Field>, file_mode: bool, value: Reference) {
        let reference = value.get(file_mode);
        let index = self.names.index(reference);
        if let (None, ObjRef::Index(position), Some(field)) = (index, reference, field)
            && self.outside.last().is_none_or(|(known, _)| *known != field.name)
        {
            self.outside.push((field.name, position));
        }
        self.found.extend(index);
    }

    /// Any dword of what nothing is known of may be a position.
    fn doubt(&mut self, words: &[U32]) {
        for word in words {
            self.doubtful.extend(self.names.index(Reference::index(word.get()).get(true)));
        }
    }
}

impl Refs for ReferenceFacts<'_, '_> {
    fn object(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Reference,
    ) -> Result<()> {
        self.take(Some(field), file_mode, *value);
        Ok(())
    }

    fn objects(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        _: bool,
    ) -> Result<()> {
        let values = values.iter().map(|value| Reference::index(value.get()));
        values.for_each(|value| self.take(Some(field), file_mode, value));
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        if chunk.header.file_mode {
            self.doubt(&chunk.data);
        }
        chunk.visit_part(&mut RawIdVisitor(self), &mut Budget::new(Limits::for_len(0)))
    }
}

/// Takes raw ids.
struct RawIdVisitor<'a, 'n, 'f>(&'a mut ReferenceFacts<'n, 'f>);

impl Visit for RawIdVisitor<'_, '_, '_> {
    fn object(&mut self, _: usize, id: u32) -> Result<()> {
        self.0.take(None, false, Reference { value: id, listed: false });
        Ok(())
    }
}

/// The names of files that the file carries along, without folders, in lower case.
pub(super) fn included(file: &File) -> BTreeSet<Vec<u8>> {
    let included = file.tail().included.iter();
    included.map(|file| file_name(&file.name).to_ascii_lowercase()).collect()
}

/// The number of the sector that a group is, by its name: `Sector_01`.
pub fn sector_number(group: &[u8]) -> Option<u32> {
    let digits = group.strip_prefix(b"Sector_")?;
    let is_number = (1..=3).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let number = str::from_utf8(digits).ok()?.parse().ok()?;
    is_number.then_some(number)
}
