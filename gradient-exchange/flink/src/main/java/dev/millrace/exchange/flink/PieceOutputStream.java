package dev.millrace.exchange.flink;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes bytes in pieces, each behind its length, so that nobody needs to know beforehand how many
 * there will be. A length of 0 ends them.
 *
 * <p>Not thread-safe.
 */
final class PieceOutputStream extends OutputStream {

  /** Large enough to be read in bulk, and small enough to be found in a fragmented heap. */
  static final int PIECE_BYTES = 1 << 18;

  private final DataOutput target;
  private final byte[] piece = new byte[PIECE_BYTES];
  private int filled;

  PieceOutputStream(DataOutput target) {
    this.target = target;
  }

  @Override
  public void write(int oneByte) throws IOException {
    piece[filled++] = (byte) oneByte;
    flushIfFull();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, PIECE_BYTES - filled);
      System.arraycopy(bytes, offset + done, piece, filled, part);
      filled += part;
      done += part;
      flushIfFull();
    }
  }

  private void flushIfFull() throws IOException {
    if (filled == PIECE_BYTES) {
      flushPiece();
    }
  }

  private void flushPiece() throws IOException {
    target.writeInt(filled);
    target.write(piece, 0, filled);
    filled = 0;
  }

  /** Writes what is left, and the end. The target stays open. */
  @Override
  public void close() throws IOException {
    if (filled > 0) {
      flushPiece();
    }
    target.writeInt(0);
  }
}
