// What the header calls misuse, each with every function that it is about; and threads that are at the same handles.
#include "check.h"
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#define MISUSE(call) CHECK(is_error((call), SPL_MISUSE, "SP219") || is_error((call), SPL_MISUSE, "SP220"))

static spl_session *session;
static spl_file *file;
static spl_pack *pack;
static spl_rows *rows;

// Calls every function with this handle in the place of each handle that it takes.
static void each_with(void *wrong) {
    spl_file *new_file;
    spl_pack *new_pack;
    spl_rows *new_rows;
    spl_item item;
    spl_mesh_view mesh;
    spl_image_view image;
    spl_asset asset;
    uint64_t number;
    size_t size;
    const uint8_t *bytes;
    char buffer[16];
    MISUSE(spl_open_path(wrong, "level.nmo", &new_file));
    MISUSE(spl_open_bytes(wrong, "name", "", 0, &new_file));
    MISUSE(spl_file_number(wrong, &number));
    MISUSE(spl_call(wrong, "ls", "{}", &new_rows));
    MISUSE(spl_next(wrong, &item));
    MISUSE(spl_body(wrong, &bytes, &size));
    MISUSE(spl_mesh(wrong, "CKMesh/Cube_Mesh", &mesh));
    MISUSE(spl_image(wrong, "CKTexture/Wood_Texture", 0, &image));
    MISUSE(spl_pack_open(wrong, &new_pack));
    MISUSE(spl_pack_find(wrong, "sounds/wind", &asset));
    MISUSE(spl_pack_load(wrong, 0, buffer, sizeof buffer, &size));
    MISUSE(spl_cancel(wrong));
    CHECK(new_file == NULL && new_rows == NULL && new_pack == NULL && number == 0 && bytes == NULL && size == 0);
    CHECK(item.kind == SPL_END && *item.text == 0 && mesh.view == NULL && image.view == NULL && asset.size == 0);
}

static void nulls(void) {
    spl_file *new_file;
    spl_rows *new_rows;
    spl_mesh_view mesh;
    spl_image_view image;
    spl_asset asset;
    size_t size;
    const uint8_t *bytes;
    char buffer[16];
    each_with(NULL);
    MISUSE(spl_session_new(NULL, NULL));
    MISUSE(spl_open_path(session, "level.nmo", NULL));
    MISUSE(spl_open_path(session, NULL, &new_file));
    MISUSE(spl_open_bytes(session, "name", NULL, 1, &new_file));
    MISUSE(spl_open_bytes(session, NULL, "", 0, &new_file));
    MISUSE(spl_open_bytes(session, "name", "", 0, NULL));
    MISUSE(spl_file_number(file, NULL));
    MISUSE(spl_call(session, NULL, "{}", &new_rows));
    MISUSE(spl_call(session, "ls", NULL, &new_rows));
    MISUSE(spl_call(session, "ls", "{}", NULL));
    MISUSE(spl_next(rows, NULL));
    MISUSE(spl_body(rows, NULL, &size));
    MISUSE(spl_body(rows, &bytes, NULL));
    MISUSE(spl_mesh(file, NULL, &mesh));
    MISUSE(spl_mesh(file, "CKMesh/Cube_Mesh", NULL));
    MISUSE(spl_image(file, NULL, 0, &image));
    MISUSE(spl_image(file, "CKTexture/Wood_Texture", 0, NULL));
    MISUSE(spl_pack_open(file, NULL));
    MISUSE(spl_pack_find(pack, NULL, &asset));
    MISUSE(spl_pack_find(pack, "sounds/wind", NULL));
    MISUSE(spl_pack_load(pack, 0, NULL, 16, &size));
    MISUSE(spl_pack_load(pack, 0, buffer, 16, NULL));
}

static void wrong_kinds(void) {
    spl_pack *new_pack;
    spl_item item;
    uint64_t number;
    MISUSE(spl_next((spl_rows *)session, &item));
    MISUSE(spl_file_number((spl_file *)session, &number));
    MISUSE(spl_pack_open((spl_file *)pack, &new_pack));
    MISUSE(spl_cancel(file));
    MISUSE(spl_cancel(pack));
    // Numbers that were never handles, and addresses of something else.
    each_with((void *)(uintptr_t)0xDEADBEEF);
    each_with(&item);
    each_with((void *)UINTPTR_MAX);
}

