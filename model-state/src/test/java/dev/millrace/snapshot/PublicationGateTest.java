package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

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
            new Retention(9, 0, 0),
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

    assertThat(judged(gate, 0.4, loss(0.5))).isTrue();
    assertThat(judged(gate, 0.6, loss(0.5))).isFalse();
    assertThat(judged(gate, Double.NaN, Optional.empty())).isFalse();
  }

  /** By the area a model is better that is right less often, and states worse probabilities. */
  @Test
  void anAreaIsBetterTheGreaterItIs() {
    PublicationGate gate = new PublicationGate(PublicationGate.Metric.AUC, 0.01);
    Optional<ModelVersion> served = Optional.of(new ModelVersion(0, 1));

    assertThat(gate.judge(area(0.75, 0.9, 0.6), served, area(0.7, 0.99, 0.1)).passed()).isTrue();
    assertThat(gate.judge(area(0.695, 0.9, 0.6), served, area(0.7, 0.9, 0.6)).passed()).isTrue();
    PublicationGate.Verdict worse = gate.judge(area(0.68, 0.99, 0.1), served, area(0.7, 0.9, 0.6));
    assertThat(worse.passed()).isFalse();
    assertThat(worse.metric()).isEqualTo("auc");
    assertThat(worse.candidate()).isEqualTo(0.68);
    assertThat(worse.serving()).isEqualTo(0.7);
    assertThat(gate.judge(loss(0.1), served, Optional.empty()).passed())
        .as("it has no area")
        .isFalse();
  }

  private static Optional<Quality> area(double auc, double accuracy, double loss) {
    return Optional.of(new Quality(10, accuracy, loss, auc, 0.9, 1.0, null, null, "set"));
  }

  @Test
  void aServedModelThatWasMeasuredOnAnotherSetIsMeasuredAnew() throws IOException {
    SnapshotWriter writer =
        new SnapshotWriter(
            SnapshotStore.directory(directory),
            TestModels.engine(NEVER),
            Optional.of(new PublicationGate(PublicationGate.Metric.ACCURACY, 0)),
            new Retention(9, 0, 0),
            () -> NOW);
    writer.write(TestModels.model(0, 1), Optional.empty(), false);
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(0, 1));
    write(writer, 2, accuracy(90, "easy"), Optional.of(accuracy(95, "easy")));
    write(writer, 3, accuracy(90, "easy"), Optional.empty());
    new Rollback(SnapshotStore.directory(directory)).to(new ModelVersion(0, 3));
    write(writer, 4, accuracy(70, "hard"), Optional.of(accuracy(75, "hard")));
    write(writer, 5, accuracy(70, "hard"), Optional.of(accuracy(65, "hard")));

    assertThat(described(2).gate().passed()).as("compared with one never measured").isFalse();
    assertThat(described(3).gate().passed()).as("it can't be measured").isTrue();
    assertThat(described(3).gate().servingVersion()).isEqualTo("0.1");
    assertThat(described(4).gate().passed()).isFalse();
    assertThat(described(4).gate().serving()).isEqualTo(0.75);
    assertThat(described(5).gate().passed()).isTrue();
    assertThat(described(5).holdOut().set()).isEqualTo("hard");
  }

  private static boolean judged(PublicationGate gate, double candidate, Optional<Quality> serving) {
    return gate.judge(loss(candidate), Optional.of(new ModelVersion(0, 1)), serving).passed();
  }

  private static Optional<Quality> loss(double loss) {
    return Optional.of(new Quality(10, 0.0, loss, null, null, "set"));
  }

  private static void write(SnapshotWriter writer, long round, Quality quality) throws IOException {
    write(writer, round, quality, Optional.empty());
  }

  /** The served one is this, measured anew. */
  private static void write(
      SnapshotWriter writer, long round, Quality quality, Optional<Quality> served)
      throws IOException {
    writer.write(
        TestModels.model(0, round),
        Optional.of(new HoldOutResult(quality, (model, store) -> served)));
  }

  private static Quality accuracy(int percent) {
    return accuracy(percent, "set");
  }

  private static Quality accuracy(int percent, String set) {
    return new Quality(100, percent / 100.0, 1.0, null, null, set);
  }

  private SnapshotDescription described(long round) throws IOException {
    return new SnapshotCatalog(SnapshotStore.directory(directory))
        .find(new ModelVersion(0, round))
        .orElseThrow();
  }
}
