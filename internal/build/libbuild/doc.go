// Package libbuild turns a library's source tree into its build variants.
//
// It consumes a lisabench.Recipe, a source.Tree and a Variant, and produces a Build: a shared object with the same SONAME in every variant, the archive of the same objects,
// the installed public headers, and a shell script of the whole command lines. Builds are
// cached by content at two levels. The key of a whole build is (recipe, tree, variant, compiler), and
// that of an object is (command, source, headers it read). So a buggy tree recompiles only
// the files its change touches. A build is made in a temporary directory and renamed:
// a killed one leaves nothing that a later run could take for whole.
//
// A Disguise makes builds without and with a bug that nothing but behaviour tells apart, for one
// evaluation.
//
// It refuses a recipe whose sources match nothing and reports a compile failure as the
// compiler's own words with the file and the command (*toolchain.CommandError).
package libbuild
