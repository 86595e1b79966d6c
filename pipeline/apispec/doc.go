// Package apispec turns what clang says of a library's public headers into a
// description of its C API.
//
// It consumes the JSON AST (clang -ast-dump=json) and the macro listing (clang -E -dD) of
// a translation unit that includes those headers, and the headers' own text for their
// comments. It produces a Spec: functions with canonical types, structs, enums, typedefs,
// constants and macros that stand for calls, in the order of declaration.
//
// Only functions that a public header itself declares are kept, so nothing of libc.
// A static function is not an export and is left out. What the AST does not say is not
// guessed: an unknown type stays a Kind of Unknown with its spelling.
package apispec
