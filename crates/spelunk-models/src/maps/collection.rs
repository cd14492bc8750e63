//! The text of a collection of features, read feature by feature: a million cells are no million values of JSON.

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;
use spelunk_core::{Error, Result, Seg, nearest::with_near};
use spelunk_open::codes;
use std::fmt;

/// The type of a collection.
pub const COLLECTION: &str = "FeatureCollection";
/// The most properties of a feature: more than any record has fields.
const MOST_PROPERTIES: usize = 64;

/// The error of a collection that does not fit the map.
#[cold]
pub fn bad(expected: impl Into<spelunk_core::Val<'static>>) -> Error {
    Error::new(&codes::BAD_FEATURES).expected(expected)
}

/// Receiver of the parts of a collection.
pub trait Parts {
    /// Takes what is of the whole map.
    ///
    /// # Errors
    /// [`BAD_FEATURES`](codes::BAD_FEATURES); values that do not fit their fields.
    fn whole(&mut self, whole: Whole) -> Result<()>;

    /// Takes a feature.
    ///
    /// # Errors
    /// [`BAD_FEATURES`](codes::BAD_FEATURES); values that do not fit their fields; limits.
    fn feature(&mut self, feature: Feature) -> Result<()>;
}

/// Values of the whole map.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Whole {
    /// Width and height in cells.
    pub size: Option<u64>,
    /// Shares of the kinds of weather.
    #[serde(default)]
    pub weather: Properties,
}

/// A feature. Members of other programs are passed over.
#[derive(Deserialize)]
pub struct Feature {
    /// Its shape and place.
    pub geometry: Geometry,
    /// Its properties.
    pub properties: Properties,
}

/// The shape and the place of a feature.
#[derive(Default, Deserialize)]
pub struct Geometry {
    /// The name of the shape.
    #[serde(rename = "type")]
    pub shape: String,
    /// The place, or all places.
    pub coordinates: Coordinates,
}

/// Coordinates of a point, or of several.
#[derive(Default)]
pub struct Coordinates {
    /// The numbers of one point.
    pub point: Vec<f32>,
    /// Several points; what has not two numbers has others than numbers here.
    pub points: Vec<[f32; 2]>,
}

/// Properties in the order of the text, which are taken one by one.
#[derive(Default)]
pub struct Properties(Vec<(String, Value)>);

impl Properties {
    /// Takes the value of a property out; `None` where it is not there, or null.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.swap_remove(place).1).filter(|value| !value.is_null())
    }

    /// Takes the text of a property out.
    ///
    /// # Errors
    /// [`BAD_FEATURES`](codes::BAD_FEATURES) where it is none.
    pub fn text(&mut self, name: &'static str) -> Result<String> {
        match self.take(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(bad("a text").field(name)),
        }
    }

    /// Refuses what was not taken. Programs that make a table of all features give each of them all properties, so null is
    /// nothing.
    ///
    /// # Errors
    /// [`BAD_FEATURES`](codes::BAD_FEATURES), with those of the known names that are near.
    pub fn finish<'n>(self, known: impl Iterator<Item = &'n str>) -> Result<()> {
        let Some((name, _)) = self.0.into_iter().find(|(_, value)| !value.is_null()) else {
            return Ok(());
        };
        Err(bad("a property of such a feature").found(with_near(&name, known)))
    }
}

/// Whether JSON is a collection of features.
pub fn is_features(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Only {
        #[serde(rename = "type")]
        kind: String,
    }
    serde_json::from_slice::<Only>(text).is_ok_and(|only| only.kind == COLLECTION)
}

/// Reads a collection part by part.
///
/// # Errors
/// [`BAD_FEATURES`](codes::BAD_FEATURES) where it is none; what `parts` refuses, with its place.
pub fn read(text: &[u8], parts: &mut dyn Parts) -> Result<()> {
    if !is_features(text) {
        return Err(bad(format!("JSON with the type `{COLLECTION}`")));
    }
    let mut failed = None;
    let mut json = serde_json::Deserializer::from_slice(text);
    let read = Reader { parts, failed: &mut failed }.deserialize(&mut json);
    read.and_then(|()| json.end())
        .map_err(|error| failed.unwrap_or_else(|| bad("a collection").found(error.to_string())))
}

