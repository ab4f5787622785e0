package dev.millrace.job.train.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.testing.StructuredModels;
import dev.millrace.job.testing.TestModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldOutTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 1, Target.REGRESSION);

  /** Otherwise a gate would judge another model than the one that is served. */
  @Test
  void featuresAreClippedAsInTraining() throws IOException {
    InitialModel doubled = TestModels.linear(SHAPE, 2, 1);
    FeatureStatistics statistics = FeatureStatistics.of(100, new double[] {10}, new double[] {4});
    statistics.setClip(50);
    GlobalModel model =
        new GlobalModel(
            doubled.spec(),
            new ModelVersion(0, 1),
            0,
            doubled.vector(),
            statistics,
            new Ledger(),
            Measures.NONE,
            Lineage.NONE);
    HoldOut holdOut = HoldOut.read(new Table(new float[][] {{12, 2}, {1e6f, 101}, {-1e6f, -99}}));

    try (ModelReplica replica =
        ModelEngine.named(doubled.spec().engine()).build(doubled.spec(), DeviceRequest.any())) {
      Measures measures = holdOut.evaluate(model, replica);

      assertThat(measures.examples()).isEqualTo(3);
      assertThat(measures.meanAbsoluteError()).isZero();
    }
  }

  @Test
  void whatTheModelCannotComputeWithIsLeftOut() throws IOException {
    ModelSpec spec = SummingEngine.spec(1);
    HoldOut holdOut =
        HoldOut.read(new Table(new float[][] {{12, 13}, {Float.NEGATIVE_INFINITY, 0}, {5, 8}}));

    try (ModelReplica replica = ModelEngine.named(spec.engine()).build(spec, DeviceRequest.any())) {
      replica.write(0, new float[1], 0, 1);
      Measures measures = holdOut.evaluate(replica);

      assertThat(measures.examples()).isEqualTo(2);
      assertThat(measures.meanAbsoluteError()).isEqualTo(2);
      assertThat(holdOut.unusable().orElseThrow()).contains("can't compute with it");
    }
  }

  @Test
  void aSetHasOneChecksumInWhateverOrderAndNoOtherSetHasIt() throws IOException {
    HoldOut holdOut = HoldOut.read(new Table(new float[][] {{12, 13}, {5, 8}}));

    assertThat(holdOut.checksum())
        .hasSize(64)
        .isEqualTo(HoldOut.read(new Table(new float[][] {{5, 8}, {12, 13}})).checksum())
        .isNotEqualTo(HoldOut.read(new Table(new float[][] {{12, 8}, {5, 13}})).checksum())
        .isNotEqualTo(HoldOut.read(new Table(new float[][] {{12, 13}})).checksum());
  }

  @Test
  void eachStepOfASequenceIsMeasured(@TempDir Path directory) throws IOException {
    InitialModel model = StructuredModels.eachStep(directory);
    List<Example> examples = StructuredModels.examples(model.spec().shape(), 300, new Random(1));
    Iterator<Example> next = examples.iterator();
    HoldOut holdOut = HoldOut.read(new Sequences(model.spec().shape(), next));

    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(model.spec(), DeviceRequest.any())) {
      Measures measures = holdOut.evaluate(replica);

      assertThat(holdOut.size()).isEqualTo(300);
      assertThat(measures.examples()).isEqualTo(examples.stream().mapToLong(Example::steps).sum());
      assertThat(measures.accuracy()).isBetween(0.1, 0.9);
    }
  }

  /** More examples than are predicted at once: the area is of all of them together. */
  @Test
  void scoresOfTwoClassesAreCounted() throws IOException {
    ExampleShape shape = new ExampleShape(1, 2, Target.CLASSIFICATION);
    InitialModel model = TestModels.linear(shape, 0, 1, 0, 0);
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      Example example = new Example(shape);
      example.features()[0] = i / 100f;
      // The upper half is positive, but for the very last.
      example.labels()[i >= 300 && i < 599 ? 1 : 0] = 1;
      examples.add(example);
    }
    HoldOut holdOut = HoldOut.read(new Sequences(shape, examples.iterator()));

    try (ModelReplica replica =
        ModelEngine.named("dl4j").build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.spec().parameters());
      Measures measures = holdOut.evaluate(replica);

      assertThat(measures.examples()).isEqualTo(600);
      assertThat(measures.auc()).isCloseTo(300 / 301.0, within(1e-4));
      assertThat(measures.calibrationRatio()).isBetween(1.5, 2.0);
    }
  }

  private record Sequences(ExampleShape shape, Iterator<Example> examples)
      implements ExampleSequence {

    @Override
    public long count() {
      return -1;
    }

    @Override
    public boolean next(Example into) {
      boolean more = examples.hasNext();
      if (more) {
        into.set(examples.next());
      }
      return more;
    }

    @Override
    public void close() {}
  }

  /** Rows of a feature and a label. */
  private static final class Table implements ExampleSequence {

    private final float[][] rows;
    private int next;

    Table(float[][] rows) {
      this.rows = rows;
    }

    @Override
    public ExampleShape shape() {
      return SHAPE;
    }

    @Override
    public long count() {
      return rows.length;
    }

    @Override
    public boolean next(Example into) {
      if (next == rows.length) {
        return false;
      }
      into.features()[0] = rows[next][0];
      into.labels()[0] = rows[next][1];
      next++;
      return true;
    }

    @Override
    public void close() {}
  }
}
