// Package clangast reads the JSON form of clang's AST (clang -Xclang -ast-dump=json, of the
// LLVM version that internal/build/toolchain accepts).
//
// It consumes one dump of a translation unit and produces its declarations one after the
// other, with the locations completed that clang abbreviates. It refuses text that is no such
// dump. It knows nothing of what the declarations mean: that is its callers' business.
package clangast
