package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.model.Ledger;
import dev.millrace.model.Partition;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CoordinatorMessageTest {

  private final Ledger refused = new Ledger();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  CoordinatorMessageTest() {
    refused.rejected(new Partition("t", 1), 7);
  }

  @Test
  void aRefusalCarriesItsReason() throws IOException {
    Refusal refusal = new Refusal(3, refused, "feature 2 is far away");
    CoordinatorMessage.WIRE.write(refusal, out);

    assertThat(read()).isEqualTo(refusal);
  }

  private CoordinatorMessage read() throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    CoordinatorMessage message = CoordinatorMessage.WIRE.read(in);
    assertThat(in.available()).isZero();
    return message;
  }
}
