#!/usr/bin/env python3
"""Counts the sentences of more than 30 words in the documents and the doc comments.

Usage: scripts/long-sentences.py [-v] [WORDS]    (from the root of the repository; -v prints each one)
Tables, code blocks and list markers are left out; a list item is a paragraph of its own.
"""
import pathlib
import re
import sys

verbose = "-v" in sys.argv[1:]
limit = next((int(a) for a in sys.argv[1:] if a.isdigit()), 30)


def markdown(text):
    text = re.sub(r"^```.*?^```", "\n", text, flags=re.S | re.M)
    text = re.sub(r"^(\s*\|.*|<!--.*-->)$", "", text, flags=re.M)
    for line in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)", text):
        yield re.sub(r"^\s*(?:[-*#]+|\d+\.) ", "", line.strip())


def comments(text):
    block = []
    for line in text.splitlines() + [""]:
        if m := re.match(r"\s*//( .*|)$", line):
            block.append(m[1].strip() if not m[1].startswith(("  ", " \t")) else "")
        elif block:
            yield from "\n".join(block).split("\n\n")
            block = []


def sentences(paragraph):
    return re.split(r"(?<=[.!?:])\s+(?=[A-Z`\"(\[*])", " ".join(paragraph.split()))


for suffix, read in ((".md", markdown), (".go", comments)):
    count = all_of = 0
    for path in sorted(pathlib.Path(".").rglob("*" + suffix)):
        if "testdata" in path.parts or path.name.endswith("_test.go"):
            continue
        for sentence in (s for p in read(path.read_text()) for s in sentences(p) if s):
            all_of += 1
            if len(sentence.split()) > limit:
                count += 1
                if verbose:
                    print(f"{path}: {sentence}\n")
    print(f"{suffix}: {count} of {all_of} sentences have more than {limit} words")
