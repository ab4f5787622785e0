package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.model.BulkArrays;
import dev.millrace.model.ServerOptimizerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages on their way are part of unaligned checkpoints. */
class BlockMessageTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  @Test
  void comesBackAsItWas() throws IOException {
    Pull pull =
        new Pull(
            3,
            new float[] {1, 2, 3},
            new ServerOptimizerState(List.of(new float[] {4, 5}, new float[] {6, 7}), 8));
    Contribution contribution = new Contribution(4, 1, 7, new byte[] {1, 2});
    BlockMessage.WIRE.write(pull, out);
    BlockMessage.WIRE.write(contribution, out);

    DataInputStream in = in();
    assertThat(BlockMessage.WIRE.read(in)).usingRecursiveComparison().isEqualTo(pull);
    assertThat(BlockMessage.WIRE.read(in)).usingRecursiveComparison().isEqualTo(contribution);
    assertThat(in.read()).isNegative();
  }

  @Test
  void versionOneIsReadAndKnowsNoServerOptimizer() throws IOException {
    out.writeByte(1);
    out.writeInt(3);
    out.writeByte('P');
    BulkArrays.writeFloats(out, new float[] {1, 2, 3});
    out.writeByte(1);
    out.writeInt(4);
    out.writeByte('C');
    out.writeInt(1);
    out.writeLong(7);
    BulkArrays.writeBytes(out, new byte[] {1, 2});

    DataInputStream in = in();
    assertThat(BlockMessage.WIRE.read(in))
        .usingRecursiveComparison()
        .isEqualTo(new Pull(3, new float[] {1, 2, 3}, ServerOptimizerState.NONE));
    assertThat(BlockMessage.WIRE.read(in))
        .usingRecursiveComparison()
        .isEqualTo(new Contribution(4, 1, 7, new byte[] {1, 2}));
  }

  private DataInputStream in() {
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }
}
