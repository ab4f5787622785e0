# A job's rate between the middle and 95 % of its examples, by its metrics file: rate.py FILE NAME
import json
import sys

with open(sys.argv[1]) as file:
    progress = [record for record in map(json.loads, file) if record["type"] == "progress"]
last = progress[-1]["examples"]
warm = [record for record in progress if 0.5 * last <= record["examples"] <= 0.95 * last] or progress
first, end = warm[0], warm[-1]
seconds = max(0.001, (end["time"] - first["time"]) / 1e3)
print(json.dumps({
    "job": sys.argv[2], "examples": last, "accuracy": round(progress[-1]["accuracy"], 4),
    "examples/s": round((end["examples"] - first["examples"]) / seconds),
    "rounds/s": round((end["round"] - first["round"]) / seconds, 1)}))
