#!/bin/sh
# Codex, told the model's address and where its settings go. Its own sandbox would be one in a sandbox.
exec codex exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox --model "$LISA_BENCH_LLM_MODEL" \
    -c model_provider=bench \
    -c "model_providers.bench={name=\"bench\",base_url=\"$OPENAI_BASE_URL\",wire_api=\"responses\",env_key=\"OPENAI_API_KEY\"}" "$1"
