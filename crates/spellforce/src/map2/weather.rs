//! Weather (chunk 1019) and chunk 1014: `docs/formats/map2.md#14-weather`.

use super::layout::{Section, SectionForm, Structure, list, text, value, version};

const PAGE: &str = "docs/formats/map2.md#14-weather";
const EMPTY_PAGE: &str = "docs/formats/map2.md#18-chunks-without-content";

pub(super) static WEATHER: Section = Section {
    id: 1019,
    name: "weather",
    title: "weather",
    data_type: 1,
    form: SectionForm::Single(&ALL),
};

static ALL: Structure = Structure::new(
    "weather",
    PAGE,
    "The kinds of weather that the map has.",
    &[version!(&[1]), list!("kinds", "kind_count", U16, &KIND)],
);

static KIND: Structure = Structure::new(
    "weather_kind",
    PAGE,
    "A kind of weather.",
    &[
        text!("file", "File of the weather."),
        value!("share", U8, "How often there is this weather.", unit("percent")),
    ],
);

pub(super) static LIST_1014: Section = Section {
    id: 1014,
    name: "unknown_1014",
    title: "empty list",
    data_type: 1,
    form: SectionForm::Single(&LIST),
};

static LIST: Structure = Structure::new(
    "unknown_1014",
    EMPTY_PAGE,
    "A list that is empty in all known maps.",
    &[version!(&[4]), value!("count", U32, "Number of its items: 0.")],
);
