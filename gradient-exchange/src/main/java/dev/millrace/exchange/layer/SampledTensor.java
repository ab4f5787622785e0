package dev.millrace.exchange.layer;

import dev.millrace.model.ModelReplica;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;

/**
 * A tensor, of which at most a million values are looked at: all of it, or pieces that are evenly
 * apart.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
final class SampledTensor {

  static final int MOST_VALUES = 1 << 20;
  private static final int PIECE = 1 << 12;

  private final String name;
  private final List<IndexRange> pieces;
  private final float[] before;

  SampledTensor(TensorDescription tensor) {
    this.name = tensor.name();
    this.pieces = pieces(tensor.from(), tensor.length());
    this.before = new float[pieces.stream().mapToInt(IndexRange::length).sum()];
  }

  private static List<IndexRange> pieces(int from, int length) {
    if (length <= MOST_VALUES) {
      return List.of(new IndexRange(from, from + length));
    }
    int count = MOST_VALUES / PIECE;
    List<IndexRange> pieces = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int start = from + (int) ((long) (length - PIECE) * i / (count - 1));
      pieces.add(new IndexRange(start, start + PIECE));
    }
    return pieces;
  }

  /** Returns how many values it looks at. */
  int length() {
    return before.length;
  }

  /** Keeps the values as they are, for {@link #after}. */
  void keep(ModelReplica model) {
    read(model, before);
  }

  /**
   * Returns what the values are now, and by how much they have changed since {@link #keep}.
   *
   * @param scratch of at least {@link #length}
   */
  TensorStatistics after(ModelReplica model, float[] scratch) {
    read(model, scratch);
    for (int i = 0; i < before.length; i++) {
      before[i] = scratch[i] - before[i];
    }
    return new TensorStatistics(
        name, Distribution.of(scratch, before.length), Distribution.of(before, before.length));
  }

  private void read(ModelReplica model, float[] target) {
    int offset = 0;
    for (IndexRange piece : pieces) {
      model.read(piece.from(), target, offset, piece.length());
      offset += piece.length();
    }
  }
}
