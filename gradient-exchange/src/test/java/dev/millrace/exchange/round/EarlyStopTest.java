package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.Measures;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EarlyStopTest {

  private static final long START = 1_000_000;

  @Test
  void withoutRulesTrainingGoesOn() {
    EarlyStop stop = started(StopRules.NONE);
    stop.observe(loss(1), 1_000_000_000);

    assertThat(stop.reason(Long.MAX_VALUE / 2)).isEmpty();
  }

  @Test
  void timeIsCountedFromTheFirstStart() throws IOException {
    StopRules rules = new StopRules(Duration.ofMinutes(1), 0, 0, 0, 10);
    EarlyStop stop = restored(started(rules), rules);

    stop.begin(START + 30_000);

    assertThat(stop.reason(START + 59_999)).isEmpty();
    assertThat(stop.reason(START + 60_000)).isPresent();
  }

  @Test
  void examplesAreCountedAsTheyAreLearned() {
    EarlyStop stop = started(new StopRules(Duration.ZERO, 500, 0, 0, 10));

    stop.observe(loss(1), 499);
    assertThat(stop.reason(START)).isEmpty();
    stop.observe(loss(1), 500);

    assertThat(stop.reason(START)).hasValueSatisfying(why -> assertThat(why).contains("500"));
  }

  @Test
  void aLossThatFallsIsWaitedFor() throws IOException {
    StopRules rules = new StopRules(Duration.ZERO, 0, 100, 0.01, 10);
    EarlyStop stop = started(rules);
    stop.observe(loss(2), 100);
    stop.observe(loss(1.995), 150);
    assertThat(stop.reason(START)).as("for 50 records").isEmpty();
    stop.observe(loss(1.98), 190);
    stop = restored(stop, rules);

    stop.observe(loss(5), 280);
    assertThat(stop.reason(START)).as("for 90 records since the best").isEmpty();
    stop.observe(loss(1.979), 290);

    assertThat(stop.reason(START)).isPresent();
  }

  @Test
  void aLossOfFewExamplesOrNoneIsNotLookedAt() {
    EarlyStop stop = started(new StopRules(Duration.ZERO, 0, 100, 0, 10));
    stop.observe(new Measures(9, 0, 0, 0, 0), 90);
    stop.observe(loss(Double.NaN), 150);
    assertThat(stop.reason(START)).isEmpty();

    stop.observe(loss(Double.NaN), 190);

    assertThat(stop.reason(START)).as("NaN is never better").isPresent();
  }

  /** What was learned before the end is still to come into the model, and may be better. */
  @Test
  void whatHasEndedStaysSoOverARestartByTheSameRules() throws IOException {
    StopRules rules = new StopRules(Duration.ZERO, 0, 100, 0, 10);
    EarlyStop stop = started(rules);
    stop.observe(loss(1), 10);
    assertThat(stop.end(START)).isEmpty();
    stop.observe(loss(2), 110);
    assertThat(stop.end(START)).isPresent();
    stop.observe(loss(0.5), 120);

    assertThat(stop.end(START)).as("said already").isEmpty();
    assertThat(stop.hasEnded()).isTrue();
    assertThat(restored(stop, rules).hasEnded()).isTrue();
    assertThat(restored(restored(stop, rules), rules).hasEnded()).isTrue();
    assertThat(restored(stop, new StopRules(Duration.ZERO, 0, 200, 0, 10)).hasEnded())
        .as("by more patience training goes on")
        .isFalse();
  }

  private static EarlyStop started(StopRules rules) {
    EarlyStop stop = new EarlyStop(rules);
    stop.begin(START);
    return stop;
  }

  private static EarlyStop restored(EarlyStop stop, StopRules rules) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    stop.write(new DataOutputStream(bytes));
    EarlyStop restored = new EarlyStop(rules);
    restored.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return restored;
  }

  /** Measures of ten examples. */
  private static Measures loss(double mean) {
    return new Measures(10, 0, 10 * mean, 0, 0);
  }
}
