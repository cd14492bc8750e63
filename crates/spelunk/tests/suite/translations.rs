//! Texts for translators, out and in: what was not changed changes nothing, what was changed is that text, and what does not
//! fit says which and why.

use proptest::prelude::*;
use spelunk::{
    Bytes, Collect, Error, Opened, Options, Result, Severity, WriteOptions,
    tables::translations::{
        self, Name, Pair, Sheet, Translation, TranslationCounts, TranslationUnit, Wish, csv, po,
    },
};
use spelunk_fixtures::{
    Fixture,
    cff::{CffChunk, CffFile},
    corpus,
    mutate::mutate,
};
use std::sync::Arc;

fn open(bytes: &[u8]) -> Opened {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).unwrap()
}

fn wish(language: &str) -> Wish {
    Wish { language: language.to_owned(), from: None }
}

/// The file with translations, what became of them, and what was found.
fn put(
    bytes: &[u8],
    given: &[Translation],
    wish: &Wish,
) -> Result<(Vec<u8>, TranslationCounts, Collect)> {
    let mut opened = open(bytes);
    let (source, report) = translations::put(&mut opened, given, wish)?;
    let mut out = Vec::new();
    let options = WriteOptions::default();
    Opened::open(source, &Options::default())?
        .run(|container, task| container.write(&mut out, &options, task))?;
    Ok((out, report, opened.take_findings()))
}

/// A row of category 2016: id, slot, handle and content, as `docs/formats/gamedata.md` has it.
fn row(id: u16, slot: u8, handle: &[u8], content: &[u8]) -> Vec<u8> {
    let mut row = vec![0; 566];
    row[..2].copy_from_slice(&id.to_le_bytes());
    row[2] = slot;
    row[3] = u8::from(!handle.is_empty());
    row[4..4 + handle.len()].copy_from_slice(handle);
    row[54..54 + content.len()].copy_from_slice(content);
    row
}

fn file(rows: &[Vec<u8>]) -> Vec<u8> {
    let blob = Fixture { bytes: rows.concat(), ..Fixture::default() };
    let chunks = vec![CffChunk::raw(2016, 3, blob)];
    CffFile { chunks, ..CffFile::default() }.build().bytes
}

fn sample() -> Vec<Vec<u8>> {
    let mut tail = row(4, 0, b"", b"Alt");
    tail[54 + 10] = b'!';
    vec![
        row(1, 0, b"", b"Schl\xfcssel"),
        row(1, 2, b"", b"Cl\xe9"),
        row(2, 0, b"greet_01", b"Hallo,\n\"Wanderer\"!\\\t\x01"),
        row(3, 0, b"", b""),
        tail,
        row(4, 2, b"", b"Vieux"),
        row(4, 2, b"", b"Ancien"),
        row(5, 3, b"", b"Hola"),
    ]
}

fn given(id: u16, target: &str) -> Translation {
    let name = Name { id, nth: 0 };
    Translation { name, source: None, target: target.to_owned(), is_fuzzy: false }
}

fn through_po(sheet: &Sheet) -> Vec<u8> {
    let mut text = Vec::new();
    po::write(sheet, false, &mut text).unwrap();
    assert!(po::is_for(&text) && !csv::is_for(&text));
    text
}

#[test]
fn a_catalogue_holds_texts_beside_each_other() {
    let sheet = translations::sheet(&mut open(&file(&sample())), &wish("fr")).unwrap();
    assert_eq!((sheet.from.as_str(), sheet.to.as_str()), ("de", "fr"));
    assert_eq!((sheet.texts.len(), sheet.untranslated()), (5, 2));
    let mut text = Vec::new();
    po::write(&sheet, false, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    for part in [
        "\"Language: fr\\n\"",
        "#: texts/1/2\nmsgctxt \"1\"\nmsgid \"Schl\u{fc}ssel\"\nmsgstr \"Cl\u{e9}\"\n",
        "#. greet_01\n#: texts/2/2\nmsgctxt \"2\"\nmsgid \"\"\n\"Hallo,\\n\"\n\"\\\"Wanderer\\\"!\\\\\\t\\001\"\nmsgstr \"\"\n",
        "msgctxt \"4@1\"\nmsgid \"Alt\"\nmsgstr \"Ancien\"\n",
        // What German lacks is translated from what there is.
        "msgctxt \"5\"\nmsgid \"Hola\"\nmsgstr \"\"\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("msgctxt \"3\""), "a text without content has nothing to translate");
    let mut missing = Vec::new();
    po::write(&sheet, true, &mut missing).unwrap();
    assert_eq!(po::read(&missing).unwrap().len(), 2);
}

