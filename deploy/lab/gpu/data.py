# Writes Fashion-MNIST, over and over, in MNIST's format: as it is, and as three equal channels of 32 x 32.
#   data.py FASHION-MNIST-DIRECTORY TARGET TIMES-GREY TIMES-COLOUR [IMAGES]
import gzip
import os
import struct
import sys

import numpy as np

source, target, greys, colours = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
count = int(sys.argv[5]) if len(sys.argv) > 5 else 60000
pixels = gzip.open(source + "/train-images-idx3-ubyte.gz").read()
images = np.frombuffer(pixels, np.uint8, offset=16).reshape(-1, 28, 28)[:count]
labels = np.frombuffer(gzip.open(source + "/train-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)[:count]
wide = np.zeros((len(images), 3, 32, 32), np.uint8)
wide[:, :, 2:30, 2:30] = images[:, None]


def write(folder, values, times, rows, columns):
    os.makedirs(folder, exist_ok=True)
    # produce reads a hold-out set of this format, too, and sends the other.
    for part, n, repeated in (("train", len(values), times), ("t10k", 100, 1)):
        with open(f"{folder}/{part}-images-idx3-ubyte", "wb") as file:
            file.write(struct.pack(">IIII", 0x803, n * repeated, rows, columns) + values[:n].tobytes() * repeated)
        with open(f"{folder}/{part}-labels-idx1-ubyte", "wb") as file:
            file.write(struct.pack(">II", 0x801, n * repeated) + labels[:n].tobytes() * repeated)


write(target + "/grey", images, greys, 28, 28)
write(target + "/colour", wide, colours, 96, 32)