static void wrong_arguments(void) {
    spl_session *other;
    spl_file *new_file;
    spl_rows *new_rows;
    size_t size;
    const uint8_t *bytes;
    spl_item item;
    char buffer[64];
    MISUSE(spl_session_new("{\"strictly\": true}", &other));
    MISUSE(spl_session_new("{", &other));
    MISUSE(spl_session_new("[]", &other));
    MISUSE(spl_session_new("{\"generation\": \"newest\"}", &other));
    MISUSE(spl_session_new("\xff", &other));
    CHECK(other == NULL);
    MISUSE(spl_open_path(session, "caf\xe9.nmo", &new_file));
    MISUSE(spl_call(session, "ls", "{\"file\": \"caf\xe9\"}", &new_rows));
    MISUSE(spl_pack_load(pack, 0, buffer, SIZE_MAX, &size));
    MISUSE(spl_open_bytes(session, "name", buffer, SIZE_MAX, &new_file));
    // Results may lie anywhere: on 32 bits compilers place numbers of 64 where others would not.
    uint64_t number, misplaced;
    char *odd = buffer + 1 + (uintptr_t)buffer % 2;
    CHECK(spl_file_number(file, &number) == SPL_OK && spl_file_number(file, (uint64_t *)(void *)odd) == SPL_OK);
    memcpy(&misplaced, odd, sizeof misplaced);
    CHECK(misplaced == number);
    MISUSE(spl_session_new("{\"code_pages\": \"klingon\"}", &other));
    spl_session *unmapped;
    CHECK(spl_session_new("{\"no_map\": true}", &unmapped) == SPL_OK && spl_free(unmapped) == SPL_OK);
    // Bytes are asked for where none came.
    MISUSE(spl_body(rows, &bytes, &size));
    do CHECK(spl_next(rows, &item) == SPL_OK);
    while (item.kind != SPL_ROW);
    MISUSE(spl_body(rows, &bytes, &size));
    // Bytes that are no file, and none.
    CHECK(spl_open_bytes(session, "name", "not a file", 10, &new_file) == SPL_FAILED && new_file == NULL);
    CHECK(spl_open_bytes(session, "name", NULL, 0, &new_file) == SPL_FAILED && new_file == NULL);
}

// Handles that are freed twice, in each order, and things that outlive what they were made of.
static void freed(void) {
    spl_session *other;
    spl_file *left;
    spl_rows *running;
    spl_mesh_view mesh;
    CHECK(spl_session_new(NULL, &other) == SPL_OK && spl_open_path(other, "level.nmo", &left) == SPL_OK);
    CHECK(spl_call(other, "ls", "{\"file\": \"level.nmo\"}", &running) == SPL_OK);
    CHECK(spl_free(other) == SPL_OK);
    CHECK(is_error(spl_free(other), SPL_MISUSE, "SP219"));
    each_with(other);
    CHECK(spl_mesh(left, "CKMesh/Cube_Mesh", &mesh) == SPL_OK && mesh.vertex_count > 0);
    CHECK(finish(running).count[SPL_ROW] == 9);
    CHECK(is_error(spl_free(running), SPL_MISUSE, "SP219"));
    CHECK(spl_free(left) == SPL_OK);
    each_with(left);
    CHECK(spl_free(mesh.view) == SPL_OK && is_error(spl_free(mesh.view), SPL_MISUSE, "SP219"));
    // The place of one that was freed is used again, and its number is not.
    for (int nth = 0; nth < 1000; nth++) {
        spl_session *next;
        CHECK(spl_session_new(NULL, &next) == SPL_OK && next != other && (void *)next != (void *)left);
        CHECK(spl_free(next) == SPL_OK);
    }
    each_with(other);
}

static void *read_all(void *shared) {
    intptr_t found = 0;
    spl_item item;
    spl_status status;
    do {
        status = spl_next(shared, &item);
        if (status == SPL_OK && item.kind == SPL_ROW) found++;
    } while (status == SPL_BUSY || (status == SPL_OK && item.kind != SPL_END));
    return (void *)found;
}

