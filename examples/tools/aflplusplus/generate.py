#!/usr/bin/env python3
"""AFL++ on the library's official harnesses. The library is compiled with AFL++'s instrumentation from what
tools may see of its sources, once; each harness gets an even share of the time (one that AFL++'s compiler refuses is
left out, and named on stderr); every input that AFL++ keeps, in its queue or as a crash, is listed with its harness.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import time

# How the libraries are compiled: sources, flags. Another library needs its own line.
BUILDS = {
    "cJSON": (["cJSON.c", "cJSON_Utils.c"], []),
    "zlib": (["*.c"], ["-DHAVE_UNISTD_H"]),
}

# A quiet fuzzer that asks for nothing that a sandbox does not have.
ENV = dict({k: v for k, v in os.environ.items() if not k.endswith("SAN_OPTIONS")}, AFL_NO_UI="1", AFL_QUIET="1", AFL_SKIP_CPUFREQ="1", AFL_NO_AFFINITY="1", AFL_FAST_CAL="1",
           AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1", AFL_FORKSRV_INIT_TMOUT="20000")


def compile(compiler, *arguments):
    """Runs AFL++'s compiler, and returns what it says if it refuses, else None."""
    made = subprocess.run([compiler, "-O1", "-w", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENV)
    return "%s: status %d\n%s" % (compiler, made.returncode, made.stdout.decode(errors="replace")[-500:]) if made.returncode else None


def build_library(manifest):
    """Compiles the library's sources into one instrumented object."""
    patterns, flags = BUILDS[manifest["library"]["name"]]
    sources = [f for p in patterns for f in sorted(glob.glob(os.path.join(manifest["library"]["source_dir"], p)))]
    objects = ["/tmp/%s.o" % os.path.basename(f) for f in sources]
    for source, made in zip(sources, objects):
        refused = compile("afl-clang-fast", "-fsanitize=fuzzer-no-link", *manifest["build"]["compile"], *flags, "-x", "c", "-c", source, "-o", made)
        if refused:
            sys.exit("%s: %s" % (source, refused))
    return objects


def build(manifest, harness, objects):
    """Returns the harness with the instrumented library as a fuzzer, or None if it cannot be compiled."""
    fuzzer = "/tmp/" + harness["name"]
    compiler = "afl-clang-fast" if harness["source"].endswith(".c") else "afl-clang-fast++"
    refused = compile(compiler, "-fsanitize=fuzzer", *manifest["build"]["compile"], harness["source"], *objects, "-lm", "-o", fuzzer)
    if refused:
        print("%s: %s" % (harness["name"], refused), file=sys.stderr)
        return None
    return fuzzer


def seeds(harness):
    """Returns a directory with the harness's seeds; AFL++ wants one at least."""
    into = "/tmp/seeds-" + harness["name"]
    os.makedirs(into)
    files = [f for s in harness["seeds"] for f in ([s] if os.path.isfile(s) else glob.glob(s + "/**", recursive=True)) if os.path.isfile(f)]
    for n, f in enumerate(sorted(files)):
        if 0 < os.path.getsize(f) <= 1 << 20:
            shutil.copy(f, os.path.join(into, "%04d" % n))
    if not os.listdir(into):
        with open(os.path.join(into, "0000"), "wb") as f:
            f.write(b"seed")
    return into


def fuzz(manifest, harness, fuzzer, seconds):
    """Yields the inputs that AFL++ keeps, as it finds them."""
    state, seen = "/tmp/afl-" + harness["name"], set()
    dictionary = ["-x", harness["dictionary"]] if "dictionary" in harness else []
    with open(state + ".log", "wb") as log:
        afl = subprocess.Popen(["afl-fuzz", "-i", seeds(harness), "-o", state, "-s", str(manifest["seed"] % (1 << 31) + 1), "-t", "1000+"]
                               + dictionary + ["--", fuzzer], stdout=log, stderr=log, env=ENV)
    end = time.monotonic() + seconds
    while afl.poll() is None and time.monotonic() < end:
        time.sleep(0.5)
        found = [f for kind in ("queue", "crashes") for f in glob.glob(os.path.join(state, "default", kind, "id:*"))]
        for f in sorted(set(found) - seen):
            seen.add(f)
            if os.path.getsize(f) <= 1 << 20:
                yield f
    if afl.poll() is not None:
        with open(state + ".log", "rb") as log:
            sys.exit("afl-fuzz ended by itself:\n" + log.read().decode(errors="replace")[-500:])
    afl.terminate()
    afl.wait()


def main():
    with open(os.environ["LISA_BENCH_MANIFEST"]) as f:
        manifest = json.load(f)
    name, out, budget = manifest["library"]["name"], manifest["output_dir"], manifest["budget"]
    if name not in BUILDS:
        sys.exit("how %s is compiled is not known here: add it to BUILDS in generate.py" % name)
    harnesses, begin, listed = manifest["harnesses"], time.monotonic(), 0
    if not harnesses:
        sys.exit("%s has no official harness that can be had here" % name)
    objects, fuzzed = build_library(manifest), False
    for n, harness in enumerate(harnesses):
        end = time.monotonic() + (budget.get("wall_s", 60) - (time.monotonic() - begin)) / (len(harnesses) - n)
        fuzzer = build(manifest, harness, objects)
        if not fuzzer:
            continue
        fuzzed = True
        source = os.path.basename(harness["source"])
        shutil.copy(harness["source"], os.path.join(out, source))
        for found in fuzz(manifest, harness, fuzzer, max(1, end - time.monotonic())):
            file = os.path.join("inputs", harness["name"], "%05d" % listed)
            os.makedirs(os.path.dirname(os.path.join(out, file)), exist_ok=True)
            shutil.copy(found, os.path.join(out, file))
            with open(os.path.join(out, "suite.jsonl"), "a") as f:
                f.write(json.dumps({"file": source, "inputs": [file]}) + "\n")
            listed += 1
            if listed == budget.get("programs"):
                return
    if not fuzzed:
        sys.exit("no harness of %s can be compiled" % name)


if __name__ == "__main__":
    main()
