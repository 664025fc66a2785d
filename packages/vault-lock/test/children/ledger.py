# What ledger.mjs does, with the lock of the Python implementation: an empty directory whose time is the heartbeat, dead after ten
# seconds, and nothing else: python3 ledger.py LOCK TARGET NAME. Writes a line for each write; ends when its input does.
import json
import os
import select
import sys
import time
import uuid

lock, target, name = sys.argv[1:]


def acquire():
    backoff = 0.01
    while True:
        os.makedirs(os.path.dirname(lock), exist_ok=True)
        try:
            os.mkdir(lock)
            os.utime(lock, None)
            return
        except FileExistsError:
            pass
        try:
            age = max(0.0, time.time() - os.stat(lock).st_mtime)
        except FileNotFoundError:
            continue
        if age > 10.0:
            try:
                os.rmdir(lock)
            except OSError:
                pass
            continue
        time.sleep(backoff)
        backoff = min(2 * backoff, 0.2)


count = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    count += 1
    acquire()
    try:
        try:
            with open(target, encoding="utf-8") as file:
                entries = json.load(file)
        except FileNotFoundError:
            entries = {}
        found = entries.get(name, 0)
        entries[name] = count
        temporary = f"{target}.{os.getpid()}.{uuid.uuid4().hex}.tmp"
        with open(temporary, "x", encoding="utf-8") as file:
            file.write(json.dumps(entries, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        os.rmdir(lock)
    print(json.dumps({"name": name, "count": count, "lost": 0 if found == count - 1 else 1}), flush=True)
    time.sleep(0.02)
