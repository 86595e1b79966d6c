#!/usr/bin/env python3
"""An agent with the protocol of mini-swe-agent (mini-swe-agent.com): one shell command an answer, each in a new shell.

What a command prints is the next message. The work ends with a command that prints COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT, and
when the budget is used up. It shows how little an agent needs; another is a matter of a few lines.
"""
import json, os, re, subprocess, sys, urllib.error, urllib.request

END = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
SYSTEM = f"""You work with a computer by shell commands. Each of your answers has your thoughts and exactly one command in a block:

```bash
command
```

It runs in a new shell in the directory of the task. You are shown its status and output. When all is done, answer with the
command `echo {END}`."""
MOST = 10000  # characters of an output that are shown


def ask(messages):
    body = json.dumps({"model": os.environ["LISA_BENCH_LLM_MODEL"], "messages": messages}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"] or ""


def run(command):
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    if len(text) > MOST:
        text = f"{text[:MOST // 2]}\n[… {len(text) - MOST} characters …]\n{text[-MOST // 2:]}"
    return f"status {done.returncode}\n{text}"


messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": sys.argv[1]}]
while True:
    try:
        answer = ask(messages)
    except urllib.error.HTTPError as error:
        if error.code == 402:  # the budget
            break
        sys.exit(f"the model answered {error.code}: {error.read().decode()}")
    commands = re.findall(r"```bash\n(.*?)\n```", answer, re.S)
    shown = run(commands[0]) if len(commands) == 1 else f"Your answer has {len(commands)} commands, and not one in a ```bash block."
    if END in shown:
        break
    messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": shown}]
