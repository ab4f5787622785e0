package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.Test;

class EarliestTimerTest {

  private final TestProcessingTimeService time = new TestProcessingTimeService();
  private final List<Long> fired = new ArrayList<>();
  private final EarliestTimer timer = new EarliestTimer(time, fired::add);

  @Test
  void anEarlierTimeTakesThePlaceOfALaterOne() throws Exception {
    timer.set(100);
    timer.set(50);
    timer.set(70);
    assertThat(time.getNumActiveTimers()).isEqualTo(1);

    time.setCurrentTime(49);
    assertThat(fired).isEmpty();
    time.setCurrentTime(200);

    assertThat(fired).containsExactly(50L);
  }

  @Test
  void itCanBeSetWhileItFires() throws Exception {
    List<EarliestTimer> self = new ArrayList<>();
    self.add(
        new EarliestTimer(
            time,
            at -> {
              fired.add(at);
              self.get(0).set(at + 10);
            }));

    self.get(0).set(10);
    time.setCurrentTime(10);
    time.setCurrentTime(20);

    assertThat(fired).containsExactly(10L, 20L);
  }
}
