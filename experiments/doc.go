// Package experiments reads experiment files. It consumes YAML (a file or an embedded one), overrides (key=value), and
// what is known (libraries with their bugs, tools). It produces an Experiment with every default and bug spelled out,
// and its Plan of cells. All mistakes are reported in one *Error, each with file and line.
//
// A file is read into plain values that know their places. A profile, the keys of an including file and overrides are
// laid over them; they are held against the JSON Schema that is made from the types, and decoded over the defaults.
// What a schema cannot say, the rest of the package checks.
package experiments
