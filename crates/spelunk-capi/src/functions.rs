//! The functions.

#![allow(
    unsafe_code,
    reason = "functions for C have names that the linker knows, and take pointers"
)]

use crate::{
    boundary::{self, Place},
    failure::{self, Failure, SplErrorInfo, SplStatus},
    handles::{self, SplFile, SplPack, SplRows, SplSession},
    rows::{Rows, SplItem},
    session::{OpenFile, Session},
    views::{self, OpenPack, SplAsset, SplImage, SplMesh},
};
use std::{
    ffi::{c_char, c_void},
    ptr,
    sync::Arc,
};

/// The interface that this header describes. What `spl_abi_version` returns has to be the same.
pub const SPL_ABI_VERSION: u32 = 1;

/// Returns the interface that the library has: `SPL_ABI_VERSION` of the header that it was built with.
#[unsafe(no_mangle)]
pub extern "C" fn spl_abi_version() -> u32 {
    SPL_ABI_VERSION
}

/// Returns the version of the library, such as "0.2.0".
#[unsafe(no_mangle)]
pub extern "C" fn spl_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Makes a session on the files of the disk. `options` is null, or an object in JSON with any of: "strict" and "lenient"
/// (booleans), "max_memory" (bytes for each file), "max_ratio", "code_pages" (such as "cp1252"), "generation", "threads" and "no_map" (whether large
/// files are read range by range, and not mapped).
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_session_new(
    options: *const c_char,
    session: *mut *mut SplSession,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, options) = unsafe {
            (Place::of(session, ptr::null_mut())?, boundary::optional_text(options, "options")?)
        };
        place.put(handles::put(Arc::new(Session::new(options)?))?);
        Ok(())
    })
}

/// Opens the file, or the folder that is one container, at a path of the disk. It stays open in the session until it is freed. What has a
/// path that is no UTF-8 is opened by `spl_open_bytes`.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_open_path(
    session: *mut SplSession,
    path: *const c_char,
    file: *mut *mut SplFile,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, path) =
            unsafe { (Place::of(file, ptr::null_mut())?, boundary::text(path, "path")?) };
        let session = handles::get(session.addr(), SESSION)?;
        place.put(handles::put(Arc::new(OpenFile::at_path(session, path)?))?);
        Ok(())
    })
}

/// Opens a file whose `size` bytes these are, which are copied. `name` is what rows call it.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_open_bytes(
    session: *mut SplSession,
    name: *const c_char,
    bytes: *const c_void,
    size: usize,
    file: *mut *mut SplFile,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, name, bytes) = unsafe {
            let place = Place::of(file, ptr::null_mut())?;
            (place, boundary::text(name, "name")?, boundary::bytes(bytes, size)?)
        };
        let session = handles::get(session.addr(), SESSION)?;
        place.put(handles::put(Arc::new(OpenFile::of_bytes(session, name, bytes)?))?);
        Ok(())
    })
}

/// Gives the number of an open file, which stands in the place of its name in requests of verbs: they see what was changed in it,
/// and change what is open.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_file_number(file: *mut SplFile, number: *mut u64) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let mut place = unsafe { Place::of(number, 0) }?;
        place.put(handles::get::<OpenFile>(file.addr(), FILE)?.number());
        Ok(())
    })
}

/// Begins a verb, which runs on a thread of its own. `verb` is a verb of the command, such as "ls"; `request` is an object in JSON
/// that `spelunk schema VERB --request` describes, such as {"file": "level.nmo"}. What is wrong with either comes as a diagnostic. An
/// output "-" comes as `SPL_BODY`; there is no standard input. A file that the request names by its number stays busy until the last
/// item has come, and must not be freed before.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_call(
    session: *mut SplSession,
    verb: *const c_char,
    request: *const c_char,
    rows: *mut *mut SplRows,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, verb, request) = unsafe {
            let place = Place::of(rows, ptr::null_mut())?;
            (place, boundary::text(verb, "verb")?, boundary::text(request, "request")?)
        };
        let session = handles::get::<Session>(session.addr(), SESSION)?;
        place.put(handles::put(Arc::new(Rows::begin(&session, verb, request)?))?);
        Ok(())
    })
}

/// Waits for the next item of what comes of a verb. The last one is `SPL_END`, and comes again when it is asked for again.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_next(rows: *mut SplRows, item: *mut SplItem) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let mut place = unsafe { Place::of(item, SplItem::EMPTY) }?;
        let found = handles::get::<Rows>(rows.addr(), ROWS)?;
        let next = found.next()?;
        // Where it was freed meanwhile, nothing is lent of it.
        handles::get::<Rows>(rows.addr(), ROWS)?;
        place.put(next);
        Ok(())
    })
}

