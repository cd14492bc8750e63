//! Makes a package for Node.js, or with `web` for browsers, of a module that was compiled for WebAssembly:
//! `wasm-package nodejs|web MODULE FOLDER`.

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let (for_web, module, folder) = match args.as_slice() {
        [target, module, folder] if target == "nodejs" => (false, module, folder),
        [target, module, folder] if target == "web" => (true, module, folder),
        _ => {
            eprintln!("usage: wasm-package nodejs|web MODULE FOLDER");
            return ExitCode::from(2);
        }
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).typescript(true);
    let made = if for_web { bindgen.web(true) } else { bindgen.nodejs(true) };
    match made.and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
