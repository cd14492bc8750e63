//! What functions return, and what they say about it when asked.

use spelunk::{Error, open::codes};
use std::{
    cell::RefCell,
    ffi::{CString, c_char},
    ptr,
};

/// The result of a function.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplStatus {
    /// It did what it says.
    SplOk = 0,
    /// An argument is not what the function takes: a null pointer, text that is no UTF-8, a handle that was freed or is of
    /// another kind. Nothing was done.
    SplMisuse = 1,
    /// Another thread, or a verb whose last item has not come, uses the same handle. Nothing was done; it can be tried again
    /// when that has ended.
    SplBusy = 2,
    /// The buffer is too small. Nothing was written to it; the size that it takes was.
    SplTooSmall = 3,
    /// It failed: the file is damaged, is of another format, was not found, takes too much memory, and so on.
    SplFailed = 4,
    /// A mistake in the library, which goes on working. Please report it.
    SplPanicked = 5,
}

/// What is known of an error. Texts are UTF-8 and belong to the library.
#[repr(C)]
#[derive(Debug)]
pub struct SplErrorInfo {
    /// What the function returned.
    pub status: SplStatus,
    /// The code, such as SP022. `spelunk explain SP022` describes it and says what to do.
    pub code: *const c_char,
    /// What is wrong, what was expected and what was found, in a sentence.
    pub message: *const c_char,
    /// The path of the field that it is about; empty where it is about none.
    pub path: *const c_char,
    /// The space of bytes where it is: file, or the name of an inflated section. Null where no place is known.
    pub space: *const c_char,
    /// The offset there, in bytes.
    pub offset: u64,
}

/// Why a function did not do what it says.
#[derive(Debug)]
pub(crate) struct Failure {
    status: SplStatus,
    error: Error,
}

/// What the functions behind the boundary return.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { status: SplStatus::SplFailed, error }
    }
}

impl Failure {
    /// A handle that is none.
    pub(crate) fn bad_handle(expected: &'static str, found: &'static str) -> Failure {
        let error = Error::new(&codes::BAD_HANDLE).expected(expected).found(found);
        Failure { status: SplStatus::SplMisuse, error }
    }

    /// An argument that is not what it has to be.
    pub(crate) fn bad_argument(expected: impl Into<String>, found: impl Into<String>) -> Failure {
        let error = Error::new(&codes::BAD_ARGUMENT).expected(expected.into()).found(found.into());
        Failure { status: SplStatus::SplMisuse, error }
    }

    /// A handle that another thread uses.
    pub(crate) fn busy() -> Failure {
        Failure { status: SplStatus::SplBusy, error: Error::new(&codes::HANDLE_BUSY) }
    }

    /// A buffer of `capacity` bytes for `size` bytes.
    pub(crate) fn too_small(size: usize, capacity: usize) -> Failure {
        let error = Error::new(&codes::BAD_ARGUMENT)
            .expected(format!("a buffer of {size} bytes"))
            .found(format!("{capacity} bytes"));
        Failure { status: SplStatus::SplTooSmall, error }
    }

    /// Work that panicked.
    pub(crate) fn panicked() -> Failure {
        let error = Error::new(&codes::PANICKED);
        Failure { status: SplStatus::SplPanicked, error }
    }

    /// Keeps what is known of it for this thread.
    pub(crate) fn keep(self) -> SplStatus {
        let Failure { status, error } = self;
        let status = match error.code().id {
            id if id == codes::HANDLE_IN_USE.id => SplStatus::SplBusy,
            _ => status,
        };
        let place = error.place();
        let kept = Kept {
            status,
            code: text(error.code().id),
            message: text(&error.message()),
            path: text(&error.path()),
            space: place.map(|at| text(&at.space.to_string())),
            offset: place.map_or(0, |at| at.start),
            info: None,
        };
        // A thread that is about to end asks no more.
        let _ = LAST.try_with(|last| last.replace(Some(Box::new(kept))));
        status
    }
}

/// Text for C; what a text of C cannot hold is left out.
pub(crate) fn text(text: &str) -> CString {
    let bytes = text.bytes().filter(|byte| *byte != 0).collect::<Vec<_>>();
    CString::new(bytes).unwrap_or_default()
}

/// The last error of a thread.
struct Kept {
    status: SplStatus,
    code: CString,
    message: CString,
    path: CString,
    space: Option<CString>,
    offset: u64,
    /// The same for C, once it was asked for.
    info: Option<SplErrorInfo>,
}

thread_local! {
    static LAST: RefCell<Option<Box<Kept>>> = const { RefCell::new(None) };
}

/// The last error of this thread; null where there was none. It is there until the next one.
pub(crate) fn last() -> *const SplErrorInfo {
    let found = LAST.try_with(|last| {
        let mut last = last.borrow_mut();
        let Some(kept) = last.as_deref_mut() else { return ptr::null() };
        let info = SplErrorInfo {
            status: kept.status,
            code: kept.code.as_ptr(),
            message: kept.message.as_ptr(),
            path: kept.path.as_ptr(),
            space: kept.space.as_ref().map_or(ptr::null(), |space| space.as_ptr()),
            offset: kept.offset,
        };
        ptr::from_ref(kept.info.insert(info))
    });
    found.unwrap_or(ptr::null())
}
