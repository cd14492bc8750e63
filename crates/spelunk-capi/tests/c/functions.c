// Every function, on the samples in the folder that it is run in.
#include "check.h"
#include <inttypes.h>

static spl_session *session;

static void sessions(void) {
    CHECK(spl_abi_version() == SPL_ABI_VERSION);
    CHECK(strchr(spl_version(), '.') != NULL);
    spl_session *other;
    CHECK(spl_session_new("{\"strict\": true, \"max_memory\": 100000000, \"threads\": 1, \"code_pages\": \"cp1252\"}", &other) == SPL_OK);
    CHECK(other != session);
    CHECK(call(other, "info", "{\"files\": [\"level.nmo\"]}").code == 0);
    CHECK(spl_free(other) == SPL_OK);
    CHECK(spl_free(NULL) == SPL_OK);
    // A limit that no file keeps.
    CHECK(spl_session_new("{\"max_memory\": 10}", &other) == SPL_OK);
    spl_file *file;
    CHECK(is_error(spl_open_path(other, "level.nmo", &file), SPL_FAILED, "SP010"));
    CHECK(file == NULL);
    spl_free(other);
}

static void rows(void) {
    answer ls = call(session, "ls", "{\"file\": \"level.nmo\"}");
    CHECK(ls.code == 0 && ls.count[SPL_ROW] == 9 && ls.count[SPL_END] == 1);
    CHECK(strstr(ls.first, "\"name\":\"Wood_Texture\"") != NULL);
    answer cat = call(session, "cat", "{\"file\": \"forest.snpak\", \"path\": \"sounds/wind\"}");
    CHECK(cat.code == 0 && cat.bytes == 900);
    // What would go to standard output.
    answer printed = call(session, "export", "{\"file\": \"level.nmo\", \"output\": \"-\", \"to\": \"glb\"}");
    CHECK(printed.code == 0 && printed.count[SPL_BODY] == 1 && printed.bytes > 100);
    answer input = call(session, "ls", "{\"file\": \"-\"}");
    CHECK(input.code == 2 && strstr(input.last_diagnostic, "\"code\":\"SP222\"") != NULL);
    spl_file *stream;
    CHECK(is_error(spl_open_path(session, "-", &stream), SPL_FAILED, "SP222") && stream == NULL);
    answer none = call(session, "ls", "{\"file\": \"nothing.nmo\"}");
    CHECK(none.code == 4 && none.count[SPL_DIAGNOSTIC] == 1);
    CHECK(strstr(none.last_diagnostic, "\"code\":\"SP020\"") != NULL);
    answer wrong = call(session, "ls", "{\"fil\": \"level.nmo\"}");
    CHECK(wrong.code == 2 && strstr(wrong.last_diagnostic, "\"code\":\"SP190\"") != NULL);
    CHECK(call(session, "juggle", "{}").code == 2);
    CHECK(call(session, "ls", "{").code == 2);
    // The end comes again.
    spl_rows *ended;
    spl_item item;
    CHECK(spl_call(session, "ls", "{\"file\": \"level.nmo\", \"limit\": 1}", &ended) == SPL_OK);
    do CHECK(spl_next(ended, &item) == SPL_OK);
    while (item.kind != SPL_END);
    CHECK(spl_next(ended, &item) == SPL_OK && item.kind == SPL_END && item.code == 0);
    CHECK(spl_free(ended) == SPL_OK);
    // Rows that nobody reads to their end.
    CHECK(spl_call(session, "ls", "{\"file\": \"GameData.cff\"}", &ended) == SPL_OK);
    CHECK(spl_free(ended) == SPL_OK);
}

static void open_files(void) {
    spl_file *file, *same;
    uint64_t number, other;
    char request[512];
    size_t size;
    unsigned char *bytes = read_file("level.nmo", &size);
    CHECK(spl_open_path(session, "level.nmo", &file) == SPL_OK && spl_file_number(file, &number) == SPL_OK);
    CHECK(spl_open_bytes(session, "in memory", bytes, size, &same) == SPL_OK);
    memset(bytes, 0, size);
    free(bytes);
    CHECK(spl_file_number(same, &other) == SPL_OK && number != other);
    snprintf(request, sizeof request, "{\"file\": %" PRIu64 ", \"path\": \"CKMaterial/Wood\"}", other);
    answer before = call(session, "show", request);
    CHECK(before.code == 0 && strstr(before.first, "in memory") != NULL);
    // What is changed in an open file is seen by whoever asks next, and by nobody who has another one.
    snprintf(request, sizeof request, "{\"file\": %" PRIu64 ", \"changes\": [\"CKMaterial/Wood/material.diffuse=#ff0000\"]}", other);
    CHECK(call(session, "set", request).code == 0);
    snprintf(request, sizeof request, "{\"old\": %" PRIu64 ", \"new\": %" PRIu64 "}", number, other);
    answer diff = call(session, "diff", request);
    CHECK(diff.code == 1 && diff.count[SPL_ROW] >= 1);
    snprintf(request, sizeof request, "{\"file\": %" PRIu64 ", \"output\": \"red.nmo\", \"force\": true}", other);
    CHECK(call(session, "rewrite", request).code == 0);
    snprintf(request, sizeof request, "{\"old\": %" PRIu64 ", \"new\": \"red.nmo\"}", other);
    CHECK(call(session, "diff", request).code == 0);
    remove("red.nmo");
    // A file that was freed is gone for requests, too.
    CHECK(spl_free(same) == SPL_OK);
    CHECK(call(session, "ls", request).code == 2);
    CHECK(spl_free(file) == SPL_OK);
}

