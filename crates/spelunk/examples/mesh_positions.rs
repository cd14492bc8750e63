//! Prints the positions of the vertices of a mesh.
//!
//! `cargo run -p spelunk --example mesh_positions -- FILE MESH`

use std::path::Path;
use virtools::{File, Mesh, Result};

/// Prints the position of each vertex.
pub fn mesh_positions(path: &Path, name: &str) -> Result<()> {
    for [x, y, z] in File::open(path)?.get::<Mesh>(name)?.positions().iter() {
        println!("{x} {y} {z}");
    }
    Ok(())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, name] = args.as_slice() else { panic!("usage: mesh_positions FILE MESH") };
    mesh_positions(path.as_ref(), name)
}
