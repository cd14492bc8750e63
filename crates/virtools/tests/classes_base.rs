//! What `CKObject`, `CKBeObject`, `CKGroup` and parameters save, on chunks that were put together by hand.

#[path = "common/class.rs"]
mod class;

use class::{fields, typed};
use spelunk_fixtures::chunk::Chunk;
use virtools::class::Value;

#[test]
fn flags_are_there_or_not() {
    let Value::Object(object) = typed(1, &Chunk::object(1).identifier(0x18)) else { panic!() };
    assert!(object.hierarchically_hidden && !object.hidden);
    let both = Chunk::object(1).identifier(4).identifier(0x18);
    assert_eq!(
        fields(1, &both),
        [("hidden".into(), "true".into()), ("hierarchically_hidden".into(), "true".into())]
    );
}
