//! Programs in C and C++, compiled against the headers, linked with the library and run on samples.

#![cfg(unix)]

use snpak::{
    Builder, Codec, Compression,
    build::{Asset, Payload, name_id},
};
use spelunk_fixtures::{workload, write_samples};
use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The shared library that cargo made beside this test.
fn library() -> PathBuf {
    let name = if cfg!(target_os = "macos") { "dylib" } else { "so" };
    let library = env::current_exe().unwrap().with_file_name(format!("libspelunk_capi.{name}"));
    assert!(library.exists(), "{}", library.display());
    library
}

/// The compiler of a language: what `variable` names, or the usual one.
fn compiler(variable: &str, usual: &str) -> String {
    env::var(variable).unwrap_or_else(|_| usual.to_owned())
}

/// Whether there is a compiler for C++, which building spelunk does not take.
fn has_cpp() -> bool {
    let has = Command::new(compiler("CXX", "c++")).arg("--version").output().is_ok();
    assert!(has || env::var_os("CI").is_none(), "there is no compiler for C++");
    has
}

/// A folder with samples, the library by the names that linkers and programs look for, and programs.
struct Workshop {
    dir: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        let dir = tempfile::tempdir().unwrap();
        write_samples(dir.path()).unwrap();
        for name in ["libspelunk.so", "libspelunk.so.1", "libspelunk.dylib"] {
            symlink(library(), dir.path().join(name)).unwrap();
        }
        Workshop { dir }
    }

    /// Compiles a program. Warnings are errors.
    fn compile(&self, source: &str, flags: &[&str]) -> PathBuf {
        let source = root().join(source);
        let is_part = flags.contains(&"-c");
        let name = source.with_extension(if is_part { "o" } else { "" });
        let program = self.dir.path().join(name.file_name().unwrap());
        let is_c = source.extension().is_some_and(|extension| extension == "c");
        let (compiler, standard) = match is_c {
            true => (compiler("CC", "cc"), "-std=c11"),
            false => (compiler("CXX", "c++"), "-std=c++20"),
        };
        let folder = self.dir.path().display();
        let paths = [format!("-L{folder}"), format!("-Wl,-rpath,{folder}")];
        let libraries = [&*paths[0], &*paths[1], "-lspelunk", "-lpthread"];
        let output = Command::new(compiler)
            .args([standard, "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic"])
            .arg("-I")
            .arg(root().join("include"))
            .arg(&source)
            .args(flags)
            .arg("-o")
            .arg(&program)
            .args(if is_part { &[][..] } else { &libraries })
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        program
    }

    /// Runs a program among the samples. Returns what it printed.
    fn run(&self, program: &Path, args: &[&str]) -> String {
        let output =
            Command::new(program).args(args).current_dir(self.dir.path()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {printed}{said}", output.status);
        printed
    }

    fn compiled_and_run(source: &str) -> String {
        let workshop = Workshop::new();
        workshop.run(&workshop.compile(source, &[]), &[])
    }
}

#[test]
fn every_function_does_what_the_header_says() {
    let printed = Workshop::compiled_and_run("tests/c/functions.c");
    assert!(printed.starts_with("functions: ") && printed.ends_with(", 0 failed\n"), "{printed}");
}

#[test]
fn what_the_header_calls_misuse_is_an_error_and_no_more() {
    let printed = Workshop::compiled_and_run("tests/c/misuse.c");
    assert!(printed.starts_with("misuse: ") && printed.ends_with(", 0 failed\n"), "{printed}");
}

#[test]
fn the_header_for_cpp_frees_throws_and_lends() {
    if !has_cpp() {
        return;
    }
    for flags in [&[][..], &["-fno-exceptions"], &["-std=c++23"]] {
        let workshop = Workshop::new();
        let printed = workshop.run(&workshop.compile("tests/c/wrapper.cpp", flags), &[]);
        assert!(printed.ends_with(", 0 failed\n"), "{flags:?}: {printed}");
    }
}

#[test]
fn the_program_of_the_guide_lists_reads_changes_and_saves() {
    let guide = fs::read_to_string(root().join("../../docs/guides/c.md")).unwrap();
    let source = fs::read_to_string(root().join("tests/c/guide.c")).unwrap();
    assert!(guide.contains(&format!("```c\n{source}```")), "the guide has another program");
    assert!(source.lines().count() <= 32);
    let workshop = Workshop::new();
    let printed = workshop.run(&workshop.compile("tests/c/guide.c", &[]), &[]);
    assert!(printed.starts_with("8 vertices, the first at "), "{printed}");
    assert_eq!(printed.lines().filter(|line| line.contains("\"class_id\":")).count(), 9);
    let red = spelunk::File::open(workshop.dir.path().join("red.nmo")).unwrap();
    let diffuse = red.entry("CKMaterial/Wood").unwrap().value("material.diffuse").unwrap();
    assert_eq!(diffuse.as_u64(), Some(0xffff_0000));
}

