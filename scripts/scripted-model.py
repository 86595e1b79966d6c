#!/usr/bin/env python3
"""An endpoint with the interface of OpenAI that plays programs that are there already.

It is no model: it shows that experiments run to their end and what reports hold, and says nothing about any
model. Usage: scripted-model.py PORT LIBRARY=DIR..., where DIR has finished tests of the library in steps
(// STEP1 ...). Asked for a sequence, it answers with the next of them without its assertions; asked for
assertions of a step, with that step as it is in DIR; asked for anything about a failure, with what failed. A contract is the first
sentence of the documents that are shown, and every observed property is consistent.
"""
import glob, http.server, json, re, sys

STEP = re.compile(r"^\s*//\s*STEP\s*\d+", re.I | re.M)


def bare(code):
    """code without its assertions, by matching parentheses."""
    out, i = "", 0
    for m in re.finditer(r"\n[ \t]*assert\s*\(", code):
        if m.start() < i:
            continue
        depth, j = 1, m.end()
        while depth and j < len(code):
            c = code[j]
            if c in "\"'":
                j += 1
                while code[j] != c:
                    j += 2 if code[j] == "\\" else 1
            depth += (c == "(") - (c == ")")
            j += 1
        end = code.find("\n", j)
        out, i = out + code[i : m.start()], len(code) if end < 0 else end
    return out + code[i:]


def chunks(code):
    at = [m.start() for m in STEP.finditer(code)] + [code.rfind("}")]
    return [code[a:b] for a, b in zip(at, at[1:])]


def key(code):
    return re.sub(r"\s+", "", re.sub(r"//.*", "", bare("\n" + code)))


programs, asserted = {}, {}
for arg in sys.argv[2:]:
    library, _, directory = arg.partition("=")
    for path in sorted(glob.glob(directory + "/*.c")):
        text = re.sub(r"^// r\d.*\n", "", open(path).read())
        programs.setdefault(library, []).append(bare(text))
        asserted.update({key(c): c for c in chunks(text)})
served = {library: 0 for library in programs}


def library_of(text):
    """The library that a prompt is about; KeyError if no directory was given for it."""
    named = re.search(r"library (\w+)", text)
    if not named or named.group(1) not in programs:
        raise KeyError(f"scripted-model.py has no programs of {named.group(1) if named else 'the library'}: add LIBRARY=DIR")
    return named.group(1)


def fenced(text):
    return re.findall(r"```\w*\n(.*?)```", text, re.S)


def answer(text):
    if text.startswith("This is a check of the connection."):
        return "OK"
    if '"n": 1' in text:
        n = len(re.findall(r"^\d+\. ", text.split("# Properties")[-1], re.M))
        return json.dumps([{"n": i + 1, "verdict": "consistent", "reason": "scripted"} for i in range(n)])
    if '"passage"' in text:
        lines = [l.strip() for l in text.split("# Documents")[-1].split("# Kinds")[0].splitlines() if len(l.split()) > 5 and l.startswith("    ")]
        return json.dumps([{"kind": "documentation", "text": l, "shape": "", "passage": l} for l in lines[:1]])
    for block in fenced(text):
        if key(block) in asserted:
            return "```c\n" + asserted[key(block)] + "\n```"
    if "# API Combination" in text or "test program" in text.split("\n", 3)[2][:80]:
        library = library_of(text)
        served[library] += 1
        return "```c\n" + programs[library][served[library] % len(programs[library])] + "\n```"
    blocks = fenced(text)
    return "```c\n" + (blocks[-1] if blocks else "") + "\n```"


class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path.endswith("/embeddings"):
            out = {"object": "list", "model": "scripted", "usage": {"prompt_tokens": 1, "total_tokens": 1},
                   "data": [{"object": "embedding", "index": i, "embedding": [float(t.count(c) + 1) for c in "etaoinsh"]} for i, t in enumerate(body["input"])]}
            return self.reply("application/json", json.dumps(out))
        asked = "\n".join(m["content"] for m in body["messages"])
        try:
            text = answer(body["messages"][-1]["content"])
        except KeyError as e:
            return self.reply("application/json", json.dumps({"error": {"message": e.args[0], "type": "invalid_request_error"}}), 400)
        out = {"model": body["model"], "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
               "usage": {"prompt_tokens": len(asked) // 4, "completion_tokens": len(text) // 4}}
        self.reply("application/json", json.dumps(out))

    def reply(self, kind, text, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Endpoint).serve_forever()
