//! Movement of entities (`docs/formats/classes/animations.md`).

use super::position::{about, of, positions};
use crate::{
    class::{
        animation::Rate,
        keyed_animation::KeyedAnimation,
        object_animation::{
            AnimationHeader, ObjectAnimation,
            controller::{Controller, Keys},
        },
    },
    codes,
};
use spelunk_core::{Budget, Error, Result, Task};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::little_endian::F32;

/// Bits of the flags of object animations: keys of a kind do not count.
const IGNORE_POSITION: u32 = 0x4;
const IGNORE_ROTATION: u32 = 0x8;
const IGNORE_SCALE: u32 = 0x10;

/// The bit of the flags of an animation that says that its frame rate counts.
const LINKED: u32 = 0x1;

/// Some entities that move at once.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// The animation, or the single track of which it consists.
    pub index: u32,
    /// Frames in a second, where the animation is linked to it.
    pub frame_rate: Option<f32>,
    /// [`FLAGS`](crate::class::animation::FLAGS).
    pub flags: u32,
    /// The entity that moves as a whole.
    pub root: Option<u32>,
    /// Length in frames.
    pub length: f32,
    /// Tracks of the entities that are moved.
    pub tracks: Vec<Track>,
}

/// Movement of one entity, as seen from its parent. Keys are in the order of their times; no two have the same.
#[derive(Clone, Debug, Default)]
pub struct Track {
    /// The object animation.
    pub index: u32,
    /// Entity that is moved.
    pub entity: Option<u32>,
    /// Length in frames.
    pub length: f32,
    /// Keys of position.
    pub translation: Vec<Keyframe<3>>,
    /// Keys of rotation: quaternions x, y, z, w as stored, which turn row vectors.
    pub rotation: Vec<Keyframe<4>>,
    /// Keys of scale.
    pub scale: Vec<Keyframe<3>>,
}

/// A value at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Keyframe<const N: usize> {
    /// Time in frames.
    pub time: f32,
    /// The value.
    pub value: [f32; N],
}

/// Animations as they come out of a file.
#[derive(Debug, Default)]
pub(super) struct AnimationCollection {
    tracks: BTreeMap<u32, Track>,
    /// Tracks that have the keys of others.
    shared: BTreeMap<u32, u32>,
    keyed: Vec<(Animation, Vec<u32>)>,
}

impl AnimationCollection {
    /// Takes a track.
    pub(super) fn track(
        &mut self,
        index: u32,
        saved: ObjectAnimation,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut track = Track { index, ..Track::default() };
        let mut exact = true;
        if let Some(keyed) = saved.animation {
            track.entity = of(keyed.head.entity);
            track.length = keyed.length;
            for controller in &keyed.controllers {
                exact &= take(&mut track, &keyed.head, controller, &mut task.budget)?;
            }
        } else if let Some(shared) = saved.shared {
            track.entity = of(shared.head.entity);
            if let Some(source) = of(shared.source) {
                self.shared.insert(index, source);
            }
        } else if let Some(old) = saved.old_animation {
            track.entity = of(old.entity);
            track.length = old.length;
            let wanted = |bit: u32| old.flags & bit == 0;
            let budget = &mut task.budget;
            if wanted(IGNORE_POSITION) {
                track.translation = old_keys(&old.position.values, budget)?;
            }
            if wanted(IGNORE_ROTATION) {
                track.rotation = old_keys(&old.rotation.values, budget)?;
            }
            if wanted(IGNORE_SCALE) {
                track.scale = old_keys(&old.scale.values, budget)?;
            }
            exact = old.morph_keys == 0 && old.axis.count == 0;
        } else if let Some(oldest) = saved.oldest {
            track.entity = oldest.entity.and_then(of);
            track.length = oldest.length.unwrap_or_default();
            let flags = oldest.flags.unwrap_or_default();
            let budget = &mut task.budget;
            if let Some(keys) = oldest.position.filter(|_| flags & IGNORE_POSITION == 0) {
                track.translation = old_keys(&keys.values, budget)?;
            }
            if let Some(keys) = oldest.scale.filter(|_| flags & IGNORE_SCALE == 0) {
                track.scale = old_keys(&keys.values, budget)?;
            }
            let [rotation, axis] = oldest.rotation.unwrap_or_default();
            if flags & IGNORE_ROTATION == 0 {
                track.rotation = old_keys(&rotation.values, budget)?;
            }
            exact = oldest.morph.is_none_or(|morph| morph.count == 0) && axis.count == 0;
        }
        if !exact {
            task.warn(about(index, Error::new(&codes::KEYS)))?;
        }
        self.tracks.insert(index, track);
        Ok(())
    }

    /// Takes an animation.
    pub(super) fn keyed(&mut self, index: u32, saved: &KeyedAnimation) {
        let linked = match saved.animation.rate {
            Some(Rate::Modern { flags, frame_rate }) if flags & LINKED != 0 => Some(frame_rate),
            Some(Rate::Old { linked, frame_rate, .. }) if linked != 0 => Some(frame_rate),
            _ => None,
        };
        let flags = match saved.animation.rate {
            Some(Rate::Modern { flags, .. }) => flags,
            _ => 0,
        };
        let root = saved.animation.root.as_ref();
        let animation = Animation {
            index,
            flags,
            root: root.and_then(|root| of(root.root)),
            frame_rate: linked.filter(|rate| rate.is_normal() && *rate > 0.0),
            length: saved.animation.length.unwrap_or_default(),
            tracks: Vec::new(),
        };
        self.keyed.push((animation, positions(&saved.animations)));
    }

