// Package plugin has the C++ text of our plugin of clang, which toolchain.Tools.Plugin builds once for a machine. It writes
// what programs do (package cprog), what headers declare (package apispec), and the mutants of a library (package mutation).
package plugin

import "embed"

// Name is the name by which clang knows the plugin.
const Name = "lisabench"

//go:embed native/*.cc
var native embed.FS

// Source is the plugin: its files are one text in this order.
var Source = Part("names.cc") + Part("reading.cc") + Part("header_types.cc") + Part("header_values.cc") + Part("headers.cc") +
	Part("mutants.cc") + Part("plugin.cc")

// Part returns one of the plugin's files.
func Part(name string) string {
	text, err := native.ReadFile("native/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}
