#include <inttypes.h>
#include <spelunk.h>
#include <stdio.h>

static int run(spl_session *session, const char *verb, const char *request) {
    spl_rows *rows;
    spl_item item;
    spl_status status = spl_call(session, verb, request, &rows);
    while (!status && !(status = spl_next(rows, &item)) && item.kind != SPL_END)
        if (item.kind == SPL_ROW || item.kind == SPL_DIAGNOSTIC) puts(item.text);
    spl_free(rows);
    return status ? 1 : item.code;
}

int main(void) {
    spl_session *session;
    spl_file *file;
    spl_mesh_view cube;
    uint64_t number;
    char change[200];
    if (spl_session_new(NULL, &session) || spl_open_path(session, "level.nmo", &file) ||
        spl_file_number(file, &number) || spl_mesh(file, "CKMesh/Cube_Mesh", &cube))
        return fprintf(stderr, "%s [%s]\n", spl_error()->message, spl_error()->code), 1;
    printf("%zu vertices, the first at %g %g %g\n", cube.vertex_count, cube.positions[0], cube.positions[1], cube.positions[2]);
    snprintf(change, sizeof change, "{\"file\": %" PRIu64 ", \"changes\": [\"CKMaterial/Wood/material.diffuse=#ff0000\"], "
             "\"output\": \"red.nmo\"}", number);
    int code = run(session, "ls", "{\"file\": \"level.nmo\"}") | run(session, "set", change);
    spl_free(cube.view), spl_free(file), spl_free(session);
    return code;
}
