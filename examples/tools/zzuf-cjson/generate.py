#!/usr/bin/env python3
"""Scores the inputs of a fuzzer that is not ours: zzuf (Debian package zzuf) mutates JSON texts, and each
input becomes a regression test with what cJSON made of it on the reference build.

cJSON is called through ctypes, each input in a child process of its own: one that crashes the reference
build makes no test.
"""
import ctypes
import json
import os
import subprocess


def load(path):
    """Returns the reference build with the types of the four functions that are used."""
    lib = ctypes.CDLL(path)
    lib.cJSON_Parse.argtypes, lib.cJSON_Parse.restype = [ctypes.c_char_p], ctypes.c_void_p
    lib.cJSON_PrintUnformatted.argtypes, lib.cJSON_PrintUnformatted.restype = [ctypes.c_void_p], ctypes.c_void_p
    lib.cJSON_free.argtypes = lib.cJSON_Delete.argtypes = [ctypes.c_void_p]
    return lib


def printed(lib, text):
    """Returns the text as cJSON prints it again, or None if it does not parse it."""
    item = lib.cJSON_Parse(text)
    if not item:
        return None
    out = lib.cJSON_PrintUnformatted(item)
    result = ctypes.string_at(out) if out else b""
    lib.cJSON_free(out)
    lib.cJSON_Delete(item)
    return result


def recorded(lib, text):
    """Returns (whether the reference build survived, what it printed or None)."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        result = printed(lib, text)
        with os.fdopen(write, "wb") as pipe:
            pipe.write(b"-" if result is None else b"+" + result)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(child, 0)
    return status == 0, None if data == b"-" else data[1:]


def quoted(data):
    """Returns bytes as a C string; three octal digits cannot run into what follows."""
    plain = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 {}[]:,.+-")
    return '"%s"' % "".join(chr(b) if b in plain else "\\%03o" % b for b in data)


PROGRAM = """#include <assert.h>
#include <string.h>
#include "cJSON.h"

int main(void) {
\tcJSON *item = cJSON_Parse(%s);
%s\tcJSON_Delete(item);
\treturn 0;
}
"""

PARSED = """\tassert(item);
\tchar *text = cJSON_PrintUnformatted(item);
\tassert(text && strcmp(text, %s) == 0);
\tcJSON_free(text);
"""


def main():
    with open(os.environ["LISA_BENCH_MANIFEST"]) as f:
        manifest = json.load(f)
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seeds")
    seeds = [open(os.path.join(here, name), "rb").read() for name in sorted(os.listdir(here))]
    lib = load(manifest["build"]["shared_lib"])
    ratio = str(manifest["params"].get("ratio", 0.004))  # of the bits that zzuf flips
    limit = manifest["budget"].get("programs", 10000)
    listed, seen = 0, set()
    for n in range(20 * limit):
        if listed == limit:
            return
        number = str(manifest["seed"] % 1000000007 + n)
        text = subprocess.run(["zzuf", "-s", number, "-r", ratio], input=seeds[n % len(seeds)], capture_output=True, check=True).stdout
        text = text.split(b"\0")[0].strip()  # cJSON_Parse reads a C string
        if not text or text in seen:
            continue
        seen.add(text)
        survived, result = recorded(lib, text)
        if not survived:
            continue
        listed += 1
        body = "\tassert(!item);\n" if result is None else PARSED % quoted(result)
        file = "z%05d.c" % listed
        with open(os.path.join(manifest["output_dir"], file), "w") as f:
            f.write(PROGRAM % (quoted(text), body))
        with open(os.path.join(manifest["output_dir"], "suite.jsonl"), "a") as f:
            f.write(json.dumps({"file": file}) + "\n")


if __name__ == "__main__":
    main()
