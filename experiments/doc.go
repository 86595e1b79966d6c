// Package experiments reads experiment files. It consumes YAML (a file or an embedded one),
// overrides (key=value), and what is known (libraries with their bugs, tools). It produces
// an Experiment with every default and bug spelled out, and its Plan of cells.
//
// It refuses, all in one *Error with file and line: unknown keys, libraries, editions,
// bugs and tools (with the nearest known name), values of the wrong type, budgets that
// nobody can keep or that never end, models without a price, and anything listed twice.
//
// viper lowers the case of map keys, so names whose case matters are values here, never
// keys: libraries, tools and variants are lists of maps with a name.
package experiments
