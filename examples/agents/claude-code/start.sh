#!/bin/sh
# Claude Code without questions, telemetry and updates; what it asks a small model goes to the same one.
export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 IS_SANDBOX=1
export ANTHROPIC_MODEL="$LISA_BENCH_LLM_MODEL" ANTHROPIC_SMALL_FAST_MODEL="$LISA_BENCH_LLM_MODEL"
exec claude --print --dangerously-skip-permissions "$1"
