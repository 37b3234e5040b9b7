"""Writes the files of this folder from an installed ctok (see README.md).

    python generate.py [FOLDER]

v3.trie, v4.trie    the pieces of a vocabulary as a double array of 32-bit cells
characters.bin      what the tokenizers distinguish in the characters below U+10000
"""

import importlib
import struct
import sys
import unicodedata
from pathlib import Path

from ctok.constants import BOW_G, CAPS_G, EOW_G, ESCAPED_MARKER_LITERALS, LITERAL_MARKER_ESCAPES
from ctok.constants import MARKER_GLYPHS, SHIFT_G
from ctok.main import _model

rules = importlib.import_module("ctok.normalize")

# Control characters never reach the tokenizer, so four of them stand for the markers.
MARKER_BYTES = {BOW_G: "\x01", EOW_G: "\x02", SHIFT_G: "\x03", CAPS_G: "\x04"}
# Positions of the two roots. A cell is base << 9 | ends a piece << 8 | label.
PIECES, BYTES = 0, 1
LONGEST = 128


def spelled(piece):
    return "".join(MARKER_BYTES.get(c, c) for c in piece).encode()


class DoubleArray:
    """A trie in which the child of a node at `base` under byte `b` is the cell `base ^ b`."""

    def __init__(self):
        self.cells = {PIECES: 0, BYTES: 0}
        self.bases = {0}
        self.first_free = 2
        # A free cell that none of so many nodes could use is given up.
        self.refusals = {}

    def add(self, root, words):
        tree = {}
        for word in words:
            node = tree
            for byte in word:
                node = node.setdefault(byte, {})
            node[None] = None
        nodes = [(root, tree, 0, 0)]
        # Nodes with many children are placed first, while there is room.
        waiting = []
        self._collect(tree, waiting)
        waiting.sort(key=lambda node: -len(node))
        base_of = {}
        for node in waiting:
            labels = [label for label in node if label is not None]
            if labels:
                base_of[id(node)] = self._place(labels)
        while nodes:
            place, node, label, ends = nodes.pop()
            base = base_of.get(id(node), 0)
            self.cells[place] = base << 9 | ends << 8 | label
            for child_label, child in node.items():
                if child_label is not None:
                    nodes.append((base ^ child_label, child, child_label, int(None in child)))

    def _collect(self, node, into):
        stack = [node]
        while stack:
            node = stack.pop()
            into.append(node)
            stack.extend(child for child in node.values() if child is not None)

    def _place(self, labels):
        place = self.first_free
        while True:
            if place not in self.cells:
                base = place ^ labels[0]
                if base > 0xFF and base not in self.bases:
                    if all(base ^ label not in self.cells for label in labels):
                        break
                self.refusals[place] = self.refusals.get(place, 0) + 1
            place += 1
        self.bases.add(base)
        for label in labels:
            self.cells[base ^ label] = 0
        while self.first_free in self.cells or self.refusals.get(self.first_free, 0) > 2000:
            self.first_free += 1
        return base

    def write(self):
        # A walk may look 256 cells beyond the last one that is filled.
        length = (max(self.cells) | 0xFF) + 1
        return b"".join(struct.pack("<I", self.cells.get(i, 0)) for i in range(length))


def trie(family):
    model = _model(family)
    pieces = sorted(spelled(piece) for piece in model.vocab)
    assert max(map(len, pieces)) <= LONGEST
    whole = {char.encode().hex() for char in model.unit_pieces}
    byte_tokens = sorted(bytes.fromhex(token) for token in model.bytes.tokens - whole)
    check(model)
    array = DoubleArray()
    array.add(PIECES, pieces)
    array.add(BYTES, byte_tokens)
    return array.write()


