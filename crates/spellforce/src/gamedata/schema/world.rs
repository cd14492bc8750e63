//! Texts, skills, merchants, maps, quests, and the small tables of the world.

use super::{ITEMS, MAPS, MERCHANTS, QUESTS, TEXTS, UNITS, one_of, some, table};

table! {
    /// A text in one language.
    TextRow: 2016 "texts", "Text data", 3, 566, Many 2 {
        /// Id of the text.
        text_id: U16,
        /// Slot of the language: `docs/formats/cff.md#7-text-data-and-languages`.
        language_id: U8,
        /// Kind of text. Only dialogue has a handle.
        mode: U8 { values: &[(0, "plain"), (1, "dialogue")] },
        /// Name of the line of dialogue.
        handle: Text<50>,
        /// The text, in the code page of its slot.
        content: Text<512>,
    }
}

impl TextRow {
    /// Position of the id among the fields.
    pub const TEXT_ID: usize = 0;
    /// Position of the slot.
    pub const LANGUAGE_ID: usize = 1;
    /// Position of the mode.
    pub const MODE: usize = 2;
    /// Position of the handle.
    pub const HANDLE: usize = 3;
    /// Position of the text.
    pub const CONTENT: usize = 4;
}

table! {
    /// The name of a skill, or of a branch of skills.
    Skill: 2039 "skills", "Skills link with text data", 1, 4, Many 2 {
        /// The branch.
        skill_major_id: U8,
        /// The skill in it; 0 is the branch itself.
        skill_minor_id: U8,
        /// Name of the skill.
        text_id: U16 { refers: some(TEXTS) },
    }
}

table! {
    /// Requirements of a level of a branch of skills.
    SkillRequirement: 2062 "skill_requirements", "Skill point requirements", 1, 9, Many 2 {
        /// The branch: 1 to 7.
        skill_major_id: U8 { refers: super::SKILL_BRANCH },
        /// The level.
        skill_level: U8,
        /// Strength that it needs.
        strength: U8,
        /// Stamina that it needs.
        stamina: U8,
        /// Agility that it needs.
        agility: U8,
        /// Dexterity that it needs.
        dexterity: U8,
        /// Charisma that it needs.
        charisma: U8,
        /// Intelligence that it needs.
        intelligence: U8,
        /// Wisdom that it needs.
        wisdom: U8,
    }
}

table! {
    /// A merchant.
    Merchant: 2041 "merchants", "Merchants link with unit general data", 1, 4, One 1 {
        /// Id of the merchant.
        merchant_id: U16,
        /// The unit that is the merchant.
        unit_id: U16 { refers: one_of(UNITS) },
    }
}

table! {
    /// An item that a merchant has.
    MerchantItem: 2042 "merchant_items", "Merchant inventory", 1, 6, Many 2 {
        /// The merchant.
        merchant_id: U16 { refers: one_of(MERCHANTS) },
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Number of such items in stock.
        stock: U16,
    }
}

table! {
    /// Rate of a merchant for one type of items.
    MerchantRate: 2047 "merchant_rates", "Merchant sell/buy rate", 1, 5, Many 2 {
        /// The merchant.
        merchant_id: U16 { refers: one_of(MERCHANTS) },
        /// The type of the item, as `item_type_1` of `items`.
        item_type: U8,
        /// Factor on the prices that are paid and asked for such items.
        price_multiplier: U16 { unit: "percent" },
    }
}

table! {
    /// A resource.
    Resource: 2044 "resources", "Resources link with data", 1, 3, One 1 {
        /// Id of the resource.
        resource_id: U8,
        /// Name of the resource.
        text_id: U16 { refers: one_of(TEXTS) },
    }
}

