//! Animations. Where policies have objects take the place of others, those that are there stay: models know of straight
//! lines between keys alone.

use super::{
    names::ObjectFamily,
    state::{ObjectPlacement, Put},
};
use crate::import::model::Animation;
use spelunk_core::Result;
use virtools::{
    class::{self, Value},
    scene::{animation::Track, save::entity_of},
};
use zerocopy::little_endian::U32;

impl Put<'_, '_> {
    /// Puts an animation with its tracks into the file.
    pub(super) fn animation(&mut self, mut from: Animation) -> Result<()> {
        let class_id = if from.is_keyed { class::KEYED_ANIMATION } else { class::OBJECT_ANIMATION };
        let ObjectPlacement::Write(index) =
            self.place(ObjectFamily::Animation, class_id, &from.name)?
        else {
            return Ok(());
        };
        let to = |at: Option<u32>| Some(self.entities.get(at? as usize)?.0);
        from.animation.root = to(from.animation.root);
        for track in &mut from.animation.tracks {
            track.entity = to(track.entity);
        }
        if !from.is_keyed {
            let track = from.animation.tracks.first().cloned().unwrap_or_default();
            return self.track(index, &track);
        }
        let mut tracks = Vec::new();
        for track in &from.animation.tracks {
            // Tracks are called as what they move.
            let table = self.file.table();
            let entity = track.entity.and_then(|entity| table.objects.get(entity as usize));
            let name = entity.map_or(&[][..], |entity| table.name(entity)).to_vec();
            let index =
                self.file.add_object(class::OBJECT_ANIMATION, &name, &mut self.task.budget)?;
            self.done.report.created += 1;
            self.track(index, track)?;
            tracks.push(index);
        }
        let mut value = self.value(index)?;
        if let Value::KeyedAnimation(saved) = &mut value.value {
            from.animation.save(&tracks, saved);
        }
        self.save(index, value)
    }

    /// Saves a track, and has its entity know of it.
    fn track(&mut self, index: u32, track: &Track) -> Result<()> {
        let mut value = self.value(index)?;
        if let Value::ObjectAnimation(saved) = &mut value.value {
            track.save(saved);
        }
        self.save(index, value)?;
        let Some(entity) = track.entity else { return Ok(()) };
        let mut value = self.value(entity)?;
        let Some(saved) = entity_of(&mut value.value) else { return Ok(()) };
        let animations = &mut saved.animations;
        animations.get_or_insert_default().to_mut().push(U32::new(index));
        self.save(entity, value)
    }
}
