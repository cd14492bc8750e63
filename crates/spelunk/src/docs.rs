//! Pages of the documentation that are made from descriptions in the code.

/// Path and text of every such page.
pub fn pages() -> [(&'static str, String); 4] {
    [
        ("docs/codes.md", crate::codes::page()),
        ("docs/lint.md", crate::lint::page()),
        ("docs/formats/gamedata.md", spellforce::gamedata::schema::page()),
        ("docs/schemas/gamedata-tables.json", crate::tables::schema::page()),
    ]
}
