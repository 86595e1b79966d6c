#!/bin/sh
# Gemini CLI without questions and telemetry.
export GEMINI_TELEMETRY_ENABLED=false GEMINI_CLI_TRUST_WORKSPACE=true
mkdir -p "$HOME/.gemini"
echo '{"security": {"auth": {"selectedType": "gemini-api-key"}}, "general": {"enableAutoUpdate": false}}' > "$HOME/.gemini/settings.json"
exec gemini --yolo --model "$LISA_BENCH_LLM_MODEL" --prompt "$1"
