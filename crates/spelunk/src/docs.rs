//! Pages of the documentation, and files for other programs, that are made from descriptions in the code.

/// Path and text of every such page.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("docs/codes.md", crate::codes::page()),
        ("docs/lint.md", crate::lint::page()),
        ("docs/formats/gamedata.md", spellforce::gamedata::schema::page()),
        ("docs/schemas/gamedata-tables.json", crate::tables::schema::page()),
        ("dist/spelunk.magic", crate::signatures::magic()),
        ("dist/spelunk.xml", crate::signatures::shared_mime_info()),
    ]
}
