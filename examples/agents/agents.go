// Package agents holds the ready blocks of agents, for bench tool init --agent: a directory each, with tool.yaml and what starts
// the agent.
package agents

import "embed"

// Files are the directories, by the agents' names.
//
//go:embed */tool.yaml */start.*
var Files embed.FS
