//! Buildings, objects in the world, and where nobody can walk because of them.

use super::{
    BUILDINGS, DESCRIPTIONS, EXTENDED_DESCRIPTIONS, ITEMS, OBJECTS, RACES, RESOURCES, TEXTS,
    one_of, some, table,
};

table! {
    /// A building.
    Building: 2029 "buildings", "Building data", 9, 23, One 1 {
        /// Id of the building.
        building_id: U16,
        /// The race that builds it.
        race_id: U8 { refers: one_of(RACES) },
        /// Whether units can go in: 0 or 1.
        can_enter: U8,
        /// How many workers it has room for.
        slots: U8,
        /// Its health.
        health: U16,
        /// Its name.
        name_id: U16 { refers: one_of(TEXTS) },
        /// Where it is turned around.
        rot_center_x: I16,
        /// Where it is turned around.
        rot_center_y: I16,
        /// Number of its rows in `building_polygons`.
        num_of_polygons: U8,
        /// How long a worker takes for one round.
        worker_cycle_time: U16 { unit: "ms" },
        /// The building that has to stand before.
        building_req_id: U16 { refers: some(BUILDINGS) },
        /// How it stands at first.
        initial_angle: U16 { unit: "degrees" },
        /// Its description.
        description_ext_id: U16 { refers: some(EXTENDED_DESCRIPTIONS) },
        /// Not understood: 0 or 1.
        flags: U8,
    }
}

table! {
    /// A polygon where a building stands. The row goes on with its corners.
    BuildingPolygon: 2030 "building_polygons", "Building collision data", 2, 5, Many 2 {
        /// The building.
        building_id: U16 { refers: one_of(BUILDINGS) },
        /// Its number, from 1 on.
        polygon_id: U8,
        /// Whether it casts a shadow: always 1.
        casts_shadow: U8,
        /// Number of corners: 4 to 36 in real files.
        vertex_count: U8,
    }
}

table! {
    /// What a building costs.
    BuildingCost: 2031 "building_costs", "Building resource requirements", 2, 5, Many 2 {
        /// The building.
        building_id: U16 { refers: one_of(BUILDINGS) },
        /// The resource.
        resource_id: U8 { refers: one_of(RESOURCES) },
        /// How much of it.
        resource_requirement: U16,
    }
}

table! {
    /// A button of a building with which something is researched.
    Upgrade: 2036 "upgrades", "Unit upgrade data", 1, 90, One 1 {
        /// Id of the button.
        button_id: U16,
        /// The building.
        building_id: U16 { refers: one_of(BUILDINGS) },
        /// Its name.
        button_name_id: U16 { refers: one_of(TEXTS) },
        /// Its description.
        button_description_id: U16 { refers: one_of(DESCRIPTIONS) },
        /// What it costs.
        wood: U16,
        /// What it costs.
        stone: U16,
        /// What it costs.
        iron: U16,
        /// What it costs.
        lenya: U16,
        /// What it costs.
        aria: U16,
        /// What it costs.
        moonsilver: U16,
        /// What it costs.
        food: U16,
        /// Name of the picture.
        handle: Text<64>,
        /// How long it takes.
        research_time: U32 { unit: "ms" },
    }
}

table! {
    /// An object that stands in the world: a tree, a stone, a chest.
    Object: 2050 "objects", "Environment objects data", 6, 54, One 1 {
        /// Id of the object.
        object_id: U16,
        /// Its name.
        name_id: U16 { refers: one_of(TEXTS) },
        /// How it is treated.
        flags: U8 {
            bits: &[
                (1, "blocks the terrain"),
                (2, "adjusts its height"),
                (4, "can be placed"),
                (0x80, "has loot"),
            ],
        },
        /// How the terrain below it is flattened: 1 or 2.
        flatten_mode: U8,
        /// Number of its rows in `object_polygons`.
        polygon_num: U8,
        /// Name of the figure.
        handle: Text<41>,
        /// How much of a resource it gives.
        resource_amount: U16,
        /// Its width.
        width: U16,
        /// Its height.
        height: U16,
    }
}

table! {
    /// A polygon where an object stands. The row goes on with its corners.
    ObjectPolygon: 2057 "object_polygons", "Interactive object collision data", 2, 5, Many 2 {
        /// The object.
        object_id: U16 { refers: one_of(OBJECTS) },
        /// Its number, from 1 on.
        polygon_id: U8,
        /// Whether it casts a shadow: 0 or 1.
        casts_shadow: U8,
        /// Number of corners: 4 to 36 in real files.
        vertex_count: U8,
    }
}

table! {
    /// What is in a chest or another object.
    ObjectLoot: 2065 "object_loot", "Environment object loot", 1, 11, Many 2 {
        /// The object.
        object_id: U16 { refers: one_of(OBJECTS) },
        /// Its number, from 1 on.
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