def check(model):
    """What lets the counter cut a text into parts that are tiled by themselves."""
    for piece in model.vocab:
        body = piece.lstrip(SHIFT_G + CAPS_G)
        assert SHIFT_G not in body and CAPS_G not in body, piece
        assert EOW_G not in body[:-1], piece
        assert BOW_G not in body[1:], piece
        kinds = {kind(char) for char in piece if char not in MARKER_GLYPHS}
        symbols = {"punct", "hard punct", "hard number"}
        assert len(kinds) <= 1 or kinds <= symbols or piece.startswith("'"), piece


def kind(char):
    cls = rules.classify(char)
    if cls == "space":
        return f"space {char}"
    return f"hard {rules._hard_kind(char)}" if cls == "hard" else cls


# ---- characters ---------------------------------------------------------------------------------

CLASSES = ["wordy", "hard", "digit", "punct", "space"]
UPPER, LOWER, NO_CAPS, STRAY, SELECTOR, COMPOSES, MAPPED = (1 << bit for bit in range(3, 10))
NUMBER, SYMBOL = 1 << 11, 2 << 11
BORDER, DECIMAL, OTHER_NUMBER = 1 << 13, 1 << 14, 1 << 15


def composing():
    """Characters that NFC may change or join to the one before."""
    found = set()
    for code in range(0x110000):
        char = chr(code)
        parts = unicodedata.decomposition(char)
        if parts and not parts.startswith("<"):
            parts = [int(part, 16) for part in parts.split()]
            if len(parts) == 2:
                found.add(parts[1])
            if not 0xD800 <= code < 0xE000 and not unicodedata.is_normalized("NFC", char):
                found.add(code)
        if unicodedata.combining(char):
            found.add(code)
    return found | set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))


def mapped(char):
    """Whether the text is changed at this character by more than NFC."""
    if 0xD800 <= ord(char) < 0xE000:
        return False
    plain = rules.nfc(char, fold_quotes=True)
    return plain != unicodedata.normalize("NFC", char) or char == "\u0E4D"


def flags(code, composing):
    char = chr(code)
    if 0xD800 <= code < 0xE000:
        return CLASSES.index("hard")
    # Marker glyphs in a text are read as the rules' escapes for them.
    read = LITERAL_MARKER_ESCAPES.get(char, char)
    value = CLASSES.index(rules.classify(read))
    upper, lower = rules._is_upper(read), rules._is_lower(read)
    lowered = rules._lower(read)
    letter = char in rules._NEW_CASED or unicodedata.category(read)[0] in "LM"
    value |= UPPER * upper | LOWER * lower
    value |= NO_CAPS * (letter and not lower and (not upper or lowered == read))
    value |= STRAY * rules._stray_mark(read) | SELECTOR * rules._is_selector(read)
    value |= COMPOSES * (code in composing) | MAPPED * mapped(char)
    if rules.classify(read) == "hard":
        value |= {"letter": 0, "number": NUMBER, "punct": SYMBOL}[rules._hard_kind(read)]
    category = unicodedata.category(read)
    value |= BORDER * rules._digit_border(read)
    value |= DECIMAL * (category == "Nd") | OTHER_NUMBER * (category == "No")
    return value


def characters():
    """256 page numbers, then pages of 256 kinds, then the flags of each kind."""
    may_compose = composing()
    kinds, pages, index = [], [], []
    for high in range(256):
        page = []
        for low in range(256):
            value = flags(high << 8 | low, may_compose)
            if value not in kinds:
                kinds.append(value)
            page.append(kinds.index(value))
        page = bytes(page)
        if page not in pages:
            pages.append(page)
        index.append(pages.index(page))
    assert len(kinds) <= 256 and len(pages) <= 256
    counts = struct.pack("<HH", len(pages), len(kinds))
    return counts + bytes(index) + b"".join(pages) + struct.pack(f"<{len(kinds)}H", *kinds)


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, data in [
        ("v3.trie", trie("v3")),
        ("v4.trie", trie("v4.7")),
        ("characters.bin", characters()),
    ]:
        (folder / name).write_bytes(data)
        print(name, len(data))


if __name__ == "__main__":
    main()
