package dev.millrace.job.benchmark;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/** The same drawn digits as records of a topic and as minibatches in memory. */
final class Images {

  static final int BATCH = 32;

  private final List<Example> examples = new ArrayList<>();

  Images(int minibatches) throws IOException {
    try (ExampleSequence digits =
        DataSpec.parse("digits:" + minibatches * BATCH).open().training()) {
      Example example = new Example(digits.shape());
      while (digits.next(example)) {
        examples.add(example.copy());
      }
    }
  }

  int count() {
    return examples.size();
  }

  List<byte[]> records() {
    ExampleFormat format =
        ExampleFormat.named("uint8", examples.get(0).shape(), FormatSettings.defaults());
    return examples.stream().map(format::write).toList();
  }

  List<Minibatch> replicaMinibatches() {
    List<Minibatch> minibatches = new ArrayList<>();
    for (int i = 0; i < examples.size(); i++) {
      if (i % BATCH == 0) {
        minibatches.add(new Minibatch(examples.get(0).shape(), BATCH));
      }
      Example example = examples.get(i);
      minibatches
          .get(i / BATCH)
          .add(example.features(), example.labels(), 1, new Partition("images", 0), i);
    }
    return minibatches;
  }

  List<DataSet> minibatches() {
    ExampleShape shape = examples.get(0).shape();
    List<DataSet> minibatches = new ArrayList<>();
    for (int from = 0; from < examples.size(); from += BATCH) {
      INDArray features = Nd4j.create(BATCH, shape.features());
      INDArray labels = Nd4j.create(BATCH, shape.outputs());
      for (int row = 0; row < BATCH; row++) {
        features.putRow(row, Nd4j.createFromArray(examples.get(from + row).features()));
        labels.putRow(row, Nd4j.createFromArray(examples.get(from + row).labels()));
      }
      minibatches.add(new DataSet(features, labels));
    }
    return minibatches;
  }
}
