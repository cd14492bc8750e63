//! Objects in memory, as an engine has them: with ids of their own, names that may clash, and a life that ends
//! (`docs/formats/virtools-runtime.md`).
//!
//! A [`Context`] knows its objects by id, by class and by name. It creates them under the rules of their classes, gives
//! ids and takes them back in the order in which engines do, and distinguishes objects that are only there for a while
//! (dynamic ones). It is `Send`, has no globals, and prints nothing. A load or a saving that fails, is cancelled or panics leaves
//! it as it was before.
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

#[cfg(feature = "fs")]
pub mod batch;
pub mod ckerr;
pub mod classes;
mod context;
pub mod flags;
pub mod formats;
pub mod hooks;
mod indices;
pub mod load;
pub mod manager;
pub mod membership;
mod names;
mod object;
pub mod owners;
pub mod path_manager;
pub mod plugins;
pub mod save;
mod session;
mod state;
mod store;
mod tasks;

#[cfg(feature = "fs")]
pub use batch::{BatchReport, load_and_save_all};
pub use context::{Activity, Context, Created, Creation};
pub use formats::{FileReader, FileWriter, Formats};
pub use hooks::{Hooks, Quiet};
pub use load::{Load, Mode, Modes, Report};
pub use manager::{AttributeTypes, Carried, Manager, MessageTypes};
pub use membership::Memberships;
pub use object::{Object, SavedState};
pub use owners::Owners;
pub use save::{Depth, FileForm, Save, SaveTarget, Saving};
pub use session::{Opened, Session};
pub use tasks::{Joined, Joining, join, load_and_save, subset, subset_as};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_those_of_the_page() {
        let page = include_str!("../../../../docs/formats/virtools-runtime.md");
        for (bits, name) in flags::FLAGS {
            assert!(page.contains(&format!("| 0x{bits:x} | {name}")), "{name}");
        }
        let ids_of = |option: u32| {
            let row = page.lines().find(|row| row.starts_with(&format!("| {option}, "))).unwrap();
            let list = row.trim_end_matches('|').rsplit('|').next().unwrap();
            list.split(',').map(|id| id.trim().parse().unwrap()).collect::<Vec<u32>>()
        };
        for option in [classes::NO_NAME_CHECK, classes::CAN_USE_CURRENT, classes::USE_CURRENT] {
            let ids: Vec<u32> = (0..128).filter(|id| classes::options(*id) == option).collect();
            assert_eq!(ids_of(option), ids);
        }
    }
}
