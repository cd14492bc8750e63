//! What the guide for users of the library shows does what it says there.

#[allow(dead_code, reason = "its `main`")]
#[path = "../../examples/guide.rs"]
mod example;

use spelunk_fixtures::write_samples;

#[test]
fn the_guide_does_what_it_says() {
    let dir = tempfile::tempdir().unwrap();
    write_samples(dir.path()).unwrap();
    let (level, new) = (dir.path().join("level.nmo"), dir.path().join("new.nmo"));
    let pack = dir.path().join("forest.snpak");
    assert_eq!(example::what(&level).unwrap(), "virtools, 0 findings");
    assert_eq!(example::list(&level).unwrap()[1], "#1 CKMaterial Wood");
    assert_eq!(example::list(&pack).unwrap().len(), 6);

    let power = "material.specular_power";
    let wood = example::fields(&level, "CKMaterial/Wood").unwrap();
    assert!(wood.iter().any(|line| line.starts_with(power)), "{wood:?}");
    example::change(&level, &new, "CKMaterial/Wood", power, "20").unwrap();
    let wood = example::fields(&new, "CKMaterial/Wood").unwrap();
    assert!(wood.contains(&format!("{power} = 20")), "{wood:?}");
    assert_eq!(example::differences(&level, &new).unwrap(), 1);
    assert_eq!(example::differences(&level, &level).unwrap(), 0);
    let refused = example::change(&level, &new, "CKMaterial/Wood", power, "30");
    assert!(refused.is_err(), "the file is there already");

    example::careful(&level).unwrap();
    let cut = dir.path().join("cut.snpak");
    std::fs::write(&cut, &std::fs::read(&pack).unwrap()[..3000]).unwrap();
    example::careful(&cut).unwrap_err();
    assert_eq!(example::objects(&level).unwrap(), Some(9));
    assert_eq!(example::objects(&pack).unwrap(), None);

    let saved = dir.path().join("saved.nmo");
    std::fs::write(dir.path().join("readme.txt"), "Have fun.").unwrap();
    assert_eq!(example::with_files(&level, dir.path(), &saved).unwrap(), 1);
    let text = example::fields(&saved, "included/Readme.txt").unwrap();
    assert!(text.iter().any(|line| line.ends_with("Readme.txt\"")), "{text:?}");
    assert_eq!(example::with_files(&pack, dir.path(), &saved).unwrap(), 0);
}
