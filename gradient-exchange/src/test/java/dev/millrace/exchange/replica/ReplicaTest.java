package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaTest {

  private static final InitialModel INITIAL = SummingEngine.initial(4);

  @Test
  void whatWasSaidAtTheEndIsNotSaidAgainAfterARestore() throws IOException {
    Replica replica = replica();
    replica.reject(new Partition("t", 0), 7);

    assertThat(replica.farewell().rejected().rejectedCount()).isEqualTo(1);

    Replica restored = replica();
    restored.restore(List.of(replica.save()));
    assertThat(restored.farewell().rejected().isEmpty()).isTrue();
  }

  private static Replica replica() {
    return new Replica(
        0,
        ModelEngine.named(SummingEngine.NAME).build(INITIAL.spec(), DeviceRequest.any()),
        INITIAL,
        INITIAL.spec().layout(3, true),
        Codec.float32(),
        Schedule.sync(1, 0),
        false);
  }
}
