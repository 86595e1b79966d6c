#!/usr/bin/env python3
"""Asks the experiment's model for test programs, one prompt after the other, and has each that does not
compile written once more. Python's standard library only.

The model is an OpenAI-compatible API on a Unix socket. Whoever has the openai package writes instead:
    OpenAI(base_url=llm["base_url"], api_key="none",
           http_client=httpx.Client(transport=httpx.HTTPTransport(uds=llm["socket"])))
"""
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys


class BudgetUsedUp(Exception):
    """The cell's budget has no room for another request."""


class Model:
    def __init__(self, llm):
        self.llm = llm

    def ask(self, messages):
        """Returns the text of the answer."""
        connection = http.client.HTTPConnection("bench")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.llm["socket"])
        body = json.dumps({"model": self.llm["model"], "messages": messages})
        connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.load(response)
        connection.close()
        if response.status == 402:
            raise BudgetUsedUp
        if response.status != 200:
            sys.exit("the model: %d %s" % (response.status, answer["error"]["message"]))
        return answer["choices"][0]["message"]["content"]


def code_of(text):
    """Returns the first block of code of an answer, or None."""
    block = re.search(r"```[a-z+]*\n(.*?)```", text, re.DOTALL)
    return block.group(1) if block else None


def compiler_error(manifest, file):
    """Returns what the compiler says against a program, without paths; None if it compiles."""
    build = manifest["build"]
    cc = build["cc"] if file.endswith(".c") else build["cxx"]
    run = subprocess.run([cc, *build["compile"], "-fsyntax-only", file], capture_output=True, text=True)
    if run.returncode == 0:
        return None
    # Paths differ from run to run: in a prompt they would keep a run from being replayed.
    return "\n".join(re.findall(r"error: .*", run.stderr)[:5]) or "it does not compile"


def main():
    with open(os.environ["LISA_BENCH_MANIFEST"]) as f:
        manifest = json.load(f)
    library = manifest["library"]
    rng = random.Random(manifest["seed"])  # every choice comes from here
    model = Model(manifest["llm"])
    includes = "\n".join("#include <%s>" % h for h in library["headers"])
    header = ""
    for name in library["headers"]:
        for directory in library["include_dirs"]:
            path = os.path.join(directory, name)
            if os.path.exists(path):
                with open(path, errors="replace") as f:
                    header += f.read()
    names = sorted(set(re.findall(r"\b([a-z][A-Za-z0-9_]*) ?\(", header)) - set(library["excluded_apis"]))
    suffix = ".c" if library["language"] == "c" else ".cc"
    out = manifest["output_dir"]
    for n in range(1, manifest["budget"].get("programs", 1000) + 1):
        chosen = ", ".join(sorted(rng.sample(names, min(len(names), manifest["params"].get("apis", 3)))))
        messages = [
            {"role": "system", "content": "You write tests for C and C++ libraries. Answer with one program in one block of code."},
            {"role": "user", "content": "Test number %d of the library %s, which %s. Use these of its functions: %s.\n"
             "Write a program with main that checks results with assert, from what the header promises.\n%s\n%s"
             % (n, library["name"], library["description"], chosen, includes, header[:20000])},
        ]
        try:
            text = model.ask(messages)
            source = code_of(text)
            if source is None:
                continue
            file = "t%04d%s" % (n, suffix)
            path = os.path.join(out, file)
            with open(path, "w") as f:
                f.write(source)
            error = compiler_error(manifest, path)
            if error is not None:
                messages += [{"role": "assistant", "content": text},
                             {"role": "user", "content": "The compiler says:\n%s\nWrite the whole program again." % error}]
                source = code_of(model.ask(messages)) or source
                with open(path, "w") as f:
                    f.write(source)
        except BudgetUsedUp:
            return
        with open(os.path.join(out, "suite.jsonl"), "a") as f:
            f.write(json.dumps({"file": file}) + "\n")


if __name__ == "__main__":
    main()
