//! Numbers, GUIDs and bytes out of digits and into them.

/// Reads a whole number, decimal or in hexadecimal digits behind `0x`, with a `-` before it where it is negative.
pub fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => unsigned(digits, 16)?,
        None => unsigned(digits, 10)?,
    };
    i128::from(number).checked_mul(sign)
}

/// The number of digits alone: the standard library takes a `+` before them, which sets flags here and is no digit elsewhere.
pub(super) fn unsigned(digits: &str, radix: u32) -> Option<u64> {
    u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))
}

/// Reads the two words of a GUID: eight hexadecimal digits each, with `-` between them.
pub fn guid(text: &str) -> Option<[u32; 2]> {
    let (d1, d2) = text.split_once('-')?;
    let word = |digits: &str| match digits.len() {
        8 => unsigned(digits, 16).and_then(|word| u32::try_from(word).ok()),
        _ => None,
    };
    Some([word(d1)?, word(d2)?])
}

/// Reads 32 hexadecimal digits, as they are or in the groups of UUIDs, in braces or not.
pub fn digits_128(text: &str) -> Option<u128> {
    let inner = match text.strip_prefix('{') {
        Some(rest) => rest.strip_suffix('}')?,
        None => text,
    };
    let groups = inner.split('-').map(str::len);
    if !groups.clone().eq([32]) && !groups.eq([8, 4, 4, 4, 12]) {
        return None;
    }
    let digits = inner.chars().filter(|c| *c != '-');
    digits
        .map(|c| c.to_digit(16))
        .try_fold(0_u128, |all, digit| Some(all << 4 | u128::from(digit?)))
}

/// Reads bytes as pairs of hexadecimal digits. They take half of the memory of the text and no more.
pub fn hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok();
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        bytes.push(byte(pair)?);
    }
    rest.is_empty().then_some(bytes)
}

/// Bytes as pairs of hexadecimal digits, which [`hex`] reads. The text takes twice the memory of the bytes and no more.
pub fn to_hex(bytes: &[u8]) -> String {
    let digit = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or_default();
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    text.extend(bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]));
    text
}