static void views(void) {
    spl_file *level, *textures;
    spl_mesh_view mesh, drawn;
    spl_image_view image;
    CHECK(spl_open_path(session, "level.nmo", &level) == SPL_OK);
    CHECK(spl_mesh(level, "CKMesh/Cube_Mesh", &mesh) == SPL_OK);
    CHECK(spl_mesh(level, "CK3dObject/Cube", &drawn) == SPL_OK);
    CHECK(mesh.vertex_count > 2 && mesh.face_count > 0 && mesh.vertex_count == drawn.vertex_count);
    CHECK((uintptr_t)mesh.positions % sizeof(float) == 0 && (uintptr_t)mesh.faces % sizeof(uint16_t) == 0);
    CHECK(mesh.material_count == 2 && mesh.materials[0] == NULL && strcmp(mesh.materials[1], "#1") == 0);
    CHECK(mesh.uv_count <= mesh.vertex_count && mesh.color_count <= mesh.vertex_count);
    // The memory of a view outlives its file and its session.
    CHECK(spl_free(level) == SPL_OK);
    float sum = 0, same = 0;
    for (size_t at = 0; at < mesh.vertex_count * 3; at++) {
        sum += mesh.positions[at] * (float)(at + 1) + mesh.normals[at];
        same += drawn.positions[at] * (float)(at + 1) + drawn.normals[at];
    }
    CHECK(sum == same);
    for (size_t face = 0; face < mesh.face_count; face++)
        for (int corner = 0; corner < 3; corner++) CHECK(mesh.faces[face * 4 + corner] < mesh.vertex_count);
    CHECK(spl_free(mesh.view) == SPL_OK && spl_free(drawn.view) == SPL_OK);
    CHECK(spl_open_path(session, "textures.snpak", &textures) == SPL_OK);
    CHECK(spl_image(textures, "textures/rgba8", 0, &image) == SPL_OK);
    CHECK(image.width > 0 && image.height > 0 && image.pixels != NULL && image.file == NULL);
    CHECK(is_error(spl_mesh(textures, "textures/rgba8", &mesh), SPL_FAILED, "SP070") && mesh.view == NULL);
    CHECK(is_error(spl_image(textures, "textures/none", 0, &image), SPL_FAILED, "SP022") && image.view == NULL);
    CHECK(spl_free(textures) == SPL_OK);
}

static void packs(void) {
    spl_file *file, *level;
    spl_pack *pack;
    spl_asset asset;
    size_t size;
    CHECK(spl_open_path(session, "forest.snpak", &file) == SPL_OK);
    CHECK(spl_pack_open(file, &pack) == SPL_OK && spl_free(file) == SPL_OK);
    static const char *const paths[] = {"textures/bark", "textures/bark@mobile", "meshes/oak_trunk", "sounds/wind", "sounds/silence",
                                        "levels/forest"};
    for (size_t nth = 0; nth < sizeof paths / sizeof *paths; nth++) {
        char request[256];
        uint32_t sum = 0;
        CHECK(spl_pack_find(pack, paths[nth], &asset) == SPL_OK);
        unsigned char *buffer = malloc((size_t)asset.size + 16);
        memset(buffer, 0xAB, (size_t)asset.size + 16);
        CHECK(spl_pack_load(pack, asset.number, buffer, (size_t)asset.size + 8, &size) == SPL_OK && size == asset.size);
        for (size_t at = 0; at < size; at++) sum = sum * 31 + buffer[at];
        for (size_t at = size; at < size + 16; at++) CHECK(buffer[at] == 0xAB);
        snprintf(request, sizeof request, "{\"file\": \"forest.snpak\", \"path\": \"%s\"}", paths[nth]);
        answer cat = call(session, "cat", request);
        CHECK(cat.code == 0 && cat.bytes == size && (size == 0 || cat.sum == sum));
        if (size > 0) {
            memset(buffer, 0xAB, size);
            spl_status status = spl_pack_load(pack, asset.number, buffer, (size_t)asset.size - 1, &size);
            CHECK(is_error(status, SPL_TOO_SMALL, "SP220") && size == asset.size && buffer[0] == 0xAB);
        }
        free(buffer);
    }
    char nothing[1];
    CHECK(is_error(spl_pack_load(pack, 999, nothing, 1, &size), SPL_FAILED, "SP022") && size == 0);
    CHECK(spl_pack_find(pack, "sounds/rain", &asset) == SPL_FAILED && asset.size == 0);
    CHECK(spl_free(pack) == SPL_OK);
    CHECK(spl_open_path(session, "level.nmo", &level) == SPL_OK);
    CHECK(is_error(spl_pack_open(level, &pack), SPL_FAILED, "SP090") && pack == NULL);
    CHECK(spl_free(level) == SPL_OK);
}

