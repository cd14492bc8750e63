//! `CKWaveSound` (`docs/formats/classes/sounds.md#ckwavesound`).

use super::{
    entity_3d::VECTOR,
    fresh::{Fresh, Host},
    renew::{CURRENT, Old, Renew, Renewed},
    sound::Sound,
};
use crate::codec::{Codec, Coded, Layout, Padded, Reference, Text, field, group};
use spelunk_core::Ty;
use zerocopy::little_endian::F32;

const PAGE: &str = "docs/formats/classes/sounds.md#ckwavesound";

/// What [`Settings::state`] means, besides the kind of sound in its low three bits.
pub const STATE: &[(u32, &str)] =
    &[(0x8, "looped"), (0x100, "no duplicate"), (0x2000, "streamed"), (0x8000, "fully loaded")];

/// A sampled sound.
#[derive(Clone, Debug, Default)]
pub struct WaveSound {
    /// What its base class saves.
    pub sound: Sound,
    /// How long it is, in milliseconds.
    pub duration: Option<i32>,
    /// How it is played; from data version 3 on.
    pub settings: Option<Box<Settings>>,
    /// The name of its file, in old files.
    pub old_file: Option<Text>,
}

/// How a sound is played.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What kind of sound it is, and [`STATE`].
    pub state: u32,
    /// Which sounds are kept where there are too many.
    pub priority: f32,
    /// How loud it is, from 0 to 1.
    pub gain: f32,
    /// From -1, left, to 1, right.
    pub pan: f32,
    /// How fast it is played; 1 for as it was recorded.
    pub pitch: f32,
    /// Not used.
    pub reserved: [f32; 3],
    /// Inside this angle it is as loud as it is; in degrees.
    pub cone_inner_angle: f32,
    /// Outside this angle it has the outer gain; in degrees.
    pub cone_outer_angle: f32,
    /// How loud it is outside the cone. Engines pass over it below data version 10.
    pub cone_outer_gain: f32,
    /// Nearer than this it gets no louder.
    pub min_distance: f32,
    /// Farther than this it gets no quieter, or is not heard.
    pub max_distance: f32,
    /// What happens beyond that distance.
    pub distance_behavior: u32,
    /// The entity that it moves with.
    pub attached_object: Reference,
    /// Where it is, as seen from that entity: one.
    pub position: Padded<[F32; 3]>,
    /// Where it points to: one.
    pub direction: Padded<[F32; 3]>,
    /// 0.
    pub end: u32,
}

impl Settings {
    /// 1 for background sounds, 2 for those at a point, 3 for those with a direction.
    pub const fn kind(&self) -> u32 {
        self.state & 7
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
        let known = c.version() >= 3;
        if c.when(known, "data version 3 and later") {
            c.section(
                0x40_0000,
                group!("settings", "How it is played."),
                &mut self.settings,
                settings,
            )?;
        }
        c.section(
            0x10_0000,
            group!("old_file", "The name of its file, in old files."),
            &mut self.old_file,
            |c, file| c.text(field!("file", Ty::Text, "The name of its file."), file),
        )
    }
}

fn settings<C: Codec>(c: &mut C, settings: &mut Box<Settings>) -> Coded<C> {
    let value = settings.as_mut();
    let doc = field!(
        "state",
        Ty::Word,
        "Low three bits: 1 background, 2 point, 3 cone; and flags.",
        bits(STATE)
    );
    c.item(doc, &mut value.state)?;
    c.item(field!("priority", Ty::F32, "Which sounds are kept."), &mut value.priority)?;
    c.item(field!("gain", Ty::F32, "How loud it is, from 0 to 1."), &mut value.gain)?;
    c.item(field!("pan", Ty::F32, "From -1, left, to 1, right."), &mut value.pan)?;
    c.item(field!("pitch", Ty::F32, "How fast it is played; 1 as recorded."), &mut value.pitch)?;
    c.item(field!("reserved", VECTOR, "Not used."), &mut value.reserved)?;
    let field = field!("cone_inner_angle", Ty::F32, "Inside, it is as loud as it is.");
    c.item(field, &mut value.cone_inner_angle)?;
    let field = field!("cone_outer_angle", Ty::F32, "Outside, it has the outer gain.");
    c.item(field, &mut value.cone_outer_angle)?;
    let field = field!("cone_outer_gain", Ty::F32, "How loud it is outside the cone.");
    c.item(field, &mut value.cone_outer_gain)?;
    let field = field!("min_distance", Ty::F32, "Nearer, it gets no louder.");
    c.item(field, &mut value.min_distance)?;
    let field = field!("max_distance", Ty::F32, "How far it is heard.");
    c.item(field, &mut value.max_distance)?;
    let field = field!("distance_behavior", Ty::U32, "What happens beyond that distance.");
    c.item(field, &mut value.distance_behavior)?;
    let field = field!("attached_object", Ty::U32, "The entity that it moves with.");
    c.object(field, &mut value.attached_object)?;
    let field = field!("position", VECTOR, "Where it is, as seen from that entity.");
    c.buffer(field, &mut value.position)?;
    c.buffer(field!("direction", VECTOR, "Where it points to."), &mut value.direction)?;
    c.item(field!("end", Ty::U32, "0."), &mut value.end)
}

/// The kind of sounds that are heard everywhere.
const BACKGROUND: u32 = 1;
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
            old_file: None,
        }
    }
}

impl Renew for WaveSound {
    fn renew(&mut self, old: &Old) -> Renewed {
        const CONE: u32 = 3;
        self.sound.renew(old)?;
        let settings = self.settings.as_ref().filter(|_| old.version < CURRENT);
        match settings.is_some_and(|settings| settings.kind() == CONE) && !old.lossy {
            true => {
                Err("engines pass over the cone that is saved, and what they take is not known")
            }
            false => Ok(()),
        }
    }
}
