//! Weather (chunk 44): `docs/formats/map.md#7-weather`.

use super::section::{CountPrefix, RecordLayout, Row, Section, SectionForm};
use spelunk_core::{Described, record};

/// The kinds of weather, in the order of their shares.
pub const WEATHER: [&str; 8] = [
    "clear",
    "cloud",
    "storm",
    "lava_fog",
    "bright_lava_fog",
    "desert_fog",
    "swamp_fog",
    "lava_night",
];

record! {
    /// Frequency of one kind of weather.
    pub struct WeatherShare: "weather_share", "docs/formats/map.md#7-weather", 1 {
        /// The share; all of them are 100.
        percent: U8 { unit: "percent" },
    }
}

impl Row for WeatherShare {}

pub(super) static SECTION: Section = Section {
    id: 44,
    name: "weather",
    title: "weather",
    data_type: 1,
    shape: SectionForm::Rows(CountPrefix::Byte, &[RecordLayout::only(1, WeatherShare::RECORD)]),
};
