//! Pictures that the service refuses.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::finding::About;
use crate::transcript::record::Image;

/// The largest picture that the service takes, in bytes of base64.
pub const LARGEST: usize = 5 * 1024 * 1024;

/// The service's reader does not ask for padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// What is wrong with a picture, in a few words.
pub(super) fn fault(image: &Image) -> Option<(About, String)> {
    if image.data.len() > LARGEST {
        return Some((About::ImageTooLarge, size(image)));
    }
    let Ok(bytes) = BASE64.decode(&image.data) else {
        return Some((About::ImageInvalid, size(image)));
    };
    let kind = kind_of(&bytes);
    if kind == Some(&*image.media_type) {
        return None;
    }
    let is = kind.unwrap_or("none of the types that the service takes");
    Some((
        About::ImageTypeMismatch,
        format!("stated {}, is {is}", image.media_type),
    ))
}

/// The size of a picture: what its base64 holds.
pub(super) fn size(image: &Image) -> String {
    let bytes = image.data.len() / 4 * 3;
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..100_000 => format!("{:.1} KB", units(bytes, 1_000)),
        _ => format!("{:.1} MB", units(bytes, 1_000_000)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a size for people")]
fn units(bytes: usize, unit: usize) -> f64 {
    bytes as f64 / unit as f64
}

/// The type that the first bytes of a picture tell.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some("image/webp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(media_type: &str, data: &str) -> Option<About> {
        let image = Image {
            media_type: media_type.to_owned(),
            data: data.to_owned(),
        };
        fault(&image).map(|(about, _)| about)
    }

    #[test]
    fn pictures_are_what_they_state() {
        assert_eq!(about("image/png", "iVBORw0KGgo="), None);
        assert_eq!(about("image/png", "iVBORw0KGgo"), None);
        assert_eq!(about("image/jpeg", "/9j/4A=="), None);
        assert_eq!(about("image/gif", "R0lGODlh"), None);
        assert_eq!(about("image/webp", "UklGRgAAAABXRUJQ"), None);
        let mismatch = Some(About::ImageTypeMismatch);
        assert_eq!(about("image/jpeg", "iVBORw0KGgo="), mismatch);
        assert_eq!(about("image/png", "bm90IGFuIGltYWdl"), mismatch);
        assert_eq!(about("image/png", "no base64"), Some(About::ImageInvalid));
        let large = "A".repeat(LARGEST + 1);
        assert_eq!(about("image/png", &large), Some(About::ImageTooLarge));
    }

    #[test]
    fn sizes_are_of_the_picture() {
        let size = |length: usize| {
            size(&Image {
                media_type: String::new(),
                data: "A".repeat(length),
            })
        };
        assert_eq!(size(7_500_000), "5.6 MB");
        assert_eq!(size(4_000), "3.0 KB");
        assert_eq!(size(16), "12 bytes");
    }
}
