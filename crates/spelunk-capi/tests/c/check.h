// What the programs that test the interface have in common.
#ifndef CHECK_H
#define CHECK_H

#include <spelunk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed_checks;
static int made_checks;

#define CHECK(is_so)                                                                                                   \
    do {                                                                                                               \
        made_checks++;                                                                                                 \
        if (!(is_so)) {                                                                                                \
            failed_checks++;                                                                                           \
            printf("%s:%d: not so: %s", __FILE__, __LINE__, #is_so);                                                   \
            printf(" (last error: %s)\n", spl_error() ? spl_error()->message : "none");                               \
        }                                                                                                              \
    } while (0)

// Whether a function returned this, and what it says of the error has this code.
static inline int is_error(spl_status found, spl_status expected, const char *code) {
    const spl_error_info *error = spl_error();
    return found == expected && error && error->status == expected && strcmp(error->code, code) == 0 && *error->message;
}

// What a verb gave: how many items of each kind, the bytes of all bodies together, and the exit code.
typedef struct {
    int count[6];
    int code;
    size_t bytes;
    uint32_t sum;
    char first[512];
    char last_diagnostic[512];
} answer;

// Reads the rows of a verb to their end, and frees them.
static inline answer finish(spl_rows *rows) {
    answer all;
    spl_item item;
    memset(&all, 0, sizeof all);
    do {
        if (spl_next(rows, &item) != SPL_OK) {
            all.code = -1;
            break;
        }
        all.count[item.kind]++;
        if (strlen(item.text) != item.size) all.code = -2;
        if (item.kind == SPL_ROW && all.count[SPL_ROW] == 1) snprintf(all.first, sizeof all.first, "%s", item.text);
        if (item.kind == SPL_DIAGNOSTIC) snprintf(all.last_diagnostic, sizeof all.last_diagnostic, "%s", item.text);
        if (item.kind == SPL_BODY) {
            const uint8_t *bytes;
            size_t size;
            if (spl_body(rows, &bytes, &size) != SPL_OK) all.code = -3;
            all.bytes += size;
            for (size_t at = 0; at < size; at++) all.sum = all.sum * 31 + bytes[at];
        }
        if (item.kind == SPL_END) all.code = all.code ? all.code : item.code;
    } while (item.kind != SPL_END);
    if (spl_free(rows) != SPL_OK) all.code = -4;
    return all;
}

// Runs a verb to its end.
static inline answer call(spl_session *session, const char *verb, const char *request) {
    spl_rows *rows;
    if (spl_call(session, verb, request, &rows) != SPL_OK) {
        answer none;
        memset(&none, 0, sizeof none);
        none.code = -5;
        return none;
    }
    return finish(rows);
}

// A whole file; its size is put into `size`.
static inline unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) exit(2);
    fclose(file);
    return bytes;
}

static inline int report(const char *what) {
    printf("%s: %d checks, %d failed\n", what, made_checks, failed_checks);
    return failed_checks != 0;
}

#endif
