package dev.millrace.exchange.minibatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Words of examples as checkpoints have them, null for a missing one. */
public final class SavedWords {

  private SavedWords() {}

  /** Writes how many there are, and the first {@code count} words. */
  public static void write(DataOutput out, String[] words, int count) throws IOException {
    out.writeInt(count);
    for (int i = 0; i < count; i++) {
      String word = words[i];
      byte[] bytes = word == null ? null : word.getBytes(UTF_8);
      out.writeInt(word == null ? -1 : bytes.length);
      if (word != null) {
        out.write(bytes);
      }
    }
  }

  /** What {@link #write} wrote. */
  public static String[] read(DataInput in) throws IOException {
    String[] words = new String[in.readInt()];
    for (int i = 0; i < words.length; i++) {
      int length = in.readInt();
      if (length >= 0) {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        words[i] = new String(bytes, UTF_8);
      }
    }
    return words;
  }
}
