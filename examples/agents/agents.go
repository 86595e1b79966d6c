// Package agents holds ready experiments with coding agents, for bench tool init --agent. Each agent has a directory
// with tool.yaml and a script that starts the agent.
package agents

import "embed"

// Files holds the directories, which have the agents' names.
//
//go:embed */tool.yaml */start.*
var Files embed.FS
