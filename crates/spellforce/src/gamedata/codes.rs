//! Codes of values that rows cannot hold.

spelunk_core::codes! {
    /// A number that the field cannot hold.
    RANGE = "GD020" Usage "the field cannot hold the number",
        "A field has one, two or four bytes, and most have no sign. `docs/formats/gamedata.md` lists them.";
    /// A text that is longer than its field.
    TEXT_LENGTH = "GD021" Usage "the text is too long for the field",
        "Fields of text have a fixed size and end with a NUL, so that a text has one byte less than its field; in the dialect \
         `spec` it may fill its field. In most code pages a character is one byte. Shorten the text.";
    /// A character that the code page lacks.
    CHARACTER = "GD022" Usage "the code page has no such character",
        "Texts are stored in a code page of 256 characters, which their slot tells. Use another character, or name the code \
         page with --slot-encoding if another one is meant.";
    /// A field that the category does not have, or that holds something else.
    NO_FIELD = "GD023" Usage "there is no such field, or it holds something else",
        "`docs/formats/gamedata.md` lists the fields of every category; `spelunk show` prints those of a row.";
    /// A row that cannot be added.
    KEY_TAKEN = "GD024" Usage "another row has this key",
        "Rows of this category are known by their key. Choose another one, or change the row that is there.";
}
