#!/bin/sh
# OpenCode with one provider, the model's address, and none of its plugins and updates.
export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1
export OPENCODE_CONFIG_CONTENT='{"share": "disabled", "autoupdate": false, "permission": "allow", "provider": {"bench": {
    "npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "'"$OPENAI_BASE_URL"'", "apiKey": "none"},
    "models": {"'"$LISA_BENCH_LLM_MODEL"'": {"tool_call": true}}}}}'
exec opencode run --model "bench/$LISA_BENCH_LLM_MODEL" "$1"
