package dev.millrace.exchange.codec;

import dev.millrace.model.shape.IndexRange;
import java.util.List;

/** The segments of a vector, and which of them a block has parts of. */
final class Segments {

  /** A part of one segment, by its indices in the block. */
  interface PieceConsumer {
    void accept(int segment, int from, int to);
  }

  private final int[] ends;

  Segments(List<IndexRange> segments) {
    this.ends = new int[segments.size()];
    int end = 0;
    for (int s = 0; s < ends.length; s++) {
      IndexRange segment = segments.get(s);
      if (segment.from() != end) {
        throw new IllegalArgumentException(
            "Segment %s is %s, but the one before it ends at %s".formatted(s, segment, end));
      }
      end = segment.to();
      ends[s] = end;
    }
  }

  int count() {
    return ends.length;
  }

  /** Hands out the non-empty pieces of the block in their order. */
  void forEachPiece(int offset, int length, PieceConsumer pieces) {
    int vector = ends.length == 0 ? 0 : ends[ends.length - 1];
    if (offset < 0 || length > vector - offset) {
      throw new IllegalArgumentException(
          "A block of %s values at %s reaches beyond a vector of %s"
              .formatted(length, offset, vector));
    }
    int from = 0;
    for (int s = 0; from < length; s++) {
      int to = Math.min(length, ends[s] - offset);
      if (to > from) {
        pieces.accept(s, from, to);
        from = to;
      }
    }
  }
}
