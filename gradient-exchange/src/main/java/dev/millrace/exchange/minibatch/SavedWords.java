package dev.millrace.exchange.minibatch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.io.BulkArrays;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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

  /** Reads what {@link #write} wrote. */
  public static String[] read(DataInput in) throws IOException {
    List<String> words = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      int length = in.readInt();
      words.add(length < 0 ? null : new String(BulkArrays.readBytes(in, length), UTF_8));
    }
    return words.toArray(String[]::new);
  }
}
