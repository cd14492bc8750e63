//! `CKWaveSound` (`docs/formats/classes/sounds.md#ckwavesound`).

use super::{
    fresh::{Fresh, Host},
    renew::{CURRENT, Old, Renew, Renewed},
    sound::Sound,
    vector::VECTOR,
};
use crate::codec::{Codec, Coded, Layout, Padded, Reference, Text, field, group};
use spelunk_core::{BitField, Ty};
use zerocopy::little_endian::F32;

const PAGE: &str = "docs/formats/classes/sounds.md#ckwavesound";

/// Names of the bits of [`Settings::state`], besides the [kind](Settings::kind) of sound.
pub const STATE: &[(u32, &str)] =
    &[(0x8, "looped"), (0x100, "no duplicate"), (0x2000, "streamed"), (0x8000, "fully loaded")];

/// The kind of sound in [`Settings::state`].
const KIND: BitField = BitField::new("kind", 0, 3, "From where it is heard.").values(&[
    (BACKGROUND as i64, "background"),
    (2, "point"),
    (3, "cone"),
]);
/// The kind of sounds that are heard everywhere.
const BACKGROUND: u32 = 1;

/// A sampled sound.
#[derive(Clone, Debug, Default)]
pub struct WaveSound {
    /// State of the base class.
    pub sound: Sound,
    /// Length in milliseconds.
    pub duration: Option<i32>,
    /// Settings of playback; from data version 3 on.
    pub settings: Option<Box<Settings>>,
    /// Settings of playback; of data version 2.
    pub settings_2: Option<Box<Settings2>>,
    /// Settings of playback; of data versions 0 and 1.
    pub settings_0: Option<Settings0>,
    /// The name of its file, in old files.
    pub old_file: Option<Text>,
}

/// Settings of the playback of a sound.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Kind of sound, and [`STATE`].
    pub state: u32,
    /// Priority among sounds where there are too many.
    pub priority: f32,
    /// Loudness, from 0 to 1.
    pub gain: f32,
    /// From -1, left, to 1, right.
    pub pan: f32,
    /// Speed of playback; 1 for as it was recorded.
    pub pitch: f32,
    /// Not used.
    pub reserved: [f32; 3],
    /// Inside this angle it is as loud as it is; in degrees.
    pub cone_inner_angle: f32,
    /// Outside this angle it has the outer gain; in degrees.
    pub cone_outer_angle: f32,
    /// Loudness outside the cone. Below data version 10 engines read the three numbers of the cone and do not use them.
    pub cone_outer_gain: f32,
    /// Nearer than this it gets no louder.
    pub min_distance: f32,
    /// Farther than this it gets no quieter, or is not heard.
    pub max_distance: f32,
    /// Behaviour of the sound beyond that distance.
    pub distance_behavior: u32,
    /// The entity that it moves with.
    pub attached_object: Reference,
    /// Position, as seen from that entity: one.
    pub position: Padded<[F32; 3]>,
    /// Direction: one.
    pub direction: Padded<[F32; 3]>,
    /// 0.
    pub end: u32,
}

/// Settings of the playback of a sound, in chunks of data version 2.
#[derive(Clone, Debug, Default)]
pub struct Settings2 {
    /// Kind of sound, and [`STATE`].
    pub state: u32,
    /// Priority among sounds where there are too many.
    pub priority: f32,
    /// Two dwords that are passed over.
    pub reserved: [u32; 2],
    /// Loudness, from 0 to 1.
    pub gain: f32,
    /// From -1, left, to 1, right.
    pub pan: f32,
    /// Speed of playback; 1 for as it was recorded.
    pub pitch: f32,
    /// A dword that is passed over.
    pub reserved_2: u32,
    /// Place of the sound in space, for all but background sounds.
    pub place: Option<Place2>,
}

/// Place of a sound in space, in chunks of data version 2.
#[derive(Clone, Debug, Default)]
pub struct Place2 {
    /// Two dwords that are passed over.
    pub reserved: [u32; 2],
    /// As [`Settings::cone_inner_angle`].
    pub cone_inner_angle: f32,
    /// As [`Settings::cone_outer_angle`].
    pub cone_outer_angle: f32,
    /// As [`Settings::cone_outer_gain`].
    pub cone_outer_gain: f32,
    /// As [`Settings::min_distance`].
    pub min_distance: f32,
    /// As [`Settings::max_distance`].
    pub max_distance: f32,
    /// As [`Settings::distance_behavior`].
    pub distance_behavior: u32,
    /// As [`Settings::attached_object`].
    pub attached_object: Reference,
    /// As [`Settings::position`].
    pub position: Padded<[F32; 3]>,
    /// As [`Settings::direction`].
    pub direction: Padded<[F32; 3]>,
    /// A number at the end.
    pub end: i32,
}

