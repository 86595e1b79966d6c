#!/usr/bin/env python3
"""Harness files as PromptFuzz writes them, one of a set each: id_000007.cc defines LLVMFuzzerTestOneInput_7 and includes
headers of the generator. Each becomes a file of its own, is fuzzed with libFuzzer for some inputs, and is listed
with the corpus that came of it: one program a harness.
"""
import glob
import json
import os
import re
import subprocess
import sys

# How the libraries are compiled: sources, flags. Another library needs its own line.
BUILDS = {
    "cJSON": (["cJSON.c", "cJSON_Utils.c"], []),
    "zlib": (["*.c"], ["-DHAVE_UNISTD_H"]),
}
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "harnesses")


def whole(path, seen=()):
    """Returns a file with the generator's own headers in the place of their #include."""
    def header(line):
        own = os.path.join(HERE, line.group(1))
        return whole(own, seen + (path,)) if os.path.exists(own) and own not in seen else line.group(0)

    with open(path) as f:
        return re.sub(r'(?m)^\s*#\s*include\s*["<]([^">]+)[">].*$', header, f.read())


def harness(path):
    """Returns a harness under the name that libFuzzer calls."""
    return re.sub(r"\bLLVMFuzzerTestOneInput_\d+\b", "LLVMFuzzerTestOneInput", whole(path))


def instrumented(manifest):
    """Returns the library's objects, compiled for libFuzzer from what tools may see of its sources."""
    patterns, flags = BUILDS[manifest["library"]["name"]]
    sources = [f for p in patterns for f in sorted(glob.glob(os.path.join(manifest["library"]["source_dir"], p)))]
    os.makedirs("/tmp/library")
    subprocess.run([manifest["build"]["cc"], "-O1", "-w", "-fsanitize=fuzzer-no-link", "-c"] + manifest["build"]["compile"] + flags + sources,
                   cwd="/tmp/library", check=True)
    return sorted(glob.glob("/tmp/library/*.o"))


def corpus(manifest, source, objects, into):
    """Fills a directory with the inputs that libFuzzer keeps for a harness. It ends at the first input that fails: what it had
    found until then counts. Returns False for a harness that does not compile."""
    fuzzer = "/tmp/fuzzer"
    built = subprocess.run([manifest["build"]["cxx"], "-O0", "-w", "-fsanitize=fuzzer"] + manifest["build"]["compile"] + [source] + objects
                           + ["-lm", "-o", fuzzer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if built.returncode != 0:
        return False
    subprocess.run([fuzzer, "-runs=%d" % manifest["params"].get("runs", 2000), "-seed=%d" % (manifest["seed"] % (1 << 31) + 1), "-timeout=5",
                    "-max_len=4096", "-artifact_prefix=/tmp/", into], cwd="/tmp", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return True


def main():
    with open(os.environ["LISA_BENCH_MANIFEST"]) as f:
        manifest = json.load(f)
    name, out = manifest["library"]["name"], manifest["output_dir"]
    files = sorted(glob.glob(os.path.join(HERE, name, "id_*.cc")))
    if not files or name not in BUILDS:
        sys.exit("no harnesses for %s: run fetch.sh, and see BUILDS in generate.py" % name)
    objects = instrumented(manifest)
    for path in files[:manifest["budget"].get("programs")]:
        base = os.path.basename(path)
        inputs = os.path.join(out, "inputs", base[:-len(".cc")])
        os.makedirs(inputs)
        with open(os.path.join(out, base), "w") as f:
            f.write(harness(path))
        line = {"file": base}
        if corpus(manifest, os.path.join(out, base), objects, inputs):
            found = sorted(os.listdir(inputs))[:200]
            line["inputs"] = [os.path.relpath(os.path.join(inputs, i), out) for i in found]
        with open(os.path.join(out, "suite.jsonl"), "a") as f:
            f.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
