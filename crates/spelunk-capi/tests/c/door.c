// A door for the test of all doors: reads a request a line, `VERB JSON`, and prints an answer a line: `{"code", "rows", "body"}` with
// rows as texts, and in hexadecimal the bytes that were handed out.
#include <spelunk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Prints a text as one of JSON. Rows are JSON, so they have no characters below the space.
static void print_text(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static int answer(spl_session *session, const char *verb, const char *request) {
    spl_rows *rows;
    spl_item item;
    const uint8_t *bytes;
    size_t size, count = 0, len = 0;
    char *body = NULL;
    if (spl_call(session, verb, request, &rows) != SPL_OK) return 1;
    printf("{\"rows\": [");
    do {
        if (spl_next(rows, &item) != SPL_OK) return 1;
        if (item.kind == SPL_ROW) {
            if (count++) putchar(',');
            print_text(item.text);
        }
        if (item.kind == SPL_BODY) {
            if (spl_body(rows, &bytes, &size) != SPL_OK) return 1;
            body = realloc(body, len + size * 2 + 1);
            if (!body) return 1;
            body[len] = 0;
            for (size_t at = 0; at < size; at++, len += 2) sprintf(body + len, "%02x", bytes[at]);
        }
    } while (item.kind != SPL_END);
    printf("], \"code\": %d, \"body\": \"%s\"}\n", item.code, body ? body : "");
    free(body);
    return spl_free(rows) != SPL_OK;
}

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        spl_session *session;
        char *request = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        if (!request) return 2;
        *request++ = 0;
        // As a program that begins anew for each request.
        if (spl_session_new(NULL, &session) != SPL_OK || answer(session, line, request) || spl_free(session) != SPL_OK) {
            fprintf(stderr, "%s\n", spl_error() ? spl_error()->message : "no error is known");
            return 1;
        }
        fflush(stdout);
    }
    return 0;
}
