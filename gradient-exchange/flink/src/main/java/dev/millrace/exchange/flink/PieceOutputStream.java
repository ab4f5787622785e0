package dev.millrace.exchange.flink;

import java.io.DataOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes bytes in pieces, each behind its length, so that nobody needs to know beforehand how many
 * there will be. A length of 0 ends them.
 *
 * <p>Not thread-safe.
 */
final class PieceOutputStream extends OutputStream {

  /** Large enough to be read in bulk, and small enough to be found in a fragmented heap. */
  static final int PIECE_BYTES = 1 << 18;

  /** Most strings of a checkpoint are short. */
  private static final int FIRST_BYTES = 1 << 10;

  private final DataOutput target;
  private byte[] piece = new byte[FIRST_BYTES];
  private int filled;

  PieceOutputStream(DataOutput target) {
    this.target = target;
  }

  @Override
  public void write(int oneByte) throws IOException {
    growFor(1);
    piece[filled++] = (byte) oneByte;
    flushIfFull();
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, PIECE_BYTES - filled);
      growFor(part);
      System.arraycopy(bytes, offset + done, piece, filled, part);
      filled += part;
      done += part;
      flushIfFull();
    }
  }

  private void growFor(int more) {
    if (filled + more > piece.length) {
      int doubled = Math.min(PIECE_BYTES, 2 * piece.length);
      piece = Arrays.copyOf(piece, Math.max(filled + more, doubled));
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
