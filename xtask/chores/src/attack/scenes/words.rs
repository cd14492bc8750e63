//! Paths, fields, patterns and statements that mean something in the files that are made.

use spelunk_fixtures::{generate::Kind, random::Random};

const OBJECTS: [&str; 24] = [
    "#0",
    "#1",
    "#2",
    "#4",
    "#8",
    "header1",
    "data",
    "CKGroup/same",
    "CK3dObject/same",
    "CK3dObject/Cube",
    "CKMesh/mesh",
    "CKMesh/Cube_Mesh",
    "CKMaterial/Wood",
    "managers/behavior",
    "included",
    "#3/0x20000",
    "CKGroup/Phys_Floors",
    "scripts",
    "CKBehavior/name0",
    "CKTexture/picture",
    "CKDataArray/array",
    "CKGroup",
    "managers/message",
    "#0/*",
];
const ASSETS: [&str; 16] = [
    "000000",
    "000001",
    "textures/bark",
    "levels/forest",
    "textures/bc7",
    "bomb",
    "again",
    "same",
    "name1",
    "#1",
    "sounds/wind",
    "textures/bark#1/0",
    "header",
    "strings",
    "index",
    "textures/*",
];
const CATEGORIES: [&str; 12] = [
    "2016",
    "2030",
    "2002",
    "texts",
    "items/1",
    "2016/1",
    "2016[0]",
    "texts/1/1",
    "2057[1]",
    "units",
    "items",
    "2003/1",
];
const LAYERS: [&str; 14] = [
    "units",
    "units[0]",
    "heights",
    "lakes",
    "2",
    "6.12",
    "12",
    "objects[0]",
    "500",
    "5",
    "heights/2,5",
    "decoration",
    "buildings",
    "53",
];
const MEMBERS: [&str; 8] = [
    "a/000001",
    "b/data",
    "dir/name1",
    "texture/terrain/landscape_grass_l3.tga",
    "mesh/meshes.txt",
    "dir/same",
    "dir",
    "script/*",
];
const CACHED: [&str; 6] =
    ["sf22.pak", "sf0.pak", "#0", "sf0.pak/same", "mesh/tower.msb", "sf1.pak/*"];

/// The path of an entry.
pub fn path(kind: Kind, r: &mut Random) -> &'static str {
    let all: &[&str] = match kind {
        Kind::Virtools => &OBJECTS,
        Kind::Pack => &ASSETS,
        Kind::GameData => &CATEGORIES,
        Kind::Map => &LAYERS,
        Kind::Archive => &MEMBERS,
        Kind::Cache => &CACHED,
    };
    all[r.below(all.len())]
}

/// Fields and what they are to be.
pub fn change(kind: Kind, r: &mut Random) -> &'static str {
    let all: &[&str] = match kind {
        Kind::Virtools => &[
            "CKMaterial/Wood/material.diffuse=0xffff0000",
            "#0/material.diffuse=0xffff0000",
            "CK3dObject/Cube/entity.position=1,2,3",
            "#0/entity.position=1,2,3",
            "#1/entity.position[1]=2.5",
            "#0/entity.parent=#1",
            "#0/members=#0,#1",
            "CKGroup/same/group.members=#0",
            "#0/texture.pick_threshold=3",
            "CKMesh/mesh/mesh.flags=1",
            "#4/value=7",
        ],
        Kind::Pack => &[
            "000001/name=levels/jungle",
            "000000/schema_version=4",
            "textures/bark/variant=dry",
            "levels/forest/compression=zstd:max",
            "000001/dependencies=000002,000003:optional",
            "textures/bark/bulk[0].compression=lz4",
            "bomb/compression=lz4",
            "same/name=other",
            "again/asset_id=00000000-0000-0000-0000-000000000001",
        ],
        Kind::GameData => &[
            "2016[0]/content=abc",
            "texts/1/1/content=abc",
            "items/1/buy_value=3",
            "2016/1/handle=x",
            "2030[0]/points=1,2",
            "units/1/handle=y",
        ],
        _ => &[
            "units[0]/x=3",
            "heights/2,5=900",
            "objects[0]/x=3",
            "2/size=3",
            "dir/name1/name=x",
            "tiles/1,1=4",
            "decoration/9,5=0",
        ],
    };
    all[r.below(all.len())]
}

