//! Items, and what makes them armor, weapons, scrolls and runes.

use super::{
    BUILDINGS, ITEM_SETS, ITEMS, SPELLS, TEXTS, UNIT_STATS, UNITS, WEAPON_MATERIALS, WEAPON_TYPES,
    one_of, some, table,
};

table! {
    /// An item.
    Item: 2003 "items", "Item general info", 4, 22, One 1 {
        /// Id of the item.
        item_id: U16,
        /// Kind of the item.
        item_type_1: U8 {
            values: &[
                (1, "equipment"),
                (2, "rune in the inventory"),
                (3, "installed rune"),
                (4, "spell scroll"),
                (5, "installed spell"),
                (6, "unit plan"),
                (7, "building plan"),
                (8, "installed unit plan"),
                (9, "installed building plan"),
                (10, "other"),
                (11, "blank scroll"),
            ],
        },
        /// Of equipment where it is worn: 1 head, 2 chest, 3 legs, 6 ring, 7 one hand, 8 two hands, 9 shield, 10 robe,
        /// 11 chest of monsters, 12 ranged weapon, 13 chest of players. Of runes and plans the race, 0 to 6.
        item_type_2: U8,
        /// Name of the item.
        name_id: U16 { refers: one_of(TEXTS) },
        /// Of runes the hero.
        unit_stats_id: U16 { refers: some(UNIT_STATS) },
        /// Of plans the soldier or worker.
        army_unit_id: U16 { refers: some(UNITS) },
        /// Of plans the building.
        building_id: U16 { refers: some(BUILDINGS) },
        /// Properties of the item.
        option: U8 {
            bits: &[
                (1, "stackable"),
                (2, "lore"),
                (4, "quest item, not for sale"),
                (8, "quest item, for sale"),
                (16, "needs all requirements"),
            ],
        },
        /// Price that merchants pay for the item.
        sell_value: U32 { unit: "copper" },
        /// Price that merchants ask for the item.
        buy_value: U32 { unit: "copper" },
        /// The set that it belongs to.
        item_set_id: U8 { refers: some(ITEM_SETS) },
    }
}

table! {
    /// Effects of an item on its wearer.
    ItemArmor: 2004 "item_armor", "Item armor data", 1, 36, One 1 {
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Added to strength.
        strength: I16,
        /// Added to stamina.
        stamina: I16,
        /// Added to agility.
        agility: I16,
        /// Added to dexterity.
        dexterity: I16,
        /// Added to health.
        health: I16,
        /// Added to charisma.
        charisma: I16,
        /// Added to intelligence.
        intelligence: I16,
        /// Added to wisdom.
        wisdom: I16,
        /// Added to mana.
        mana: I16,
        /// Armor.
        armor: I16,
        /// Added to the resistance to fire.
        resist_fire: I16,
        /// Added to the resistance to ice.
        resist_ice: I16,
        /// Added to the resistance to black magic.
        resist_black: I16,
        /// Added to the resistance to mind magic.
        resist_mind: I16,
        /// Added to the speed of walking.
        speed_walk: I16,
        /// Added to the speed of fighting.
        speed_fight: I16,
        /// Added to the speed of casting.
        speed_cast: I16,
    }
}

table! {
    /// The installed form of a scroll, rune or plan.
    InventoryScroll: 2013 "inventory_scrolls", "Inventory spell scroll link with installed spell scroll", 1, 4, One 1 {
        /// The item in the inventory.
        item_id: U16 { refers: one_of(ITEMS) },
        /// The installed item; several scrolls may become one.
        installed_scroll_item_id: U16 { refers: one_of(ITEMS) },
    }
}

table! {
    /// Values of an item that is a weapon.
    Weapon: 2015 "weapons", "Item weapon data", 2, 16, One 1 {
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Least damage.
        min_damage: U16,
        /// Most damage.
        max_damage: U16,
        /// Shortest distance to the target.
        min_range: U16,
        /// Longest distance to the target.
        max_range: U16,
        /// Speed of the weapon.
        weapon_speed: U16 { unit: "percent" },
        /// Type of the weapon.
        weapon_type: U16 { refers: some(WEAPON_TYPES) },
        /// Material of the weapon.
        weapon_material: U16 { refers: some(WEAPON_MATERIALS) },
    }
}

table! {
    /// A skill that is needed to use an item.
    ItemRequirement: 2017 "item_requirements", "Item skill requirements", 1, 6, Many 2 {
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Number of the requirement: 1 to 4.
        req_index: U8,
        /// The branch; 0 is the level of the character.
        skill_major_id: U8 { refers: super::SKILL_BRANCH },
        /// The skill in the branch.
        skill_minor_id: U8 { refers: super::skill_of(2) },
        /// The level that is needed: 0 to 50.
        skill_level: U8,
    }
}

table! {
    /// A spell that a weapon casts, or that a scroll holds.
    ItemEffect: 2014 "item_effects", "Item weapon effects/inventory scroll link with spell", 1, 5, Many 2 {
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Number of the effect, mostly from 1 on.
        effect_index: U8,
        /// The spell.
        effect_id: U16 { refers: one_of(SPELLS) },
    }
}

table! {
    /// A picture of an item.
    ItemUi: 2012 "item_ui", "Item UI data", 1, 69, Many 2 {
        /// The item.
        item_id: U16 { refers: one_of(ITEMS) },
        /// Number of the picture, mostly from 1 on.
        ui_index: U8,
        /// Name of the picture.
        ui_handle: Text<64>,
        /// Scaling of the picture: 0 to 3.
        is_scaled_down: U16,
    }
}

table! {
    /// The spell of an installed scroll.
    InstalledScroll: 2018 "installed_scrolls", "Item installed spell scroll link with spell", 1, 4, One 1 {
        /// The installed item.
        spell_item_id: U16 { refers: one_of(ITEMS) },
        /// The spell.
        effect_id: U16 { refers: one_of(SPELLS) },
    }
}

table! {
    /// A type of weapons.
    WeaponType: 2063 "weapon_types", "Weapon types", 1, 5, One 1 {
        /// Id of the type.
        weapon_type_id: U16,
        /// Name of the type.
        name_id: U16 { refers: one_of(TEXTS) },
        /// Sharpness; blunt weapons have 0.
        sharpness: U8 { unit: "percent" },
    }
}

table! {
    /// A material of weapons.
    WeaponMaterial: 2064 "weapon_materials", "Weapon materials", 1, 4, One 1 {
        /// Id of the material.
        weapon_material_id: U16,
        /// Name of the material.
        name_id: U16 { refers: one_of(TEXTS) },
    }
}

table! {
    /// A set of items.
    ItemSet: 2072 "item_sets", "Item sets", 1, 4, One 1 {
        /// Id of the set.
        item_set_id: U8,
        /// Effect of wearing the whole set; a text, not a description. 0 in all rows of 1.1.
        description_id: U16 { refers: some(TEXTS) },
        /// Type of the set: 1 to 9.
        item_set_type: U8,
    }
}
