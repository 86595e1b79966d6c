// Package toolcheck checks an external command against the contract in docs/howto/adding-a-tool.md. It takes a
// tool's block and returns findings for its author: whether the command writes programs at all, and in which
// language, whether it does the same again, keeps its budget, ends when it is told to, and leaves everything
// else alone. The command works on a library of five functions, with a model that answers from a script. A
// command that cannot be started is an error.
package toolcheck
