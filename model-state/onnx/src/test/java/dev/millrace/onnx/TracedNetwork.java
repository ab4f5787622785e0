package dev.millrace.onnx;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelEngine;
import java.nio.file.Path;

/**
 * A network that Python has traced. PyTorch 2.13 made {@code traced-network.pt} with
 *
 * <pre>
 * import torch, zipfile
 * from torch import nn
 *
 * class Network(nn.Module):
 *     def __init__(self):
 *         super().__init__()
 *         self.features = nn.Sequential(
 *             nn.Conv2d(2, 3, 3, padding=1, stride=2), nn.BatchNorm2d(3), nn.ReLU(),
 *             nn.MaxPool2d(2, stride=1))
 *         self.output = nn.Sequential(
 *             nn.Linear(27, 5), nn.Tanh(), nn.Dropout(0.25), nn.Linear(5, 3))
 *
 *     def forward(self, x):
 *         x = self.features(x.view(-1, 2, 8, 8))
 *         return self.output(torch.flatten(x, 1))
 *
 * torch.manual_seed(1)
 * network = Network()
 * for _ in range(3):
 *     network(torch.randn(8, 128))
 * network.eval()
 * traced = torch.jit.trace(network, torch.zeros(2, 128))
 * torch.jit.save(traced, "whole.pt")
 *
 * # Without source positions, which are paths of the machine.
 * with zipfile.ZipFile("whole.pt") as whole, zipfile.ZipFile("traced-network.pt", "w") as kept:
 *     for name in whole.namelist():
 *         if not name.endswith(".debug_pkl"):
 *             kept.writestr(
 *                 zipfile.ZipInfo(name), whole.read(name), whole.getinfo(name).compress_type)
 * </pre>
 */
final class TracedNetwork {

  private static final Path FILE = Path.of("src/test/resources/traced-network.pt");

  private TracedNetwork() {}

  static InitialModel define() {
    return ModelEngine.named("torch").define(new Archive(FILE, Models.classes(128, 3)));
  }
}
