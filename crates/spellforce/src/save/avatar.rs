//! The avatar of a free game: `docs/formats/save.md#3-avatar`.

use super::text::{field as text_field, shown};
use spelunk_core::{
    Described, Field, Group, Record, Result, Space, Span, Val, Walk, Walked, cursor::Cursor,
    field::Role, record,
};

const PAGE: &str = "docs/formats/save.md#3-avatar";

record! {
    /// The hero of a free game. Fields that are called by their offset are of unknown meaning.
    pub struct Avatar: "avatar", "docs/formats/save.md#3-avatar", 227 {
        /// Of unknown meaning.
        unknown_0: I16 { role: Role::Opaque },
        /// Whether the avatar was checked.
        validated: I32 { values: &[(0, "no"), (1, "yes")] },
        /// Whether the avatar came with the game.
        predefined: I32 { values: &[(0, "no"), (1, "yes")] },
        /// Template that the avatar was made from.
        template: U8,
        /// Of unknown meaning; 100, 201 and 202 are said to occur.
        unknown_11: I32 { role: Role::Opaque },
        /// Level of the avatar.
        level: U8,
        /// Name of the avatar: up to 15 UTF-16 units, ended by a NUL where there are fewer.
        name: Raw<30>,
        /// A text of unknown meaning: up to 25 UTF-16 units.
        text_46: Raw<50>,
        /// Four numbers, some of which are said to be ids of scripts.
        unknown_96: Raw<16>,
        /// Agility.
        agility: I16,
        /// Charisma.
        charisma: I16,
        /// Dexterity.
        dexterity: I16,
        /// Intelligence.
        intelligence: I16,
        /// Stamina.
        stamina: I16,
        /// Strength.
        strength: I16,
        /// Wisdom.
        wisdom: I16,
        /// Resistance to fire.
        resistance_fire: I16,
        /// Resistance to ice.
        resistance_ice: I16,
        /// Resistance to black magic.
        resistance_black: I16,
        /// Resistance to mind magic.
        resistance_mind: I16,
        /// Speed of running.
        speed_run: I16,
        /// Speed of fighting.
        speed_fight: I16,
        /// Speed of casting.
        speed_cast: I16,
        /// Ten skills, each a [`Skill`].
        skills: Raw<30>,
        /// Look of the avatar.
        model: I16,
        /// Number of copper coins.
        copper: I32,
        /// Number of silver coins.
        silver: I32,
        /// Number of gold coins.
        gold: I32,
        /// Three numbers of unknown meaning.
        unknown_184: Raw<12>,
        /// Experience, which category 2048 of GameData compares with what a level takes.
        experience: I32,
        /// Points that it can still spend on skills.
        free_skill_points: I16,
        /// Points that it can still spend on attributes.
        free_attribute_points: I16,
        /// Of unknown meaning.
        unknown_204: I32 { role: Role::Opaque },
        /// Sex of the avatar.
        sex: I32 { values: &[(1, "female")] },
        /// Two numbers of unknown meaning.
        unknown_212: Raw<8>,
        /// Of unknown meaning.
        unknown_220: I16 { role: Role::Opaque },
        /// Of unknown meaning.
        unknown_222: U8 { role: Role::Opaque },
        /// Number of items behind the avatar.
        item_count: I32,
    }
}

record! {
    /// A skill of an avatar.
    pub struct Skill: "skill", "docs/formats/save.md#3-avatar", 3 {
        /// The branch.
        major: U8 { values: &[(255, "none")] },
        /// The skill in the branch.
        minor: U8 { values: &[(255, "none")] },
        /// Level of the skill.
        level: U8 { values: &[(255, "none")] },
    }
}

static SKILLS: Record =
    Record::group("skills", PAGE, "Places for ten skills; 255 where there is none.");
static NAME: Field = text_field("name", "The name of the avatar.");
static TEXT_46: Field = text_field("text_46", "A text of unknown meaning.");

impl Avatar {
    /// Length in bytes.
    pub const LEN: usize = size_of::<Avatar>();

    /// The avatar that `bytes` start with.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED).
    pub fn read(bytes: &[u8]) -> Result<&Avatar> {
        Cursor::new(bytes, Space::FILE, 0).record()
    }

    /// Returns the name, up to the NUL.
    pub fn name(&self) -> String {
        shown(&self.name)
    }

    /// Returns the skills; places without one are left out.
    pub fn skills(&self) -> impl Iterator<Item = Skill> + '_ {
        let all = self.skills.chunks_exact(size_of::<Skill>());
        let skills = all.filter_map(|bytes| {
            let [major, minor, level] = *bytes.first_chunk()?;
            Some(Skill { major, minor, level })
        });
        skills.filter(|skill| skill.major != 255)
    }
}

/// Walks an avatar: as the record has it, with texts as texts and skills as a list.
pub(super) fn walk_avatar(bytes: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    for slot in Avatar::RECORD.fields {
        let (start, len) = (slot.offset, slot.size);
        let end = start.saturating_add(len) as usize;
        let Some(bytes) = bytes.get(start as usize..end) else { continue };
        let at = at.part(start.into(), len.into());
        match slot.field.name {
            "name" => walk.field(&NAME, Some(at), shown(bytes).into())?,
            "text_46" => walk.field(&TEXT_46, Some(at), shown(bytes).into())?,
            "skills" => walk_skills(bytes, at, walk)?,
            _ if slot.field.ty.size().is_none() => {
                walk.field(&slot.field, Some(at), Val::Bytes(bytes.into()))?;
            }
            _ => walk.field(&slot.field, Some(at), slot.field.ty.decode(bytes))?,
        }
    }
    Ok(())
}

fn walk_skills(bytes: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    walk.group(&Group::list("skills", &SKILLS, Some(at)), |walk| {
        let mut at = at.part(0, size_of::<Skill>() as u64);
        for (nth, skill) in bytes.chunks_exact(size_of::<Skill>()).enumerate() {
            let group = Group::item(nth, Skill::RECORD, Some(at));
            walk.group(&group, |walk| Skill::RECORD.walk(skill, at, walk))?;
            at = at.part(at.len, at.len);
        }
        Ok(())
    })
}