/// Settings of the playback of a sound, in chunks of data versions 0 and 1, of which engines read the loop alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings0 {
    /// Dwords that are passed over.
    pub before: [u32; 8],
    /// Not 0 where it is looped.
    pub looped: i32,
    /// Dwords that are passed over.
    pub behind: [u32; 11],
}

impl Settings {
    /// 1 for background sounds, 2 for those at a point, 3 for those with a direction.
    pub const fn kind(&self) -> u32 {
        KIND.of(self.state)
    }
}

impl Layout for WaveSound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.sound.layout(c)?;
        c.section(
            0x80_0000,
            group!("duration", "How long it is."),
            &mut self.duration,
            |c, duration| {
                c.item(field!("duration", Ty::I32, "How long it is.", unit("ms")), duration)
            },
        )?;
        let version = c.version();
        let record = group!("settings", "How it is played.");
        if c.when(version >= 3, "data version 3 and later") {
            c.section(0x40_0000, record, &mut self.settings, settings)?;
        }
        if c.when(version == 2, "data version 2") {
            let record = group!("settings_2", "How it is played.");
            c.section(0x40_0000, record, &mut self.settings_2, |c, value| settings_2(c, value))?;
        }
        if c.when(version < 2, "data version 0 and 1") {
            let record = group!("settings_0", "How it is played.");
            c.section(0x40_0000, record, &mut self.settings_0, |c, value| {
                let field = field!("before", Ty::Array(&Ty::Word, 8), "Passed over.");
                c.item(field, &mut value.before)?;
                c.item(field!("looped", Ty::I32, "Not 0: it is looped."), &mut value.looped)?;
                let field = field!("behind", Ty::Array(&Ty::Word, 11), "Passed over.");
                c.item(field, &mut value.behind)
            })?;
        }
        c.section(
            0x10_0000,
            group!("old_file", "The name of its file, in old files."),
            &mut self.old_file,
            |c, file| c.text(field!("file", Ty::Text, "The name of its file."), file),
        )
    }
}

fn state<C: Codec>(c: &mut C, value: &mut u32) -> Coded<C> {
    let doc = field!(
        "state",
        Ty::Word,
        "What kind of sound it is, and how it is played.",
        bits(STATE),
        parts(&[KIND])
    );
    c.item(doc, value)
}

fn levels<C: Codec>(c: &mut C, gain: &mut f32, pan: &mut f32, pitch: &mut f32) -> Coded<C> {
    c.item(field!("gain", Ty::F32, "How loud it is, from 0 to 1."), gain)?;
    c.item(field!("pan", Ty::F32, "From -1, left, to 1, right."), pan)?;
    c.item(field!("pitch", Ty::F32, "How fast it is played; 1 as recorded."), pitch)
}

fn cone<C: Codec>(c: &mut C, inner: &mut f32, outer: &mut f32, gain: &mut f32) -> Coded<C> {
    let field = field!("cone_inner_angle", Ty::F32, "Inside, it is as loud as it is.");
    c.item(field, inner)?;
    let field = field!("cone_outer_angle", Ty::F32, "Outside, it has the outer gain.");
    c.item(field, outer)?;
    c.item(field!("cone_outer_gain", Ty::F32, "How loud it is outside the cone."), gain)
}

fn distances<C: Codec>(c: &mut C, min: &mut f32, max: &mut f32, behavior: &mut u32) -> Coded<C> {
    c.item(field!("min_distance", Ty::F32, "Nearer, it gets no louder."), min)?;
    c.item(field!("max_distance", Ty::F32, "How far it is heard."), max)?;
    let field = field!("distance_behavior", Ty::U32, "What happens beyond that distance.");
    c.item(field, behavior)
}

