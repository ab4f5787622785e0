# The networks that bare.py trains: LeNet as Millrace builds it, and ResNet-18 (He et al. 2016) as for CIFAR, with a
# stem of 3 x 3 and no pooling behind it. Called with a file's name, it writes ResNet-18 there for model.archive.
import sys

import torch
from torch import nn


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.dense = nn.Linear(800, 500)
        self.head = nn.Linear(500, 10)

    def forward(self, rows):
        x = torch.max_pool2d(self.conv1(rows.view(-1, 1, 28, 28)), 2)
        x = torch.max_pool2d(self.conv2(x), 2)
        return self.head(torch.relu(self.dense(x.flatten(1))))


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.short = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.short = nn.Sequential(
                nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.short(x))


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        layers = [nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
        inputs = 64
        for outputs, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
            layers += [Block(inputs, outputs, stride), Block(outputs, outputs, 1)]
            inputs = outputs
        self.layers = nn.Sequential(*layers)
        self.head = nn.Linear(512, 10)

    def forward(self, rows):
        return self.head(self.layers(rows.view(-1, 3, 32, 32)).mean([2, 3]))


if __name__ == "__main__":
    torch.manual_seed(1)
    torch.jit.script(ResNet18()).save(sys.argv[1])
