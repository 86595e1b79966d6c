// Package experiments reads experiment files. It consumes YAML (a file or an embedded one),
// overrides (key=value), and what is known (libraries with their bugs, tools). It produces
// an Experiment with every default and bug spelled out, and its Plan of cells.
//
// It reports all mistakes in one *Error, each with file and line. They are unknown keys, libraries, editions,
// bugs and tools (with the nearest known name), values of the wrong type, and anything listed twice. They are
// also budgets that cannot be kept or never end, and models without a price.
//
// viper lowers the case of map keys, so names whose case matters are values here, never
// keys: libraries, tools and variants are lists of maps with a name.
package experiments
