//! Raw bitmaps: a plane of bytes for each colour.

use super::{Buffer, Rgba, dct};
use crate::codes;
use spelunk_core::{
    BitField, Budget, Error, Result, ResultExt, Span, cursor::Cursor, record, scalar::Word,
};
use zerocopy::IntoBytes;

record! {
    /// The fixed part of a raw bitmap; its four planes follow.
    pub struct RawHead: "raw bitmap", "docs/formats/virtools.md#131-raw-bitmaps", 32 {
        /// Bits for each pixel of the picture in memory; 0 for no bitmap, and then nothing follows.
        bits_per_pixel: U32 { unit: "bits" },
        /// Pixels in a row.
        width: U32,
        /// Rows.
        height: U32,
        /// The bits of alpha in a pixel in memory.
        alpha_mask: Word,
        /// The bits of red.
        red_mask: Word,
        /// The bits of green.
        green_mask: Word,
        /// The bits of blue.
        blue_mask: Word,
        /// Storage of the colour planes.
        compression: Word { parts: &[CODING, UNUSED] },
    }
}

/// Storage of the colour planes of a raw bitmap, the low four bits of the compression word. With other values than those that
/// have a [name](Compression::name) there are no colour planes. The alpha plane is always plain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Compression(pub u32);

impl Compression {
    /// A byte for each pixel.
    pub const PLAIN: Compression = Compression(0);
    /// Blocks of cosine transforms, in the engine's own coding. No real file is known that has it.
    pub const DCT: Compression = Compression(1);

    /// Name of the value of the low bits; `None` for unknown ones.
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Compression::PLAIN => Some("plain"),
            Compression::DCT => Some("DCT"),
            _ => None,
        }
    }
}

/// Storage of the colour planes.
const CODING: BitField = BitField::new("coding", 0, 4, "How the colour planes are stored.")
    .values(&[(Compression::PLAIN.0 as i64, "plain"), (Compression::DCT.0 as i64, "DCT")]);
/// Bits that no engine looks at.
const UNUSED: BitField = BitField::new("unused", 4, 28, "Nothing looks at it; it is kept.");

impl RawHead {
    /// Storage of the colour planes.
    pub const fn coding(&self) -> Compression {
        Compression(CODING.of(self.compression.get()))
    }
}

/// Coding in which colour planes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaneCoding {
    /// A byte for each pixel, as all real files have it.
    Plain,
    /// The engine's own coding by cosine transforms, which loses detail. Engines read it and never write it.
    Dct {
        /// 0 (small) to 100 (faithful).
        quality: u8,
    },
}

/// Whether to store alpha where all of it is 255.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlphaPlane {
    /// Store it, as all real files do.
    Always,
    /// Leave it out; a plane of no bytes means opaque.
    UnlessOpaque,
}

/// A raw bitmap, or none (`docs/formats/virtools.md#131-raw-bitmaps`).
#[derive(Clone, PartialEq, Debug)]
pub struct RawBitmap<'a> {
    /// The bitmap; `None` is a single dword 0.
    pub image: Option<RawImage<'a>>,
}

/// A raw bitmap that has pixels.
#[derive(Clone, PartialEq, Debug)]
pub struct RawImage<'a> {
    /// The fixed part.
    pub head: RawHead,
    /// The blue plane.
    pub blue: Buffer<'a>,
    /// The green plane.
    pub green: Buffer<'a>,
    /// The red plane.
    pub red: Buffer<'a>,
    /// The alpha plane; no bytes for an opaque picture.
    pub alpha: Buffer<'a>,
}

impl<'a> RawBitmap<'a> {
    /// Reads the bitmap that `bytes` start with, which lie at `at`, and returns how many of them it takes. The
    /// planes are views of `bytes`; what is in them is not looked at.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED) when `bytes` end too early; a limit.
    pub fn read(bytes: &'a [u8], at: Span, budget: &mut Budget) -> Result<(RawBitmap<'a>, usize)> {
        budget.steps(1).at(at)?;
        let mut cursor = Cursor::new(bytes, at.space, at.start);
        if cursor.clone().u32("bits_per_pixel")? == 0 {
            cursor.u32("bits_per_pixel")?;
            return Ok((RawBitmap { image: None }, cursor.position()));
        }
        let head = *cursor.record::<RawHead>()?;
        let mut colour = |name| match head.coding().name() {
            Some(_) => Buffer::read(&mut cursor, name),
            None => Buffer::new(&[] as &[u8]),
        };
        let (blue, green, red) = (colour("blue")?, colour("green")?, colour("red")?);
        let alpha = Buffer::read(&mut cursor, "alpha")?;
        let image = RawImage { head, blue, green, red, alpha };
        Ok((RawBitmap { image: Some(image) }, cursor.position()))
    }

    /// Appends the bitmap as it is stored.
    pub fn write(&self, out: &mut Vec<u8>) {
        match &self.image {
            None => out.extend([0; 4]),
            Some(image) => {
                out.extend_from_slice(image.head.as_bytes());
                if image.head.coding().name().is_some() {
                    for plane in [&image.blue, &image.green, &image.red] {
                        plane.write(out);
                    }
                }
                image.alpha.write(out);
            }
        }
    }

