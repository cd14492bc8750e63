//! Pages of the documentation, and files for other programs, that are made from descriptions in the code.

/// Path and text of every page. None of them is kept in the tree: `cargo xtask docs` writes them.
pub fn pages() -> Vec<(String, String)> {
    let single = vec![
        ("docs/lint.md", crate::check::lint::page()),
        ("docs/formats/gamedata.md", spellforce::gamedata::schema::page()),
        #[cfg(feature = "sql")]
        ("docs/query.md", crate::tables::query::page::page()),
    ];
    let single = single.into_iter().map(|(path, text)| (path.to_owned(), text));
    crate::check::registry::pages().into_iter().chain(single).collect()
}

/// Path and text of every file for other programs, which are kept in the tree.
pub fn files() -> Vec<(String, String)> {
    let files = [
        ("docs/schemas/gamedata-tables.json", crate::tables::schema::page()),
        ("dist/spelunk.magic", crate::open::signatures::magic()),
        ("dist/spelunk.xml", crate::open::signatures::shared_mime_info()),
    ];
    files.map(|(path, text)| (path.to_owned(), text)).into()
}
