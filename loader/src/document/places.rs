//! Lines and columns of one place after another.

/// Walks through a text. A file may hold as many references as it has room for, and counting
/// lines from the top for each of them would take a square of its length.
pub(crate) struct Places<'a> {
    pub(crate) text: &'a str,
    /// The place last asked for, with its 1-based line and column in characters.
    offset: usize,
    line: usize,
    column: usize,
}

impl<'a> Places<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            offset: 0,
            line: 1,
            column: 1,
        }
    }

    /// The 1-based line and column of a byte offset on a character's edge.
    pub(crate) fn place(&mut self, offset: usize) -> (u32, u32) {
        let between = self.offset.min(offset)..self.offset.max(offset);
        let passed = &self.text[between];
        let ends = memchr::memchr_iter(b'\n', passed.as_bytes()).count();
        let forward = offset >= self.offset;
        self.line = if forward {
            self.line + ends
        } else {
            self.line - ends
        };
        if forward && ends == 0 {
            self.column += passed.chars().count();
        } else {
            let start = memchr::memrchr(b'\n', &self.text.as_bytes()[..offset]);
            let start = start.map_or(0, |end| end + 1);
            self.column = self.text[start..offset].chars().count() + 1;
        }
        self.offset = offset;
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (short(self.line), short(self.column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_right_in_any_order() {
        let text = "é@a\n\nb @c\r\n  @d";
        let mut places = Places::new(text);
        for offset in [2, 4, 5, 8, 14, 8, 0, 14, 2] {
            let line = text[..offset].matches('\n').count() + 1;
            let last = text[..offset].rsplit('\n').next().unwrap();
            let wanted = (
                u32::try_from(line).unwrap(),
                u32::try_from(last.chars().count() + 1).unwrap(),
            );
            assert_eq!(places.place(offset), wanted, "{offset}");
        }
    }
}
