package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.peer.Examples;
import dev.millrace.benchmark.peer.TorchNetwork;
import dev.millrace.benchmark.peer.WorkloadFiles;
import dev.millrace.benchmark.peer.WorkloadShape;
import dev.millrace.benchmark.workload.Workload;
import dev.millrace.example.Example;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Workloads as peers read them: the network that Millrace would train, and the same examples. */
final class PeerFiles {

  private PeerFiles() {}

  static void write(Workload workload, List<Example> examples, Path directory) throws IOException {
    String network = ModelEngine.named("dl4j").define(workload.network()).spec().configuration();
    WorkloadFiles.write(
        directory,
        new dev.millrace.benchmark.peer.Workload(network, flat(examples, workload.batch())));
  }

  /** Writes a workload with the network as PyTorch has it, too. */
  static void writeTorch(Workload workload, List<Example> examples, Path directory)
      throws IOException {
    Files.createDirectories(directory);
    Path module = directory.resolve("module.pt").toAbsolutePath();
    ModelEngine torch = ModelEngine.named("torch");
    InitialModel model = torch.define(workload.network());
    torch.writeArchive(
        new GlobalModel(
            model.spec(),
            new ModelVersion(0, 1),
            0,
            Arrays.copyOf(model.vector(), model.spec().parameters()),
            new FeatureStatistics(0),
            new Ledger(),
            Measures.NONE,
            Lineage.NONE),
        module);
    WorkloadFiles.write(
        directory,
        new dev.millrace.benchmark.peer.Workload(
            ModelEngine.named("dl4j").define(workload.network()).spec().configuration(),
            flat(examples, workload.batch()),
            Optional.of(
                new TorchNetwork(
                    module.toString(),
                    workload.updater(),
                    workload.learningRate(),
                    workload.momentum()))));
  }

  static void writeHoldOut(List<Example> examples, int batch, Path directory) throws IOException {
    WorkloadFiles.writeExamples(directory, flat(examples, batch));
  }

  private static Examples flat(List<Example> examples, int batch) {
    int features = examples.get(0).shape().features();
    int outputs = examples.get(0).shape().outputs();
    float[] allFeatures = new float[Math.multiplyExact(examples.size(), features)];
    float[] allLabels = new float[Math.multiplyExact(examples.size(), outputs)];
    for (int row = 0; row < examples.size(); row++) {
      Example example = examples.get(row);
      System.arraycopy(example.features(), 0, allFeatures, row * features, features);
      System.arraycopy(example.labels(), 0, allLabels, row * outputs, outputs);
    }
    return new Examples(
        new WorkloadShape(features, outputs, batch, examples.size()), allFeatures, allLabels);
  }
}
