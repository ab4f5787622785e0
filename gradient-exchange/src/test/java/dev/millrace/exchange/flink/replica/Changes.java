package dev.millrace.exchange.flink.replica;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.model.BulkArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What contributions carry. */
final class Changes {

  private Changes() {}

  /** The {@code size} values of a contribution that was encoded as float32. */
  static float[] of(Contribution contribution, int size) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      contribution.payload().write(new DataOutputStream(bytes));
      float[] values = new float[size];
      Codec.float32()
          .decode(
              BulkArrays.readBytes(
                  new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))),
              values,
              size);
      return values;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
