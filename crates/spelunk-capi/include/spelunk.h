// spelunk: opens the containers that games ship their assets in (Virtools, SnPAK, SpellForce), and changes them.
//
// A session keeps files open. `spl_call` runs any verb of the command with a request in JSON, and hands out rows in JSON;
// views lend meshes, pictures and the payloads of packs as memory. The guide is docs/guides/c.md.
//
// Errors: functions return SPL_OK or what went wrong, and `spl_error` tells more. Results that a function gives by a pointer
// are null, 0 or empty where it fails. No function throws, or ends the program.
//
// Handles (spl_session, spl_file, spl_rows, spl_pack, spl_view) are opaque, belong to the caller, and are freed by `spl_free`
// in any order. One that was freed, or is of another kind, is SPL_MISUSE and harms nothing; it may be used by mistake for ever,
// since no handle is given out twice.
//
// Memory: texts that go in are UTF-8, end with a 0 and are used until the function returns. What comes out belongs to the
// library: texts of an item until the next one, those of spl_error until the next error of the thread, memory of a view
// until the view is freed. A null pointer where one is needed is SPL_MISUSE. What no library can notice: pointers to memory
// that is not there, a capacity that the buffer does not have, results that lie in a buffer or in each other, memory of items
// and views that is used after its end.
//
// Files of 16 MiB and more are mapped. As long as one is open, or a view or a pack of it is there, it may be replaced by another
// file, but not be written in place or cut short: systems end programs that read what is not there any more. Where others do
// that, make the session with the option "no_map".
//
// Threads: every function may be called by every thread, at once. Threads share sessions and packs without waiting for each
// other; a file or rows that another thread is at is SPL_BUSY. `spl_cancel` and `spl_free` are for use while others work.
// A process that was made by fork() makes sessions of its own. There are no callbacks, no signals are handled, and no thread of the library runs beside those of rows that are not freed.


#ifndef SPELUNK_H
#define SPELUNK_H

#include <stddef.h>
#include <stdint.h>

// The interface that this header describes. What `spl_abi_version` returns has to be the same.
#define SPL_ABI_VERSION 1

// The result of a function.
enum spl_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // It did what it says.
    SPL_OK = 0,
    // An argument is not what the function takes: a null pointer, text that is no UTF-8, a handle that was freed or is of
    // another kind. Nothing was done.
    SPL_MISUSE = 1,
    // Another thread, or a verb whose last item has not come, uses the same handle. Nothing was done; it can be tried again
    // when that has ended.
    SPL_BUSY = 2,
    // The buffer is too small. Nothing was written to it; the size that it takes was.
    SPL_TOO_SMALL = 3,
    // It failed: the file is damaged, is of another format, was not found, takes too much memory, and so on.
    SPL_FAILED = 4,
    // A mistake in the library, which goes on working. Please report it.
    SPL_PANICKED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum spl_status spl_status;
#else
typedef int32_t spl_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// What an item is.
enum spl_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All has come. `code` is the exit code that the command would have: 0 clean, 1 error findings or differences, 2 a
    // request that is wrong, 3 a file that cannot be opened, 4 input or output, 5 not supported.
    SPL_END = 0,
    // A row: `text` is an object in JSON, as the command prints it with --json.
    SPL_ROW = 1,
    // A finding or an error: `text` is a diagnostic in JSON, `file` the file that it is about; empty where it is about none,
    // as when the request is wrong.
    SPL_DIAGNOSTIC = 2,
    // A sentence about the work.
    SPL_NOTE = 3,
    // Bytes that were asked for, or the next part of them: `text` is their name, `spl_body` lends them.
    SPL_BODY = 4,
    // How much is done: `text` is {"done", "total", "file", "files"} in JSON: bytes of the files that are done and of all,
    // the number of the file that is worked on, and how many there are.
    SPL_PROGRESS = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum spl_kind spl_kind;
#else
typedef int32_t spl_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A file that a session keeps open. Verbs and views see what others changed in it. One function or verb at a time works on it, a verb
// until its last item has come: others get `SPL_BUSY`, and other verbs a diagnostic with the code SP192.
typedef struct spl_file spl_file;

