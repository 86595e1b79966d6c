// Package exttool adapts tests and tools that are not ours. It consumes a directory of C or C++
// files (Directory), or any executable (Command), and hands programs over as a suite. So they are
// scored by the same code as any tool's.
//
// A Command is told of its job by a manifest, runs in the sandbox, and leaves programs in a directory:
//
//	trial.Job ──Manifest──▶ command, in execute/sandbox ──suite.jsonl, *.c──▶ intake ──▶ SuiteWriter
//	                           │ HTTP over a Unix socket
//	                           ▼
//	                        endpoint ──▶ llm.Session: ledger, transcript, replay
//
// An agent's commands come by the same socket, through the door (door/door.c), to its workspace (Space).
//
// docs/howto/adding-a-tool.md is the contract, manifest.schema.json and suite.schema.json its forms.
//
// It refuses a directory without tests, a command that cannot be started, and whatever a command
// leaves that breaks the contract. Each is a trial.IncompleteError with a kind of its own. A command
// that does not end is ended, with all its processes, when its budget is.
package exttool

import "embed"

// Skeleton has, below skeleton/, a small working tool with NAME for its name: the experiment tool.yaml, and a script.
//
//go:embed skeleton
var Skeleton embed.FS
