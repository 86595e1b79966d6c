// Package lisabench is the benchmark as data: libraries, how they are fetched and built, the
// historical functional defects that can be re-introduced in them, and a witness for each.
//
// It consumes a directory of libraries (Embedded, or any fs.FS of the same shape):
//
//	<library>/library.yaml
//	<library>/rules.yaml            what its users have to know; may be left out
//	<library>/bugs/<id>.yaml
//	<library>/bugs/<id>.c or .cc    the witness
//
// and produces a Bench in which every field has been checked. It reports all mistakes at once in an
// *InvalidError, each with file and line: unknown keys, missing fields, paths that leave their root, incomplete
// strategies, and witnesses that belong to no bug. For names that users type, an *UnknownError suggests the
// nearest one.
package lisabench
