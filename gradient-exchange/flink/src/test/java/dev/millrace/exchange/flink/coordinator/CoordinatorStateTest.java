package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.Purpose;
import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.steering.CoordinatorHook;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.ExampleSignals;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.exchange.steering.Verdict;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.SummingEngine;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoordinatorStateTest {

  private static final long START = 1_000_000;

  private final CoordinatorSetup setup = new CoordinatorSetup();

  @Test
  void aJobWithoutACheckpointStartsAtTheBeginning() throws IOException {
    CoordinatorState state = CoordinatorState.open(setup.settings(), List.of());

    assertThat(state.model()).isEqualTo(CoordinatorSetup.MODEL);
    assertThat(state.coordinator().version()).isEqualTo(new ModelVersion(0, 0));
  }

  @Test
  void allOfItIsRestored() throws IOException {
    setup.stop(new StopRules(Duration.ofSeconds(10), 0, 0, 0, 0));
    CoordinatorState state = CoordinatorState.open(setup.settings(), List.of());
    state.coordinator().begin(3);
    state.earlyStop().begin(START);
    state.refusals().refused(1);
    state.refusals().refused(1);

    CoordinatorState restored =
        CoordinatorState.open(setup.settings(), List.of(state.toBytes(false)));

    assertThat(restored.model()).isEqualTo(CoordinatorSetup.MODEL);
    assertThat(restored.coordinator().version()).isEqualTo(new ModelVersion(3, 0));
    assertThat(restored.earlyStop().reason(START + 9_999)).isEmpty();
    assertThat(restored.earlyStop().reason(START + 10_000)).isPresent();
    assertThat(restored.refusals().refused(1)).isEqualTo(3);
    assertThat(restored.refusals().refused(2)).isEqualTo(1);
  }

  @Test
  void aJobThatIsNotSteeredTrainsAsConfiguredAfterOneThatWas() throws IOException {
    setup.steering(new Halving());
    CoordinatorState state = CoordinatorState.open(setup.settings(), List.of());
    state.coordinator().controller().steer(new Steering(1, 0.5, 0.25));
    byte[] saved = state.toBytes(false);
    assertThat(
            CoordinatorState.open(setup.settings(), List.of(saved))
                .coordinator()
                .controller()
                .steering())
        .isEqualTo(new Steering(1, 0.5, 0.25));

    setup.steering(NoSteering.NONE);
    CoordinatorState restored = CoordinatorState.open(setup.settings(), List.of(saved));

    assertThat(restored.coordinator().controller().steering()).isEqualTo(new Steering(1, 1, 1));
  }

  @Test
  void theClipIsTheCheckpointsUnlessTheJobAsksForAnother() throws IOException {
    setup.statistics(clippedAt(7));
    byte[] saved = CoordinatorState.open(setup.settings(), List.of()).toBytes(false);
    setup.statistics(clippedAt(10));

    assertThat(restoredClip(saved)).isEqualTo(7);
    setup.clip(5);
    assertThat(restoredClip(saved)).isEqualTo(5);
    setup.clip(Double.POSITIVE_INFINITY);
    assertThat(restoredClip(saved)).isInfinite();
  }

  private double restoredClip(byte[] saved) throws IOException {
    CoordinatorState restored = CoordinatorState.open(setup.settings(), List.of(saved));
    return restored.coordinator().head(1, false).learned().statistics().clip();
  }

  private static FeatureStatistics clippedAt(double deviations) {
    FeatureStatistics statistics = new FeatureStatistics(1);
    statistics.setClip(deviations);
    return statistics;
  }

  @Test
  void itIsReadWithoutAJobToo() throws IOException {
    byte[] saved = CoordinatorState.open(setup.settings(), List.of()).toBytes(false);

    assertThat(CoordinatorState.read(saved).model()).isEqualTo(CoordinatorSetup.MODEL);
  }

  @Test
  void whatIsCutOffIsNotGuessed() throws IOException {
    byte[] saved = CoordinatorState.open(setup.settings(), List.of()).toBytes(false);
    byte[] cut = Arrays.copyOf(saved, saved.length - 1);

    assertThatThrownBy(() -> CoordinatorState.read(cut)).isInstanceOf(IOException.class);
  }

  @Test
  void anotherFormatIsRefused() throws IOException {
    byte[] saved = CoordinatorState.open(setup.settings(), List.of()).toBytes(false);
    saved[0] = 99;

    assertThatThrownBy(() -> CoordinatorState.read(saved))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("99");
  }

  @Test
  void anotherModelFailsTheJobWithoutARestart() throws IOException {
    byte[] saved = CoordinatorState.open(setup.settings(), List.of()).toBytes(false);
    ModelSpec spec = SummingEngine.spec(5);
    setup.model(new SavedModel(spec, spec.layout(3, true), Lineage.NONE));

    assertThatThrownBy(() -> CoordinatorState.open(setup.settings(), List.of(saved)))
        .isInstanceOf(NonRecoverableException.class)
        .hasMessageContaining("parameters: 4 there, 5 here");
  }

  /** Whatever the client could read of the checkpoint: a round would wait for them for good. */
  @Test
  void contributionsThatWaitInGatherersAreNotLost() throws IOException {
    setup.gathering();
    CoordinatorState state = CoordinatorState.open(setup.settings(), List.of());
    byte[] without = state.toBytes(true);
    state.coordinator().hello(new Hello(0, 1, "home"));
    state
        .coordinator()
        .announce(
            new Announcement(
                0,
                1,
                new ContributionMetadata(
                    5, 1, new Ledger(), new FeatureStatistics(0), Measures.NONE),
                Phases.NONE));
    byte[] saved = state.toBytes(true);
    assertThat(CoordinatorState.open(setup.settings(), List.of(saved)).model())
        .isEqualTo(CoordinatorSetup.MODEL);
    CoordinatorSettings notGathering = new CoordinatorSetup().settings();

    assertThat(CoordinatorState.open(notGathering, List.of(without)).model())
        .as("none waits")
        .isEqualTo(CoordinatorSetup.MODEL);
    assertThatThrownBy(() -> CoordinatorState.open(notGathering, List.of(saved)))
        .isInstanceOf(NonRecoverableException.class)
        .hasMessageContaining("1 contributions may wait to be combined by process");
    assertThat(CoordinatorState.open(notGathering, List.of(state.toBytes(false))).model())
        .as("they wait in blocks")
        .isEqualTo(CoordinatorSetup.MODEL);
  }

  @Test
  void whatIsPublishedDoesNotChangeLater() throws IOException {
    CoordinatorState state = CoordinatorState.open(setup.settings(), List.of());
    var head = state.publish(PublicationTrigger.round(1), Set.of(Purpose.MEASURE));

    state.coordinator().totals().ledger().learned(CoordinatorHarness.PARTITION, 7);

    assertThat(head.ledger().isEmpty()).isTrue();
    assertThat(head.purposes()).containsExactly(Purpose.MEASURE);
    assertThat(head.lineage()).isEqualTo(Lineage.NONE);
  }

  /** Steers, and remembers nothing. */
  private static final class Halving implements CoordinatorHookFactory, CoordinatorHook {

    @Override
    public CoordinatorHook hook() {
      return this;
    }

    @Override
    public ExampleSignals signals() {
      return ExampleSignals.NOTHING;
    }

    @Override
    public String name() {
      return "halving";
    }

    @Override
    public void add(ErrorTrace errors, FeatureStatistics statistics, FeatureSample sample) {}

    @Override
    public Verdict close(long examples, FeatureStatistics all) {
      return new Verdict(false, 0.5, 0.5, false, List.of());
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeByte(1);
    }

    @Override
    public void read(DataInput in) throws IOException {
      assertThat(in.readByte()).isEqualTo((byte) 1);
    }
  }
}
