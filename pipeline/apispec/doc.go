// Package apispec turns what clang says of a library's public headers into a
// description of its C or C++ API.
//
// It consumes what our plugin of clang writes of a translation unit that includes those headers
// (toolchain.Compiler.Headers), declarations and macros, and the headers' own text for their
// comments. It produces a Spec: functions with canonical types, structs, enums, typedefs, constants and macros that
// stand for calls, in the order of declaration.
//
// Only functions that a public header itself declares are kept, so nothing of libc. A static function is not an
// export and is left out. Of a C++ class, public constructors and methods are functions. Its public enums,
// constants, typedefs and nested classes are kept under qualified names, and each overload is a function of its
// own. Left out is what is private, protected, deleted or defaulted. So are destructors, copy and move
// constructors, operators and conversions, which programs call without naming them. So are class templates, and
// namespaces that are internal by their name (internal, detail, impl, *_internal, *_detail). A function
// template is one function, described as it is declared; inline namespaces are not part of names.
//
// What clang does not say is not guessed: a type of no other Kind is Unknown, with its spelling.
package apispec
