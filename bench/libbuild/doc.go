// Package libbuild turns a library's source tree into its build variants.
//
// It consumes a lisabench.Recipe, a source.Tree and a Variant. It produces a Build: a shared object (with the
// same SONAME in every variant), an archive of the same objects, the public headers, and a shell script with
// all command lines. Builds are cached by content: recipe, tree, variant and compiler. ccache has their objects, so that a
// buggy tree compiles only the files its change touches. A build is made in a temporary directory and renamed, so a killed build
// leaves nothing that looks complete.
//
// A Disguise makes builds without and with a bug that nothing but behaviour tells apart, for one
// evaluation.
//
// A recipe whose sources match nothing is an error. A compile failure is a *toolchain.CommandError with the
// file, the command and the compiler's message.
package libbuild
