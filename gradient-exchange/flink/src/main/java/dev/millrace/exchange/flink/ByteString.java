package dev.millrace.exchange.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Collections;
import java.util.List;

/**
 * Bytes of any number, in pieces that follow one another: an array has 2 GB at most.
 *
 * <p>Never changes.
 */
record ByteString(List<byte[]> pieces) {

  ByteString {
    pieces = List.copyOf(pieces);
  }

  /** All of them, to be read once, from the first. */
  DataInputStream read() {
    List<InputStream> streams =
        pieces.stream().<InputStream>map(ByteArrayInputStream::new).toList();
    return new DataInputStream(new SequenceInputStream(Collections.enumeration(streams)));
  }

  /** All of them, where they fit into one array. */
  byte[] toArray() {
    if (pieces.size() == 1) {
      return pieces.get(0);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
