//! From what a rule names to lines and columns.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::host::Host;
use crate::limits;
use crate::path::AbsPath;
use crate::record::Mention;
use crate::settings;

/// A place as a rule names it.
#[derive(Clone, Debug)]
pub enum Place {
    /// A file as a whole.
    File(AbsPath),
    /// A line, without the white space around it; 1-based.
    Line(AbsPath, u32),
    /// Bytes.
    Bytes(AbsPath, Range<usize>),
    /// A reference.
    Mention(Mention),
}

impl Place {
    /// Where a setting was made; nothing where that is the command line.
    #[must_use]
    pub fn setting(place: &settings::Place) -> Option<Self> {
        Some(Self::Line(place.file.clone()?, place.line))
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The file.
    pub path: AbsPath,
    /// 1-based; 1 for a file as a whole.
    pub line: u32,
    /// 1-based, in characters.
    pub column: u32,
    /// Its last line.
    pub end_line: u32,
    /// Behind its last character, in characters.
    pub end_column: u32,
    /// Its bytes; empty for a file as a whole.
    pub bytes: Range<usize>,
    /// It is the file as a whole.
    pub is_file: bool,
}

/// The texts of files, and places in them.
pub(crate) struct Resolver<'s> {
    host: &'s dyn Host,
    texts: FxHashMap<AbsPath, Option<Arc<str>>>,
    /// Where the lines of a file start.
    lines: FxHashMap<AbsPath, Arc<[usize]>>,
    /// The place of a file that was asked for last. A line may be as long as its file.
    last: FxHashMap<AbsPath, Column>,
}

/// A place in a line.
#[derive(Clone, Copy)]
struct Column {
    /// Where the line starts.
    line: usize,
    /// The byte of the file.
    offset: usize,
    /// Characters of the line before it.
    before: usize,
}

impl std::fmt::Debug for Resolver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Resolver").finish_non_exhaustive()
    }
}

impl<'s> Resolver<'s> {
    pub(crate) fn new(host: &'s dyn Host) -> Self {
        Self {
            host,
            texts: FxHashMap::default(),
            lines: FxHashMap::default(),
            last: FxHashMap::default(),
        }
    }

    /// Notes the text of a file that was read already.
    pub(crate) fn know(&mut self, path: &AbsPath, text: &Arc<str>) {
        self.texts.insert(path.clone(), Some(Arc::clone(text)));
    }

    /// The text of a file; nothing where it cannot be read.
    pub(crate) fn text(&mut self, path: &AbsPath) -> Option<Arc<str>> {
        if let Some(known) = self.texts.get(path) {
            return known.clone();
        }
        let bytes = self.host.read(path, limits::FILE_BYTES).ok();
        let text: Option<Arc<str>> = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into());
        self.texts.insert(path.clone(), text.clone());
        text
    }

    /// The texts of all files that were read.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&AbsPath, &str)> {
        let texts = self.texts.iter();
        texts.filter_map(|(path, text)| Some((path, text.as_deref()?)))
    }

    pub(crate) fn resolve(&mut self, place: &Place) -> Span {
        let (path, bytes) = match place {
            Place::File(path) => (path, None),
            Place::Line(path, line) => (path, self.line(path, *line)),
            Place::Bytes(path, range) => (path, Some(range.clone())),
            Place::Mention(mention) => (&mention.by, self.mention(mention)),
        };
        let text = bytes.as_ref().and_then(|_| self.text(path));
        let (Some(text), Some(bytes)) = (text, bytes) else {
            return Span {
                path: path.clone(),
                line: 1,
                column: 1,
                end_line: 1,
                end_column: 1,
                bytes: 0..0,
                is_file: true,
            };
        };
        let lines = self.lines_of(path, &text);
        let (line, column) = self.position(path, &text, &lines, bytes.start);
        let (end_line, end_column) = self.position(path, &text, &lines, bytes.end);
        Span {
            path: path.clone(),
            line,
            column,
            end_line,
            end_column,
            bytes,
            is_file: false,
        }
    }

    /// The place in this line that was asked for last.
    fn known(&self, path: &AbsPath, line: usize) -> Option<Column> {
        let last = self.last.get(path)?;
        (last.line == line).then_some(*last)
    }

    /// The 1-based line and column, in characters, of a byte.
    fn position(
        &mut self,
        path: &AbsPath,
        text: &str,
        lines: &[usize],
        offset: usize,
    ) -> (u32, u32) {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let number = lines.partition_point(|start| *start <= offset);
        let line = lines[number - 1];
        let known = self
            .known(path, line)
            .filter(|known| known.offset <= offset);
        let (from, before) = known.map_or((line, 0), |known| (known.offset, known.before));
        let before = before + text[from..offset].chars().count();
        let last = Column {
            line,
            offset,
            before,
        };
        self.last.insert(path.clone(), last);
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        (short(number), short(before + 1))
    }

    fn lines_of(&mut self, path: &AbsPath, text: &str) -> Arc<[usize]> {
        if let Some(lines) = self.lines.get(path) {
            return Arc::clone(lines);
        }
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        let lines: Arc<[usize]> = std::iter::once(0).chain(ends.map(|end| end + 1)).collect();
        self.lines.insert(path.clone(), Arc::clone(&lines));
        lines
    }

    /// The bytes of a line, without its end.
    pub(crate) fn whole_line(&mut self, path: &AbsPath, line: u32) -> Option<Range<usize>> {
        let text = self.text(path)?;
        nth_line(&text, &self.lines_of(path, &text), line)
    }

    fn line(&mut self, path: &AbsPath, line: u32) -> Option<Range<usize>> {
        let text = self.text(path)?;
        let whole = self.whole_line(path, line)?;
        let own = &text[whole.clone()];
        let start = whole.start + (own.len() - own.trim_start().len());
        Some(start..(start + own.trim().len()))
    }

    fn mention(&mut self, mention: &Mention) -> Option<Range<usize>> {
        let text = self.text(&mention.by)?;
        let line = self.whole_line(&mention.by, mention.line)?;
        let columns = usize::try_from(mention.column).ok()?.checked_sub(1)?;
        let known = self.known(&mention.by, line.start);
        let known = known.filter(|known| known.before <= columns);
        let from = known.unwrap_or(Column {
            line: line.start,
            offset: line.start,
            before: 0,
        });
        let rest = text.get(from.offset..line.end)?;
        let start = rest.char_indices().nth(columns - from.before)?.0 + from.offset;
        let end = start + mention.reference.len();
        text.get(start..end).map(|_| start..end)
    }
}

/// The bytes of a line, without its end.
fn nth_line(text: &str, lines: &[usize], line: u32) -> Option<Range<usize>> {
    let number = usize::try_from(line).ok()?.checked_sub(1)?;
    let start = *lines.get(number)?;
    let end = lines.get(number + 1).map_or(text.len(), |next| next - 1);
    Some(start..end)
}
