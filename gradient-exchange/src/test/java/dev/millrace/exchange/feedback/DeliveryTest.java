package dev.millrace.exchange.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.block.BlockUpdate;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryTest {

  @Test
  void itsBytesAreThoseOnTheWire() throws IOException {
    Delivery delivery =
        new Delivery(
            3, List.of("a".repeat(73), "b".repeat(73)), new BlockUpdate(1, 2, new float[100]));
    ByteArrayOutputStream wire = new ByteArrayOutputStream();

    Delivery.WIRE.write(delivery, new DataOutputStream(wire));

    assertThat(delivery.bytes()).isCloseTo(wire.size(), within(8L));
  }
}
