package example;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.CodecExtension;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.model.shape.IndexRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** Every other value of a change; the others stay with the sender, whose next change has them. */
public final class Halves implements CodecExtension {

  private static final String NAME = "halves";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Codec create(Map<String, String> options) {
    return new EveryOther();
  }

  record EveryOther() implements Codec {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Encoder encoder(List<IndexRange> segments) {
      return new Alternating();
    }

    /** The first byte says which of the values these are. */
    @Override
    public void decode(byte[] payload, float[] change, int length) {
      ByteBuffer from = ByteBuffer.wrap(payload);
      int first = from.hasRemaining() ? from.get() : -1;
      if (first < 0 || first > 1 || from.remaining() != (length + 1 - first) / 2 * Float.BYTES) {
        throw new IllegalArgumentException(
            payload.length + " bytes aren't every other value of " + length);
      }
      for (int i = 0; i < length; i++) {
        change[i] = i % 2 == first ? from.getFloat() : 0;
      }
    }
  }

  /** What was left out is in the array again, and counts with the next change. */
  private static final class Alternating implements Encoder {

    private int first;

    @Override
    public byte[] encode(int offset, float[] change, int length) {
      ByteBuffer to = ByteBuffer.allocate(1 + (length + 1 - first) / 2 * Float.BYTES);
      to.put((byte) first);
      for (int i = first; i < length; i += 2) {
        to.putFloat(change[i]);
        change[i] = 0;
      }
      return to.array();
    }

    @Override
    public void complete() {
      first = 1 - first;
    }

    @Override
    public float[] save() {
      return new float[] {first};
    }

    @Override
    public void restore(float[] saved) {
      first = saved.length == 1 && saved[0] == 1 ? 1 : 0;
    }
  }
}
