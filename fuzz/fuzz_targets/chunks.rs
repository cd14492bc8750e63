//! Chunks out of the fuzzer's bytes, and what every target that takes chunks needs.

use spelunk_core::{Budget, Class, Limits, Result, Span, zerocopy::IntoBytes};
use virtools::chunk::Chunk;

/// Hands on the chunk that `data` are in each form that they can have: that of their own version, a bare one,
/// and the sub-chunk that the data of either start with. With a chunk come the bytes that it was read from.
pub fn each(data: &[u8], mut look: impl FnMut(&Chunk<'_>, &[u8])) {
    let at = Span::file(0, data.len() as u64);
    let bare = Chunk::bare(8, data, at);
    for chunk in [Chunk::read(data, at).ok(), Some(bare)].into_iter().flatten() {
        look(&chunk, data);
        if let Ok((Some(sub), end)) = chunk.sub_chunk(0) {
            look(&sub, chunk.data.get(..end).unwrap_or_default().as_bytes());
        }
    }
}

/// What the work on `bytes` may use.
pub fn budget(bytes: &[u8]) -> Budget {
    Budget::new(Limits::for_len(bytes.len() as u64))
}

/// The result of what fails at limits alone; `None` where it did.
pub fn limited<T>(result: Result<T>) -> Option<T> {
    result.inspect_err(|error| assert_eq!(error.code().class, Class::Limit, "{error}")).ok()
}
