"""Features of a record, as Millrace makes them: features(json.load(open("features.json")), {"amount": 3.5})."""
import datetime, decimal, math, re, struct

def single(x): return struct.unpack("<f", struct.pack("<f", x))[0]

def bucket(data, n):  # murmur3, 32 bits, seed 0
    h, mask, rotate = 0, 0xffffffff, lambda x, r: (x << r | x >> 32 - r) & 0xffffffff
    for i in range(0, len(data), 4):
        k = int.from_bytes(data[i:i + 4], "little")
        h ^= rotate(k * 0xcc9e2d51 & mask, 15) * 0x1b873593 & mask
        h = rotate(h, 13) * 5 + 0xe6546b64 & mask if i + 4 <= len(data) else h
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85ebca6b & mask
    h = (h ^ h >> 13) * 0xc2b2ae35 & mask
    return (h ^ h >> 16) % n

def find(record, path):
    for place, quoted, name in re.findall(r'\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|([^.\[\]]+)', path):
        if place: record = record[int(place)] if isinstance(record, list) and int(place) < len(record) else None
        else: record = record.get(name or re.sub(r"\\(.)", r"\1", quoted)) if isinstance(record, dict) else None
    return record

def word(x):
    if isinstance(x, (bool, str)): return str(x).lower() if isinstance(x, bool) else x
    text = format(decimal.Decimal(repr(x)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text

def plain(text):  # 5.0 and True in a vocabulary mean the number and the truth value, too
    if text in ("True", "TRUE", "False", "FALSE"): return text.lower()
    return word(float(text)) if re.fullmatch(r"-?(0|[1-9]\d*)\.\d+", text) else text

def written(x, decimal):  # a number in quotes, where a number is wanted
    number = r"[-+]?(\d+({0}\d*)?|{0}\d+)([eE][-+]?\d+)?".format(re.escape(decimal))
    return float(x.replace(decimal, ".")) if isinstance(x, str) and re.fullmatch(number, x) else x

def place(number, width, one_hot): return [float(i == number) for i in range(width)] if one_hot else [float(number)]

def raw(field, x, learned):
    kind, one_hot = field["kind"], field.get("encode") == "one-hot"
    if kind == "number":
        if x is None: x = math.nan if field["missing"] == "mean" else field["missing"]
        low, high = (bound if bound is not None else math.copysign(math.inf, i - .5) for i, bound in enumerate(field.get("clip", [None] * 2)))
        x = x if math.isnan(x) else max(low, min(high, x))
        return [math.copysign(math.log1p(abs(x)), x) if field["scale"] == "logarithm" else float(x)]
    if kind == "boolean": return [float(bool(x))]
    if kind == "category" and "buckets" in field:
        return place(0 if x is None else 1 + bucket(word(x).encode(), field["buckets"]), 1 + field["buckets"], one_hot)
    if kind == "category":
        known = field.get("values") or learned[field["name"]]
        known = known if x is None or word(x) in known else [plain(w) for w in known]
        number = 1 if x is None else known.index(word(x)) + 2 if word(x) in known else 0
        return place(number, 2 + (len(known) if "values" in field else field["words"]), one_hot)
    if kind == "text":
        text, n, counts = word(x) if x is not None else "", field["ngrams"], [0.0] * field["buckets"]
        for i in range(max(1, len(text) - n + 1) if text else 0): counts[bucket(text[i:i + n].encode(), len(counts))] += 1
        return [c / math.sqrt(sum(k * k for k in counts) or 1) for c in counts]
    t = None if x is None else time(x, field["unit"])
    parts = {} if t is None else {"minute-of-hour": (t.minute, 60), "hour-of-day": (t.hour, 24), "day-of-week": (t.weekday(), 7), "day-of-month": (t.day - 1, 31), "month-of-year": (t.month - 1, 12)}
    return [f(2 * math.pi * parts[p][0] / parts[p][1]) if parts else 0.0 for p in field["parts"] for f in (math.sin, math.cos)]

def time(x, unit):
    if not isinstance(x, str): return datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(**{unit: math.floor(x)})
    t = datetime.datetime.fromisoformat(x.replace("Z", "+00:00"))
    return t.astimezone(datetime.timezone.utc) if t.tzinfo else t.replace(tzinfo=datetime.timezone.utc)

def features(file, record, before=()):  # labels of the records before, newest first, where the model takes any
    result, learned = [], {column["name"]: column["words"] for column in file["words"]}
    absent, decimal = [None, *file["fields"].get("missing", [])], file["fields"].get("decimal", ".")
    for field in file["fields"]["fields"]:
        x = next((v for v in (find(record, p) for p in [field["path"], *field.get("aliases", [])]) if v not in absent), None)
        x = written(x, decimal) if field["kind"] in ("number", "time") else x
        result += raw(field, x, learned) + ([float(x is None)] if field.get("indicator") else [])
    for i in range(file.get("labelLags", 0)): result += before[i] if i < len(before) else [0.0] * file["outputs"]
    for n in file["numbers"]:  # what isn't standardized is there already
        i, clip = n["feature"], file.get("clip", math.inf)
        x = single(single(single(result[i]) - single(n["mean"])) / single(n["scale"]))
        result[i] = x if math.isnan(x) else max(-clip, min(clip, x))
    return [0.0 if math.isnan(x) else single(x) for x in result]
