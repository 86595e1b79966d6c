#!/usr/bin/env python3
"""Draws detected bugs against dollars, a point for each cell, from the output of bench run or evaluate --json."""
import html, json, sys

outcome = json.load(open(sys.argv[1]))
points = []
for record in outcome["records"]:
    if not record.get("bugs"):  # a cell that others use
        continue
    dollars = sum(spent.get("dollars", 0) for spent in (record["usage"], record.get("before", {})))
    bugs = sum(bug["detected"] for bug in record["bugs"])
    name = "{tool}/{variant} {library} {trial}".format(**record["cell"])
    points.append((dollars, bugs, f"{name}: {bugs} bugs, ${dollars:.2f}"))
most_dollars = max((p[0] for p in points), default=0) or 1
most_bugs = max((p[1] for p in points), default=0) or 1
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" font-family="sans-serif" font-size="12">')
print('<path d="M60 20V350H620" fill="none" stroke="black"/>')
print(f'<text x="60" y="370">0</text><text x="560" y="370">${most_dollars:.2f}</text><text x="10" y="30">{most_bugs} bugs</text>')
for dollars, bugs, name in points:
    x, y = 60 + 540 * dollars / most_dollars, 350 - 320 * bugs / most_bugs
    print(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{html.escape(name)}</title></circle>')
print("</svg>")
