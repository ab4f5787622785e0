# PyTorch's own loop on one GPU: minibatches of pinned memory, no Kafka, no predictions, no recovery.
#   bare.py lenet|resnet BATCH float32|bfloat16 SECONDS
import json
import sys
import time

import torch

from networks import LeNet, ResNet18

name, batch, precision, seconds = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)
network = (LeNet() if name == "lenet" else ResNet18()).to(device)
optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, nesterov=True)
width = 784 if name == "lenet" else 3072
minibatches = []
for _ in range(16):
    rows = torch.rand(batch, width)
    labels = torch.randint(0, 10, (batch,)).to(device)
    minibatches.append((rows.pin_memory() if device == "cuda" else rows, labels))


def learn(steps):
    for i in range(steps):
        rows, labels = minibatches[i % len(minibatches)]
        rows = rows.to(device, non_blocking=True)
        with torch.autocast(device, torch.bfloat16, enabled=precision == "bfloat16"):
            outputs = network(rows)
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(outputs.float(), labels).backward()
        optimizer.step()
    if device == "cuda":
        torch.cuda.synchronize()


def examples_per_second(limit):
    start = time.time()
    steps = 0
    while time.time() - start < limit:
        learn(10)
        steps += 10
    return steps * batch / (time.time() - start)


examples_per_second(2)
print(json.dumps({
    "bare": name, "batch": batch, "precision": precision, "device": device,
    "examples/s": round(examples_per_second(seconds))}))
