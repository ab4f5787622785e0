package dev.millrace.exchange.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.Detection.Kind;
import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.steering.ErrorTrace;
import dev.millrace.exchange.steering.FeatureSample;
import dev.millrace.exchange.steering.Notice;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.Ledger;
import dev.millrace.model.Measures;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.WordCounts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from drifts. Rounds have 10 examples. */
class DriftRulesTest {

  private static final Partition PARTITION = new Partition("t", 0);
  private static final int OF_ROUND = 10;
  private static final Detection PAGE_HINKLEY =
      new Detection(List.of(Kind.PAGE_HINKLEY), Features.NONE, 0.01, 0.01, 5);

  private Coordinator coordinator;
  private DriftRules rules;
  private long sequence;

  @Test
  void aDriftIsFollowedOnceInAPauseAndOnlyForAWhile() throws IOException {
    begin(new DriftRules(PAGE_HINKLEY, new Reactions(0.4, 0.5, 20, true, 200)));
    rounds(10, 0, 0.5);
    assertThat(coordinator.controller().steering()).isEqualTo(Steering.NONE);

    round(OF_ROUND, 0.5);

    assertThat(notices())
        .singleElement()
        .satisfies(notice -> assertThat(notice.type()).isEqualTo("drift"))
        .extracting(Notice::fields)
        .asString()
        .matches(
            "\\{\"examples\":110,\"detector\":\"page-hinkley\",\"before\":0\\.05\\d+,\"after\":0\\.2,"
                + "\"reacted\":true\\}");
    assertThat(coordinator.controller().newest().publish()).isTrue();
    assertThat(coordinator.controller().steering()).isEqualTo(new Steering(1, 0.4, 0.5));

    restore();
    round(OF_ROUND, 0.5);
    assertThat(coordinator.controller().newest().publish()).isFalse();
    assertThat(coordinator.controller().steering()).isEqualTo(new Steering(1, 0.4, 0.5));
    rounds(1, OF_ROUND, 0.5);
    assertThat(coordinator.controller().steering()).isEqualTo(new Steering(1, 1, 1));

    rounds(7, 0, 0.5);
    round(OF_ROUND, 0.5);
    assertThat(notices())
        .as("told within the pause")
        .isNotEmpty()
        .allSatisfy(notice -> assertThat(notice.sentence()).endsWith("; no reaction so soon"));
    assertThat(coordinator.controller().steering()).isEqualTo(new Steering(1, 1, 1));
  }

  private List<Notice> notices() {
    return coordinator.controller().newest().notices();
  }

  private void rounds(int rounds, int wrong, double loss) {
    for (int round = 0; round < rounds; round++) {
      round(wrong, loss);
    }
  }

  /** A round of one member, of whose examples so many were wrong. */
  private void round(int wrong, double loss) {
    Ledger ledger = new Ledger();
    ErrorTrace errors = new ErrorTrace(true);
    for (int example = 0; example < OF_ROUND; example++) {
      ledger.learned(PARTITION, sequence * OF_ROUND + example);
      errors.add(example < wrong ? 1 : 0);
    }
    coordinator.announce(
        new Announcement(
            0,
            ++sequence,
            new ContributionMetadata(
                OF_ROUND,
                1,
                ledger,
                new FeatureStatistics(0),
                new WordCounts(0),
                new Measures(OF_ROUND, OF_ROUND - wrong, loss * OF_ROUND, 0, 0),
                errors,
                new FeatureSample(0),
                ""),
            Phases.NONE));
    coordinator.close(WholeRound.OF_ALL);
  }

  private void begin(DriftRules by) {
    rules = by;
    coordinator =
        new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, 1), rules.hook());
    coordinator.hello(new Hello(0, 1, "home"));
  }

  private void restore() throws IOException {
    ByteArrayOutputStream saved = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(saved));
    coordinator =
        Coordinator.read(
            new DataInputStream(new ByteArrayInputStream(saved.toByteArray())),
            10,
            1,
            rules.hook());
    coordinator.hello(new Hello(0, 1, "home"));
  }
}
