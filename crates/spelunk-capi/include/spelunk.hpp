// spelunk for C++20 and later, over spelunk.h: handles that free themselves, spans, and results.
//
// A result is a value or an error. `value()` gives the value, and throws the error where there is none; `if (result)` asks before. In a
// program that is compiled without exceptions nothing else changes, and `value()` of an error ends the program with its message.
//
// What spelunk.h says of memory and threads holds here: texts of an item are there until the next one, spans of a view as long as the
// view. Objects are moved and not copied; one that was moved from is empty, and its functions fail with SPL_MISUSE.
#ifndef SPELUNK_HPP
#define SPELUNK_HPP

#if __cplusplus < 202002L && (!defined(_MSVC_LANG) || _MSVC_LANG < 202002L)
#error "spelunk.hpp takes C++20 or later; spelunk.h takes any C++ since 11"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <spelunk.h>

namespace spelunk {

// Why a function failed.
class error : public std::runtime_error {
public:
    // The last error of this thread, which has to be there.
    static error last(spl_status status) {
        const spl_error_info *info = spl_error();
        return info ? error(*info) : error(status);
    }

    // What the function of spelunk.h returned.
    spl_status status() const noexcept { return status_; }
    // The code, such as SP022.
    const std::string &code() const noexcept { return code_; }
    // The path of the field that it is about; empty where it is about none.
    const std::string &path() const noexcept { return path_; }
    // The space of bytes where it is; empty where no place is known.
    const std::string &space() const noexcept { return space_; }
    // The offset there.
    std::uint64_t offset() const noexcept { return offset_; }

private:
    explicit error(spl_status status) : std::runtime_error("unknown"), status_(status) {}
    explicit error(const spl_error_info &info)
        : std::runtime_error(std::string(info.message) + " [" + info.code + "]"), status_(info.status), code_(info.code), path_(info.path),
          space_(info.space ? info.space : ""), offset_(info.offset) {}

    spl_status status_;
    std::string code_, path_, space_;
    std::uint64_t offset_ = 0;
};

// A value, or why there is none.
template <typename T> class [[nodiscard]] result {
public:
    result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
    result(spelunk::error error) : held_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const noexcept { return held_.index() == 0; }
    // The value; without one the error is thrown.
    T value() && {
        check();
        return std::move(*std::get_if<0>(&held_));
    }
    T &value() & {
        check();
        return *std::get_if<0>(&held_);
    }
    const T &value() const & {
        check();
        return *std::get_if<0>(&held_);
    }
    // The same.
    T &operator*() & { return value(); }
    const T &operator*() const & { return value(); }
    T operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }
    // The error, which has to be there.
    const spelunk::error &error() const { return *std::get_if<1>(&held_); }

private:
    void check() const {
        if (const spelunk::error *failed = std::get_if<1>(&held_)) {
#if defined(__cpp_exceptions)
            throw *failed;
#else
            std::fprintf(stderr, "%s\n", failed->what());
            std::abort();
#endif
        }
    }

    std::variant<T, spelunk::error> held_;
};

namespace detail {

// What is freed of a handle, and of what a view lends.
template <typename Raw> void *freed(Raw *raw) noexcept { return raw; }
template <typename View> void *freed(const View &lent) noexcept { return lent.view; }

// A handle, or what a view lends, that is freed at the end. One that was moved from is empty.
template <typename Raw> class owned {
public:
    explicit owned(const Raw &raw) noexcept : raw_(raw) {}
    owned() noexcept = default;
    owned(owned &&other) noexcept : raw_(std::exchange(other.raw_, Raw{})) {}
    owned &operator=(owned &&other) noexcept {
        owned taken(std::move(other));
        std::swap(raw_, taken.raw_);
        return *this;
    }
    owned(const owned &) = delete;
    owned &operator=(const owned &) = delete;
    ~owned() { spl_free(freed(raw_)); }

    const Raw &get() const noexcept { return raw_; }
    const Raw *operator->() const noexcept { return &raw_; }

private:
    Raw raw_{};
};

// The value that a function gave, or its error.
template <typename T, typename Make> result<T> made(spl_status status, Make make) {
    if (status != SPL_OK) return error::last(status);
    return make();
}

} // namespace detail

