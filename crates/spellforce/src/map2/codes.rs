//! Codes of what chunks of a map of SpellForce 2 have that is not known.

spelunk_core::codes! {
    /// A layout that is not known.
    LAYOUT = "MP050" Unsupported "the layout of a part of the chunk is not known",
        "Maps of SpellForce 2 are known from fifteen of them, so that there are versions and kinds of parts that nobody has \
         looked at yet. What is unknown in a record is kept as bytes, and the next record is read again; of a chunk that is \
         one structure the rest is kept. Nothing is lost, but these bytes have no names.";
    /// A data type that is not known.
    DATA_TYPE = "MP051" Unsupported "the data type of the chunk is not the known one",
        "The data type is the version of the layout, and all known maps of SpellForce 2 have the same ones. A chunk of another \
         data type is kept as opaque bytes.";
}
