package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchTimerTest {

  private static final ExampleShape SHAPE = SummingEngine.spec(1).shape();

  private final TestProcessingTimeService timers = new TestProcessingTimeService();
  private final Scorer scorer = new Scorer(SHAPE, DeviceRequest.any(), 9, Duration.ofMillis(5));
  private final List<Long> predicted = new ArrayList<>();
  private final BatchTimer timer =
      new BatchTimer(timers, () -> TimeUnit.MILLISECONDS.toNanos(now()), scorer, this::predict);

  BatchTimerTest() {
    scorer.serve(
        new ServedModel(
            SummingEngine.spec(1),
            new ModelVersion(1, 1),
            Instant.EPOCH,
            new float[1],
            null,
            List.of()));
  }

  @AfterEach
  void close() {
    scorer.close();
  }

  @Test
  void firesWhenTheFirstExampleHasWaitedLongEnough() throws Exception {
    addAt(10);
    addAt(12);

    timers.setCurrentTime(14);
    assertThat(predicted).isEmpty();
    timers.setCurrentTime(15);
    assertThat(predicted).containsExactly(15L);
  }

  @Test
  void aBatchThatBeganLaterIsGivenTheRestOfItsTime() throws Exception {
    addAt(10);
    predict();
    predicted.clear();
    addAt(13);

    timers.setCurrentTime(15);
    assertThat(predicted).isEmpty();
    timers.setCurrentTime(18);
    assertThat(predicted).containsExactly(18L);
  }

  @Test
  void isSetOnceHoweverManyExamplesCome() throws Exception {
    for (int time = 10; time < 15; time++) {
      addAt(time);
    }

    assertThat(timers.getNumActiveTimers()).isEqualTo(1);
  }

  @Test
  void isSetAgainByWhatComesAfterItFoundNothing() throws Exception {
    addAt(10);
    predict();
    predicted.clear();
    timers.setCurrentTime(15);
    assertThat(timers.getNumActiveTimers()).isZero();

    addAt(20);
    timers.setCurrentTime(25);

    assertThat(predicted).containsExactly(25L);
  }

  private void addAt(long time) throws Exception {
    timers.setCurrentTime(time);
    Example example = new Example(SHAPE);
    example.setOrigin(new Partition("t", 0), time);
    scorer.add(example, -1, TimeUnit.MILLISECONDS.toNanos(time));
    timer.ensureSet();
  }

  private void predict() {
    scorer.predict(prediction -> {}, rejected -> {});
    predicted.add(now());
  }

  private long now() {
    return timers.getCurrentProcessingTime();
  }
}