// An item of what comes of a verb; its texts are there until the next one.
struct item {
    spl_kind kind = SPL_END;
    int code = 0;
    std::string_view file;
    std::string_view text;
};

// What comes of a verb.
class rows {
public:
    explicit rows(spl_rows *raw = nullptr) noexcept : handle_(raw) {}

    // Waits for the next item; behind the end comes the end again.
    result<item> next() {
        spl_item raw;
        return detail::made<item>(spl_next(handle_.get(), &raw),
                                  [&] { return item{raw.kind, raw.code, raw.file, std::string_view(raw.text, raw.size)}; });
    }
    // The bytes of the item that came last, which has to be SPL_BODY.
    result<std::span<const std::byte>> body() {
        const std::uint8_t *bytes;
        std::size_t size;
        using span = std::span<const std::byte>;
        return detail::made<span>(spl_body(handle_.get(), &bytes, &size), [&] { return std::as_bytes(std::span(bytes, size)); });
    }
    // Calls `work` with every item but the end. Returns the exit code that the command would have.
    template <typename Work> result<int> each(Work work) {
        for (;;) {
            result<item> found = next();
            if (!found) return found.error();
            if (found.value().kind == SPL_END) return found.value().code;
            work(found.value());
        }
    }
    // Ends the verb.
    void cancel() { spl_cancel(handle_.get()); }
    spl_rows *raw() const noexcept { return handle_.get(); }

private:
    detail::owned<spl_rows *> handle_;
};

// A mesh; spl_mesh_view says what its arrays are.
class mesh {
public:
    explicit mesh(const spl_mesh_view &raw) noexcept : raw_(raw) {}

    std::size_t vertex_count() const noexcept { return raw_->vertex_count; }
    std::size_t face_count() const noexcept { return raw_->face_count; }
    // Three numbers for each vertex.
    std::span<const float> positions() const & noexcept { return {raw_->positions, raw_->positions ? raw_->vertex_count * 3 : 0}; }
    std::span<const float> normals() const & noexcept { return {raw_->normals, raw_->normals ? raw_->vertex_count * 3 : 0}; }
    // Two numbers for each vertex, or for all.
    std::span<const float> uvs() const & noexcept { return {raw_->uvs, raw_->uv_count * 2}; }
    std::span<const std::uint32_t> colors() const & noexcept { return {raw_->colors, raw_->color_count}; }
    // Three vertices and a material slot for each face.
    std::span<const std::uint16_t> faces() const & noexcept { return {raw_->faces, raw_->face_count * 4}; }
    // Two vertices for each line.
    std::span<const std::uint16_t> lines() const & noexcept { return {raw_->lines, raw_->line_count * 2}; }
    // The path of the material of each slot; null for a slot without.
    std::span<const char *const> materials() const & noexcept { return {raw_->materials, raw_->material_count}; }

    // What a view lends goes with it: it is not to be had of one that goes at once.
    void positions() && = delete;
    void normals() && = delete;
    void uvs() && = delete;
    void colors() && = delete;
    void faces() && = delete;
    void lines() && = delete;
    void materials() && = delete;

private:
    detail::owned<spl_mesh_view> raw_;
};

// A picture: red, green, blue and alpha of each pixel, the upper row first.
class image {
public:
    explicit image(const spl_image_view &raw) noexcept : raw_(raw) {}

    std::uint32_t width() const noexcept { return raw_->width; }
    std::uint32_t height() const noexcept { return raw_->height; }
    std::span<const std::uint8_t> pixels() const & noexcept { return {raw_->pixels, std::size_t{4} * raw_->width * raw_->height}; }
    // The name of the file beside the container that it was read of.
    std::optional<std::string_view> file() const & {
        return raw_->file ? std::optional<std::string_view>(raw_->file) : std::nullopt;
    }

