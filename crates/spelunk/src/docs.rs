//! Pages of the documentation, and files for other programs, that are made from descriptions in the code.

/// Path and text of every such page.
pub fn pages() -> Vec<(String, String)> {
    let single = vec![
        ("docs/lint.md", crate::check::lint::page()),
        ("docs/formats/gamedata.md", spellforce::gamedata::schema::page()),
        #[cfg(feature = "sql")]
        ("docs/query.md", crate::tables::query::page::page()),
        ("docs/schemas/gamedata-tables.json", crate::tables::schema::page()),
        ("dist/spelunk.magic", crate::open::signatures::magic()),
        ("dist/spelunk.xml", crate::open::signatures::shared_mime_info()),
    ];
    let single = single.into_iter().map(|(path, text)| (path.to_owned(), text));
    crate::check::registry::pages().into_iter().chain(single).collect()
}
