//! The codes of the rules. The tens say what they are about: 00 what is used, 01 the geometry of meshes, 02 bodies, 03 sectors of a level of
//! Ballance, 04 its groups and elements, 05 names, 06 building blocks, 07 pictures, 08 lights and cameras, 09 what engines make of a
//! file when they load it. A new one takes the next number of its ten.

spelunk_core::codes! {
    /// A mesh, a material or a texture that nothing uses.
    UNUSED = "VL001" Rule "nothing uses the object",
        "No object refers to it and no text in the file has its name, so the game loads it for nothing. `--fix \
         --remove-unused` removes it, with its name. If another file finds it by its name, leave it and use `--allow \
         VL001`.";
    /// Meshes, materials or textures that are equal.
    DUPLICATE = "VL002" Rule "the object is another one again",
        "A mesh, material or texture is equal to another one, perhaps but for its name. The game loads and keeps both. \
         `--fix` lets all that refers to it refer to the first one of its name and removes it; with `--merge-names` one \
         stands for all, and names are lost. One that a cell of a data array, a parameter or a script refers \
         to, and one whose name is a text in the file, stays.";
    /// A file that objects name and that is not there.
    MISSING_FILE = "VL003" Rule "a file that the object needs is missing",
        "The game draws a texture white and leaves a sound silent if it does not find the file. It was looked for beside \
         the file, in `Textures` and `Sounds` there and in the folder above, whatever the case of its letters, and \
         where `--search` says. Put the file there, or name the folder.";
    /// Vertices that no face and no line has.
    ISOLATED_VERTICES = "VL010" Rule "no face has these vertices",
        "They cannot be seen, but they count where the game makes a physical body of the mesh, and make it larger than it \
         looks. `--fix` removes them unless something else of the mesh goes by the numbers of vertices, such as weights, \
         channels with coordinates of their own, skins and animations.";
    /// Faces without an area.
    DEGENERATE_FACES = "VL011" Rule "faces have no area",
        "Two corners of a face are one vertex, or at one place. It cannot be seen, and has no direction: normals and \
         physical bodies made of it can be wrong. `--fix` drops it unless something else of the mesh goes by the numbers \
         of faces.";
    /// Faces of vertices that are not there.
    FACE_VERTICES = "VL012" Rule "faces have vertices that the mesh does not have",
        "The engine reads past the end of its vertices: the game crashes, or draws what happens to be there. `--fix` \
         drops such faces.";
    /// Faces of a material slot that is not there.
    FACE_SLOTS = "VL013" Rule "faces have a material slot that the mesh does not have",
        "The engine reads past the end of the material slots, and the game crashes. `--fix` gives such faces the first \
         slot, which stands for no material.";
    /// Faces whose corners are on one line.
    COLLINEAR_FACES = "VL014" Rule "the corners of faces are on one line",
        "The third corner is off the longest edge by less than 2^-22 of its length; coordinates are not stored more \
         exactly. Such a face cannot be seen, and has no direction: normals and physical bodies made of it can be wrong. \
         It is not mended, since mostly it closes the gap between an edge of one face and the vertex of others that lies on \
         it: without it the background would shine through. Dissolve it together with its neighbours in the modelling \
         program.";
    /// An object of a physics group that is scaled or mirrored.
    SCALED = "VL020" Rule "an object of a physics group is scaled or mirrored",
        "The physics engine of Ballance takes the place and the direction of an object and not its size: the ball rolls \
         on something else than is seen. Apply the scale to the vertices of the mesh in the modelling program.";
    /// An object of a physics group without a mesh.
    NO_MESH = "VL021" Rule "an object of a physics group has no mesh",
        "The physical body of a floor or rail is made of its mesh, and the level does not load without. A placeholder of \
         a `P_` group without one is placed, but cannot be seen in the editor. Give it a mesh or take it out of the group.";
    /// An object in several physics groups.
    SEVERAL_PHYSICS = "VL022" Rule "the object is in several physics groups",
        "Ballance makes a physical body of it for each of the `Phys_` groups, and they push each other. Leave it in one.";
    /// Too few or too many sectors.
    SECTOR_COUNT = "VL030" Rule "the level has too few or too many sectors",
        "Sectors are the groups `Sector_01` to `Sector_08`. Without one nothing is loaded. With a ninth the game as it was sold \
         stops while it loads the level; players need a loader for more sectors, which know the ninth as `Sector_9`. A level \
         of one sector alone meets known bugs of the game: the balloon at its end does not come, and the flames of the \
         checkpoint are drawn wrong.";
    /// A sector that is left out.
    SECTOR_GAP = "VL031" Rule "a sector is missing between others",
        "The game goes from sector to sector by their numbers, and does not get past a gap; up to 8 it looks for names of two \
         digits. Number the groups from `Sector_01` on.";
    /// Not one start.
    LEVEL_START = "VL032" Rule "the level does not have one start",
        "The ball starts at its four flames, the one member of `PS_Levelstart`. Without one the level \
         does not start; the game takes only one of several.";
    /// Not one end.
    LEVEL_END = "VL033" Rule "the level does not have one end",
        "The level ends at its balloon, the one member of `PE_Levelende`. Without one it cannot be finished; the game takes only one of several.";
    /// Not as many reset points as sectors.
    RESET_POINTS = "VL034" Rule "there are not as many reset points as sectors",
        "The ball comes back at the reset point of its sector, a member of `PR_Resetpoints`. Without one it falls into \
         nothing again and again.";
    /// Not one checkpoint fewer than sectors.
    CHECKPOINTS = "VL035" Rule "there is not one checkpoint fewer than sectors",
        "A checkpoint, a member of `PC_Checkpoints`, leads from each sector but the last into the next. One too few, and \
         the next sector is never reached.";
    /// Members that are not numbered as their sectors.
    NUMBERING = "VL036" Rule "the number of a point is not that of a sector",
        "The game sorts reset points and checkpoints by the numbers at the ends of their names. With a number twice or \
         left out the wrong sector is activated. Rename them: `PR_Resetpoint_01`, `PC_TwoFlames_01` and so on.";
    /// An object that its name puts into another group.
    WRONG_GROUP = "VL040" Rule "the object is not in the group of its name",
        "The game puts its modules where the members of their groups are and does not look at names. An object whose name \
         begins with that of a group was probably meant to be in it: add it, or rename it.";
    /// A module that is in no sector.
    NO_SECTOR = "VL041" Rule "the module is in no sector",
        "Members of `P_` groups come and go with their sector. Without one the module never comes.";
    /// A module that is in several sectors.
    SEVERAL_SECTORS = "VL042" Rule "the module is in several sectors",
        "Members of `P_` groups come and go with their sector. One that is in several is made anew in each, and goes when \
         the first one ends.";
    /// Rails with other textures, or meshes of rails elsewhere.
    RAILS = "VL043" Rule "the object is not what belongs to Phys_FloorRails",
        "The game lays the texture of the members of `Phys_FloorRails` anew, as a reflection of what is around them, and \
         does that to their meshes. A part with another texture than `Rail_Environment.bmp` looks polished, and so does \
         every object outside of the group that has the mesh of a rail. Take the object out of the group, or give it a \
         mesh of its own.";
    /// A stopper that is not heard.
    STOPPER_SOUND = "VL044" Rule "the stopper makes no sound",
        "Of the members of `Phys_FloorStopper` the game gives the sound of a hit to the first one alone. Join the meshes of \
         the stoppers to one object, or let the one that is to be heard be the first member.";
    /// A mesh, a material or a texture of a module that something else has too.
    SHARED = "VL045" Rule "the object shares its looks with a module of the game",
        "The game changes or removes the placeholders of its modules, with their meshes, materials and textures: another \
         object that has one of them too is drawn in a wrong way. Give the object a copy of its own.";
    /// Objects of one name.
    SAME_NAME = "VL050" Rule "another object of the class has the same name",
        "Scripts and other files find objects by class and name, and find the first one only. Where only the case of \
         letters differs, some programs take them for one. Give one of them another name.";
    /// A name that is not in the code page.
    NOT_IN_CODE_PAGE = "VL051" Rule "no code page can hold the name",
        "Its bytes are no text in the code pages of `--encoding`, so programs show something else or refuse it. Name the \
         author's code page, or give the object another name.";
    /// A name with bytes that are no text.
    CONTROL_BYTES = "VL052" Rule "the name has control bytes in it",
        "Engines end a name at its first NUL, and text boxes show control bytes as nothing: what is searched for is not \
         found. Give the object another name.";
    /// Building blocks that the list of plugins does not name.
    UNLISTED_BLOCK = "VL060" Rule "the plugin list does not name the building block",
        "Engines look at the list of plugins to tell what is missing before they load a file. Without an entry a player \
         that lacks the building block loads the file and fails when the script runs. Save the file again with the \
         authoring tool.";
    /// A texture with a save option of its own.
    SAVE_OPTION = "VL070" Rule "the texture does not follow the global save option",
        "The option tells programs that save the map again what to do with the picture; games do not look at it. The \
         known levels of the game leave it to the global setting. With another option a picture that is in the file can \
         be lost when it is saved again, or one that is not can be put into it. Options that keep a picture in the file \
         are not told where it is there. `--fix` sets the global setting, and leaves the picture as it is.";
    /// A texture without anything to draw.
    NO_PICTURE = "VL071" Rule "the texture has no picture and names no file",
        "There is nothing to draw: what has the texture is white in the game, unless a script makes a picture; outside of maps \
         this is a note. Name the file of the picture with \
         `spelunk set`, as `file_names.slots[0].file_name`, or give the texture a picture in the modelling program.";
    /// A texture with another pixel format than that of the game's levels.
    PIXEL_FORMAT = "VL072" Rule "the pixel format is not that of the game's levels",
        "In the game's levels textures are ARGB 1555 in video memory, those with transparent parts (its `.tga` files) ARGB \
         8888. Another format takes more memory, or shows colours and transparent parts in another way than the game. Set \
         it with `spelunk set`, as `texture.video_format`, unless it is meant.";
    /// A light in a map.
    LIGHT = "VL080" Rule "the map holds a light",
        "Ballance lights its levels itself. A light that is active comes on top of that and changes the look of all that it \
         reaches, the ball too; one that is not active only takes room, which is a note. Remove it with `spelunk rm`, \
         unless it is meant.";
    /// A camera in a map.
    CAMERA = "VL081" Rule "the map holds a camera",
        "Ballance looks through a camera of its own and never through this one, which was probably left over in the \
         modelling program. Remove it with `spelunk rm`.";
    /// Materials of light cones that the game does not find.
    LIGHT_CONE = "VL082" Rule "the material is not the light cone of lanterns",
        "The game finds the cones of light below lanterns by one material, `Laterne_Verlauf`, whose texture is \
         `Laterne_Verlauf.tga`. A second material of that name and one of another name with that texture show no cone, \
         and one of that name with another texture is taken for a cone. Let all lanterns have the one material.";
    /// An entity whose axes are in one plane.
    FLAT_AXES = "VL090" Rule "the axes of the entity span no space",
        "Its matrix makes everything flat and cannot be taken back: engines compute places of children and pictures on the \
         screen with it, and get numbers that are none. An entity that is not moved at all has the axes 1 0 0, 0 1 0 and \
         0 0 1: set them with `spelunk set`, as `entity.right`, `entity.up` and `entity.direction`, or apply the scale in \
         the modelling program.";
    /// An object that is in a group twice.
    TWICE_IN_GROUP = "VL091" Rule "the object is in the group twice",
        "Engines take a member once where they add it, and keep what a file holds: scripts that go through the group do \
         everything to it twice. Take one entry out of the list with `spelunk set`, or save the group again.";
    /// A reference to a position behind the object table.
    OUTSIDE = "VL092" Rule "the reference is to an object that the file does not have",
        "References are positions in the object table, and this one lies behind its end. Engines read past the end of \
         their table, or take it as null. Refer to another object, or compare with another copy of the file.";
}
