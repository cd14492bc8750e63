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
        /// Number of workers that the building has room for.
        slots: U8,
        /// Health of the building.
        health: U16,
        /// Name of the building.
        name_id: U16 { refers: one_of(TEXTS) },
        /// X coordinate of the center of rotation.
        rot_center_x: I16,
        /// Y coordinate of the center of rotation.
        rot_center_y: I16,
        /// Number of its rows in `building_polygons`.
        num_of_polygons: U8,
        /// Time that a worker takes for one round.
        worker_cycle_time: U16 { unit: "ms" },
        /// The building that has to stand before.
        building_req_id: U16 { refers: some(BUILDINGS) },
        /// Initial rotation of the building.
        initial_angle: U16 { unit: "degrees" },
        /// Description of the building.
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
        /// Number of the polygon, from 1 on.
        polygon_id: U8,
        /// Whether it casts a shadow: always 1.
        casts_shadow: U8,
        /// Number of corners: 4 to 36 in real files.
        vertex_count: U8,
    }
}

table! {
    /// Cost of a building in one resource.
    BuildingCost: 2031 "building_costs", "Building resource requirements", 2, 5, Many 2 {
        /// The building.
        building_id: U16 { refers: one_of(BUILDINGS) },
        /// The resource.
        resource_id: U8 { refers: one_of(RESOURCES) },
        /// Amount of the resource.
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
        /// Name of the upgrade.
        button_name_id: U16 { refers: one_of(TEXTS) },
        /// Description of the upgrade.
        button_description_id: U16 { refers: one_of(DESCRIPTIONS) },
        /// Cost in wood.
        wood: U16,
        /// Cost in stone.
        stone: U16,
        /// Cost in iron.
        iron: U16,
        /// Cost in lenya.
        lenya: U16,
        /// Cost in aria.
        aria: U16,
        /// Cost in moonsilver.
        moonsilver: U16,
        /// Cost in food.
        food: U16,
        /// Name of the picture.
        handle: Text<64>,
        /// Time that the upgrade takes.
        research_time: U32 { unit: "ms" },
    }
}

table! {
    /// An object that stands in the world: a tree, a stone, a chest.
    Object: 2050 "objects", "Environment objects data", 6, 54, One 1 {
        /// Id of the object.
        object_id: U16,
        /// Name of the object.
        name_id: U16 { refers: one_of(TEXTS) },
        /// Properties of the object.
        flags: U8 {
            bits: &[
                (1, "blocks the terrain"),
                (2, "adjusts its height"),
                (4, "can be placed"),
                (0x80, "has loot"),
            ],
        },
        /// Way in which the terrain below the object is flattened: 1 or 2.
        flatten_mode: U8,
        /// Number of its rows in `object_polygons`.
        polygon_num: U8,
        /// Name of the figure.
        handle: Text<41>,
        /// Amount of a resource that the object gives.
        resource_amount: U16,
        /// Width of the object.
        width: U16,
        /// Height of the object.
        height: U16,
    }
}

table! {
    /// A polygon where an object stands. The row goes on with its corners.
    ObjectPolygon: 2057 "object_polygons", "Interactive object collision data", 2, 5, Many 2 {
        /// The object.
        object_id: U16 { refers: one_of(OBJECTS) },
        /// Number of the polygon, from 1 on.
        polygon_id: U8,
        /// Whether it casts a shadow: 0 or 1.
        casts_shadow: U8,
        /// Number of corners: 4 to 36 in real files.
        vertex_count: U8,
    }
}

table! {
    /// Loot of a chest or another object.
    ObjectLoot: 2065 "object_loot", "Environment object loot", 1, 11, Many 2 {
        /// The object.
        object_id: U16 { refers: one_of(OBJECTS) },
        /// Number of the loot, from 1 on.
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
