//! Units, what they are made of, and what they carry.

use super::{
    BUILDINGS, FACTIONS, HEADS, ITEMS, LEVELS, RACES, RESOURCES, SPELLS, TEXTS, UNIT_STATS, UNITS,
    one_of, some, table,
};

table! {
    /// Abilities of a unit or hero.
    UnitStats: 2005 "unit_stats", "Unit/hero stats", 9, 47, One 1 {
        /// Id of these values.
        stats_id: U16,
        /// Level of the unit.
        unit_level: U16 { refers: one_of(LEVELS) },
        /// Race of the unit.
        unit_race: U8 { refers: one_of(RACES) },
        /// Agility.
        agility: U16,
        /// Charisma.
        charisma: U16,
        /// Dexterity.
        dexterity: U16,
        /// Intelligence.
        intelligence: U16,
        /// Stamina.
        stamina: U16,
        /// Strength.
        strength: U16,
        /// Wisdom.
        wisdom: U16,
        /// Whether values vary from unit to unit: 0 or 1.
        random_init: U16,
        /// Resistance to fire.
        resistance_fire: U16,
        /// Resistance to ice.
        resistance_ice: U16,
        /// Resistance to black magic.
        resistance_black: U16,
        /// Resistance to mind magic.
        resistance_mind: U16,
        /// Speed of walking.
        speed_walk: U16 { unit: "percent" },
        /// Speed of fighting.
        speed_fight: U16 { unit: "percent" },
        /// Speed of casting.
        speed_cast: U16 { unit: "percent" },
        /// Size of the figure; a community's editor keeps it within 50 and 200.
        unit_size: U16 { unit: "percent" },
        /// Use of mana.
        mana_usage: U16,
        /// Time until a new unit appears.
        spawn_base_time: U32 { unit: "ms" },
        /// Properties of the unit.
        unit_flags: U8 { bits: &[(1, "female"), (2, "unkillable")] },
        /// Head of the figure.
        head_id: U16 { refers: some(HEADS) },
        /// Equipment that the unit can wear.
        equipment_mode: U8 {
            values: &[(1, "all slots"), (2, "hands and rings"), (3, "nothing")],
        },
    }
}

table! {
    /// A skill of a hero or worker.
    HeroSkill: 2006 "hero_skills", "Hero/worker skills", 1, 5, Many 3 {
        /// Values of the hero or worker.
        unit_stats_id: U16 { refers: one_of(UNIT_STATS) },
        /// The branch; several skills of a unit may be of one.
        skill_major_id: U8 { refers: super::SKILL_BRANCH },
        /// The skill in the branch; in branch 0 what a worker gathers.
        skill_minor_id: U8 { refers: super::skill_of(1) },
        /// Level of the skill.
        skill_level: U8,
    }
}

table! {
    /// A spell of a hero.
    HeroSpell: 2067 "hero_spells", "Hero spells", 1, 5, Many 2 {
        /// Values of the hero.
        unit_stats_id: U16 { refers: one_of(UNIT_STATS) },
        /// Number of the spell, from 1 on.
        spell_index: U8,
        /// The spell.
        spell_id: U16 { refers: some(SPELLS) },
    }
}

table! {
    /// A race, or a kind of beings.
    Race: 2022 "races", "Race stats", 7, 27, One 1 {
        /// Id of the race.
        race_id: U8,
        /// Range of sight by day.
        vis_range_day: U8,
        /// Range of sight by night.
        vis_range_night: U8,
        /// Range of hearing.
        hear_range: U8,
        /// From how far it attacks.
        aggro_range_factor: U8 { unit: "percent" },
        /// Morale of the race.
        moral: U8,
        /// Aggressiveness; the field's name is spelt as in the community's editor.
        aggresiveness: U8,
        /// Name of the race.
        text_id: U16 { refers: one_of(TEXTS) },
        /// Properties of the race.
        flags: U8 {
            bits: &[
                (1, "undead"),
                (2, "breathing"),
                (4, "huntable"),
                (8, "animal"),
                (16, "has a soul"),
                (32, "attacks buildings"),
                (64, "bleeds"),
            ],
        },
        /// Faction of the race.
        faction_id: U16 { refers: some(FACTIONS) },
        /// Damage that it takes from blunt weapons.
        dmg_taken_blunt: U8 { unit: "percent" },
        /// Damage that it takes from sharp weapons.
        dmg_taken_slash: U8 { unit: "percent" },
        /// Behavior of the race.
        ai_flags: U16 {
            bits: &[
                (1, "default"),
                (2, "idle"),
                (4, "stroll"),
                (8, "nomadic"),
                (16, "aggressive"),
                (32, "defensive"),
                (64, "script"),
            ],
        },
        /// Smallest group.
        group_size_min: U8,
        /// Largest group.
        group_size_max: U8,
        /// Chance of a group.
        group_chance: U8 { unit: "percent" },
        /// Formation of a group; always 0.
        group_formation: U8,
        /// Condition under which the race flees.
        flee: U16,
        /// Condition under which the race retreats after damage.
        retreat_on_dmg: U16,
        /// Distance over which the race is followed.
        retreat_follow: U16,
        /// Speed of attacks.
        attack_speed_factor: U8 { unit: "percent" },
    }
}