// The assets of a pack as they were when `spl_pack_open` was called. Any number of threads may load at once.
typedef struct spl_pack spl_pack;

// What comes of a verb. One thread at a time may read it.
typedef struct spl_rows spl_rows;

// Files that are open, and the verbs that work on them. Any number of threads may use one at once.
typedef struct spl_session spl_session;

// Memory that pointers of a view lead to.
typedef struct spl_view spl_view;

// An item of what comes of a verb. Texts are UTF-8, end with a 0, and belong to the library until the next call of `spl_next`
// with the same rows, or until those are freed.
typedef struct {
    // What it is.
    spl_kind kind;
    // The exit code, for `SPL_END`; 0 otherwise.
    int32_t code;
    // For `SPL_DIAGNOSTIC`, the file that it is about; empty where it is about none, and for other kinds.
    const char *file;
    // The text of the item.
    const char *text;
    // Length of the text in bytes, without the 0 behind it.
    size_t size;
} spl_item;

// A mesh. Coordinates are left-handed, y up; faces are clockwise as seen from their front. Pointers are aligned, are null where
// there is nothing, and lead to memory that is there until `view` is freed, also when the file was freed. Faces and lines that lead
// to no vertex are left out; the verb verify reports them.
typedef struct {
    // What `spl_free` takes when the mesh is not needed any more.
    spl_view *view;
    // Number of vertices.
    size_t vertex_count;
    // x, y, z of each vertex.
    const float *positions;
    // x, y, z for each vertex, of length 1 where they were built from the faces.
    const float *normals;
    // u, v of each vertex; of all where `uv_count` is 1. The top left corner is 0, 0.
    const float *uvs;
    // `vertex_count`, 1 or 0.
    size_t uv_count;
    // The colour of each vertex as 0xAARRGGBB; of all where `color_count` is 1.
    const uint32_t *colors;
    // `vertex_count`, 1 or 0.
    size_t color_count;
    // Three vertices and the material slot of each face.
    const uint16_t *faces;
    // Number of faces.
    size_t face_count;
    // The two vertices of each line.
    const uint16_t *lines;
    // Number of lines.
    size_t line_count;
    // The path of the material of each slot; null for a slot without.
    const char *const *materials;
    // Number of material slots, 1 at the least.
    size_t material_count;
} spl_mesh_view;

// A picture: red, green, blue and alpha of each pixel in a byte each, the upper row first, without gaps between rows. The
// pointers lead to memory that is there until `view` is freed, also when the file was freed.
typedef struct {
    // What `spl_free` takes when the picture is not needed any more.
    spl_view *view;
    // Width in pixels.
    uint32_t width;
    // Height in pixels.
    uint32_t height;
    // The pixels.
    const uint8_t *pixels;
    // The name of the file beside the container that it was read of; null where the container holds it.
    const char *file;
} spl_image_view;

// A payload of a pack.
typedef struct {
    // What `spl_pack_load` calls it. The main payload of the asset at position n of the index is number n, counted from 0; behind
    // the last one `SPL_FAILED` has the code SP022.
    uint64_t number;
    // Its plain size in bytes.
    uint64_t size;
    // The id of its asset, in the order of the file.
    uint8_t id[16];
} spl_asset;

// What is known of an error. Texts are UTF-8 and belong to the library.
typedef struct {
    // What the function returned.
    spl_status status;
    // The code, such as SP022. `spelunk explain SP022` describes it and says what to do.
    const char *code;
    // What is wrong, what was expected and what was found, in a sentence.
    const char *message;
    // The path of the field that it is about; empty where it is about none.
    const char *path;
    // The space of bytes where it is: file, or the name of an inflated section. Null where no place is known.
    const char *space;
    // The offset there, in bytes.
    uint64_t offset;
} spl_error_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Returns the interface that the library has: `SPL_ABI_VERSION` of the header that it was built with.
uint32_t spl_abi_version(void);

// Returns the version of the library, such as "0.2.0".
const char *spl_version(void);