table! {
    /// Values of a level.
    Level: 2048 "levels", "Player level scaling", 3, 15, One 1 {
        /// The level, from 1 on.
        level: U8,
        /// Factor on health.
        health_factor: U16 { unit: "percent" },
        /// Factor on mana.
        mana_factor: U16 { unit: "percent" },
        /// Experience that is needed.
        experience_required: U32,
        /// Most points for attributes.
        attribute_point_limit: U8,
        /// Most points for skills.
        skill_point_limit: U8,
        /// Factor on damage.
        damage_factor: U16 { unit: "percent" },
        /// Factor on armor.
        armor_class_factor: U16 { unit: "percent" },
    }
}

table! {
    /// A person of the story.
    Npc: 2051 "npcs", "NPC link with text data", 1, 6, One 1 {
        /// Id of the person, which maps give.
        npc_id: U32,
        /// The name.
        text_id: U16 { refers: some(TEXTS) },
    }
}

table! {
    /// A map.
    Map: 2052 "maps", "Map data", 2, 71, One 1 {
        /// Id of the map.
        map_id: U32,
        /// Whether its state is kept: 0 or 1.
        is_persistent: U8,
        /// Path of the map below `map\`, without `.map`.
        handle: Text<64>,
        /// Name of the map.
        name_id: U16 { refers: some(TEXTS) },
    }
}

impl Map {
    /// Position of the handle among the fields.
    pub const HANDLE: usize = 2;
}

table! {
    /// A portal.
    Portal: 2053 "portals", "Portal locations", 3, 13, One 1 {
        /// Id of the portal.
        portal_id: U16,
        /// Map of the portal.
        map_id: U32 { refers: one_of(MAPS) },
        /// Column of the portal in the map.
        pos_x: U16 { unit: "cells" },
        /// Row of the portal in the map.
        pos_y: U16 { unit: "cells" },
        /// Whether it is the one where players begin: 0 or 1.
        is_default: U8,
        /// Name of the portal.
        name_id: U16 { refers: some(TEXTS) },
    }
}

table! {
    /// Three bytes that are not understood. There are two rows.
    Unknown2055: 2055 "unknown_2055", "Unknown", 1, 3, One 1 {
        /// The key.
        b1: U8,
        /// Not understood.
        b2: U8,
        /// Not understood.
        b3: U8,
    }
}

table! {
    /// A description.
    Description: 2058 "descriptions", "Description link with txt data", 1, 4, One 1 {
        /// Id of the description.
        description_id: U16,
        /// The text.
        text_id: U16 { refers: some(TEXTS) },
    }
}

table! {
    /// A description with a second text.
    ExtendedDescription: 2059 "extended_descriptions", "Extended description data", 1, 6, One 1 {
        /// Id of the description.
        ext_description_id: U16,
        /// The text. Many rows refer to texts that are not there.
        text_id: U16 { refers: one_of(TEXTS) },
        /// The second text.
        ext_text_id: U16 { refers: one_of(TEXTS) },
    }
}

table! {
    /// A quest, or a part of one.
    Quest: 2061 "quests", "Quest hierarchy/description data", 1, 17, One 1 {
        /// Id of the quest.
        quest_id: U32,
        /// The quest that it is a part of.
        parent_quest_id: U32 { refers: some(QUESTS) },
        /// Whether it has to be done: 0 or 1.
        is_main_quest: U8,
        /// Name of the quest.
        name_id: U16 { refers: some(TEXTS) },
        /// Subject of the quest; a text, not a description.
        description_id: U16 { refers: some(TEXTS) },
        /// Rank of the quest among others.
        order_index: U32,
    }
}

table! {
    /// A kind of ground.
    Terrain: 2032 "terrains", "Terrain data", 2, 4, One 1 {
        /// Id of the ground.
        terrain_id: U16,
        /// Always 10.
        block_value: U8,
        /// Plants that grow on the terrain.
        cultivation_flags: U8 { bits: &[(1, "grain"), (2, "mushrooms"), (4, "trees")] },
    }
}

table! {
    /// A head of a figure.
    Head: 2049 "heads", "Heads", 1, 2, One 1 {
        /// Id of the head: 1 to 32.
        head_id: U16,
    }
}
