// Package clangast reads the JSON form of clang's AST (clang -Xclang -ast-dump=json, of the
// LLVM version that internal/build/toolchain accepts).
//
// It consumes one dump of a translation unit and produces its declarations one after the other, with the
// locations completed that clang abbreviates. It refuses other text. It does not interpret the declarations.
package clangast
