//! `CKLevel` (`docs/formats/classes/scenes.md#cklevel`).

use super::{
    be_object::{BeObject, HAS_PRIORITY, Priority},
    fresh::{Fresh, Host},
    scene::Scene,
};
use crate::{
    chunk::{Form, LAST_VERSION, buffer::Header},
    codec::{Array, Codec, Coded, Layout, Reference, Saved, Text, field, group},
    codes,
};
use spelunk_core::{Error, Ty};
use zerocopy::little_endian::U32;

const PAGE: &str = "docs/formats/classes/scenes.md#cklevel";

/// A level: the whole composition.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// State of the base class.
    pub be_object: BeObject,
    /// Scenes of the level, and two lists without use.
    pub lists: Option<Lists>,
    /// Scene of the level itself.
    pub scene: Option<LevelScene>,
    /// Managers that are switched off, as `d1` and `d2`.
    pub inactive_managers: Option<Array<[U32; 2]>>,
    /// Names of managers that were found twice.
    pub duplicate_managers: Option<DuplicateManagers>,
}

/// Names of managers that were found twice. For each manager engines write its name, if it has duplicates, and a null string,
/// so that they read the names before the first manager without duplicates alone.
#[derive(Clone, Debug, Default)]
pub struct DuplicateManagers {
    /// Names up to the first null string.
    pub names: Vec<Text>,
    /// Strings behind it: names and null strings.
    pub unread: Vec<Text>,
}

/// Lists of objects.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    /// Empty.
    pub first: Array<U32>,
    /// Empty.
    pub second: Array<U32>,
    /// The scenes.
    pub scenes: Array<U32>,
}

/// The scene that every level has.
#[derive(Clone, Debug, Default)]
pub struct LevelScene {
    /// The scene that runs.
    pub current: Reference,
    /// The level's own scene, as an object.
    pub level_scene: Reference,
    /// State that the scene saved. Outside file mode its references are saved ids.
    pub scene: Option<Box<Saved<Scene>>>,
}

impl Layout for Level {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0x2000_0000, group!("level", "Its scenes."), &mut self.lists, |c, lists| {
            let Lists { first, second, scenes } = lists;
            c.objects(field!("first", Ty::U32, "Empty."), first)?;
            c.objects(field!("second", Ty::U32, "Empty."), second)?;
            c.objects(field!("scenes", Ty::U32, "The scenes."), scenes)
        })?;
        c.section(0x8000_0000, group!("scene", "Its own scene."), &mut self.scene, |c, value| {
            let LevelScene { current, level_scene, scene } = value;
            c.object(field!("current", Ty::U32, "The scene that runs."), current)?;
            let field = field!("level_scene", Ty::U32, "Its own scene, as an object.");
            c.object(field, level_scene)?;
            c.sub_chunk(group!("scene", "What its own scene saved."), scene)
        })?;
        c.section(
            0x2000,
            group!("inactive_managers", "Managers that are switched off."),
            &mut self.inactive_managers,
            |c, managers| {
                let count = c.remaining(managers.len().saturating_mul(2)) / 2;
                c.array(
                    field!(
                        "managers",
                        Ty::Guid,
                        "Which ones.",
                        guids(&crate::registered::MANAGER_NAMES)
                    ),
                    count,
                    managers,
                )
            },
        )?;
        c.section(
            0x4000,
            group!("duplicate_managers", "Managers that were found twice."),
            &mut self.duplicate_managers,
            names,
        )
    }
}

/// Names, the null string that ends them, and strings that follow.
fn names<C: Codec>(c: &mut C, value: &mut DuplicateManagers) -> Coded<C> {
    let DuplicateManagers { names, unread } = value;
    let mut count = names.len();
    c.detect("names", true, |words| {
        (count, _) = strings(words, true);
        true
    });
    c.list(group!("names", "Up to a null one."), count, names, |c, name| {
        c.text(field!("name", Ty::Text, "A name."), name)
    })?;
    match c.count(field!("end", Ty::U32, "The length of a null string."), 0)? {
        0 => {}
        end => return Err(Error::new(&codes::LAYOUT).field("end").expected(0).found(end).into()),
    }
    let mut count = unread.len();
    let more = c.detect("unread", !unread.is_empty(), |words| {
        let (all, left) = strings(words, false);
        count = all;
        all > 0 && left == 0
    });
    if !c.when(more, "the section goes on") {
        return Ok(());
    }
    c.list(group!("unread", "Names and null strings."), count, unread, |c, name| {
        c.text(field!("name", Ty::Text, "A name."), name)
    })
}

/// Counts the strings up to a null one or to the end, and the dwords behind them.
fn strings(mut words: &[U32], until_null: bool) -> (usize, usize) {
    let mut count = 0_usize;
    while let Some((len, rest)) = words.split_first()
        && (len.get() != 0 || !until_null)
        && let Some(rest) = rest.get(len.get().div_ceil(4) as usize..)
    {
        count = count.saturating_add(1);
        words = rest;
    }
    (count, words.len())
}

/// Priority of new levels: they are run before everything else.
const PRIORITY: i32 = 32_000;

impl Fresh for Level {
    fn fresh(host: &Host) -> Level {
        // Its scene is a chunk of its own, whose references are ids.
        let inner = Host { file_mode: false, has_level: true, ..*host };
        let form = Form::of_parent(LAST_VERSION);
        let header = Header { form, ..Header::new(super::SCENE, 10, LAST_VERSION) };
        let mut scene = Scene::fresh(&inner);
        if let Some(objects) = &mut scene.objects {
            objects.level = Reference { value: host.id, listed: false };
        }
        let flags = HAS_PRIORITY;
        let priority = Some(Priority { flags, priority: PRIORITY, ..Priority::default() });
        Level {
            be_object: BeObject { priority, ..BeObject::default() },
            lists: Some(Lists::default()),
            scene: Some(LevelScene {
                current: host.null(),
                level_scene: host.null(),
                scene: Some(Box::new(Saved::new(header, scene))),
            }),
            ..Level::default()
        }
    }
}
