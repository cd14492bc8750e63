//! Plugins that the objects need (`docs/formats/virtools.md#43-plugin-dependencies`).

use super::part::count;
use crate::codes;
use spelunk_core::{
    Bytes, Error, Field, Group, Record, Result, ResultExt, Span, Task, Ty, Val, Walk, Walked,
    cursor::Cursor, field::Described, record, scalar::Guid,
};
use zerocopy::{FromBytes, IntoBytes};

record! {
    /// The fixed part of a group of plugin dependencies; the GUIDs follow.
    pub struct PluginGroupHead: "plugin_group", "docs/formats/virtools.md#43-plugin-dependencies", 8 {
        /// Kind of plugin.
        category: U32 { values: CATEGORIES },
        /// GUIDs that follow.
        guid_count: U32,
    }
}

/// The category of plugins that bring building blocks, and of the building blocks' prototypes.
pub const BEHAVIOURS: u32 = 4;

/// Names of the categories of plugins.
const CATEGORIES: &[(i64, &str)] = &[
    (0, "bitmap reader"),
    (1, "sound reader"),
    (2, "model reader"),
    (3, "manager"),
    (4, "behaviour"),
    (5, "render engine"),
    (6, "movie reader"),
    (7, "extension"),
];

/// Name of a category of plugins; `None` for unknown ones.
pub fn category_name(category: u32) -> Option<&'static str> {
    CATEGORIES.iter().find(|(known, _)| *known == i64::from(category)).map(|(_, name)| *name)
}

const PAGE: &str = "docs/formats/virtools.md#43-plugin-dependencies";

static PLUGINS: Record = Record::group("plugins", PAGE, "The plugins that the objects need.");
static GUIDS: Record = Record::group("guids", PAGE, "GUIDs of plugins and building blocks.");
static GROUP_COUNT: Field = Field::new("group_count", Ty::U32, "Groups of plugins that follow.");
/// The category of a plugin group.
pub(crate) static CATEGORY: Field = PluginGroupHead::RECORD.field("category");
/// Number of GUIDs of a plugin group.
pub(crate) static GUID_COUNT: Field = PluginGroupHead::RECORD.field("guid_count");
/// Name of the category.
pub(crate) static CATEGORY_NAME: Field =
    Field::new("name", Ty::Str, "What the category is called.");
static GUID: Field = Field::new("guid", Ty::Guid, "A plugin or building block.")
    .guids(&crate::registered::PLUGIN_NAMES);

/// The plugin dependencies.
#[derive(Clone, Debug)]
pub struct Plugins {
    /// Offset of the number of groups in plain Header1.
    pub at: u64,
    /// The groups, by ascending category in real files.
    pub groups: Vec<PluginGroup>,
}

/// The plugins of one category.
#[derive(Clone, Debug)]
pub struct PluginGroup {
    /// Offset of the group in plain Header1.
    pub at: u64,
    /// Kind of plugin.
    pub category: u32,
    /// The GUIDs as stored, 8 bytes each. The order counts, and repeats are legal.
    pub guids: Bytes,
}

impl Plugins {
    pub(super) fn read(
        cursor: &mut Cursor<'_>,
        plain: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<Plugins> {
        let at = cursor.position() as u64;
        let place = cursor.span(4);
        let count = cursor.u32("group_count")?;
        let left = cursor.remaining();
        let too_many = |_| {
            Error::new(&codes::PLUGINS)
                .at(place)
                .field("group_count")
                .expected(format!("at most {} groups", left >> 3))
                .found(count)
        };
        cursor.expect_items(count.into(), 8, "groups").map_err(too_many)?;
        task.budget.steps(count.into())?;
        let mut groups = task.budget.vec(count.into())?;
        for index in 0..count as usize {
            groups.push(PluginGroup::read(cursor, plain).item("group", index)?);
        }
        Ok(Plugins { at, groups })
    }

    /// Place of the groups, in a Header1 that lies at `at`.
    pub(crate) fn span(&self, at: Span) -> Span {
        let start = self.at.saturating_add(4);
        let end = self.groups.last().map_or(start, PluginGroup::end);
        at.part(start, end.saturating_sub(start))
    }

    /// Walks the groups, in a Header1 that lies at `at`.
    pub(super) fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let count = Val::from(self.groups.len());
        walk.field(&GROUP_COUNT, Some(at.part(self.at, 4)), count)?;
        let list = self.span(at);
        walk.group(&Group::list("plugins", &PLUGINS, Some(list)), |walk| {
            for (index, group) in self.groups.iter().enumerate() {
                let span = group.span(at);
                walk.group(&Group::item(index, PluginGroupHead::RECORD, Some(span)), |walk| {
                    group.walk(at, walk)
                })?;
            }
            Ok(())
        })
    }
}

impl PluginGroup {
    fn read(cursor: &mut Cursor<'_>, plain: &Bytes) -> Result<PluginGroup> {
        let at = cursor.position() as u64;
        let place = cursor.span(0);
        let head: &PluginGroupHead = cursor.record()?;
        let count = head.guid_count.get();
        let left = cursor.remaining();
        let guids = usize::try_from(u64::from(count).saturating_mul(8))
            .ok()
            .and_then(|len| cursor.bytes(len, "guids").ok())
            .ok_or_else(|| {
                Error::new(&codes::PLUGINS)
                    .at(place.part(4, 4))
                    .field("guid_count")
                    .expected(format!("at most {} GUIDs", left >> 3))
                    .found(count)
            })?;
        Ok(PluginGroup { at, category: head.category.get(), guids: plain.slice_ref(guids) })
    }

    /// The fixed part as stored.
    pub fn head(&self) -> PluginGroupHead {
        PluginGroupHead {
            category: self.category.into(),
            guid_count: count(self.guids.len() >> 3).into(),
        }
    }

    /// Name of the category.
    pub fn name(&self) -> Option<&'static str> {
        category_name(self.category)
    }

    fn end(&self) -> u64 {
        self.at.saturating_add(8).saturating_add(self.guids.len() as u64)
    }

    /// Place of the group, in a Header1 that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        at.part(self.at, self.end().saturating_sub(self.at))
    }

    /// Walks the group, in a Header1 that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        PluginGroupHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        self.walk_guids(Some(at.part(8, self.guids.len() as u64)), walk)
    }

    /// Walks the GUIDs alone, with their places where `at` is given.
    pub(crate) fn walk_guids(&self, at: Option<Span>, walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("guids", &GUIDS, at), |walk| {
            let mut next = at.map(|at| at.part(0, 8));
            for guid in self.guids() {
                walk.field(&GUID, next, Val::Guid(guid.d1.get(), guid.d2.get()))?;
                next = next.map(|at| at.part(8, 8));
            }
            Ok(())
        })
    }

    /// The GUIDs.
    pub fn guids(&self) -> impl Iterator<Item = Guid> + '_ {
        self.guids.chunks_exact(8).filter_map(|guid| Guid::read_from_bytes(guid).ok())
    }
}
