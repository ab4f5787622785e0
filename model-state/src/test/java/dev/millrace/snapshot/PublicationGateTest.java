package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which models are good enough to be served. */
final class PublicationGateTest {

  private static final long NEVER = -1;
  private static final Instant NOW = Instant.parse("2026-11-21T10:15:30Z");

  @TempDir private Path directory;

  @Test
  void aModelThatIsWorseByMoreThanTheMarginIsWrittenAndNotServed() throws IOException {
    SnapshotWriter writer =
        new SnapshotWriter(
            SnapshotStore.directory(directory),
            TestModels.engine(NEVER),
            Optional.of(new PublicationGate(PublicationGate.Metric.ACCURACY, 0.015)),
            new Retention(9, 0),
            () -> NOW);
    write(writer, 1, accuracy(80));
    write(writer, 2, accuracy(78));
    write(writer, 3, accuracy(79));
    write(writer, 4, accuracy(78));
    writer.write(TestModels.model(0, 5), Optional.empty());
    writer.commit(new ModelVersion(0, 5), 1);

    assertThat(described(1).gate().passed()).isTrue();
    PublicationGate.Verdict refused = described(2).gate();
    assertThat(refused.passed()).isFalse();
    assertThat(refused.candidate()).isEqualTo(0.78);
    assertThat(refused.serving()).isEqualTo(0.8);
    assertThat(refused.servingVersion()).isEqualTo("0.1");
    assertThat(described(3).gate().passed()).isTrue();
    // Compared with 0.79, which is served by now.
    assertThat(described(4).gate().passed()).isTrue();
    assertThat(described(5).gate().passed()).isFalse();
    SnapshotCatalog catalog = new SnapshotCatalog(SnapshotStore.directory(directory));
    assertThat(catalog.pointer(Pointer.LATEST).orElseThrow().version()).isEqualTo("0.4");
    assertThat(catalog.pointer(Pointer.COMMITTED).orElseThrow().version()).isEqualTo("0.4");
  }

  @Test
  void aLossIsBetterTheSmallerItIs() {
    PublicationGate gate = new PublicationGate(PublicationGate.Metric.LOSS, 0);
    SnapshotDescription serving =
        SnapshotDescription.of(
            TestModels.model(0, 1), Optional.of(new Measures(10, 0, 5, 0, 0)), NOW);

    assertThat(gate.judge(new Quality(10, 0.0, 0.4, null, null), Optional.of(serving)).passed())
        .isTrue();
    assertThat(gate.judge(new Quality(10, 0.0, 0.6, null, null), Optional.of(serving)).passed())
        .isFalse();
    assertThat(gate.judge(new Quality(10, 0.0, Double.NaN, null, null), Optional.empty()).passed())
        .isFalse();
  }

  private static void write(SnapshotWriter writer, long round, Measures measures)
      throws IOException {
    writer.write(TestModels.model(0, round), Optional.of(measures));
  }

  private static Measures accuracy(int percent) {
    return new Measures(100, percent, 1, 0, 0);
  }

  private SnapshotDescription described(long round) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .find(new ModelVersion(0, round))
        .orElseThrow();
  }
}
