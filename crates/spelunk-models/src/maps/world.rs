//! Maps of SpellForce beside a GameData, which knows their titles and what their ids mean.

use spellforce::{gamedata::GameData, map};
use spelunk_core::{Container, Result, Task, Walk, walk};
use spelunk_open::{Model, Opened, languages};

/// A GameData that maps are looked up in.
#[derive(Debug)]
pub struct World(Opened);

impl World {
    /// Reads the tables of an opened GameData.
    ///
    /// # Errors
    /// [`NO_TABLES`](spelunk_open::codes::NO_TABLES) for other files; limits. Tables that are damaged are not looked at.
    pub fn new(mut opened: Opened) -> Result<World> {
        opened.run_silent(|container, task| {
            let gamedata = languages::gamedata(container)?;
            // Whoever looks something up later has another budget.
            for (chunk, _) in gamedata.categories() {
                match gamedata.find(chunk, &[0], &mut task.budget) {
                    Err(error) if error.code().class == spelunk_core::Class::Malformed => {}
                    found => drop(found?),
                }
            }
            gamedata.languages(&mut task.budget).map(drop)
        })?;
        Ok(World(opened))
    }

    /// The tables.
    ///
    /// # Errors
    /// None: it is known to have some.
    pub fn gamedata(&self) -> Result<GameData<'_>> {
        languages::gamedata(self.0.container())
    }
}

/// Walks what a GameData knows of the map in the file with this path; nothing where it is none.
///
/// # Errors
/// Reading errors; limits; what the walker returns.
pub fn describe(
    container: &dyn Container,
    path: &str,
    world: &World,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Result<()> {
    let Model::Chunks(chunks) = Model::of(container) else { return Ok(()) };
    let Some(map) = chunks.map(task)? else { return Ok(()) };
    walk::finish(map::world::walk(&map, world.gamedata()?, path, task, walk))
}
