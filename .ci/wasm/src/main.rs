//! Makes a package for Node.js of a module that was compiled for WebAssembly: `wasm-package MODULE FOLDER`.

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = args.as_slice() else {
        eprintln!("usage: wasm-package MODULE FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(module).nodejs(true).map(|bindgen| bindgen.typescript(true));
    match made.and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{module}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
