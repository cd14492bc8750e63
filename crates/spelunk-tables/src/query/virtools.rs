//! The tables of Virtools files that are taken from listings and tables of the file; scripts and scenes have files of their
//! own.

use super::{
    out::RowSink,
    scene, scripts,
    table::{Fill, From, RowSource, Table, integer, text},
    virtools_table::{NAME, OBJECT, ONLY},
};
use spelunk_core::{Result, Task};
use spelunk_open::Model;

pub(super) use super::virtools_table::VIRTOOLS;

pub(super) static TABLES: &[Table] = &[
    Table::new(
        ONLY,
        "objects",
        "The objects. Everywhere else objects are named by `object`, their position.",
        &[
            OBJECT.listed_as("index"),
            text("path", "Path of the object, as every verb takes it: `#17`."),
            integer(
                "id",
                "Its id when it was saved; negative for one that stands for an object of another file.",
            ),
            text("class", "Name of its class."),
            integer("class_id", "Id of its class."),
            NAME,
            integer("size", "Size of its chunk.").unit("bytes"),
            integer("stored_size", "Its size where it is packed on its own.").unit("bytes"),
        ],
        Fill::Listing(From::Listing),
    ),
    Table::new(
        ONLY,
        "managers",
        "The managers that saved something.",
        &[
            text("guid", "GUID of the manager."),
            text("name", "Its name, where that is known.").listed_as("manager"),
            text("path", "Path of what it saved."),
            integer("size", "Size of its chunk.").unit("bytes"),
        ],
        Fill::Listing(From::Below("managers")),
    ),
    Table::new(
        ONLY,
        "plugins",
        "The plugins that the objects need.",
        &[
            integer("category", "Kind of plugin."),
            text("category_name", "Name of the kind."),
            text("guid", "GUID of the plugin."),
        ],
        Fill::Rows(plugins),
    ),
    Table::new(
        ONLY,
        "included_files",
        "The files that follow the Data section.",
        &[
            text("name", "Name of the file."),
            text("path", "Its path in the container."),
            integer("size", "Its size.").unit("bytes"),
        ],
        Fill::Listing(From::Below("included")),
    ),
    scripts::BEHAVIORS,
    scripts::IOS,
    scripts::LINKS,
    scripts::PARAMETERS,
    scripts::OPERATIONS,
    scene::ENTITIES,
    scene::MESHES,
    scene::MESH_MATERIALS,
    scene::MATERIALS,
    scene::TEXTURES,
    scene::GROUP_MEMBERS,
];

fn plugins(source: &RowSource<'_>, out: &mut RowSink<'_>, task: &mut Task<'_>) -> Result<()> {
    let Model::Virtools(file) = Model::of(source.container) else { return Ok(()) };
    let plugins = file.plugin_dependencies(&mut task.budget)?;
    for group in &plugins.groups {
        for bytes in group.guids.chunks_exact(8) {
            task.budget.steps(1)?;
            let guid = spelunk_core::Ty::Guid.decode(bytes).to_string();
            out.row(&[group.category.into(), group.name().into(), guid.into()])?;
        }
    }
    Ok(())
}