/// Lends the bytes of the item that `spl_next` gave last, which has to be `SPL_BODY`. They are there as long as its text.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_body(
    rows: *mut SplRows,
    bytes: *mut *const u8,
    size: *mut usize,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut first, mut count) =
            unsafe { (Place::of(bytes, ptr::null())?, Place::of(size, 0)?) };
        let found = handles::get::<Rows>(rows.addr(), ROWS)?;
        let (body, len) = found.body()?;
        // Where it was freed meanwhile, nothing is lent of it.
        handles::get::<Rows>(rows.addr(), ROWS)?;
        first.put(body);
        count.put(len);
        Ok(())
    })
}

/// Gives the mesh that the entry at a path is, or is drawn with. Paths are those of the verb ls, such as "#2", or
/// names that it takes, such as "CKMesh/Cube".
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_mesh(
    file: *mut SplFile,
    path: *const c_char,
    mesh: *mut SplMesh,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, path) =
            unsafe { (Place::of(mesh, SplMesh::default())?, boundary::text(path, "path")?) };
        place.put(views::mesh(&*handles::get::<OpenFile>(file.addr(), FILE)?, path)?);
        Ok(())
    })
}

/// Gives the picture in a slot of the texture at a path; 0 is the first. Where the container names a file instead of holding a
/// picture, that is looked for beside the container, in Textures there, and in ../Textures.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_image(
    file: *mut SplFile,
    path: *const c_char,
    slot: usize,
    image: *mut SplImage,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, path) =
            unsafe { (Place::of(image, SplImage::default())?, boundary::text(path, "path")?) };
        place.put(views::image(&*handles::get::<OpenFile>(file.addr(), FILE)?, path, slot)?);
        Ok(())
    })
}

/// Gives the assets of an open pack for loading. They are those of now: neither changes nor the end of the file alter them.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_pack_open(file: *mut SplFile, pack: *mut *mut SplPack) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let mut place = unsafe { Place::of(pack, ptr::null_mut()) }?;
        let file = handles::get::<OpenFile>(file.addr(), FILE)?;
        place.put(handles::put(Arc::new(OpenPack::of(&file)?))?);
        Ok(())
    })
}

/// Finds the payload at a path, such as "sounds/wind", or of the asset with an id, by its text.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_pack_find(
    pack: *mut SplPack,
    path: *const c_char,
    asset: *mut SplAsset,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, path) =
            unsafe { (Place::of(asset, SplAsset::default())?, boundary::text(path, "path")?) };
        place.put(handles::get::<OpenPack>(pack.addr(), PACK)?.find(path)?);
        Ok(())
    })
}

/// Loads a payload, unpacked and checked against its hash, into a buffer of `capacity` bytes. `size` becomes its plain size, also
/// where that is more than the buffer has (`SPL_TOO_SMALL`). Once a thread has loaded a payload of each compression, nothing is
/// allocated where it succeeds. After `SPL_FAILED` the content of the buffer is undefined.
///
/// # Safety
/// Pointers are null or lead to what the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spl_pack_load(
    pack: *mut SplPack,
    number: u64,
    buffer: *mut c_void,
    capacity: usize,
    size: *mut usize,
) -> SplStatus {
    boundary::run(|| {
        // SAFETY: the caller says so.
        let (mut place, buffer) =
            unsafe { (Place::of(size, 0)?, boundary::buffer(buffer, capacity)?) };
        handles::get::<OpenPack>(pack.addr(), PACK)?.load(number, buffer, &mut place)
    })
}

/// Returns what is known of the error that a function of this thread met last; null where none did. It is there until the next
/// error of this thread, or the end of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn spl_error() -> *const SplErrorInfo {
    failure::last()
}

/// Ends what runs: the verb of these rows, or all verbs of this session that run now. They end soon, with a diagnostic that says so;
/// what is begun after it runs.
#[unsafe(no_mangle)]
pub extern "C" fn spl_cancel(handle: *mut c_void) -> SplStatus {
    boundary::run(|| {
        let object = handles::any(handle.addr())?;
        if let Some(rows) = object.downcast_ref::<Rows>() {
            rows.cancel();
        } else if let Some(session) = object.downcast_ref::<Session>() {
            session.cancel();
        } else {
            let other = "a handle of another kind";
            return Err(Failure::bad_handle("rows or a session", other));
        }
        Ok(())
    })
}

/// Frees a session, a file, rows, a pack or a view, in any order: what belongs together stays as long as a part of it is used. Rows
/// are cancelled; the function returns when their verb has ended, unless another thread is at them: soon, but not before the system
/// lets go of it, as where it opens a pipe that nobody writes to. Null is passed over; a handle that was freed before is `SPL_MISUSE`.
#[unsafe(no_mangle)]
pub extern "C" fn spl_free(handle: *mut c_void) -> SplStatus {
    boundary::run(|| {
        if handle.is_null() {
            return Ok(());
        }
        let object = handles::take(handle.addr())?;
        // Also where another thread waits for the next one.
        if let Some(rows) = object.downcast_ref::<Rows>() {
            rows.cancel();
        }
        Ok(())
    })
}

const SESSION: &str = "a session";
const FILE: &str = "an open file";
const ROWS: &str = "rows";
const PACK: &str = "a pack";