fn place<C: Codec>(
    c: &mut C,
    object: &mut Reference,
    position: &mut Padded<[F32; 3]>,
    direction: &mut Padded<[F32; 3]>,
) -> Coded<C> {
    let field = field!("attached_object", Ty::U32, "The entity that it moves with.");
    c.object(field, object)?;
    let field = field!("position", VECTOR, "Where it is, as seen from that entity.");
    c.buffer(field, position)?;
    c.buffer(field!("direction", VECTOR, "Where it points to."), direction)
}

fn priority<C: Codec>(c: &mut C, value: &mut f32) -> Coded<C> {
    c.item(field!("priority", Ty::F32, "Which sounds are kept."), value)
}

fn settings<C: Codec>(c: &mut C, settings: &mut Box<Settings>) -> Coded<C> {
    let value = settings.as_mut();
    state(c, &mut value.state)?;
    priority(c, &mut value.priority)?;
    levels(c, &mut value.gain, &mut value.pan, &mut value.pitch)?;
    c.item(field!("reserved", VECTOR, "Not used."), &mut value.reserved)?;
    let Settings { cone_inner_angle, cone_outer_angle, cone_outer_gain, .. } = value;
    cone(c, cone_inner_angle, cone_outer_angle, cone_outer_gain)?;
    distances(c, &mut value.min_distance, &mut value.max_distance, &mut value.distance_behavior)?;
    place(c, &mut value.attached_object, &mut value.position, &mut value.direction)?;
    c.item(field!("end", Ty::U32, "0."), &mut value.end)
}

fn settings_2<C: Codec>(c: &mut C, value: &mut Settings2) -> Coded<C> {
    const PAIR: Ty = Ty::Array(&Ty::Word, 2);
    state(c, &mut value.state)?;
    priority(c, &mut value.priority)?;
    c.item(field!("reserved", PAIR, "Passed over."), &mut value.reserved)?;
    levels(c, &mut value.gain, &mut value.pan, &mut value.pitch)?;
    c.item(field!("reserved_2", Ty::Word, "Passed over."), &mut value.reserved_2)?;
    let somewhere = KIND.of(value.state) != BACKGROUND;
    if !c.when(somewhere, "no background sound") {
        return Ok(());
    }
    let value = value.place.get_or_insert_default();
    c.group(group!("place", "Where it is heard."), |c| {
        c.item(field!("reserved", PAIR, "Passed over."), &mut value.reserved)?;
        let Place2 { cone_inner_angle, cone_outer_angle, cone_outer_gain, .. } = value;
        cone(c, cone_inner_angle, cone_outer_angle, cone_outer_gain)?;
        let Place2 { min_distance, max_distance, distance_behavior, .. } = value;
        distances(c, min_distance, max_distance, distance_behavior)?;
        place(c, &mut value.attached_object, &mut value.position, &mut value.direction)?;
        c.item(field!("end", Ty::I32, "A number."), &mut value.end)
    })
}

/// The bit of [`Settings::state`] of sounds that are not streamed.
const FULLY_LOADED: u32 = 0x8000;

impl Fresh for WaveSound {
    fn fresh(host: &Host) -> WaveSound {
        let nowhere = || Padded::from(vec![[F32::ZERO; 3]]);
        let position = nowhere();
        let direction = Padded::from(vec![[F32::ZERO, F32::ZERO, F32::new(1.0)]]);
        let settings = Settings {
            state: BACKGROUND | FULLY_LOADED,
            priority: 0.5,
            gain: 1.0,
            pitch: 1.0,
            cone_inner_angle: 360.0,
            cone_outer_angle: 360.0,
            min_distance: 10.0,
            max_distance: 20.0,
            attached_object: host.null(),
            position,
            direction,
            ..Settings::default()
        };
        WaveSound {
            sound: Fresh::fresh(host),
            duration: Some(0),
            settings: Some(Box::new(settings)),
            ..WaveSound::default()
        }
    }
}

impl Renew for WaveSound {
    fn renew(&mut self, old: &Old) -> Renewed {
        const CONE: u32 = 3;
        self.sound.renew(old)?;
        if self.settings_2.is_some() || self.settings_0.is_some() {
            return Err("how it is played is saved in an older layout");
        }
        let settings = self.settings.as_ref().filter(|_| old.version < CURRENT);
        match settings.is_some_and(|settings| settings.kind() == CONE) && !old.lossy {
            true => {
                Err("engines pass over the cone that is saved, and what they take is not known")
            }
            false => Ok(()),
        }
    }
}
