//! Codes of what chunks of a map cannot be, and of what a map that is written cannot hold.

spelunk_core::codes! {
    /// Bytes behind the last whole record.
    REMAINDER = "MP030" Malformed "the chunk does not end with a whole record",
        "A list has nothing but its records, back to back, and some have a count before them. The bytes behind the last whole \
         record are damage; they are kept as they are.";
    /// Another number of records than the layout or the count says.
    COUNT = "MP031" Malformed "the chunk has another number of records than it should",
        "The count before the records, or the layout, says how many there are. Those that are there are read.";
    /// A chunk whose length contradicts what it holds.
    LENGTH = "MP032" Malformed "the chunk has another length than its content takes",
        "Tiles are the square of the size of the map, a row of heights has as many heights as the map has cells, and decoration \
         is always 1024 by 1024 cells. What cannot be placed is not read; its bytes are kept.";
    /// No size.
    SIZE = "MP033" Malformed "the size of the map is not known",
        "Chunk 2 tells the size. Without it the editor refuses the map; here the number of rows of heights is taken for it.";
    /// A row of heights that is missing.
    HEIGHT_ROW = "MP034" Malformed "a row of heights is missing",
        "Chunk 6 with the occurrence of every row holds its heights. Rows that are missing are read as zeros.";
    /// A row of heights that is outside of the map.
    HEIGHT_OUTSIDE = "MP035" Malformed "the row of heights lies outside of the map",
        "The occurrence of a chunk 6 is the row. One that is negative or not below the size of the map is not read; it is kept.";
    /// A layout that is not known.
    DATA_TYPE = "MP036" Unsupported "the data type of the chunk is not a known one",
        "The data type is the version of the layout. Records of another version may have another size, so the chunk is kept as \
         opaque bytes.";
    /// Teams that cannot be read.
    TEAMS = "MP037" Malformed "the teams cannot be read",
        "Chunk 53 has the teams of every number of teams, then the minimap. A number in it is negative or more than fits. \
         A composition whose first team has no players cannot be told from one that is not there.";

    /// A map that cannot be written.
    SHAPE = "MP040" Usage "the map cannot be written like this",
        "Tiles and heights are the square of the size, at most 32767; decoration is 1024 by 1024 cells or nothing; there are 255 \
         tile definitions, 255 groups of decoration, 63 textures and 3 rows of cooperative parameters or none; at most 255 lakes, \
         kinds of weather and unit groups; and the first team of a composition has a player.";
}
