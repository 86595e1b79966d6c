// Package cprog is one reading of a C or C++ program: what it declares, what its functions do
// and call, where its tests begin, as the compiler saw it.
//
// It consumes the readings that toolchain.Compiler makes, once for each program, in the compilation that
// happens anyway. Our plugin of clang writes them (internal/plugin/native/reading.cc). It produces a
// Program: a tree of the program's own declarations and, by reference, what they use of headers. All that needs
// knowledge of the language comes from clang: types with widths and sizes, values of constant expressions, the
// function that a call resolves to, and the place of every token before and after preprocessing.
//
// It refuses what is no reading, or not whole (errFormat). A program that is larger than a
// reading may be (2^18 nodes, 1,000 levels, 32 MiB) is Unreadable.
package cprog