// Several threads read the same rows: each row comes to one of them.
static void shared_rows(void) {
    pthread_t threads[4];
    spl_rows *shared;
    intptr_t all = 0;
    CHECK(spl_call(session, "ls", "{\"file\": \"GameData.cff\"}", &shared) == SPL_OK);
    for (int nth = 0; nth < 4; nth++) pthread_create(&threads[nth], NULL, read_all, shared);
    for (int nth = 0; nth < 4; nth++) {
        void *found;
        pthread_join(threads[nth], &found);
        all += (intptr_t)found;
    }
    CHECK(all == call(session, "ls", "{\"file\": \"GameData.cff\"}").count[SPL_ROW] && all > 10);
    CHECK(spl_free(shared) == SPL_OK);
}

static sem_t one_is_told;
static atomic_int busy_count;

static void *read_until_told(void *shared) {
    spl_item item;
    spl_status status;
    do status = spl_next(shared, &item);
    while (status == SPL_OK && item.kind != SPL_END);
    if (is_error(status, SPL_BUSY, "SP221")) busy_count++;
    sem_post(&one_is_told);
    return NULL;
}

// Two threads are at rows that do not come before somebody writes into a pipe: one waits, the other one is told so.
static void busy_rows(void) {
    static const char *const pipe_name = "busy.pipe";
    pthread_t readers[2];
    spl_rows *waiting;
    CHECK(mkfifo(pipe_name, 0600) == 0 && sem_init(&one_is_told, 0, 0) == 0);
    CHECK(spl_call(session, "ls", "{\"file\": \"busy.pipe\"}", &waiting) == SPL_OK);
    for (int nth = 0; nth < 2; nth++) pthread_create(&readers[nth], NULL, read_until_told, waiting);
    sem_wait(&one_is_told);
    CHECK(busy_count == 1);
    int writer = open(pipe_name, O_WRONLY);
    CHECK(writer >= 0 && close(writer) == 0 && unlink(pipe_name) == 0);
    for (int nth = 0; nth < 2; nth++) pthread_join(readers[nth], NULL);
    CHECK(busy_count == 1 && spl_free(waiting) == SPL_OK);
}

static void *load_all(void *wanted) {
    intptr_t failures = 0;
    for (int nth = 0; nth < 2000; nth++) {
        char buffer[8192];
        size_t size;
        spl_status status = spl_pack_load(pack, (uint64_t)(nth % 6), buffer, sizeof buffer, &size);
        if (status != SPL_OK || size != ((size_t *)wanted)[nth % 6]) failures++;
    }
    return (void *)failures;
}

static void *mesh_all(void *unused) {
    intptr_t wrong = 0;
    (void)unused;
    for (int nth = 0; nth < 300; nth++) {
        spl_mesh_view mesh;
        spl_status status = spl_mesh(file, "CKMesh/Cube_Mesh", &mesh);
        if (status == SPL_OK) wrong += mesh.vertex_count == 0 || spl_free(mesh.view) != SPL_OK;
        else wrong += status != SPL_BUSY || strcmp(spl_error()->code, "SP192") != 0;
    }
    return (void *)wrong;
}

static void *call_all(void *unused) {
    intptr_t wrong = 0;
    (void)unused;
    for (int nth = 0; nth < 50; nth++) wrong += call(session, "ls", "{\"file\": \"level.nmo\"}").count[SPL_ROW] != 9;
    return (void *)wrong;
}

static void *make_and_free(void *unused) {
    intptr_t wrong = 0;
    (void)unused;
    for (int nth = 0; nth < 200; nth++) {
        spl_session *own;
        spl_file *opened;
        wrong += spl_session_new(NULL, &own) != SPL_OK || spl_open_path(own, "level.nmo", &opened) != SPL_OK;
        wrong += spl_free(own) != SPL_OK || spl_free(opened) != SPL_OK || spl_free(opened) != SPL_MISUSE;
    }
    return (void *)wrong;
}