    void pixels() && = delete;
    void file() && = delete;

private:
    detail::owned<spl_image_view> raw_;
};

// The assets of a pack as they were when it was opened; any number of threads may load at once.
class pack {
public:
    explicit pack(spl_pack *raw = nullptr) noexcept : handle_(raw) {}

    // The payload at a path.
    result<spl_asset> find(const std::string &path) const {
        spl_asset asset;
        return detail::made<spl_asset>(spl_pack_find(handle_.get(), path.c_str(), &asset), [&] { return asset; });
    }
    // Loads a payload into a buffer. Where it succeeds nothing is allocated. `size` becomes its size, also for SPL_TOO_SMALL.
    [[nodiscard]] spl_status load(std::uint64_t number, std::span<std::byte> buffer, std::size_t &size) const noexcept {
        return spl_pack_load(handle_.get(), number, buffer.data(), buffer.size(), &size);
    }
    spl_pack *raw() const noexcept { return handle_.get(); }

private:
    detail::owned<spl_pack *> handle_;
};

// A file that a session keeps open.
class file {
public:
    explicit file(spl_file *raw = nullptr) noexcept : handle_(raw) {}

    // The number that stands for it in requests.
    result<std::uint64_t> number() const {
        std::uint64_t number;
        return detail::made<std::uint64_t>(spl_file_number(handle_.get(), &number), [&] { return number; });
    }
    // The mesh that the entry at a path is, or is drawn with.
    result<spelunk::mesh> mesh(const std::string &path) const {
        spl_mesh_view raw;
        return detail::made<spelunk::mesh>(spl_mesh(handle_.get(), path.c_str(), &raw), [&] { return spelunk::mesh(raw); });
    }
    // The picture in a slot of the texture at a path.
    result<spelunk::image> image(const std::string &path, std::size_t slot = 0) const {
        spl_image_view raw;
        return detail::made<spelunk::image>(spl_image(handle_.get(), path.c_str(), slot, &raw), [&] { return spelunk::image(raw); });
    }
    // The assets of the pack that it is.
    result<spelunk::pack> pack() const {
        spl_pack *raw;
        return detail::made<spelunk::pack>(spl_pack_open(handle_.get(), &raw), [&] { return spelunk::pack(raw); });
    }
    spl_file *raw() const noexcept { return handle_.get(); }

private:
    detail::owned<spl_file *> handle_;
};

// Files that are open, and the verbs that work on them.
class session {
public:
    // None: its functions fail with SPL_MISUSE.
    session() noexcept = default;
    // A session on the files of the disk; options are those of spl_session_new.
    static result<session> create(const std::string &options = "{}") {
        spl_session *raw;
        return detail::made<session>(spl_session_new(options.c_str(), &raw), [&] { return session(raw); });
    }
    // Opens the file at a path.
    result<file> open(const std::string &path) const {
        spl_file *raw;
        return detail::made<file>(spl_open_path(handle_.get(), path.c_str(), &raw), [&] { return file(raw); });
    }
    // Opens a file whose bytes these are, which are copied; rows call it by the name.
    result<file> open(const std::string &name, std::span<const std::byte> bytes) const {
        spl_file *raw;
        spl_status status = spl_open_bytes(handle_.get(), name.c_str(), bytes.data(), bytes.size(), &raw);
        return detail::made<file>(status, [&] { return file(raw); });
    }
    // Begins a verb with a request in JSON.
    result<rows> call(const std::string &verb, const std::string &request) const {
        spl_rows *raw;
        return detail::made<rows>(spl_call(handle_.get(), verb.c_str(), request.c_str(), &raw), [&] { return rows(raw); });
    }
    // Ends all verbs that run.
    void cancel() const { spl_cancel(handle_.get()); }
    spl_session *raw() const noexcept { return handle_.get(); }

private:
    explicit session(spl_session *raw) noexcept : handle_(raw) {}

    detail::owned<spl_session *> handle_;
};

} // namespace spelunk

#endif
