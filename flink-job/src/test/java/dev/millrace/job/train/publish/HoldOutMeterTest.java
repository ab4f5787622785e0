package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.PublicationGate;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gate, after another hold-out set: a model's second output is its round. */
class HoldOutMeterTest {

  @TempDir private Path directory;

  private SnapshotWriter writer;

  @BeforeEach
  void createWriter() throws IOException {
    writer =
        new SnapshotWriter(
            SnapshotStore.directory(directory),
            ModelEngine.named("dl4j"),
            Optional.of(new PublicationGate(PublicationGate.Metric.MAE, 0)),
            new Retention(9, 0, 0),
            InstantSource.system());
  }

  /** By the number stored with it no model would pass any more. */
  @Test
  void theServedModelIsMeasuredAnewOnAnotherSet() throws IOException {
    publish(1, 1);
    publish(2, 9);
    publish(3, 1);

    PublicationGate.Verdict nearer = described(2).gate();
    assertThat(nearer.candidate()).isEqualTo(3.5);
    assertThat(nearer.serving()).isEqualTo(4.0);
    assertThat(nearer.passed()).isTrue();
    PublicationGate.Verdict farther = described(3).gate();
    assertThat(farther.candidate()).isEqualTo(1.0);
    assertThat(farther.serving()).isEqualTo(0.5);
    assertThat(farther.passed()).isFalse();
  }

  @Test
  void aServedModelThatCannotBeReadIsNotComparedWith() throws IOException {
    publish(1, 1);
    Files.writeString(directory.resolve(described(1).archive()), "no archive");

    publish(2, 9);

    assertThat(described(2).gate().serving()).isNull();
    assertThat(described(2).gate().servingVersion()).isEqualTo("1.1");
    assertThat(described(2).gate().passed()).isTrue();
  }

  /** Publishes a model by a hold-out set whose one example has this second label. */
  private void publish(long round, float label) throws IOException {
    GlobalModel model = TellingModels.model(TellingModels.SHAPE, round);
    try (HoldOutMeter meter =
        new HoldOutMeter(
            () -> HoldOut.read(new OneExample(label)), model.spec(), DeviceRequest.guest())) {
      writer.write(model, Optional.of(meter.result(meter.measure(model))));
    }
  }

  private SnapshotDescription described(long round) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .find(new ModelVersion(1, round))
        .orElseThrow();
  }

  private static final class OneExample implements ExampleSequence {

    private final float label;
    private boolean read;

    OneExample(float label) {
      this.label = label;
    }

    @Override
    public ExampleShape shape() {
      return TellingModels.SHAPE;
    }

    @Override
    public long count() {
      return 1;
    }

    @Override
    public boolean next(Example into) {
      boolean more = !read;
      read = true;
      into.labels()[1] = label;
      return more;
    }

    @Override
    public void close() {}
  }
}
