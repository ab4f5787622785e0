package dev.millrace.model.shape;

import java.io.Serializable;

/** The indices {@code from} (inclusive) to {@code to} (exclusive) of a flat vector. */
public record IndexRange(int from, int to) implements Serializable {

  public IndexRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("Not a range: [%s, %s)".formatted(from, to));
    }
  }

  /** The indices that both ranges have; empty ranges start at the greater {@code from}. */
  public IndexRange intersect(IndexRange other) {
    int start = Math.max(from, other.from);
    return new IndexRange(start, Math.max(start, Math.min(to, other.to)));
  }

  public int length() {
    return to - from;
  }
}
