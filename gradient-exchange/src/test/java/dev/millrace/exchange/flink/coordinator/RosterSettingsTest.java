package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.exchange.round.Accounts;
import dev.millrace.exchange.round.EarlyStop;
import dev.millrace.exchange.round.RefusalStreaks;
import dev.millrace.exchange.round.Roster;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RosterSettingsTest {

  private static final ModelSpec SPEC = SummingEngine.spec(4);
  private static final SavedModel MODEL = new SavedModel(SPEC, SPEC.layout(3, true), Lineage.NONE);

  private final RosterSettings settings =
      new RosterSettings(
          MODEL,
          new FeatureStatistics(0),
          0,
          Schedule.every(1, true),
          Duration.ofHours(1),
          0,
          StopRules.NONE,
          100,
          1_000,
          PublicationPlan.NOTHING,
          Generations.NONE,
          Duration.ZERO,
          false);

  private final RefusalStreaks refusals = new RefusalStreaks();

  /** A job that diverges, and is restarted now and then, would never come to its limit. */
  @Test
  void refusalsInARowAreCountedOverARestore() throws IOException {
    refusals.refused(1);
    refusals.refused(1);
    refusals.refused(2);
    refusals.announced(2);

    RefusalStreaks restored = settings.restore(state().toBytes()).refusals();

    assertThat(restored.refused(1)).isEqualTo(3);
    assertThat(restored.refused(2)).isEqualTo(1);
  }

  @Test
  void earlierReleasesKeptNone() throws IOException {
    byte[] bytes = state().toBytes();
    ByteArrayOutputStream ours = new ByteArrayOutputStream();
    refusals.write(new DataOutputStream(ours));
    byte[] earlier = Arrays.copyOf(bytes, bytes.length - ours.size());

    assertThat(settings.restore(earlier).refusals().refused(1)).isEqualTo(1);
  }

  private RosterSettings.State state() {
    Roster roster = new Roster(Accounts.open(new FeatureStatistics(0), 0, 1_000));
    return new RosterSettings.State(roster, MODEL, new EarlyStop(StopRules.NONE), refusals);
  }
}
