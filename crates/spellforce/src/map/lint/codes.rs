//! The codes of the rules about maps.

spelunk_core::codes! {
    /// Something that lies outside of the map.
    OUTSIDE = "MP001" Rule "it lies outside of the map",
        "Cells count from 0 to one less than the size of the map. Nobody comes to what lies elsewhere, and programs \
         that look up its cell read past the end of the layers. Move it onto the map, or remove it.";
    /// Weather that is not 100 percent.
    WEATHER = "MP002" Rule "the weather is not 100 percent",
        "The shares of all kinds of weather are 100 together. The community's editor changes them until they are, and \
         takes clear weather where all are 0, so the weather is not as it was meant. Set shares that add up to 100.";
    /// A spawn without a bindstone.
    NO_BINDSTONE = "MP003" Rule "no bindstone stands where the player starts",
        "A player starts at a bindstone, interactive object 769, in the same cell. The community's editor drops other spawns.";
    /// An NPC id that is used again.
    NPC_REPEATED = "MP004" Rule "another entity has the same NPC id",
        "Scripts and texts know units, objects and buildings by their NPC id. It is one number for all three, and 0 is none.";
    /// Something that looks like a portal.
    PORTAL_OBJECT = "MP005" Rule "an object looks like a portal and no portal is there",
        "Portals look like object 778. Where it stands as an object and chunk 35 has no portal in that cell, it \
         leads nowhere. Add the portal, or take another object.";
    /// A tile without a definition.
    TILE = "MP006" Rule "cells have a tile that is not defined",
        "There are definitions of the tiles 0 to 254. Nothing tells what the ground of these cells looks like. Give \
         them another tile, for example with the layer as a picture (docs/maps.md).";
    /// A texture that cannot be.
    TEXTURE = "MP007" Rule "there is no such texture",
        "Tiles have the slots 0 to 62. Of the textures the first is 0, then 31 far ones from 1 to 119 follow, then the near one of \
         each, whose id is 119 higher.";
    /// An entity that is nothing.
    NO_ID = "MP008" Rule "the id says nothing",
        "Ids of units, objects, buildings and portals are above 0. Nothing stands there in the game. Set the id of \
         what is meant, or remove the entity.";
    /// A lake without water.
    LAKE = "MP009" Rule "the lake has no cells, or is filled with something unknown",
        "A lake is the cells that are connected with its own and lie below its surface, which is its depth above the ground \
         there: a depth of 0 or less fills nothing. It is filled with water (0), swamp (1), lava (2) or ice (3).";
    /// Unit groups that are not those of the units.
    UNIT_GROUPS = "MP010" Rule "the list of unit groups is not that of the units",
        "Chunk 46 counts from 0 to the highest group that a unit is in. Nothing is known to read it.";
    /// Teams without spawns.
    NO_SPAWNS = "MP011" Rule "the map has teams and no spawns",
        "Players of teams are the spawns of chunk 55 in their cells. The community's editor makes spawns of bindstones then.";
    /// A player without a spawn.
    NO_SPAWN = "MP012" Rule "no spawn is where the player of the team is",
        "Players of teams are the spawns of chunk 55 in their cells. Without one nobody knows who is meant.";
    /// A second list.
    SECOND = "MP013" Rule "another chunk of this id is read",
        "Everything but heights has one chunk. Readers take the first one and pass over the others; here they are kept.";
    /// A cell that is twice in a list.
    CELL_REPEATED = "MP014" Rule "the cell is in the list twice",
        "A cell blocks or it does not. The second time takes room and changes nothing.";
    /// A dummy of the editor.
    DUMMY = "MP015" Rule "the object is one that the editor drops",
        "Objects 65, 66 and 67 stand for cells that block movement, vision and both. The community's editor drops them and makes \
         them again from chunks 42 and 56.";
    /// Data of a camp where none is.
    CAMP = "MP016" Rule "the object has the numbers of a camp and is none",
        "Only object 2541, a camp of the computer in cooperative maps, has the last two numbers. For others nothing \
         reads them; set them to 0, or make the object a camp if that was meant.";
    /// Teams of another kind of map.
    TEAMS_KIND = "MP017" Rule "the teams are those of another kind of map",
        "Cooperative maps, which have chunk 59, have teams of data type 4; multiplayer maps have data type 2. The \
         teams may be read as others than they are. Save the map in an editor as the kind that it is to be.";
    /// Decoration that shows nothing.
    DECORATION = "MP018" Rule "cells have a group of decoration that is empty",
        "Group 0 is none. Another group without objects shows nothing either, so what was to grow there does not. Put \
         objects into the group, or set the cells to 0.";
    /// An id that GameData lacks.
    DANGLING = "MP020" Rule "the GameData has no such row",
        "Units, objects, buildings, races, portals and texts are rows of GameData. Name the GameData that the map is for.";
    /// A map that GameData does not know.
    NO_ROW = "MP021" Rule "the GameData does not know the map",
        "A map is known by its path below `map`, without its ending, which is the handle of a row of table 2052. Without one it has \
         no name.";
}
