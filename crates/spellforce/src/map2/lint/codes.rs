//! The codes of the rules about maps of SpellForce 2.

spelunk_core::codes! {
    /// A team that the map does not have.
    TEAM = "MP060" Rule "the map has no such team",
        "Units and buildings name their team by its index in chunk 9000. In all known maps of SpellForce 2 that team is there. \
         Whose a unit without one is, is not known.";
    /// A player kit that the map does not have.
    KIT = "MP061" Rule "the map has no such player kit",
        "Start points, units and buildings name the kit to which they belong by the tag that it has in chunk 1004. In all known \
         maps of SpellForce 2 that kit is there.";
    /// A member of a group that is nothing on the map.
    MEMBER = "MP062" Rule "nothing on the map has the tag of the member",
        "A group lists the tags of the things that belong to it, in capital letters. In all known maps of SpellForce 2 each of \
         them is the tag of something. A script that goes over the group does not find this one.";
    /// A unit or building outside of the map.
    OUTSIDE = "MP063" Rule "it stands outside of the map",
        "Positions count from 0 to 1.4 for each cell of the map. There is no ground elsewhere.";
    /// A pyramid of other heights.
    PYRAMID = "MP064" Rule "the pyramid is not that of the heights",
        "Behind the heights of the ground stand the greatest ones of ever larger squares, which follow from them. Somebody changed the \
         heights alone. What the game does with the pyramid is not known: finding what a line of sight hits is likely, and it \
         would miss what is higher than the pyramid says.";
    /// Blocked cells that nothing explains.
    BLOCKED = "MP065" Rule "cells are blocked otherwise than textures and marks say",
        "A cell is blocked where its texture is impassable, or where it is marked as deep water or closed by hand. Of 2.6 million \
         cells of known maps 2 are not as that says. The editor makes the bits anew when it saves the map.";
}
