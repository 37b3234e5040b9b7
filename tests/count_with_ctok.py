"""Answers each line {"text": …} with ctok's counts of one message, [v3, v4.7, v4.8]."""

import json
import sys

from ctok import token_count

for line in sys.stdin:
    text = json.loads(line)["text"]
    print([token_count(text, version) for version in ("3.0", "4.7", "4.8")], flush=True)
