package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.block.BlockMessage.Part;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.ServerOptimizerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockMessageTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  @Test
  void comesBackAsItWas() throws IOException {
    Pull pull =
        new Pull(
            3,
            new float[] {1, 2, 3},
            new ServerOptimizerState(List.of(new float[] {4, 5}, new float[] {6, 7}), 8),
            1,
            "home");
    Contribution contribution = new Contribution(4, 1, 7, 5, TestPayloads.of((byte) 1, (byte) 2));
    BlockMessage.WIRE.write(pull, out);
    BlockMessage.WIRE.write(contribution, out);
    BlockMessage.WIRE.write(new Handover(5, 1, 8, 5), out);
    Part part = new Part(6, 9, TestDecisions.members(2, 70), 5, TestPayloads.of((byte) 3));
    BlockMessage.WIRE.write(part, out);

    DataInputStream in = in();
    assertThat(BlockMessage.WIRE.read(in)).usingRecursiveComparison().isEqualTo(pull);
    assertThat(BlockMessage.WIRE.read(in)).usingRecursiveComparison().isEqualTo(contribution);
    assertThat(BlockMessage.WIRE.read(in)).isEqualTo(new Handover(5, 1, 8, 5));
    assertThat(BlockMessage.WIRE.read(in)).usingRecursiveComparison().isEqualTo(part);
    assertThat(in.read()).isNegative();
  }

  private DataInputStream in() {
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }
}
