package dev.millrace.exchange.schedule;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * The blocks of a contribution: all, or one of {@code count} parts of the model (Streaming DiLoCo,
 * Douillard et al. 2025). Blocks are dealt out in turn, so a part has some of each layer that is
 * large, and all parts are of one size.
 *
 * @param number of the part, from 0
 * @param count how many parts there are
 */
public record Fragment(int number, int count) implements Serializable {

  /** All blocks. */
  public static final Fragment WHOLE = new Fragment(0, 1);

  public Fragment {
    if (number < 0 || number >= count) {
      throw new IllegalArgumentException(
          "There is no fragment %s among %s: they are counted from 0".formatted(number, count));
    }
  }

  public boolean isWhole() {
    return count == 1;
  }

  /** Whether the block is one of them. */
  public boolean covers(int block) {
    return block % count == number;
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(number);
    out.writeInt(count);
  }

  public static Fragment read(DataInput in) throws IOException {
    return new Fragment(in.readInt(), in.readInt());
  }
}
