//! Names of the values of types (`docs/formats/classes/parameters.md#values-of-types`).

/// Values and their names.
type Names = &'static [(i64, &'static str)];

/// Yes or no.
pub const YES_NO: Names = &[(0, "no"), (1, "yes")];

/// An axis and its sense.
pub const DIRECTION: Names = &[(1, "X"), (2, "-X"), (3, "Y"), (4, "-Y"), (5, "Z"), (6, "-Z")];

/// How two values are compared.
pub const COMPARISON: Names = &[
    (1, "equal"),
    (2, "not equal"),
    (3, "less"),
    (4, "less or equal"),
    (5, "greater"),
    (6, "greater or equal"),
];

/// What is done with two values.
pub const BINARY_OPERATOR: Names = &[(1, "+"), (2, "-"), (3, "*"), (4, "/")];

/// What is done with two sets.
pub const SET_OPERATOR: Names = &[(1, "union"), (2, "intersection"), (3, "subtraction")];

/// What a column of a data array holds.
pub const COLUMN_TYPE: Names =
    &[(1, "int"), (2, "float"), (3, "string"), (4, "object"), (5, "parameter")];

/// What a scene does with the activity of objects.
pub const SCENE_ACTIVITY: Names =
    &[(0, "default"), (1, "force activate"), (2, "force deactivate"), (3, "nothing")];

/// What a scene does with the initial values of objects.
pub const SCENE_RESET: Names = &[(0, "default"), (1, "force"), (2, "nothing")];

/// How 3D sprites turn to the camera.
pub const SPRITE_3D_MODE: Names =
    &[(0, "billboard"), (1, "x rotate"), (2, "y rotate"), (3, "orientable")];

/// How fog grows with the distance.
pub const FOG: Names = &[(0, "none"), (1, "exp"), (2, "exp2"), (3, "linear")];

/// Kinds of lights.
pub const LIGHT: Names = &[(1, "point"), (2, "spot"), (3, "directional"), (4, "parallel")];

/// How a texture is combined with what is below it.
pub const TEXTURE_BLEND: Names = &[
    (1, "decal"),
    (2, "modulate"),
    (3, "decal alpha"),
    (4, "modulate alpha"),
    (5, "decal mask"),
    (6, "modulate mask"),
    (7, "copy"),
    (8, "add"),
    (9, "dot3"),
    (10, "max"),
];

/// How texels are chosen.
pub const FILTER: Names = &[
    (1, "nearest"),
    (2, "linear"),
    (3, "mip nearest"),
    (4, "mip linear"),
    (5, "linear mip nearest"),
    (6, "linear mip linear"),
    (7, "anisotropic"),
];

/// With what a colour is multiplied.
pub const BLEND_FACTOR: Names = &[
    (1, "zero"),
    (2, "one"),
    (3, "source colour"),
    (4, "inverse source colour"),
    (5, "source alpha"),
    (6, "inverse source alpha"),
    (7, "destination alpha"),
    (8, "inverse destination alpha"),
    (9, "destination colour"),
    (10, "inverse destination colour"),
    (11, "source alpha saturated"),
    (12, "both source alpha"),
    (13, "both inverse source alpha"),
];

/// What happens outside a texture.
pub const ADDRESS: Names =
    &[(1, "wrap"), (2, "mirror"), (3, "clamp"), (4, "border"), (5, "mirror once")];

/// What is drawn of faces.
pub const FILL: Names = &[(1, "point"), (2, "wire"), (3, "solid")];

/// How light is spread over faces.
pub const SHADE: Names = &[(1, "flat"), (2, "gouraud"), (3, "phong")];

/// When a pixel passes a test.
pub const COMPARE: Names = &[
    (1, "never"),
    (2, "less"),
    (3, "equal"),
    (4, "less or equal"),
    (5, "greater"),
    (6, "not equal"),
    (7, "greater or equal"),
    (8, "always"),
];

/// Effects of materials.
pub const MATERIAL_EFFECT: Names = &[
    (0, "none"),
    (1, "texgen"),
    (2, "texgen with reference"),
    (3, "bump env"),
    (4, "dot3"),
    (5, "two textures"),
    (6, "three textures"),
];

/// How pixels are stored.
pub const PIXEL_FORMAT: Names = &[
    (0, "unknown"),
    (1, "ARGB8888"),
    (2, "RGB888 (32)"),
    (3, "RGB888 (24)"),
    (4, "RGB565"),
    (5, "RGB555"),
    (6, "ARGB1555"),
    (7, "ARGB4444"),
    (8, "RGB332"),
    (9, "ARGB2222"),
    (10, "ABGR8888"),
    (11, "RGBA8888"),
    (12, "BGRA8888"),
    (13, "BGR888 (32)"),
    (14, "BGR888 (24)"),
    (15, "BGR565"),
    (16, "BGR555"),
    (17, "ABGR1555"),
    (18, "ABGR4444"),
    (19, "DXT1"),
    (20, "DXT2"),
    (21, "DXT3"),
    (22, "DXT4"),
    (23, "DXT5"),
    (24, "V8U8"),
    (25, "V16U16"),
    (26, "L6V5U5"),
    (27, "X8L8V8U8"),
];

/// Where text stands, as bits.
pub const TEXT_ALIGNMENT: &[(u32, &str)] = &[
    (1, "centre"),
    (2, "left"),
    (4, "right"),
    (8, "top"),
    (16, "bottom"),
    (32, "vertical centre"),
    (64, "horizontal centre"),
];

/// What is drawn of a frame, as bits.
pub const RENDER_OPTIONS: &[(u32, &str)] = &[
    (1, "background sprites"),
    (2, "foreground sprites"),
    (8, "camera ratio"),
    (16, "clear Z"),
    (32, "clear back buffer"),
    (64, "clear stencil"),
    (128, "swap"),
    (256, "clear viewport"),
    (512, "vertical sync"),
    (1024, "no 3D"),
];