table! {
    /// Attitude of one faction to another. There is a row for every pair.
    FactionRelation: 2023 "faction_relations", "Faction relations", 2, 3, Many 2 {
        /// The faction that thinks.
        clan_id: U8,
        /// The other one.
        clan_id_2: U8 { refers: one_of(FACTIONS) },
        /// The attitude. 156 is -100 as a signed byte.
        relation: U8 { values: &[(0, "neutral"), (100, "friendly"), (156, "hostile")] },
    }
}

table! {
    /// A unit: a creature, hero, worker or soldier.
    Unit: 2024 "units", "Unit general data/link with unit stats", 8, 64, One 1 {
        /// Id of the unit.
        unit_id: U16,
        /// Name of the unit.
        name_id: U16 { refers: one_of(TEXTS) },
        /// Abilities of the unit.
        stats_id: U16 { refers: some(UNIT_STATS) },
        /// Experience for killing it.
        experience_gain: U32,
        /// Falloff of the experience with each further kill.
        experience_falloff: U16,
        /// Money that it leaves.
        copper_loot: U32 { unit: "copper" },
        /// Variation of the money.
        copper_variance: U16 { unit: "percent" },
        /// Share of fighting from afar.
        rangedness: U8 { unit: "percent" },
        /// Meat that it gives.
        meat_value: U16,
        /// Armor of the unit.
        armor: U16,
        /// Name of the figure in scripts; some fill all 40 bytes.
        handle: Text<40>,
        /// Whether maps can place it: 0 or 1.
        can_be_placed: U8,
    }
}

table! {
    /// An item that a unit wears.
    UnitEquipment: 2025 "unit_equipment", "Unit equipment", 1, 5, Many 2 {
        /// The unit.
        unit_id: U16 { refers: one_of(UNITS) },
        /// Place where the unit wears the item.
        equipment_index: U8 {
            values: &[
                (0, "head"),
                (1, "right hand"),
                (2, "chest"),
                (3, "left hand"),
                (4, "right ring"),
                (5, "legs"),
                (6, "left ring"),
            ],
        },
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
    }
}

table! {
    /// A spell of a unit.
    UnitSpell: 2026 "unit_spells", "Unit spells", 1, 5, Many 2 {
        /// The unit.
        unit_id: U16 { refers: one_of(UNITS) },
        /// Number of the spell, mostly from 1 on.
        spell_index: U8,
        /// The spell.
        spell_id: U16 { refers: some(SPELLS) },
    }
}

table! {
    /// Cost of a soldier or worker in one resource.
    ArmyUnitCost: 2028 "army_unit_costs", "Army unit resource requirements", 1, 4, Many 2 {
        /// The unit.
        army_unit_id: U16 { refers: one_of(UNITS) },
        /// The resource.
        resource_type: U8 { refers: one_of(RESOURCES) },
        /// Amount of the resource.
        resource_value: U8,
    }
}

table! {
    /// Loot of a dead unit.
    CorpseLoot: 2040 "corpse_loot", "Corpse loot", 1, 11, Many 2 {
        /// The unit.
        unit_id: U16 { refers: one_of(UNITS) },
        /// Number of the loot, mostly from 1 on.
        loot_index: U8,
        /// First item.
        item_id_1: U16 { refers: one_of(ITEMS) },
        /// Chance of the first item.
        item_chance_1: U8 { unit: "percent" },
        /// Second item.
        item_id_2: U16 { refers: some(ITEMS) },
        /// Chance of the second item. The third has the rest.
        item_chance_2: U8 { unit: "percent" },
        /// Third item.
        item_id_3: U16 { refers: some(ITEMS) },
    }
}

table! {
    /// A building that has to stand before a soldier or worker can be made.
    ArmyUnitBuilding: 2001 "army_unit_buildings", "Army unit building requirements", 1, 5, Many 2 {
        /// The unit.
        army_unit_id: U16 { refers: one_of(UNITS) },
        /// Number of the requirement, from 1 on.
        building_index: U8,
        /// The building.
        building_id: U16 { refers: one_of(BUILDINGS) },
    }
}
