// The header for C++ on the samples in the folder that it is run in, with exceptions and without.
#include <spelunk.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <vector>

static int failed_checks, made_checks;

#define CHECK(is_so)                                                                                                   \
    do {                                                                                                               \
        made_checks++;                                                                                                 \
        if (!(is_so)) failed_checks++, std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #is_so);                 \
    } while (0)

static void verbs(const spelunk::session &session) {
    int found = 0;
    auto rows = session.call("ls", R"({"file": "level.nmo"})").value();
    auto code = rows.each([&](const spelunk::item &item) { found += item.kind == SPL_ROW && item.text.starts_with('{'); });
    CHECK(code && code.value() == 0 && found == 9);
    std::size_t bytes = 0;
    auto wind = session.call("cat", R"({"file": "forest.snpak", "path": "sounds/wind"})").value();
    code = wind.each([&](const spelunk::item &item) {
        if (item.kind == SPL_BODY) bytes += wind.body().value().size();
    });
    CHECK(code.value() == 0 && bytes == 900);
    CHECK(!wind.body() && wind.body().error().status() == SPL_MISUSE);
    // One that was moved from is empty.
    auto moved = std::move(rows);
    CHECK(!rows.next() && rows.next().error().code() == "SP219" && moved.next().value().kind == SPL_END);
    moved = std::move(wind);
    CHECK(!wind.next() && !wind.raw() && moved.next().value().kind == SPL_END);
}

static void files(const spelunk::session &session) {
    auto level = session.open("level.nmo").value();
    auto cube = level.mesh("CKMesh/Cube_Mesh").value();
    CHECK(cube.positions().size() == cube.vertex_count() * 3 && cube.vertex_count() == 8);
    CHECK(cube.normals().size() == 24 && cube.faces().size() == cube.face_count() * 4 && cube.lines().empty());
    CHECK(cube.materials().size() == 2 && !cube.materials()[0]);
    auto other = level.mesh("CKMesh/Cube_Mesh").value();
    const float *lent = cube.positions().data();
    other = std::move(cube);
    CHECK(cube.positions().empty() && cube.vertex_count() == 0 && cube.materials().empty());
    CHECK(other.positions().data() == lent && other.positions().size() == 24);
    const auto by_name = level.mesh(std::string("CKMesh/") + "Cube_Mesh");
    CHECK(by_name && by_name->vertex_count() == 8 && (*by_name).faces().size() == by_name.value().faces().size());
    spelunk::file none;
    CHECK(!none.mesh("CKMesh/Cube_Mesh") && !spelunk::session().open("level.nmo"));
    auto missing = level.mesh("CKMesh/Ball");
    CHECK(!missing && missing.error().status() == SPL_FAILED && missing.error().code() == "SP022");
    CHECK(std::string(missing.error().what()).ends_with("[SP022]"));
    std::ifstream stream("textures.snpak", std::ios::binary);
    std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    auto textures = session.open("textures", std::as_bytes(std::span(bytes))).value();
    CHECK(textures.number().value() != level.number().value());
    auto picture = textures.image("textures/rgba8").value();
    CHECK(picture.pixels().size() == std::size_t{4} * picture.width() * picture.height() && !picture.file());
    auto same = std::move(picture);
    CHECK(picture.pixels().empty() && !same.pixels().empty());
    auto pack = textures.pack().value();
    auto asset = pack.find("textures/rgba8").value();
    std::array<std::byte, 64> buffer{};
    std::size_t size;
    CHECK(pack.load(asset.number, buffer, size) == SPL_OK && size == asset.size);
    CHECK(pack.load(asset.number, std::span(buffer).first(1), size) == SPL_TOO_SMALL && size == asset.size);
    CHECK(spelunk::pack().load(0, buffer, size) == SPL_MISUSE);
}

static void failures() {
#if defined(__cpp_exceptions)
    try {
        spelunk::session::create("{\"strictly\": true}").value();
        CHECK(false);
    } catch (const spelunk::error &error) {
        CHECK(error.status() == SPL_MISUSE && error.code() == "SP220");
    }
#else
    auto failed = spelunk::session::create("{\"strictly\": true}");
    CHECK(!failed && failed.error().status() == SPL_MISUSE && failed.error().code() == "SP220");
#endif
}

int main() {
    auto session = spelunk::session::create().value();
    verbs(session);
    files(session);
    failures();
    std::printf("wrapper: %d checks, %d failed\n", made_checks, failed_checks);
    return failed_checks != 0;
}
