//! The words of a file that depend on the program that wrote it.

use super::{
    File,
    header::{FOR_VIEWER, PACKED, WHOLE_COMPRESSED},
};

/// The words of a file about the program that wrote it, and how it is packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileForm {
    /// Date of the engine.
    pub ck_version: u32,
    /// FileWriteMode: [`WHOLE_COMPRESSED`](crate::file::header::WHOLE_COMPRESSED) or 0, and
    /// [`FOR_VIEWER`](crate::file::header::FOR_VIEWER), which leaves out what only the editor shows.
    pub write_mode: u32,
    /// Edition of the product.
    pub product_version: u32,
    /// Version of the product.
    pub product_build: u32,
    /// Level at which Header1 and Data are packed, 1 to 9; `None` for 4, which real files have.
    pub level: Option<u8>,
}

impl FileForm {
    /// The form of a file, in the current generation.
    pub fn of(file: &File) -> FileForm {
        let head = file.head();
        let usual = File::new();
        let part1 = head.part1.or(usual.head().part1);
        let packed = if head.write_mode() & PACKED != 0 { WHOLE_COMPRESSED } else { 0 };
        FileForm {
            ck_version: head.part0.ck_version.get(),
            write_mode: head.write_mode() & FOR_VIEWER | packed,
            product_version: part1.map_or(0, |part1| part1.product_version.get()),
            product_build: part1.map_or(0, |part1| part1.product_build.get()),
            level: None,
        }
    }
}