/// Fields of entries of any kind, and what they are to be.
pub const FIELDS: [&str; 20] = [
    "material.diffuse=0xffff0000",
    "entity.position=1,2,3",
    "entity.position[1]=2.5",
    "entity.parent=#1",
    "entity.parent=none",
    "group.members=#0,#1",
    "group.members[0]=none",
    "mesh.flags=1",
    "name=other",
    "variant=dry",
    "schema_version=4",
    "compression=zstd:max",
    "compression=lz4",
    "dependencies=#0,#1:optional",
    "bulk[0].compression=lz4",
    "content=abc",
    "id=3",
    "x=3",
    "2,5=900",
    "rows=1,2,3",
];

/// What an entry is called that is added.
pub fn added(kind: Kind, r: &mut Random) -> &'static str {
    let all: &[&str] = match kind {
        Kind::Virtools => {
            &["CKGroup/new", "CKMesh/new", "included/new.txt", "CK3dObject/Cube", "CKBehavior/b"]
        }
        Kind::Pack => &["asset/new", "bulk/000001#1/9", "asset/000001", "bulk/textures/bark#2/0"],
        Kind::Archive => &["file/new/one.txt", "file/mesh/meshes.txt", "file/a/000001"],
        _ => &["buildings/end", "lakes/end", "units/0", "texts/end", "items/end", "objects/end"],
    };
    all[r.below(all.len())]
}

/// What is looked for.
pub const PATTERNS: [&str; 12] =
    ["a", "*", "name1", "0", "1", "0x64", "e*e", "?", "same", "[a-z]*", "000001", "wood"];

/// Patterns of names.
pub const GLOBS: [&str; 8] =
    ["*", "**", "*1*", "name?", "#0/*", "#0/**", "textures/*", "*a*b*c*d*e*"];

/// Tables, of which not all files have all.
const TABLES: [&str; 30] = [
    "files",
    "entries",
    "fields",
    "findings",
    "objects",
    "assets",
    "bulk",
    "members",
    "chunks",
    "texts",
    "texts_de",
    "units",
    "items",
    "meshes",
    "materials",
    "textures",
    "parameters",
    "links",
    "scripts",
    "dependencies",
    "paks",
    "dangling",
    "building_polygons",
    "groups",
    "refs",
    "strings",
    "generations",
    "attributes",
    "entities",
    "messages",
];

/// A statement.
pub fn statement(kind: Kind, r: &mut Random) -> String {
    let known: &[&str] = match kind {
        Kind::Virtools => {
            &["objects", "fields", "files", "findings", "meshes", "parameters", "links", "entries"]
        }
        Kind::Pack => &["assets", "bulk", "files", "findings", "fields", "dependencies", "entries"],
        Kind::GameData => {
            &["texts", "items", "units", "texts_de", "files", "building_polygons", "chunks"]
        }
        Kind::Map => &["units", "objects", "chunks", "files", "heights", "findings"],
        Kind::Archive | Kind::Cache => &["members", "files", "paks", "entries", "findings"],
    };
    let mut table = || match r.below(5) {
        0 => TABLES[r.below(TABLES.len())],
        _ => known[r.below(known.len())],
    };
    let (one, two) = (table(), table());
    match r.below(9) {
        0 => format!("SELECT count(*) FROM {one}"),
        1 => format!("SELECT * FROM {one} LIMIT 5"),
        2 => format!("SELECT count(*) FROM {one} a, {two} b"),
        3 => format!("SELECT * FROM {one} ORDER BY 1 DESC, 2"),
        4 => format!("SELECT 1, count(*), max(length(file)) FROM {one} GROUP BY 2 - 1, file"),
        5 => format!("SELECT group_concat(file) FROM {one}"),
        6 => format!("SELECT a.*, b.* FROM {one} a JOIN {two} b ON a.file = b.file"),
        7 => format!("SELECT DISTINCT * FROM {one}"),
        _ => format!("SELECT * FROM {one}"),
    }
}
