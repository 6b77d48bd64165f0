#!/usr/bin/env python3
"""Writes Sources/Workbook/WideScalars.swift: the scalars that take two terminal cells, from Python's Unicode data."""
import sys
import unicodedata

# What the standard gives to Han ahead of time: wide although unassigned (UAX #11). Python has no width for the unassigned.
RESERVED = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD)]


def is_wide(scalar):
    character = chr(scalar)
    if unicodedata.category(character) in ("Cn", "Cs"):
        return any(first <= scalar <= last for first, last in RESERVED)
    # A mark is drawn over the character before it, however wide the table calls it.
    return unicodedata.east_asian_width(character) in "WF" and unicodedata.category(character) not in ("Mn", "Me")


ranges = []
for scalar in range(0x110000):
    if not is_wide(scalar):
        continue
    if ranges and ranges[-1][1] == scalar - 1:
        ranges[-1][1] = scalar
    else:
        ranges.append([scalar, scalar])

lines = [
    "// Made by .ci/wide-scalars.py. Don't edit: run the script again with a newer Python for a newer Unicode.",
    "",
    "/// The scalars whose East Asian width is wide or fullwidth.",
    "enum WideScalars {",
    "    /// The version of the Unicode data that the ranges were made from.",
    f'    static let unicodeVersion = "{unicodedata.unidata_version}"',
    "",
    "    /// Sorted, and none touches the next.",
    "    static let ranges: [ClosedRange<UInt32>] = [",
]
row = "       "
for first, last in ranges:
    item = f" 0x{first:X}...0x{last:X},"
    if len(row) + len(item) > 118:
        lines.append(row)
        row = "       "
    row += item
lines += [row, "    ]", "}", ""]
with open("Sources/Workbook/WideScalars.swift", "w", encoding="utf-8") as file:
    file.write("\n".join(lines))
print(len(ranges), "ranges of Unicode", unicodedata.unidata_version, file=sys.stderr)
