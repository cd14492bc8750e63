//! The files of the page, which are part of the program.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use include_dir::{Dir, include_dir};

/// Files of the page; none where it was not built before the program.
static PAGE: Dir<'static> = include_dir!("$OUT_DIR/page");

/// What is served in the place of the page where there is none.
const MISSING: &str = "The page is not part of this build of spelunk. It is in every release; in a checkout, `cargo xtask page` makes it \
    (with Node.js), and a build after that takes it in.\n";

/// Whether the page is part of the program.
pub fn is_built_in() -> bool {
    PAGE.contains("index.html")
}

/// A file of the page; the page itself where no name is given. It learns from its element that a server answers, and whether that writes.
pub fn serve(name: &str, is_read_only: bool) -> Response {
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(file) = PAGE.get_file(name) else {
        return match name {
            "index.html" => (StatusCode::NOT_FOUND, MISSING).into_response(),
            _ => StatusCode::NOT_FOUND.into_response(),
        };
    };
    let kind = mime_guess::from_path(name).first_raw().unwrap_or("application/octet-stream");
    let kind = HeaderValue::from_static(kind);
    let body = match name {
        "index.html" => {
            let text = String::from_utf8_lossy(file.contents());
            let server = if is_read_only { "read-only" } else { "writing" };
            Body::from(text.replacen("<html ", &format!("<html data-server=\"{server}\" "), 1))
        }
        _ => Body::from(file.contents()),
    };
    ([(header::CONTENT_TYPE, kind)], body).into_response()
}