/// Target of the parts, and the error that refused one.
struct Reader<'a> {
    parts: &'a mut dyn Parts,
    failed: &'a mut Option<Error>,
}

impl Reader<'_> {
    /// Keeps an error of ours, of which a reader of JSON knows nothing.
    fn keep<E: de::Error>(&mut self, taken: Result<()>) -> std::result::Result<(), E> {
        taken.map_err(|error| {
            *self.failed = Some(error);
            E::custom("what does not fit")
        })
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a collection of features")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut is_there = false;
        while let Some(key) = map.next_key::<String>()? {
            match &*key {
                "features" if !is_there => {
                    is_there = true;
                    map.next_value_seed(Rows(&mut self))?;
                }
                "map" => {
                    let whole = map.next_value()?;
                    let taken = self.parts.whole(whole).map_err(|error| error.field("map"));
                    self.keep(taken)?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if is_there { Ok(()) } else { Err(de::Error::missing_field("features")) }
    }
}

/// The features, one after the other.
struct Rows<'r, 'a>(&'r mut Reader<'a>);

impl<'de> DeserializeSeed<'de> for Rows<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Rows<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of features")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let mut nth = 0_u64;
        while let Some(feature) = seq.next_element()? {
            let taken = self.0.parts.feature(feature);
            let within = |error: Error| error.within(Seg::Index(nth)).field("features");
            self.0.keep(taken.map_err(within))?;
            nth = nth.saturating_add(1);
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Properties {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = Properties;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("properties by their names")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Properties, A::Error> {
                let mut all = Vec::new();
                while let Some((name, Plain(value))) = map.next_entry()? {
                    if all.len() == MOST_PROPERTIES {
                        return Err(de::Error::invalid_length(MOST_PROPERTIES, &"fewer of them"));
                    }
                    all.push((name, value));
                }
                Ok(Properties(all))
            }
        }

        from.deserialize_map(All)
    }
}

/// A value that is no list and no object: of these nothing but an empty object is kept, as no field takes them.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Plain, D::Error> {
        struct One;

        impl<'de> Visitor<'de> for One {
            type Value = Plain;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E: de::Error>(self) -> std::result::Result<Plain, E> {
                Ok(Plain(Value::Null))
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> std::result::Result<Plain, E> {
                Ok(Plain(value.into()))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> std::result::Result<Plain, E> {
                Ok(Plain(value.into()))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> std::result::Result<Plain, E> {
                Ok(Plain(value.into()))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> std::result::Result<Plain, E> {
                // Programs that know no whole numbers write 12 as 12.0.
                let whole = value as i64;
                Ok(Plain(if whole as f64 == value { whole.into() } else { value.into() }))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> std::result::Result<Plain, E> {
                Ok(Plain(value.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Plain, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Plain(Value::Object(serde_json::Map::new())))
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Plain, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Plain(Value::Object(serde_json::Map::new())))
            }
        }

        from.deserialize_any(One)
    }
}

impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        struct All;

        impl<'de> Visitor<'de> for All {
            type Value = Coordinates;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("coordinates")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Coordinates, A::Error> {
                let mut all = Coordinates::default();
                while let Some(item) = seq.next_element()? {
                    match item {
                        // The third one says that there are more than two.
                        Item::Number(number) if all.point.len() < 3 => all.point.push(number),
                        Item::Number(_) => {}
                        Item::Point(point) => all.points.push(point),
                    }
                }
                Ok(all)
            }
        }

        from.deserialize_seq(All)
    }
}

/// A number of a point, or a point.
enum Item {
    Number(f32),
    Point([f32; 2]),
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Item, D::Error> {
        struct One;

        impl<'de> Visitor<'de> for One {
            type Value = Item;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a point")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> std::result::Result<Item, E> {
                Ok(Item::Number(number as f32))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> std::result::Result<Item, E> {
                Ok(Item::Number(number as f32))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> std::result::Result<Item, E> {
                Ok(Item::Number(number as f32))
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<Item, A::Error> {
                let point = [seq.next_element()?, seq.next_element()?];
                let mut is_longer = false;
                while seq.next_element::<IgnoredAny>()?.is_some() {
                    is_longer = true;
                }
                Ok(Item::Point(match point {
                    [Some(x), Some(y)] if !is_longer => [x, y],
                    _ => [f32::NAN; 2],
                }))
            }
        }

        from.deserialize_any(One)
    }
}
