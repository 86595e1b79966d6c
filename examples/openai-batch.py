#!/usr/bin/env python3
"""Answers the directory of `provider: batch` by OpenAI's Batch API, at half the price: openai-batch.py DIR

Run it beside `bench run … --set llm.provider=batch --set llm.dir=DIR` with OPENAI_API_KEY, and OPENAI_BASE_URL if it is
another's. Each DIR/CELL/NNNN.input.jsonl becomes a batch, whose answers go to DIR/CELL/answers. NNNN.batch.json beside it
is written before the batch is made: when it runs again it finds its batches, and pays for none twice. Requests that a
batch leaves unanswered are asked again, three times at most; then delete NNNN.batch.json to ask once more.
"""
import glob, json, os, pathlib, sys, time, urllib.request, uuid

BASE, TRIES = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"), 3


def call(path, data=None, kind="application/json"):
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": kind}
    with urllib.request.urlopen(urllib.request.Request(BASE + path, data, headers), timeout=900) as answer:
        return answer.read()


def send(requests, name):
    """Makes a batch of some lines, unless one of that name was made by a process that was killed."""
    for made in json.loads(call("/batches?limit=100"))["data"]:
        if (made.get("metadata") or {}).get("lisa-bench") == name:
            return made["id"]
    mark = uuid.uuid4().hex
    parts = f'--{mark}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
    parts += f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="batch.jsonl"\r\n\r\n'
    body = (parts + "".join(requests) + f"\r\n--{mark}--\r\n").encode()
    file = json.loads(call("/files", body, "multipart/form-data; boundary=" + mark))["id"]
    batch = {"input_file_id": file, "endpoint": json.loads(requests[0])["url"], "completion_window": "24h", "metadata": {"lisa-bench": name}}
    return json.loads(call("/batches", json.dumps(batch).encode()))["id"]


def step(path):
    """Takes an input file one step further."""
    note = path.with_name(path.name.replace(".input.jsonl", ".batch.json"))
    state = json.loads(note.read_text()) if note.exists() else {"tries": 0, "done": []}
    keep = lambda: note.write_text(json.dumps(state))
    left = [line for line in path.read_text().splitlines(True) if json.loads(line)["custom_id"] not in state["done"]]
    if not left or state["tries"] == TRIES:
        return
    if "batch" not in state:
        state.setdefault("name", uuid.uuid4().hex)
        keep()
        state["batch"] = send(left, state["name"])
        print(path, "sent", len(left), "requests as", state["batch"], flush=True)
        return keep()
    batch = json.loads(call("/batches/" + state["batch"]))
    if batch["status"] not in ("completed", "expired", "cancelled", "failed"):
        return
    text = "".join(call(f"/files/{batch[k]}/content").decode() for k in ("output_file_id", "error_file_id") if batch.get(k))
    for line in map(json.loads, text.splitlines()):
        if (line.get("response") or {}).get("status_code") == 200:
            state["done"].append(line["custom_id"])
    out = path.parent / "answers" / f"{note.stem}.{state['tries']}.jsonl"
    out.with_name("." + out.name).write_text(text)
    out.with_name("." + out.name).rename(out)
    print(path, batch["status"], batch.get("errors") or "", flush=True)
    state["tries"] += 1
    del state["batch"], state["name"]
    keep()


while True:
    for name in sorted(glob.glob(os.path.join(sys.argv[1], "*", "*.input.jsonl"))):
        step(pathlib.Path(name))
    time.sleep(float(os.environ.get("POLL", "30")))
