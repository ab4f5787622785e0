package dev.millrace.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a savepoint's splits of a source, with or without history.
 *
 * @param isThere whether the job had any history
 * @param live the splits of the source behind, as Flink writes each
 */
public record SavedHistory(boolean isThere, List<byte[]> live) {

  /** Flink writes a split's version and its number of bytes in front of it. */
  private static final int HEAD = 2 * Integer.BYTES;

  /**
   * Reads it.
   *
   * @param written splits of all readers of a source, as Flink writes each
   */
  public static SavedHistory read(List<byte[]> written) throws IOException {
    boolean isThere = false;
    List<byte[]> live = new ArrayList<>();
    for (byte[] one : written) {
      if (ByteBuffer.wrap(one).getInt() != HistorySplitSerializer.VERSION) {
        live.add(one);
        continue;
      }
      isThere = true;
      HistorySplitSerializer.live(one, HEAD).ifPresent(live::add);
    }
    return new SavedHistory(isThere, live);
  }
}