#[test]
fn texts_that_were_not_changed_change_nothing() {
    let bytes = file(&sample());
    for language in ["de", "fr", "es", "0", "pl", "6"] {
        let sheet = translations::sheet(&mut open(&bytes), &wish(language)).unwrap();
        let mut table = Vec::new();
        csv::write(&sheet, false, &mut table).unwrap();
        assert!(csv::is_for(&table) && !po::is_for(&table));
        for given in [po::read(&through_po(&sheet)).unwrap(), csv::read(&table).unwrap()] {
            let (new, report, findings) = put(&bytes, &given, &wish(language)).unwrap();
            assert!(new == bytes, "{language}");
            assert_eq!((report.changed, report.added, report.refused), (0, 0, 0));
            assert_eq!(report.untranslated as usize, sheet.untranslated());
            assert!(findings.findings.is_empty());
        }
    }
}

#[test]
fn translations_change_texts_or_make_rows() {
    let bytes = file(&sample());
    let mut stale = given(1, "Cl\u{e9}s");
    stale.source = Some("Schlo\u{df}".to_owned());
    let mut fuzzy = given(5, "Salut");
    fuzzy.is_fuzzy = true;
    let second = Translation { name: Name { id: 4, nth: 1 }, ..given(4, "Antique") };
    let all = [stale, given(2, "Bonjour"), second, fuzzy, given(4, "")];
    let (new, report, findings) = put(&bytes, &all, &wish("fr")).unwrap();
    let mut expected = sample();
    expected[1] = row(1, 2, b"", b"Cl\xe9s");
    expected[6] = row(4, 2, b"", b"Antique");
    expected.insert(3, row(2, 2, b"greet_01", b"Bonjour"));
    assert!(new == file(&expected));
    let counts = TranslationCounts {
        changed: 2,
        added: 1,
        untranslated: 1,
        fuzzy: 1,
        stale: 1,
        ..TranslationCounts::default()
    };
    assert_eq!(report, counts);
    let told: Vec<_> = findings.findings.iter().map(|it| it.error.to_string()).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("texts/1/2: ") && told[0].contains("`Schlo\u{df}`"), "{told:?}");
}

#[test]
fn a_language_that_no_text_has_gets_its_code_page() {
    let bytes = file(&sample());
    let (new, report, _) =
        put(&bytes, &[given(1, "Za\u{17c}\u{f3}\u{142}\u{107}")], &wish("pl")).unwrap();
    assert_eq!(report.added, 1);
    let mut expected = sample();
    expected.insert(2, row(1, 6, b"", b"Za\xbf\xf3\xb3\xe6"));
    assert!(new == file(&expected));
    assert_eq!(
        translations::sheet(&mut open(&new), &wish("pl")).unwrap().pair,
        Pair { from: 0, to: 6 }
    );
}

#[test]
fn what_does_not_fit_is_told_text_by_text() {
    let bytes = file(&sample());
    let all = [
        given(1, &"x".repeat(512)),
        given(2, "\u{413}"),
        given(9, "nothing"),
        Translation { name: Name { id: 1, nth: 1 }, ..given(1, "second") },
        given(4, "one"),
        given(4, "another"),
        given(5, &"y".repeat(511)),
    ];
    let (new, report, findings) = put(&bytes, &all, &wish("fr")).unwrap();
    assert_eq!((report.refused, report.changed, report.added), (5, 1, 1));
    let found: Vec<_> = findings
        .findings
        .iter()
        .map(|it| (it.severity, it.error.code().id, it.error.path()))
        .collect();
    let error = |code, path: &str| (Severity::Error, code, path.to_owned());
    assert_eq!(
        found,
        [
            error("GD021", "texts/1/2.content"),
            error("GD022", "texts/2/2.content"),
            error("SP022", "texts/9/2"),
            error("SP022", "texts/1/2@1"),
            error("SP136", "texts/4/2"),
        ]
    );
    let mut expected = sample();
    expected[5] = row(4, 2, b"", b"one");
    expected.push(row(5, 2, b"", &[b'y'; 511]));
    // A new text stands before those of greater slots.
    expected.swap(7, 8);
    assert!(new == file(&expected));
}

#[test]
fn only_tables_have_languages() {
    let error = |result: Result<Sheet>| result.unwrap_err().code().id;
    let bytes = file(&sample());
    assert_eq!(error(translations::sheet(&mut open(&bytes), &wish("xx"))), "SP131");
    let twice = Wish { language: "fr".to_owned(), from: Some("2".to_owned()) };
    assert_eq!(error(translations::sheet(&mut open(&bytes), &twice)), "SP131");
}

