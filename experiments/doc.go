// Package experiments reads experiment files. It consumes YAML (a file or an embedded one),
// overrides (key=value), and what is known (libraries with their bugs, tools). It produces
// an Experiment with every default and bug spelled out, and its Plan of cells.
//
// It reports all mistakes in one *Error, each with file and line. They are unknown keys, libraries, editions,
// bugs and tools (with the nearest known name), values of the wrong type, and anything listed twice. They are
// also budgets that cannot be kept or never end, and models without a price.
//
// A file is read once, as a tree of nodes that know their lines. A profile, the keys of an including file and
// overrides change the tree; it is held against the JSON Schema that is made from the types, and decoded over the
// defaults. What a schema cannot say, the rest of the package checks.
package experiments