// Makes a session on the files of the disk. `options` is null, or an object in JSON with any of: "strict" and "lenient"
// (booleans), "max_memory" (bytes for each file), "max_ratio", "code_pages" (such as "cp1252"), "generation", "threads" and "no_map" (whether large
// files are read range by range, and not mapped).
spl_status spl_session_new(const char *options,
                           spl_session **session);

// Opens the file, or the folder that is one container, at a path of the disk. It stays open in the session until it is freed. What has a
// path that is no UTF-8 is opened by `spl_open_bytes`.
spl_status spl_open_path(spl_session *session,
                         const char *path,
                         spl_file **file);

// Opens a file whose `size` bytes these are, which are copied. `name` is what rows call it.
spl_status spl_open_bytes(spl_session *session,
                          const char *name,
                          const void *bytes,
                          size_t size,
                          spl_file **file);

// Gives the number of an open file, which stands in the place of its name in requests of verbs: they see what was changed in it,
// and change what is open.
spl_status spl_file_number(spl_file *file,
                           uint64_t *number);

// Begins a verb, which runs on a thread of its own. `verb` is a verb of the command, such as "ls"; `request` is an object in JSON
// that `spelunk schema VERB --request` describes, such as {"file": "level.nmo"}. What is wrong with either comes as a diagnostic. An
// output "-" comes as `SPL_BODY`; there is no standard input. A file that the request names by its number stays busy until the last
// item has come, and must not be freed before.
spl_status spl_call(spl_session *session,
                    const char *verb,
                    const char *request,
                    spl_rows **rows);

// Waits for the next item of what comes of a verb. The last one is `SPL_END`, and comes again when it is asked for again.
spl_status spl_next(spl_rows *rows,
                    spl_item *item);

// Lends the bytes of the item that `spl_next` gave last, which has to be `SPL_BODY`. They are there as long as its text.
spl_status spl_body(spl_rows *rows,
                    const uint8_t **bytes,
                    size_t *size);

// Gives the mesh that the entry at a path is, or is drawn with. Paths are those of the verb ls, such as "#2", or
// names that it takes, such as "CKMesh/Cube".
spl_status spl_mesh(spl_file *file,
                    const char *path,
                    spl_mesh_view *mesh);

// Gives the picture in a slot of the texture at a path; 0 is the first. Where the container names a file instead of holding a
// picture, that is looked for beside the container, in Textures there, and in ../Textures.
spl_status spl_image(spl_file *file,
                     const char *path,
                     size_t slot,
                     spl_image_view *image);

// Gives the assets of an open pack for loading. They are those of now: neither changes nor the end of the file alter them.
spl_status spl_pack_open(spl_file *file,
                         spl_pack **pack);

// Finds the payload at a path, such as "sounds/wind", or of the asset with an id, by its text.
spl_status spl_pack_find(spl_pack *pack, const char *path, spl_asset *asset);

// Loads a payload, unpacked and checked against its hash, into a buffer of `capacity` bytes. `size` becomes its plain size, also
// where that is more than the buffer has (`SPL_TOO_SMALL`). Once a thread has loaded a payload of each compression, nothing is
// allocated where it succeeds. After `SPL_FAILED` the content of the buffer is undefined.
spl_status spl_pack_load(spl_pack *pack,
                         uint64_t number,
                         void *buffer,
                         size_t capacity,
                         size_t *size);

// Returns what is known of the error that a function of this thread met last; null where none did. It is there until the next
// error of this thread, or the end of the thread.
const spl_error_info *spl_error(void);

// Ends what runs: the verb of these rows, or all verbs of this session that run now. They end soon, with a diagnostic that says so;
// what is begun after it runs.
spl_status spl_cancel(void *handle);

// Frees a session, a file, rows, a pack or a view, in any order: what belongs together stays as long as a part of it is used. Rows
// are cancelled; the function returns when their verb has ended, unless another thread is at them: soon, but not before the system
// lets go of it, as where it opens a pipe that nobody writes to. Null is passed over; a handle that was freed before is `SPL_MISUSE`.
spl_status spl_free(void *handle);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SPELUNK_H */
