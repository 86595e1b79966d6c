// Package toolcheck checks an external command against the contract in docs/howto/adding-a-tool.md. It consumes
// a tool's block and produces findings for its author: first whether the command writes programs at all, and in
// which language. Then it runs the conformance suite that every tool passes (internal/tools/tooltest), on a
// library of five functions and with a model that answers from a script. It refuses a command that cannot be
// started.
package toolcheck
