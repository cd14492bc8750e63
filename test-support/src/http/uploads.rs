//! Files that are put onto the [server](super::server), as S3 takes them: whole, or in parts.

use super::server::{Asked, Reply, ServedFile, decoded};
use std::collections::BTreeMap;

/// Uploads in parts by their ids, and how many files were put.
#[derive(Default)]
pub(super) struct Uploads {
    open: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    count: usize,
}

impl Uploads {
    pub(super) fn open(&self) -> usize {
        self.open.len()
    }

    /// A tag or an id that there was none of.
    fn next(&mut self) -> String {
        self.count += 1;
        format!("put-{}", self.count)
    }
}

/// Answers a request that changes files.
pub(super) fn reply(
    asked: &Asked,
    body: Vec<u8>,
    uploads: &mut Uploads,
    files: &mut BTreeMap<String, ServedFile>,
) -> Reply {
    let (path, query) = asked.target.split_once('?').unwrap_or((&asked.target, ""));
    let value = |name: &str| {
        let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| decoded(value))
    };
    let there = files.get(path);
    let header = |name: &str| asked.headers.get(name);
    let is_taken = header("if-none-match").is_some() && there.is_some();
    let is_other =
        header("if-match").is_some_and(|tag| there.and_then(|file| file.tag.as_ref()) != Some(tag));
    if is_taken || is_other {
        return Reply::empty(412);
    }
    let xml = |body: String| Reply { body: body.into_bytes(), ..Reply::empty(200) };
    if value("delete").is_some() {
        return Reply { body: removed(path, &body, files).into_bytes(), ..Reply::empty(200) };
    }
    let id = value("uploadId");
    match (&*asked.method, id) {
        ("POST", None) => {
            let id = uploads.next();
            uploads.open.insert(id.clone(), BTreeMap::new());
            xml(format!(
                "<InitiateMultipartUploadResult><UploadId>{id}</UploadId>\
                 </InitiateMultipartUploadResult>"
            ))
        }
        ("POST", Some(id)) => {
            let Some(parts) = uploads.open.remove(&id) else { return Reply::empty(404) };
            let tag = put(path, parts.into_values().flatten().collect(), uploads, files);
            xml(format!(
                "<CompleteMultipartUploadResult><ETag>{tag}</ETag>\
                 </CompleteMultipartUploadResult>"
            ))
        }
        ("PUT", Some(id)) => {
            let number = value("partNumber").and_then(|number| number.parse().ok());
            let tag = format!("\"{}\"", uploads.next());
            match (uploads.open.get_mut(&id), number) {
                (Some(parts), Some(number)) => drop(parts.insert(number, body)),
                _ => return Reply::empty(404),
            }
            Reply { headers: vec![("ETag", tag)], ..Reply::empty(200) }
        }
        ("PUT", None) => {
            let from = header("x-amz-copy-source").map(|from| format!("/{from}"));
            let content = match from.map(|from| files.get(&from).map(|file| file.content.clone())) {
                Some(None) => return Reply::empty(404),
                Some(Some(content)) => content,
                None => body,
            };
            let tag = put(path, content, uploads, files);
            let xml = xml(format!("<CopyObjectResult><ETag>{tag}</ETag></CopyObjectResult>"));
            Reply { headers: vec![("ETag", tag)], ..xml }
        }
        (_, Some(id)) => {
            uploads.open.remove(&id);
            Reply::empty(204)
        }
        (_, None) => {
            files.remove(path);
            Reply::empty(204)
        }
    }
}

/// Removes the objects of a bucket that a list names; gives the list of those.
fn removed(bucket: &str, list: &[u8], files: &mut BTreeMap<String, ServedFile>) -> String {
    let list = String::from_utf8_lossy(list);
    let keys = list.split("<Key>").skip(1).filter_map(|rest| rest.split("</Key>").next());
    let mut answer = String::new();
    for key in keys {
        files.retain(|path, _| decoded(path) != format!("{bucket}/{key}"));
        answer += &format!("<Deleted><Key>{key}</Key></Deleted>");
    }
    format!("<DeleteResult>{answer}</DeleteResult>")
}

/// Puts a file in its place; gives its tag.
fn put(
    path: &str,
    content: Vec<u8>,
    uploads: &mut Uploads,
    files: &mut BTreeMap<String, ServedFile>,
) -> String {
    let tag = format!("\"{}\"", uploads.next());
    let file = ServedFile { tag: Some(tag.clone()), ..ServedFile::new(content) };
    files.insert(path.to_owned(), file);
    tag
}