// A payload that was damaged is an error that says where.
static void damage(void) {
    spl_file *file;
    spl_pack *pack;
    spl_asset asset;
    size_t size, len;
    unsigned char *bytes = read_file("textures.snpak", &len);
    char buffer[4096];
    CHECK(spl_open_bytes(session, "textures", bytes, len, &file) == SPL_OK && spl_pack_open(file, &pack) == SPL_OK);
    CHECK(spl_pack_find(pack, "textures/rgba8", &asset) == SPL_OK);
    CHECK(spl_pack_load(pack, asset.number, buffer, sizeof buffer, &size) == SPL_OK);
    CHECK(spl_free(pack) == SPL_OK && spl_free(file) == SPL_OK);
    for (size_t at = 0; at + 8 < len; at++) {
        if (memcmp(bytes + at, buffer, 8) == 0) bytes[at] ^= 1;
    }
    CHECK(spl_open_bytes(session, "textures", bytes, len, &file) == SPL_OK && spl_pack_open(file, &pack) == SPL_OK);
    free(bytes);
    spl_status status = spl_pack_load(pack, asset.number, buffer, sizeof buffer, &size);
    CHECK(status == SPL_FAILED && strncmp(spl_error()->code, "SN", 2) == 0 && spl_error()->space != NULL);
    CHECK(spl_free(pack) == SPL_OK && spl_free(file) == SPL_OK);
}

// What a verb says of an open file.
static answer of_file(const char *verb, spl_file *file) {
    uint64_t number;
    char request[64];
    CHECK(spl_file_number(file, &number) == SPL_OK);
    snprintf(request, sizeof request, "{\"file\": %" PRIu64 "}", number);
    return call(session, verb, request);
}

// A size that the stored bytes cannot unpack to is an error before anybody makes room for it; and what is wrong with a file is the same
// whether it is opened at a path or from memory, and is not taken by views.
static void false_sizes(void) {
    spl_file *file, *same;
    spl_pack *pack;
    spl_asset asset;
    spl_image_view picture;
    size_t size, len;
    const uint64_t too_large = (uint64_t)1 << 60;
    unsigned char *bytes = read_file("textures.snpak", &len);
    int refused = 0, found = 0;
    char buffer[1];
    CHECK(spl_open_bytes(session, "textures", bytes, len, &file) == SPL_OK && spl_pack_open(file, &pack) == SPL_OK);
    CHECK(spl_pack_find(pack, "textures/rgba8", &asset) == SPL_OK);
    CHECK(spl_free(pack) == SPL_OK && spl_free(file) == SPL_OK);
    for (size_t at = 0; at + 8 <= len; at++) {
        if (memcmp(bytes + at, &asset.size, 8) != 0) continue;
        memcpy(bytes + at, &too_large, 8);
        FILE *damaged = fopen("damaged.snpak", "wb");
        CHECK(damaged && fwrite(bytes, 1, len, damaged) == len && fclose(damaged) == 0);
        spl_status by_bytes = spl_open_bytes(session, "damaged.snpak", bytes, len, &file);
        CHECK(spl_open_path(session, "damaged.snpak", &same) == by_bytes);
        memcpy(bytes + at, &asset.size, 8);
        if (by_bytes != SPL_OK) continue;
        if (spl_image(same, "textures/rgba8", 0, &picture) == SPL_OK) CHECK(spl_free(picture.view) == SPL_OK);
        answer one = of_file("ls", file), other = of_file("ls", same);
        CHECK(one.code == other.code && one.count[SPL_DIAGNOSTIC] == other.count[SPL_DIAGNOSTIC]);
        found += one.count[SPL_DIAGNOSTIC] > 0;
        if (spl_pack_open(file, &pack) == SPL_OK) {
            spl_status status = spl_pack_load(pack, asset.number, buffer, sizeof buffer, &size);
            CHECK(status == SPL_TOO_SMALL ? size == asset.size : status == SPL_FAILED && size == 0);
            refused += status == SPL_FAILED && strncmp(spl_error()->code, "SN", 2) == 0;
            spl_free(pack);
        }
        CHECK(spl_free(file) == SPL_OK && spl_free(same) == SPL_OK);
    }
    free(bytes);
    CHECK(refused > 0 && found > 0);
}

int main(void) {
    CHECK(spl_error() == NULL);
    CHECK(spl_session_new(NULL, &session) == SPL_OK && session != NULL);
    sessions();
    rows();
    open_files();
    views();
    packs();
    damage();
    false_sizes();
    CHECK(spl_free(session) == SPL_OK);
    return report("functions");
}
