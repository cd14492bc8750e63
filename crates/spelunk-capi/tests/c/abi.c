// Sizes of what passes between a program and the library, and where each field lies.
#include <spelunk.h>
#include <stdio.h>

#define SIZE(type) printf("%s: %zu bytes\n", #type, sizeof(type))
#define FIELD(type, field) printf("    %s: %zu\n", #field, offsetof(type, field))

int main(void) {
    SIZE(spl_status);
    SIZE(spl_kind);
    SIZE(spl_item);
    FIELD(spl_item, kind);
    FIELD(spl_item, code);
    FIELD(spl_item, file);
    FIELD(spl_item, text);
    FIELD(spl_item, size);
    SIZE(spl_mesh_view);
    FIELD(spl_mesh_view, view);
    FIELD(spl_mesh_view, vertex_count);
    FIELD(spl_mesh_view, positions);
    FIELD(spl_mesh_view, normals);
    FIELD(spl_mesh_view, uvs);
    FIELD(spl_mesh_view, uv_count);
    FIELD(spl_mesh_view, colors);
    FIELD(spl_mesh_view, color_count);
    FIELD(spl_mesh_view, faces);
    FIELD(spl_mesh_view, face_count);
    FIELD(spl_mesh_view, lines);
    FIELD(spl_mesh_view, line_count);
    FIELD(spl_mesh_view, materials);
    FIELD(spl_mesh_view, material_count);
    SIZE(spl_image_view);
    FIELD(spl_image_view, view);
    FIELD(spl_image_view, width);
    FIELD(spl_image_view, height);
    FIELD(spl_image_view, pixels);
    FIELD(spl_image_view, file);
    SIZE(spl_asset);
    FIELD(spl_asset, number);
    FIELD(spl_asset, size);
    FIELD(spl_asset, id);
    SIZE(spl_error_info);
    FIELD(spl_error_info, status);
    FIELD(spl_error_info, code);
    FIELD(spl_error_info, message);
    FIELD(spl_error_info, path);
    FIELD(spl_error_info, space);
    FIELD(spl_error_info, offset);
    return 0;
}