/// Assets of all kinds, packed in each way.
const ASSETS: usize = 10_000;

/// A pack of many assets whose bytes follow from a seed; returns the bytes of all of them together.
fn write_pack(path: &Path, seed: u64) -> u64 {
    let packings = [Compression::NONE, Compression::LZ4, Compression::ZSTD, Compression::LZ4_HC];
    let (mut builder, mut bytes, mut all) = (Builder::new(), Vec::new(), 0);
    for nth in 0..ASSETS {
        workload::mixed(seed, nth, &mut bytes);
        // A part of it: the whole of all would be half a gigabyte.
        bytes.truncate(500 + nth % 4000);
        all += bytes.len() as u64;
        let name = workload::mixed_name(nth);
        let payload = Payload::new(bytes.clone(), Codec::new(packings[nth % packings.len()]));
        builder = builder.asset(Asset::new(name_id(name.as_bytes(), None), name, payload));
    }
    builder.write(path).unwrap();
    all
}

/// The numbers in what the sample prints: frames, assets, bytes, the most bytes of a frame, reloads, failures, allocations in frames
/// and before them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn streamed(printed: &str) -> [u64; 8] {
    let numbers: Vec<u64> = printed.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{printed}"))
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn frames_keep_their_budget_and_allocate_nothing() {
    if !has_cpp() {
        return;
    }
    let workshop = Workshop::new();
    let dir = workshop.dir.path();
    let counting = workshop.compile("tests/c/allocations.c", &["-c"]);
    let program = workshop.compile("examples/streaming.cpp", &[counting.to_str().unwrap()]);
    let all = write_pack(&dir.join("many.snpak"), 1);
    // Time is what it is; bytes are kept.
    let options = ["many.snpak", "--bytes", "65536", "--microseconds", "1000000"];
    let [frames, assets, bytes, most, reloads, failed, allocated, before] =
        streamed(&workshop.run(&program, &options));
    assert_eq!((assets, bytes, reloads, failed), (ASSETS as u64, all, 0, 0));
    assert!(most <= 65536 && frames >= all / 65536, "{most} bytes, {frames} frames");
    assert_eq!(allocated, 0);
    assert!(before > 100, "nothing counts");
    // A frame without any time loads one asset.
    let options = ["many.snpak", "--microseconds", "0"];
    let [frames, assets, ..] = streamed(&workshop.run(&program, &options));
    assert_eq!((frames, assets), (ASSETS as u64, ASSETS as u64));
    // Another pack takes the place of this one behind the first frame: all of it is loaded.
    let new = write_pack(&dir.join("new.snpak"), 2);
    let options = [&options[..1], &["--bytes", "65536", "--then", "new.snpak"]].concat();
    let [_, assets, bytes, _, reloads, failed, allocated, _] =
        streamed(&workshop.run(&program, &options));
    assert!(assets > ASSETS as u64 && bytes > new && reloads == 1 && failed == 0);
    assert_eq!(allocated, 0);
}

/// What programs that were built with the header go by: declarations, sizes, and the names that the linker looks for. Where this changes,
/// programs break: then `SPL_ABI_VERSION`, the version in `Cargo.toml` and the soname in `build.rs` are raised, and only then is
/// `tests/abi.txt` written anew, with `SPELUNK_ABI=overwrite`.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn the_interface_is_the_one_that_programs_were_built_with() {
    let workshop = Workshop::new();
    let header = fs::read_to_string(root().join("include/spelunk.h")).unwrap();
    let declared = header.lines().filter(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//")
    });
    let declared: String = declared.map(|line| format!("{line}\n")).collect();
    let sizes = workshop.run(&workshop.compile("tests/c/abi.c", &[]), &[]);
    let symbols =
        Command::new("nm").args(["-D", "--defined-only"]).arg(library()).output().unwrap();
    assert!(symbols.status.success());
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    let names = symbols.lines().filter_map(|line| line.split_whitespace().last());
    let mut names: Vec<&str> = names.filter(|name| name.starts_with("spl_")).collect();
    names.sort_unstable();
    let found = format!("{}\n\n{sizes}\n{declared}", names.join("\n"));
    let kept = root().join("tests/abi.txt");
    if env::var_os("SPELUNK_ABI").is_some_and(|what| what == "overwrite") {
        fs::write(&kept, &found).unwrap();
    }
    assert_eq!(found, fs::read_to_string(kept).unwrap());
    // Nothing else of the library is seen by the linker.
    let others = symbols.lines().filter(|line| !line.contains(" A ") && !line.contains("spl_"));
    assert_eq!(others.collect::<Vec<_>>(), [""; 0]);
}
