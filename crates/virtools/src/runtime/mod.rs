//! Objects in memory, as an engine has them: with ids of their own, names that may clash, and a life that ends
//! (`docs/formats/virtools-runtime.md`).
//!
//! A [`Context`] knows its objects by id, by class and by name. It creates them under the rules of their classes, gives
//! ids and takes them back in the order in which engines do, and tells apart objects that are only there for a while
//! (dynamic ones). It is `Send`, has no globals, and prints nothing.
//!
//! ```
//! use virtools::{class, runtime::{Context, Creation}};
//!
//! let mut context = Context::new();
//! let wood = context.create(class::MATERIAL, Some(b"Wood"), Creation::Plain).id;
//! let again = context.create(class::MATERIAL, Some(b"Wood"), Creation::Rename);
//! assert_eq!(context.object(again.id).unwrap().name(), Some(&b"Wood000"[..]));
//! assert_eq!(context.find(class::MATERIAL, b"Wood"), Some(wood));
//! ```

pub mod classes;
mod context;
pub mod flags;
mod names;

pub use context::{Context, Created, Creation, Object};