#[test]
fn damaged_catalogues_say_where() {
    let head = "msgid \"\"\nmsgstr \"\"\n\n";
    let refused = |text: &str| -> Error { po::read(text.as_bytes()).expect_err(text) };
    for (text, told) in [
        ("\"x\"\n", "line 1"),
        ("msgctxt \"1\"\nmsgid \"a\"\n", "msgid and msgstr"),
        ("msgctxt \"1\"\nmsgid \"a\"\nmsgid \"b\"\nmsgstr \"\"\n", "line 6"),
        ("msgctxt \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n", "`x`"),
        ("msgid \"a\"\nmsgstr \"b\"\n", "msgctxt"),
        ("msgctxt \"1\"\nmsgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\n", "`msgid_plural`"),
        ("msgctxt \"1\"\nmsgid \"a\nmsgstr \"b\"\n", "quotes"),
        ("msgctxt \"1\"\nmsgid \"a\\\"\nmsgstr \"b\"\n", "quotes"),
        ("msgctxt \"1\"\nmsgid \"a\\q\"\nmsgstr \"b\"\n", "quotes"),
    ] {
        let text = if text.starts_with('"') { text.to_owned() } else { format!("{head}{text}") };
        let error = refused(&text);
        assert_eq!(error.code().id, "SP134");
        assert!(error.to_string().contains(told), "{told}: {error}");
    }
    assert!(po::read(b"msgid \"\xff\"").unwrap_err().to_string().contains("line 1"));
    assert_eq!(csv::read(b"text_id,target\nx,y\n").unwrap_err().path(), "line 2");
    assert_eq!(csv::read(b"text_id,source\n").unwrap_err().code().id, "SP134");
}

#[test]
fn what_other_programs_write_is_read() {
    let text = "\u{feff}# made elsewhere\r\nmsgid \"\"\r\nmsgstr \"Language: fr\\n\"\r\n\r\n\
        #, fuzzy, c-format\r\n#| msgid \"before\"\r\nmsgctxt \"1\"\r\nmsgid \"a\"\r\nmsgstr \"\"\r\n\"b\"\r\n\"c\\'\\061\"\r\n\
        msgctxt \"2@1\"\nmsgid \"d\"\nmsgstr \"e\"\n#~ msgctxt \"3\"\n#~ msgid \"f\"\n#~ msgstr \"g\"\n";
    let read = po::read(text.as_bytes()).unwrap();
    let expected = [
        Translation { source: Some("a".into()), is_fuzzy: true, ..given(1, "bc'1") },
        Translation { name: Name { id: 2, nth: 1 }, source: Some("d".into()), ..given(2, "e") },
    ];
    assert_eq!(read, expected);
    let table = "\u{feff}source,target,text_id\na,\"b\nc\",7@2\n";
    let read = csv::read(table.as_bytes()).unwrap();
    let name = Name { id: 7, nth: 2 };
    assert_eq!(read, [Translation { name, source: Some("a".into()), ..given(7, "b\nc") }]);
}

#[test]
fn damage_ends_in_an_error_and_not_in_a_panic() {
    let sheet = translations::sheet(&mut open(&file(&sample())), &wish("fr")).unwrap();
    let text = through_po(&sheet);
    let bytes = file(&sample());
    for seed in 0..400 {
        if let Ok(read) = po::read(&mutate(&text, seed)) {
            put(&bytes, &read, &wish("fr")).unwrap();
        }
        let _ = csv::read(&mutate(b"text_id,source,target\n1,a,b\n", seed));
    }
}

proptest! {
    #[test]
    fn any_text_comes_back(texts in prop::collection::vec((any::<u16>(), "\\PC*|[\\x00-\\x7f]*", "\\PC*|[\\x00-\\x7f]*"), 0..8)) {
        let texts: Vec<_> = (0_u32..)
            .zip(texts)
            .map(|(nth, (id, source, target))| TranslationUnit { name: Name { id, nth }, handle: String::new(), source, target })
            .collect();
        let pair = Pair { from: 0, to: 2 };
        let sheet = Sheet { pair, from: "de".into(), to: "fr".into(), texts };
        let mut table = Vec::new();
        csv::write(&sheet, false, &mut table).unwrap();
        for read in [po::read(&through_po(&sheet)).unwrap(), csv::read(&table).unwrap()] {
            prop_assert_eq!(read.len(), sheet.texts.len());
            for (read, text) in read.iter().zip(&sheet.texts) {
                prop_assert_eq!(read.name, text.name);
                prop_assert_eq!(read.source.as_ref(), Some(&text.source));
                prop_assert_eq!(&read.target, &text.target);
            }
        }
    }
}

#[test]
fn editions_come_back_byte_for_byte() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    for corpus::RealFile { name, bytes, .. } in files {
        for language in ["de", "1", "fr", "es", "it", "6"] {
            let sheet = translations::sheet(&mut open(&bytes), &wish(language)).unwrap();
            let read = po::read(&through_po(&sheet)).unwrap();
            let (new, report, findings) = put(&bytes, &read, &wish(language)).unwrap();
            assert!(new == bytes, "{name}, {language}");
            assert_eq!(report.same + report.untranslated, sheet.texts.len() as u64);
            assert!(findings.findings.is_empty());
        }
    }
}
