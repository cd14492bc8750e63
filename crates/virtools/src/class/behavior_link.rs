//! `CKBehaviorLink` (`docs/formats/classes/behaviors.md#ckbehaviorlink`).

use super::{
    fresh::{Fresh, Host},
    object::Object,
    renew::{Old, Renew, Renewed},
};
use crate::codec::{Codec, Coded, Layout, Reference, field, group};
use spelunk_core::{BitField, Ty};

const PAGE: &str = "docs/formats/classes/behaviors.md#ckbehaviorlink";

/// The parts of [`Link::delays`].
const DELAYS: &[BitField] = &[
    BitField::new("delay", 0, 16, "How long it is until it activates its destination.")
        .signed()
        .unit("frames"),
    BitField::new(
        "initial_delay",
        16,
        16,
        "From source to destination, with which each activation starts.",
    )
    .signed()
    .unit("frames"),
];

/// A link from an output of one behaviour to an input of another.
#[derive(Clone, Debug, Default)]
pub struct BehaviorLink {
    /// State that every object saves; from data version 5 on.
    pub object: Object,
    /// Ends and delay of the link.
    pub link: Option<Link>,
    /// Below data version 5, in the oldest files: frames that are left until it activates its destination.
    pub old_delay: Option<i32>,
    /// In the oldest files: what it links.
    pub old_ends: Option<Ends>,
    /// In the oldest files: frames from the source to the destination.
    pub old_initial_delay: Option<i32>,
}

/// Ends and delay of a link.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Two numbers of frames: [`Link::delay`] in the low half, [`Link::initial_delay`] in the high one.
    pub delays: u32,
    /// Ends of the link.
    pub ends: Ends,
}

/// Ends of a link.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// An output of a behaviour, or an input of the graph around it.
    pub source: Reference,
    /// An input of a behaviour, or an output of the graph around it.
    pub destination: Reference,
}

impl Link {
    /// Delays of a link, in frames.
    pub const fn delays(delay: i16, initial: i16) -> u32 {
        let ([a, b], [c, d]) = (delay.to_le_bytes(), initial.to_le_bytes());
        u32::from_le_bytes([a, b, c, d])
    }

    /// Frames that are left until it activates its destination.
    pub const fn delay(&self) -> i16 {
        let [a, b, ..] = self.delays.to_le_bytes();
        i16::from_le_bytes([a, b])
    }

    /// Frames from the source to the destination, with which each activation starts.
    pub const fn initial_delay(&self) -> i16 {
        let [.., c, d] = self.delays.to_le_bytes();
        i16::from_le_bytes([c, d])
    }
}

impl Layout for BehaviorLink {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        // The identifier of hidden objects was that of the delay.
        let old = c.version() < 5;
        if c.when(!old, "data version 5 or later") {
            self.object.layout(c)?;
        } else {
            self.object.name(c)?;
        }
        c.section(
            0x20,
            group!("link", "What it links, and how long that takes."),
            &mut self.link,
            |c, link| {
                let field = field!(
                    "delays",
                    Ty::Word,
                    "The delay that is left, and the one that it begins with.",
                    parts(DELAYS)
                );
                c.item(field, &mut link.delays)?;
                ends(c, &mut link.ends)
            },
        )?;
        if c.when(old, "data version below 5") {
            c.section(
                0x04,
                group!("old_delay", "The delay in the oldest files."),
                &mut self.old_delay,
                |c, delay| {
                    c.item(field!("delay", Ty::I32, "Until it activates.", unit("frames")), delay)
                },
            )?;
        }
        c.section(
            0x08,
            group!("old_ends", "What it links in the oldest files."),
            &mut self.old_ends,
            ends,
        )?;
        c.section(
            0x10,
            group!("old_initial_delay", "The initial delay in the oldest files."),
            &mut self.old_initial_delay,
            |c, delay| {
                let field =
                    field!("initial_delay", Ty::I32, "From source to destination.", unit("frames"));
                c.item(field, delay)
            },
        )
    }
}

fn ends<C: Codec>(c: &mut C, ends: &mut Ends) -> Coded<C> {
    let field = field!("source", Ty::U32, "An output, or an input of the graph around it.");
    c.object(field, &mut ends.source)?;
    let field = field!("destination", Ty::U32, "An input, or an output of the graph around it.");
    c.object(field, &mut ends.destination)
}

impl Fresh for BehaviorLink {
    fn fresh(host: &Host) -> BehaviorLink {
        let ends = Ends { source: host.null(), destination: host.null() };
        BehaviorLink { link: Some(Link { delays: 0, ends }), ..BehaviorLink::default() }
    }
}

impl Renew for BehaviorLink {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.object.renew(old)?;
        let (delay, ends, initial) =
            (self.old_delay.take(), self.old_ends.take(), self.old_initial_delay.take());
        if self.link.is_some() || delay.is_none() && ends.is_none() && initial.is_none() {
            return Ok(());
        }
        let Some(ends) = ends else { return Err("what it links is missing") };
        let initial = initial.unwrap_or(1);
        let [Ok(delay), Ok(initial)] = [delay.unwrap_or(initial), initial].map(i16::try_from)
        else {
            return Err("a delay has more than 16 bits");
        };
        self.link = Some(Link { delays: Link::delays(delay, initial), ends });
        Ok(())
    }
}
