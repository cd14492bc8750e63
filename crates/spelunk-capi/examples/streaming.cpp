// Assets of a pack in a frame loop: so many bytes and so much time a frame, into memory that is there from the beginning, with nothing
// allocated while frames run; and a pack that was written anew is taken up between two frames.
//
//     streaming PACK [--frames N] [--bytes N] [--microseconds N] [--then FILE]
//
// runs until every asset was loaded, or N frames. With --then the file takes the place of the pack after the first of them, as a build would
// do it. `streaming --jobs` reads a pack a line, and prints what loading all of it took: processor time and wall time in seconds, and assets.
#include <spelunk.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <vector>

// Counts what the program and its libraries allocate, where something that does is linked in.
extern "C" [[gnu::weak]] std::uint64_t allocation_count();

namespace {

using clock = std::chrono::steady_clock;

// What a frame may take.
struct budget {
    std::size_t bytes = 4 << 20;
    std::chrono::microseconds time{2000};
};

// What a frame took.
struct frame {
    std::size_t assets = 0;
    std::size_t bytes = 0;
};

// When the file at a path was written last, and how large it is.
struct file_state {
    std::filesystem::file_time_type written;
    std::uintmax_t size = 0;

    static file_state of(const std::filesystem::path &path) {
        std::error_code missing;
        return {std::filesystem::last_write_time(path, missing), std::filesystem::file_size(path, missing)};
    }
    bool operator==(const file_state &) const = default;
};

// Loads assets of a pack, in the order in which they are asked for, into a ring of memory.
class streamer {
public:
    streamer(const spelunk::session &session, std::filesystem::path path, std::size_t memory)
        : session_(session), path_(std::move(path)), memory_(memory) {
        reopen();
    }

    // Asks for all assets, in an order that no disk likes.
    void ask_for_all() {
        order_.resize(sizes_.size());
        for (std::size_t nth = 0; nth < order_.size(); nth++) order_[nth] = nth;
        std::shuffle(order_.begin(), order_.end(), std::mt19937_64(8));
        next_ = 0;
    }

    bool is_done() const { return next_ == order_.size(); }

    std::size_t failed() const { return failed_; }

    // Takes the pack up again where it was written anew. What was asked for is asked for again.
    bool reload_if_changed() {
        file_state now = file_state::of(path_);
        if (now == state_ || now.size == 0) return false;
        reopen();
        ask_for_all();
        return true;
    }

    // Loads as much as a frame may take, and at least one asset: one that is larger than the budget has to come, too.
    frame run(const budget &most) {
        frame made;
        const auto ends = clock::now() + most.time;
        while (next_ < order_.size()) {
            const std::uint64_t number = order_[next_];
            if (made.assets > 0 && (made.bytes + sizes_[number] > most.bytes || clock::now() >= ends)) break;
            made.bytes += load(number);
            made.assets++;
            next_++;
        }
        return made;
    }

private:
    void reopen() {
        state_ = file_state::of(path_);
        // As UTF-8, whatever paths are made of here. The pack stays when its file is closed.
        const std::u8string name = path_.u8string();
        pack_ = session_.open(reinterpret_cast<const char *>(name.c_str())).value().pack().value();
        sizes_.clear();
        std::size_t size;
        for (std::uint64_t number = 0;; number++) {
            spl_status status = pack_.load(number, {}, size);
            // Behind the last one there is none; what is damaged has its number nevertheless.
            if (status == SPL_FAILED && std::strcmp(spl_error()->code, "SP022") == 0) break;
            if (status == SPL_MISUSE || status == SPL_PANICKED) break;
            sizes_.push_back(size);
            if (size > memory_.size()) memory_.resize(size);
        }
    }

    // Loads an asset to the next place of the ring. What lay there is gone.
    std::size_t load(std::uint64_t number) {
        std::size_t size = sizes_[number];
        if (at_ + size > memory_.size()) at_ = 0;
        auto place = std::span(memory_).subspan(at_, size);
        if (pack_.load(number, place, size) != SPL_OK) {
            std::fprintf(stderr, "asset %zu: %s\n", static_cast<std::size_t>(number), spl_error()->message);
            failed_++;
            return 0;
        }
        at_ += size;
        return size;
    }

    const spelunk::session &session_;
    std::filesystem::path path_;
    std::vector<std::byte> memory_;
    spelunk::pack pack_;
    file_state state_;
    std::vector<std::size_t> sizes_;
    std::vector<std::uint64_t> order_;
    std::size_t next_ = 0, at_ = 0, failed_ = 0;
};

std::uint64_t allocations() { return allocation_count ? allocation_count() : 0; }

// A loop as an engine has it.
int run(const spelunk::session &session, const char *path, const char *then, std::size_t most_frames, const budget &budget) {
    streamer assets(session, path, 64 << 20);
    assets.ask_for_all();
    std::size_t frames = 0, loaded = 0, bytes = 0, most = 0, reloads = 0;
    std::uint64_t allocated = 0;
    const std::uint64_t at_first = allocations();
    // The first pass shows every compression to the thread.
    while (!assets.is_done() && frames < most_frames) {
        frames++;
        assets.run(budget);
    }
    for (assets.ask_for_all(), frames = 0; !assets.is_done() && frames < most_frames; frames++) {
        if (then && frames == 1) std::filesystem::rename(then, path);
        if (assets.reload_if_changed()) reloads++;
        const std::uint64_t before = allocations();
        const frame made = assets.run(budget);
        allocated += allocations() - before;
        loaded += made.assets;
        bytes += made.bytes;
        most = std::max(most, made.bytes);
    }
    std::cout << frames << " frames, " << loaded << " assets, " << bytes << " bytes, at most " << most << " bytes a frame, " << reloads
              << " reloads, " << assets.failed() << " failed, "
              << (allocation_count ? std::to_string(allocated) : std::string("uncounted")) << " allocations, " << at_first
              << " before\n";
    return assets.failed() != 0;
}

// Loads all assets of each pack that is named.
int jobs(const spelunk::session &session) {
    for (std::string path; std::getline(std::cin, path);) {
        streamer assets(session, path, 64 << 20);
        assets.ask_for_all();
        while (!assets.is_done()) assets.run({});
        assets.ask_for_all();
        const auto begun = clock::now();
        const std::clock_t cpu = std::clock();
        std::size_t count = 0;
        while (!assets.is_done()) count += assets.run({}).assets;
        const double took = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
        std::cout << took << ' ' << std::chrono::duration<double>(clock::now() - begun).count() << ' ' << count << std::endl;
    }
    return 0;
}

} // namespace

int main(int count, char **words) {
    const auto session = spelunk::session::create().value();
    if (count == 2 && std::string_view(words[1]) == "--jobs") return jobs(session);
    if (count < 2 || count % 2) {
        std::cerr << "streaming PACK [--frames N] [--bytes N] [--microseconds N] [--then FILE]\n";
        return 2;
    }
    budget budget;
    std::size_t frames = SIZE_MAX;
    const char *then = nullptr;
    for (int at = 2; at + 1 < count; at += 2) {
        const std::string_view option = words[at];
        if (option == "--frames") frames = std::stoul(words[at + 1]);
        if (option == "--bytes") budget.bytes = std::stoul(words[at + 1]);
        if (option == "--microseconds") budget.time = std::chrono::microseconds(std::stoul(words[at + 1]));
        if (option == "--then") then = words[at + 1];
    }
    return run(session, words[1], then, frames, budget);
}
