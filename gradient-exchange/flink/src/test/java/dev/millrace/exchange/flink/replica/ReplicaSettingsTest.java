package dev.millrace.exchange.flink.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.ForwardingModel;
import dev.millrace.exchange.hook.ReplicaHooks;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.ModelReplica;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplicaSettingsTest {

  /** By its number, which a restart doesn't change. */
  @Test
  void eachReplicaDrawsRandomNumbersOfItsOwn() {
    ReplicaSettings settings = ReplicaHarness.settings(Schedule.every(1, true));
    List<Long> streams = new ArrayList<>();
    for (int index = 0; index < 3; index++) {
      try (ModelReplica model =
          new ForwardingModel(settings.model(List.of())) {
            @Override
            public void setRandomStream(long stream) {
              streams.add(stream);
            }
          }) {
        settings.replica(index, 3, model, ReplicaHooks.NONE, System::nanoTime);
      }
    }
    assertThat(streams).containsExactly(0L, 1L, 2L);
  }
}
