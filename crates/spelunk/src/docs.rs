//! Pages of the documentation that are made from descriptions in the code.

/// Path and text of every such page.
pub fn pages() -> Vec<(&'static str, String)> {
    vec![
        ("docs/codes.md", crate::codes::page()),
        ("docs/lint.md", crate::lint::page()),
        ("docs/formats/gamedata.md", spellforce::gamedata::schema::page()),
        #[cfg(feature = "sql")]
        ("docs/query.md", crate::query::page::page()),
        ("docs/schemas/gamedata-tables.json", crate::tables::schema::page()),
    ]
}
