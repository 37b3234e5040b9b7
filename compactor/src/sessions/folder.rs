//! How the folders of sessions are named (fact C1.1).

/// The longest name of a project's folder; longer ones are cut and get a hash that differs between
/// the client's builds, so they are looked for by their beginning.
pub const LONGEST_FOLDER: usize = 200;

/// The name of the folder below `projects` in which a client keeps the sessions of a directory:
/// every character that is no ASCII letter or digit becomes `-` (fact C1.1).
#[must_use]
pub fn folder_of(directory: &str) -> String {
    // As the client's language has it, a character beyond U+FFFF is two.
    directory
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect()
}

/// Whether a folder of `projects` is that of a directory.
#[must_use]
pub fn is_folder_of(folder: &str, directory: &str) -> bool {
    let name = folder_of(directory);
    match name.get(..LONGEST_FOLDER) {
        Some(start) if name.len() > LONGEST_FOLDER => folder.starts_with(start),
        _ => folder == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_by_their_directories() {
        assert_eq!(folder_of("/a_b/c.d"), "-a-b-c-d");
        assert_eq!(folder_of("/é/😀"), "------"[..4].to_owned() + "-");
        assert!(is_folder_of("-srv-shop", "/srv/shop"));
        assert!(!is_folder_of("-srv-shop-2", "/srv/shop"));
        let long = format!("/{}", "a".repeat(300));
        assert!(is_folder_of(&format!("-{}-x1", "a".repeat(199)), &long));
    }
}