static void threads(void) {
    void *(*const jobs[])(void *) = {load_all, load_all, mesh_all, mesh_all, call_all, make_and_free};
    pthread_t running[6];
    size_t sizes[6];
    for (uint64_t nth = 0; nth < 6; nth++) {
        char buffer[8192];
        CHECK(spl_pack_load(pack, nth, buffer, sizeof buffer, &sizes[nth]) == SPL_OK);
    }
    for (int nth = 0; nth < 6; nth++) pthread_create(&running[nth], NULL, jobs[nth], sizes);
    for (int nth = 0; nth < 6; nth++) {
        void *wrong;
        pthread_join(running[nth], &wrong);
        CHECK(wrong == NULL);
    }
}

static void *read_until_end(void *shared) {
    spl_item item;
    while (spl_next(shared, &item) == SPL_OK && item.kind != SPL_END) {}
    return (void *)(intptr_t)item.code;
}

// Rows that are freed or cancelled while others read them.
static void ended_meanwhile(void) {
    for (int nth = 0; nth < 60; nth++) {
        pthread_t thread;
        spl_rows *read;
        CHECK(spl_call(session, "ls", "{\"file\": \"GameData.cff\"}", &read) == SPL_OK);
        pthread_create(&thread, NULL, read_until_end, read);
        if (nth % 3 == 0) CHECK(spl_free(read) == SPL_OK);
        if (nth % 3 == 1) CHECK(spl_cancel(read) == SPL_OK);
        if (nth % 3 == 2) CHECK(spl_cancel(session) == SPL_OK);
        pthread_join(thread, NULL);
        CHECK(spl_free(read) == (nth % 3 == 0 ? SPL_MISUSE : SPL_OK));
    }
    // What is cancelled says so, and ends where nobody reads it. What begins after it runs.
    const char *endless = "{\"files\": [\"level.nmo\"], \"sql\": \"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n\"}";
    spl_rows *cancelled;
    CHECK(spl_call(session, "query", endless, &cancelled) == SPL_OK);
    spl_item first;
    do CHECK(spl_next(cancelled, &first) == SPL_OK && first.kind != SPL_END);
    while (first.kind != SPL_ROW);
    CHECK(spl_cancel(cancelled) == SPL_OK);
    answer ended = finish(cancelled);
    CHECK(ended.code > 1 && strstr(ended.last_diagnostic, "\"code\":\"SP014\"") != NULL);
    CHECK(spl_cancel(session) == SPL_OK);
    CHECK(call(session, "ls", "{\"file\": \"level.nmo\"}").count[SPL_ROW] == 9);
}

// An error is that of the thread that met it.
static void *other_error(void *unused) {
    (void)unused;
    if (spl_error() != NULL) return (void *)1;
    spl_free((void *)(uintptr_t)12345);
    return (void *)(intptr_t)(strcmp(spl_error()->code, "SP219") != 0);
}

static void errors_of_threads(void) {
    pthread_t thread;
    void *wrong;
    spl_file *none;
    CHECK(spl_open_path(session, "nothing.nmo", &none) == SPL_FAILED);
    pthread_create(&thread, NULL, other_error, NULL);
    pthread_join(thread, &wrong);
    CHECK(wrong == NULL && strcmp(spl_error()->code, "SP020") == 0);
}

int main(void) {
    spl_file *packed;
    CHECK(spl_session_new(NULL, &session) == SPL_OK && spl_open_path(session, "level.nmo", &file) == SPL_OK);
    CHECK(spl_open_path(session, "forest.snpak", &packed) == SPL_OK && spl_pack_open(packed, &pack) == SPL_OK);
    CHECK(spl_call(session, "ls", "{\"file\": \"level.nmo\"}", &rows) == SPL_OK);
    nulls();
    wrong_kinds();
    wrong_arguments();
    freed();
    shared_rows();
    busy_rows();
    threads();
    ended_meanwhile();
    errors_of_threads();
    CHECK(spl_free(rows) == SPL_OK && spl_free(pack) == SPL_OK && spl_free(packed) == SPL_OK);
    CHECK(spl_free(session) == SPL_OK && spl_free(file) == SPL_OK);
    return report("misuse");
}