    /// The animations with their tracks, and one for each track that belongs to none.
    pub(super) fn put_together(self, task: &mut Task<'_>) -> Result<Vec<Animation>> {
        let AnimationCollection { mut tracks, shared, keyed } = self;
        for (index, source) in shared {
            let Some(source) = tracks.get(&source) else { continue };
            let keys = [source.translation.len(), source.rotation.len(), source.scale.len()];
            let keys = keys.iter().fold(0_u64, |sum, keys| sum.saturating_add(*keys as u64));
            task.budget.memory(keys.saturating_mul(size_of::<Keyframe<4>>() as u64))?;
            let copy = source.clone();
            if let Some(track) = tracks.get_mut(&index) {
                *track = Track { index, entity: track.entity, ..copy };
            }
        }
        let mut animations = Vec::new();
        let mut used = BTreeSet::new();
        for (mut animation, of) in keyed {
            for index in of {
                // A track of two animations is a rare thing; it plays in the first one.
                if used.insert(index) {
                    animation.tracks.extend(tracks.remove(&index));
                }
            }
            animations.push(animation);
        }
        animations.extend(tracks.into_values().map(|track| Animation {
            index: track.index,
            length: track.length,
            tracks: vec![track],
            ..Animation::default()
        }));
        animations.sort_by_key(|animation| animation.index);
        Ok(animations)
    }
}

/// Adds the keys of a controller to a track; returns whether they are followed exactly.
fn take(
    track: &mut Track,
    head: &AnimationHeader,
    controller: &Controller,
    budget: &mut Budget,
) -> Result<bool> {
    // The low byte says what keys are of: 1 position, 2 rotation, 4 scale, 8 axes of scale, 0x10 shape.
    let kind = controller.controller_type & 0xFF;
    let ignored = match kind {
        1 => IGNORE_POSITION,
        2 => IGNORE_ROTATION,
        _ => IGNORE_SCALE,
    };
    if head.flags & ignored != 0 {
        return Ok(true);
    }
    let vectors = if kind == 1 { &mut track.translation } else { &mut track.scale };
    match (&controller.keys, kind) {
        (Keys::Vectors(keys), 1 | 4) => {
            let keys = keys.iter().map(|key| (key.time, [key.x, key.y, key.z]));
            *vectors = in_order(keys, budget)?;
            Ok(true)
        }
        (Keys::TcbVectors(keys), 1 | 4) => {
            let keys = keys.iter().map(|key| (key.time, [key.x, key.y, key.z]));
            *vectors = in_order(keys, budget)?;
            Ok(false)
        }
        (Keys::Bezier(keys), 1 | 4) => {
            let keys = keys.iter().map(|key| (F32::new(key.time), key.value.map(F32::new)));
            *vectors = in_order(keys, budget)?;
            Ok(false)
        }
        (Keys::FixedBezier(keys), 1 | 4) => {
            let keys = keys.iter().map(|key| (key.time, [key.x, key.y, key.z]));
            *vectors = in_order(keys, budget)?;
            Ok(false)
        }
        (Keys::Quaternions(keys), 2) => {
            let keys = keys.iter().map(|key| (key.time, [key.x, key.y, key.z, key.w]));
            track.rotation = in_order(keys, budget)?;
            Ok(true)
        }
        (Keys::TcbQuaternions(keys), 2) => {
            let keys = keys.iter().map(|key| (key.time, [key.x, key.y, key.z, key.w]));
            track.rotation = in_order(keys, budget)?;
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// Keys in the order of their times, without those of which a number is none; of two at one time the first.
fn in_order<const N: usize>(
    keys: impl ExactSizeIterator<Item = (F32, [F32; N])>,
    budget: &mut Budget,
) -> Result<Vec<Keyframe<N>>> {
    budget.steps(keys.len() as u64)?;
    let mut all = budget.vec(keys.len() as u64)?;
    let keys = keys.map(|(time, value)| Keyframe { time: time.get(), value: value.map(F32::get) });
    all.extend(
        keys.filter(|key| key.time.is_finite() && key.value.iter().all(|value| value.is_finite())),
    );
    all.sort_by(|a: &Keyframe<N>, b| a.time.total_cmp(&b.time));
    all.dedup_by(|later, earlier| later.time <= earlier.time);
    Ok(all)
}

/// Keys of the oldest files: the time, and then the value.
fn old_keys<const N: usize>(values: &[F32], budget: &mut Budget) -> Result<Vec<Keyframe<N>>> {
    let size = N.saturating_add(1);
    let keys = values.chunks_exact(size).map(|key| {
        let mut numbers = key.iter().copied();
        let time = numbers.next().unwrap_or_default();
        (time, std::array::from_fn(|_| numbers.next().unwrap_or_default()))
    });
    in_order(keys, budget)
}
