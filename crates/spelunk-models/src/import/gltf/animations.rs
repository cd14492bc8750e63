//! Animations: keys of places, rotations and scales.

use super::{GltfReader, position};
use crate::{
    gltf::{FRAME_RATE, extras, turned},
    import::model::{Animation, GroupMember},
};
use gltf_json::{
    Accessor, Index,
    animation::{Channel, Interpolation, Property},
    validation::Checked,
};
use spelunk_core::Result;
use std::collections::BTreeMap;
use virtools::scene::animation::{self, Keyframe, Track};

/// Flags of new animations: linked to their rate, can be broken.
const NEW_FLAGS: u32 = 0x5;
/// The flag of animations whose rate counts.
const LINKED: u32 = 0x1;

impl GltfReader<'_, '_, '_> {
    /// Makes all animations.
    pub fn all_animations(&mut self) -> Result<()> {
        let document = self.document;
        for (nth, from) in document.root.animations.iter().enumerate() {
            let stored: Option<extras::Animation> = self.stored(&from.extras)?;
            let is_keyed = stored.as_ref().is_none_or(|stored| stored.class != "CKObjectAnimation");
            let frame_rate = stored.as_ref().and_then(|stored| stored.frame_rate);
            let frame_rate = frame_rate.filter(|rate| rate.is_normal() && *rate > 0.0);
            let rate = frame_rate.unwrap_or(FRAME_RATE);
            let mut tracks: Vec<Track> = Vec::new();
            let mut places: BTreeMap<u32, usize> = BTreeMap::new();
            for channel in &from.channels {
                self.task.budget.memory(size_of::<Track>() as u64 * 2)?;
                let target = channel.target.node.value();
                let Some(entity) = self.nodes.get(&target).map(|at| position(*at)) else {
                    continue;
                };
                let at = *places.entry(entity).or_insert(tracks.len());
                if at == tracks.len() {
                    tracks.push(Track { entity: Some(entity), ..Track::default() });
                }
                let Some(mut track) = tracks.get_mut(at).map(std::mem::take) else { continue };
                self.channel(from, channel, rate, &mut track)?;
                if let Some(place) = tracks.get_mut(at) {
                    *place = track;
                }
            }
            let last = |track: &Track| {
                let last = [
                    track.translation.last().map(|key| key.time),
                    track.rotation.last().map(|key| key.time),
                    track.scale.last().map(|key| key.time),
                ];
                last.into_iter().flatten().fold(0.0, f32::max)
            };
            let longest = tracks.iter().map(last).fold(0.0, f32::max);
            let length = stored.as_ref().map_or(longest, |stored| stored.length);
            tracks.iter_mut().for_each(|track| track.length = length);
            let flags = match &stored {
                Some(stored) => stored.flags.unwrap_or_default().0,
                None => NEW_FLAGS,
            };
            let root = stored.as_ref().and_then(|stored| match self.stored.get(&stored.root?) {
                Some(GroupMember::Entity(at)) => Some(position(*at)),
                _ => None,
            });
            let name = from.name.clone().filter(|name| !name.is_empty() || stored.is_some());
            let name = name.unwrap_or_else(|| format!("Animation {}", nth + 1));
            let frame_rate = Some(rate).filter(|_| flags & LINKED != 0);
            self.model.animations.push(Animation {
                name,
                is_keyed,
                animation: animation::Animation {
                    frame_rate,
                    flags,
                    root,
                    length,
                    tracks,
                    ..animation::Animation::default()
                },
            });
        }
        Ok(())
    }

    /// Reads the keys of a channel.
    fn channel(
        &mut self,
        from: &gltf_json::Animation,
        channel: &Channel,
        rate: f32,
        track: &mut Track,
    ) -> Result<()> {
        let Some(sampler) = from.samplers.get(channel.sampler.value()) else { return Ok(()) };
        // Of a curve the values without its tangents.
        let every = match sampler.interpolation {
            Checked::Valid(Interpolation::CubicSpline) => 3,
            _ => 1,
        };
        if sampler.interpolation != Checked::Valid(Interpolation::Linear) {
            self.leave_out("ways from key to key that are not straight");
        }
        let input = sampler.input;
        let output = sampler.output;
        match channel.target.path {
            Checked::Valid(Property::Translation) => {
                track.translation =
                    self.keys(input, output, every, rate, |[x, y, z]: [f32; 3]| [x, y, -z])?;
            }
            Checked::Valid(Property::Rotation) => {
                track.rotation = self.keys(input, output, every, rate, turned)?;
            }
            Checked::Valid(Property::Scale) => {
                track.scale = self.keys(input, output, every, rate, |scale: [f32; 3]| scale)?;
            }
            _ => self.leave_out("animations of shapes"),
        }
        Ok(())
    }

    /// Keys with their times in frames, those that are numbers.
    fn keys<const N: usize>(
        &mut self,
        input: Index<Accessor>,
        output: Index<Accessor>,
        every: usize,
        rate: f32,
        value: impl Fn([f32; N]) -> [f32; N],
    ) -> Result<Vec<Keyframe<N>>> {
        let document = self.document;
        let times: Vec<[f32; 1]> = document.tuples(input, &mut self.task.budget)?;
        let values: Vec<[f32; N]> = document.tuples(output, &mut self.task.budget)?;
        let mut keys: Vec<Keyframe<N>> = self.task.budget.vec(times.len() as u64)?;
        let values = values.into_iter().skip(every / 2).step_by(every);
        for ([time], given) in times.into_iter().zip(values) {
            let key = Keyframe { time: frame(time * rate), value: value(given) };
            let is_later = keys.last().is_none_or(|last| key.time > last.time);
            if is_later && key.time.is_finite() && key.value.iter().all(|part| part.is_finite()) {
                keys.push(key);
            }
        }
        Ok(keys)
    }
}

/// A whole frame where it is one but for the last digits.
fn frame(time: f32) -> f32 {
    if (time - time.round()).abs() < 1e-3 { time.round() } else { time }
}