    /// The picture; `None` where there is none.
    ///
    /// # Errors
    /// As [`RawImage::decode`].
    pub fn decode(&self, budget: &mut Budget) -> Result<Option<Rgba>> {
        self.image.as_ref().map(|image| image.decode(budget)).transpose()
    }
}

impl RawBitmap<'static> {
    /// Stores a picture as the real files do: 32 bits for each pixel, and the masks of that. With
    /// [`PlaneCoding::Plain`] it decodes to the same pixels.
    ///
    /// # Errors
    /// [`codes::ENCODE`] for a picture without pixels or a quality above 100, where planes are coded;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for planes of 2 GiB.
    pub fn from_rgba(
        picture: &Rgba,
        coding: PlaneCoding,
        alpha: AlphaPlane,
    ) -> Result<RawBitmap<'static>> {
        let (width, height) = (picture.width(), picture.height());
        let plane = |channel: usize| {
            let mut plane = Vec::with_capacity(picture.pixels().len() / 4);
            for row in picture.rows().rev() {
                plane.extend(row.iter().skip(channel).step_by(4));
            }
            plane
        };
        let colour = |channel: usize| {
            let plain = plane(channel);
            match coding {
                PlaneCoding::Plain => Buffer::new(plain),
                PlaneCoding::Dct { quality } => {
                    Buffer::new(dct::encode(&plain, width, height, quality)?)
                }
            }
        };
        let compression = match coding {
            PlaneCoding::Plain => Compression::PLAIN,
            PlaneCoding::Dct { .. } => Compression::DCT,
        };
        let opaque = alpha == AlphaPlane::UnlessOpaque && picture.is_opaque();
        let image = RawImage {
            head: RawHead {
                bits_per_pixel: 32.into(),
                width: width.into(),
                height: height.into(),
                alpha_mask: Word::new(0xFF00_0000),
                red_mask: Word::new(0x00FF_0000),
                green_mask: Word::new(0x0000_FF00),
                blue_mask: Word::new(0x0000_00FF),
                compression: Word::new(compression.0),
            },
            red: colour(0).field("red")?,
            green: colour(1).field("green")?,
            blue: colour(2).field("blue")?,
            alpha: Buffer::new(if opaque { Vec::new() } else { plane(3) }).field("alpha")?,
        };
        Ok(RawBitmap { image: Some(image) })
    }
}

impl RawImage<'_> {
    /// The picture. The planes hold 8 bits of a colour each, whatever the bits for each pixel and the masks
    /// say: these describe the picture in memory before it was taken apart. Real files have 32 bits and the
    /// masks of that.
    ///
    /// # Errors
    /// [`codes::PLANE`] when a plane holds another number of pixels; [`codes::COMPRESSION`] when it is not
    /// known how the planes are stored; [`codes::PLANE_BITS`] where a coded plane ends too early; a limit. The
    /// path names the plane; the caller knows the place.
    pub fn decode(&self, budget: &mut Budget) -> Result<Rgba> {
        let (width, height) = (self.head.width.get(), self.head.height.get());
        let coding = self.head.coding();
        if coding.name().is_none() {
            return Err(Error::new(&codes::COMPRESSION)
                .field("compression")
                .expected("0 or 1 in the low four bits")
                .found(self.head.compression.get()));
        }
        // Wrong sizes are found before there is a picture to be painted.
        let colours = [("red", &self.red), ("green", &self.green), ("blue", &self.blue)];
        if coding == Compression::PLAIN {
            for (name, plane) in colours {
                self.check(plane).field(name)?;
            }
        }
        let alpha = self.alpha.bytes();
        if !alpha.is_empty() {
            self.check(&self.alpha).field("alpha")?;
        }
        let mut picture = Rgba::blank(width, height, budget)?;
        for (channel, (name, plane)) in colours.into_iter().enumerate() {
            if coding == Compression::PLAIN {
                picture.paint(channel, plane.bytes());
            } else {
                let plain = dct::decode(plane.bytes(), width, height, budget)
                    .inspect_err(|_| budget.release(picture.pixels().len() as u64))
                    .field(name)?;
                picture.paint(channel, &plain);
                budget.release(plain.len() as u64);
            }
        }
        picture.paint(3, alpha);
        Ok(picture)
    }

    /// Agrees that a plain plane holds a byte for each pixel.
    fn check(&self, plane: &Buffer<'_>) -> Result<()> {
        let (width, height) = (self.head.width.get(), self.head.height.get());
        let count = u64::from(width).saturating_mul(height.into());
        if plane.bytes().len() as u64 == count {
            return Ok(());
        }
        Err(Error::new(&codes::PLANE)
            .expected(format!("{count} bytes for {width} x {height} pixels"))
            .found(format!("{} bytes", plane.bytes().len())))
    }
}
