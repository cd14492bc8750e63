//! The codes of the rules.

spelunk_core::codes! {
    /// Rows whose ids do not ascend.
    UNSORTED = "GD001" Rule "the row is not in the order of the ids",
        "The game and the community's editor search rows by bisection. A row that lies before one with a smaller id keeps \
         others from being found. `spelunk` finds them all.";
    /// Rows with one key.
    REPEATED = "GD002" Rule "another row has the same key",
        "Programs that search take one of them, and which one is chance; the community's editor drops all but one when it \
         saves. Real files repeat texts.";
    /// Texts that fill their field.
    FULL = "GD003" Rule "the text fills its field and has no NUL at its end",
        "Programs that look for the NUL read on in the next field, and show its bytes behind the text. Real files \
         have such handles of units. Shorten the text by a letter with `spelunk set` where it is your own.";
    /// Bytes behind the end of a text.
    TAIL = "GD004" Rule "bytes stand behind the end of the text",
        "They are left over from a longer text that was written over. Nothing reads them; they are kept until the text is \
         changed.";

    /// A reference to nothing.
    DANGLING = "GD010" Rule "the row that is referred to is not there",
        "The game looks for a row that the table does not have. Real files have such references, which do no harm where \
         nothing asks for them. Tables that the file lacks are not searched: a part of a GameData refers to the rest.";
    /// A count that is not the number of polygons.
    POLYGONS = "GD011" Rule "the number of polygons is not the one that the row states",
        "`num_of_polygons` of buildings and `polygon_num` of objects say how many rows the polygons have. \
         Programs that go by it see others than there are. Set the number to that of the rows, or add and remove \
         rows.";
    /// A pair of factions without a relation.
    RELATION = "GD012" Rule "two factions have no relation",
        "Every faction has one row for every faction, itself among them. Nothing is known of what the game does \
         without. Add the row that is missing with `spelunk add`.";
    /// A unit that wears nothing.
    NO_EQUIPMENT = "GD013" Rule "the unit has no row of equipment",
        "Every unit of the real files has one at least, and nothing is known of what the game does without. Add a row \
         for the unit, or take the unit out if it is not meant to be.";
}
