//! Spells, and the lines that they belong to.

use super::{DESCRIPTIONS, SPELL_LINES, SPELLS, TEXTS, UNITS, one_of, some, table, when};

table! {
    /// A spell or effect at one level.
    Spell: 2002 "spells", "Spell data", 3, 76, One 1 {
        /// Id of the spell, which texts and scripts call an effect too.
        spell_id: U16,
        /// The line that it belongs to: what it does, at all of its levels.
        spell_line_id: U16 { refers: one_of(SPELL_LINES) },
        /// First skill that it needs: the branch.
        skill_major_1: U8 { refers: super::SOME_BRANCH },
        /// First skill that it needs: the skill in the branch.
        skill_minor_1: U8 { refers: super::some_skill_of(2) },
        /// Level of the first skill, which is the level of the spell.
        skill_level_1: U8,
        /// Second skill that it needs: the branch.
        skill_major_2: U8 { refers: super::SOME_BRANCH },
        /// Second skill that it needs: the skill in the branch.
        skill_minor_2: U8 { refers: super::some_skill_of(5) },
        /// Level of the second skill.
        skill_level_2: U8,
        /// Third skill that it needs: the branch.
        skill_major_3: U8 { refers: super::SOME_BRANCH },
        /// Third skill that it needs: the skill in the branch.
        skill_minor_3: U8 { refers: super::some_skill_of(8) },
        /// Level of the third skill.
        skill_level_3: U8,
        /// Room for a fourth skill; always 0.
        skill_major_4: U8 { refers: super::SOME_BRANCH },
        /// Room for a fourth skill; always 0.
        skill_minor_4: U8 { refers: super::some_skill_of(11) },
        /// Room for a fourth skill; always 0.
        skill_level_4: U8,
        /// Cost of casting.
        mana_cost: U16 { unit: "mana" },
        /// Time that casting takes.
        cast_time: U32 { unit: "ms" },
        /// Time until the spell can be cast again.
        recast_time: U32 { unit: "ms" },
        /// Shortest distance to the target.
        min_range: U16,
        /// Longest distance to the target.
        max_range: U16,
        /// Way of casting: 1 to 3.
        cast_type_1: U8,
        /// Kind of target: 1, 4 or 5.
        cast_type_2: U8,
        /// First parameter; the line says what it means.
        param_1: U32 { refers: when(SPELLS, 1, &[176, 180]) },
        /// Second parameter.
        param_2: U32 { refers: when(SPELLS, 1, &[12, 15, 47, 175, 179]) },
        /// Third parameter; the unit that is called by summoning spells.
        param_3: U32 { refers: when(
            UNITS, 1, &[20, 29, 92, 106, 109, 133, 136, 141, 188, 198, 203, 206, 209],
        ) },
        /// Fourth parameter.
        param_4: U32 { refers: when(
            SPELLS, 1, &[134, 137, 142, 190, 193, 196, 201, 202, 204, 205, 208, 212, 214, 217],
        ) },
        /// Fifth parameter.
        param_5: U32 { refers: when(SPELLS, 1, &[13, 73, 74, 239]) },
        /// Sixth parameter.
        param_6: U32,
        /// Seventh parameter; the spell that an aura casts. Siege auras have none.
        param_7: U32 { refers: when(
            SPELLS, 1,
            &[
                88, 89, 91, 94, 95, 97, 98, 102, 103, 104, 107, 110, 111, 113, 114, 115, 127, 129,
                131, 192, 223, 225, 226, 227, 228,
            ],
        ) },
        /// Eighth parameter.
        param_8: U32,
        /// Ninth parameter.
        param_9: U32,
        /// Tenth parameter; always 0.
        param_10: U32,
        /// Strength of the effect; 100 in all real rows but one.
        effect_power: U16 { unit: "percent" },
        /// Range of the effect: 0, 1 or 12.
        effect_range: U16,
    }
}

table! {
    /// A line of spells, whose levels are rows of `spells`.
    SpellLine: 2054 "spell_lines", "Spell type data", 5, 75, One 1 {
        /// Id of the line.
        spell_line_id: U16,
        /// Name of the line.
        text_id: U16 { refers: some(TEXTS) },
        /// Bits that are not understood: 0 to 28.
        flags: U8,
        /// School of magic: 0 to 5.
        magic_type: U8,
        /// Lowest level.
        min_level: U8,
        /// Highest level.
        max_level: U8,
        /// Characters that can have the line.
        availability: U8,
        /// Name of its picture; may be empty.
        ui_handle: Text<64>,
        /// Description of the line.
        description_id: U16 { refers: some(DESCRIPTIONS) },
    }
}

table! {
    /// Six bytes that are not understood. There are two rows, which begin alike.
    Unknown2056: 2056 "unknown_2056", "Unused/unknown", 1, 6, One 1 {
        /// First byte.
        data_1: U8,
        /// Second byte.
        data_2: U8,
        /// Third byte.
        data_3: U8,
        /// Fourth byte.
        data_4: U8,
        /// Fifth byte.
        data_5: U8,
        /// Sixth byte.
        data_6: U8,
    }
}
