//! Who is answered, and who is not.

use super::{Running, settings};
use spelunk_view::Settings;
use std::time::{Duration, Instant};
use test_support::http;

#[test]
fn nobody_without_the_token_from_elsewhere_or_by_another_name_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::of(settings(dir.path()));
    let token = format!("Bearer {}", server.token);
    let port = server.host.rsplit(':').next().unwrap();
    let local = format!("localhost:{port}");
    let own = format!("http://{}", server.host);
    let status = |headers: &[(&str, &str)]| {
        http::ask(&server.host, "GET", "/api/files", headers, b"").unwrap().status
    };
    let auth = ("Authorization", token.as_str());
    assert_eq!(status(&[auth]), 200);
    assert_eq!(status(&[auth, ("Host", &local)]), 200);
    assert_eq!(status(&[auth, ("Origin", &own)]), 200);
    // The token is one of 64 digits.
    assert_eq!(server.token.len(), 64);
    assert_eq!(status(&[]), 401);
    let last = if server.token.ends_with('0') { '1' } else { '0' };
    let other = format!("Bearer {}{last}", &server.token[..63]);
    for wrong in ["Bearer ", "Basic 0", &other, &token[..token.len() - 1]] {
        assert_eq!(status(&[("Authorization", wrong)]), 401, "{wrong}");
    }
    // A name of somebody else's that leads here, and a page of somebody else's.
    assert_eq!(status(&[auth, ("Host", "example.org")]), 403);
    assert_eq!(status(&[auth, ("Host", &format!("example.org:{port}"))]), 403);
    assert_eq!(status(&[auth, ("Origin", "https://example.org")]), 403);
    assert_eq!(status(&[auth, ("Origin", "null")]), 403);
    assert_eq!(status(&[auth, ("Origin", &format!("https://{}", server.host))]), 403);
    // The page itself has nothing of anybody's, but is served to no other host either.
    let page = |host: &str| http::ask(&server.host, "GET", "/", &[("Host", host)], b"").unwrap();
    assert_eq!(page("example.org").status, 403);
    let answer = page(&server.host);
    assert!(
        answer.head.contains("content-security-policy: default-src 'none'; script-src 'self';")
    );
    assert!(answer.head.contains("x-content-type-options: nosniff"));
    assert!(!String::from_utf8_lossy(&answer.body).contains(&server.token));
}

#[test]
fn a_token_is_of_one_server() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (Running::of(settings(dir.path())), Running::of(settings(dir.path())));
    assert_ne!(one.token, other.token);
    let token = format!("Bearer {}", one.token);
    let answer = http::ask(&other.host, "GET", "/api/files", &[("Authorization", &token)], b"");
    assert_eq!(answer.unwrap().status, 401);
}

#[test]
fn what_is_no_request_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let server = Running::of(settings(dir.path()));
    assert_eq!(server.ask("GET", "/api/call/ls", b"").status, 405);
    assert_eq!(server.ask("POST", "/api/nothing", b"").status, 404);
    assert_eq!(server.ask("POST", "/api/open", b"{").status, 422);
    assert_eq!(server.ask("POST", "/api/close", b"{\"handle\": \"one\"}").status, 422);
    assert_eq!(server.ask("PUT", "/api/file", b"").status, 400);
    assert_eq!(server.ask("GET", "/../Cargo.toml", b"").status, 404);
    assert_eq!(server.ask("GET", "/%2e%2e%2fCargo.toml", b"").status, 404);
    let lines = server.lines("nothing", &serde_json::json!({}));
    assert_eq!(lines.last().unwrap()["code"], 2);
    assert_eq!(lines[0]["diagnostic"]["code"], "SP190");
}

#[test]
fn it_ends_when_nobody_asks() {
    let dir = tempfile::tempdir().unwrap();
    let idle = Some(Duration::from_millis(200));
    let mut server = Running::of(Settings { idle, ..settings(dir.path()) });
    let begun = Instant::now();
    server.thread.take().unwrap().join().unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(150));
    assert!(http::ask(&server.host, "GET", "/", &[], b"").is_err());
}

#[test]
fn a_subject_that_is_not_there_and_a_port_that_is_taken_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let bind = |settings: &Settings| {
        spelunk_view::Server::bind(settings, spelunk::verbs::Session::new).map(drop)
    };
    let error = bind(&settings(&dir.path().join("nothing"))).unwrap_err();
    assert!(error.to_string().contains("nothing"), "{error}");
    let server = Running::of(settings(dir.path()));
    let port = server.host.rsplit(':').next().unwrap().parse().unwrap();
    assert!(bind(&Settings { port: Some(port), ..settings(dir.path()) }).is_err());
}
