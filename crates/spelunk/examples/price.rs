//! Gives an item of a GameData another price.
//!
//! `cargo run -p spelunk --example price -- GAMEDATA NEW ITEM PRICE`

use spellforce::{GameData, Item, Result};
use std::path::Path;

/// Writes the file at `old` to `new` with another price of an item.
pub fn price(old: &Path, new: &Path, item: u32, price: u32) -> Result<()> {
    let mut game = GameData::open(old)?;
    game.update::<Item>(item, |item| item.buy_value = price.into())?;
    game.save(new)
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let [_, old, new, item, copper] = args.as_slice() else {
        panic!("usage: price GAMEDATA NEW ITEM PRICE");
    };
    let number = |text: &str| text.parse().expect("a number");
    price(old.as_ref(), new.as_ref(), number(item), number(copper))
}
