//! Animations: keys with straight lines between them.

use super::to;
use crate::{
    class::{
        animation::{AnimationRoot, Rate},
        keyed_animation::{KeyedAnimation, Merge},
        object_animation::{
            AnimationHeader, Keyed, ObjectAnimation,
            controller::{Controller, Keys, QuaternionKey, VectorKey},
        },
    },
    scene::animation::{Animation, Keyframe, Track},
};
use zerocopy::little_endian::{F32, U32};

/// Types of controllers whose keys are joined by straight lines.
const POSITION: u32 = 0x637C_4301;
const ROTATION: u32 = 0x49ED_4002;
const SCALE: u32 = 0x654A_3A04;

impl Track {
    /// Puts the track in the place of one that was saved.
    pub fn save(&self, saved: &mut ObjectAnimation) {
        let mut controllers = Vec::new();
        for (controller_type, keys) in [(POSITION, &self.translation), (SCALE, &self.scale)] {
            if !keys.is_empty() {
                controllers.push(Controller { controller_type, keys: vectors(keys) });
            }
        }
        if !self.rotation.is_empty() {
            let key = |key: &Keyframe<4>| {
                let [x, y, z, w] = key.value.map(F32::new);
                QuaternionKey { time: F32::new(key.time), x, y, z, w }
            };
            let keys = Keys::Quaternions(self.rotation.iter().map(key).collect::<Vec<_>>().into());
            controllers.push(Controller { controller_type: ROTATION, keys });
        }
        saved.animation = Some(Box::new(Keyed {
            head: AnimationHeader { entity: to(self.entity), ..AnimationHeader::default() },
            length: self.length,
            merge: None,
            controllers,
        }));
        (saved.shared, saved.old_animation) = (None, None);
    }
}

impl Animation {
    /// Puts the animation, whose tracks are these objects, in the place of one that was saved.
    pub fn save(&self, tracks: &[u32], saved: &mut KeyedAnimation) {
        /// The rate of animations that are not linked to one.
        const FRAME_RATE: f32 = 30.0;
        let animation = &mut saved.animation;
        let frame_rate = self.frame_rate.unwrap_or(FRAME_RATE);
        animation.rate = Some(Rate::Modern { flags: self.flags, frame_rate });
        animation.length = Some(self.length);
        animation.root = Some(AnimationRoot { root: to(self.root), ..AnimationRoot::default() });
        animation.character = Some(to(None));
        animation.current_step = Some(0.0);
        saved.animations = Some(tracks.iter().copied().map(U32::new).collect::<Vec<_>>().into());
        saved.merge = Some(Merge { merged: 0, factor: 0.5 });
    }
}

fn vectors(keys: &[Keyframe<3>]) -> Keys {
    let key = |key: &Keyframe<3>| {
        let [x, y, z] = key.value.map(F32::new);
        VectorKey { time: F32::new(key.time), x, y, z }
    };
    Keys::Vectors(keys.iter().map(key).collect::<Vec<_>>().into())
}
