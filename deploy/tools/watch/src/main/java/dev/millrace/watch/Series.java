package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/**
 * Records of one kind, in order, thinned evenly: each that is kept stands for as many as any other.
 * Where there are too many, each two neighbours become one, and what comes later is merged as far.
 * So a month is seen from its first day on. The newest stays as it is.
 *
 * <p>Not thread-safe.
 */
final class Series {

  /** A record takes so many times the memory of its text while it is a tree. */
  private static final int TREE = 10;

  private final int most;
  private final UnaryOperator<ObjectNode> age;
  private final BinaryOperator<ObjectNode> merge;
  private List<KeptRecord> settled = new ArrayList<>();

  private long settledBytes;

  /** The record behind those that are settled: what the next records are merged with. */
  private ObjectNode lastOrNull;

  private long lastBytes;

  /** The newest as it came, and what is kept of it when another has come. */
  private KeptRecord newestOrNull;

  private ObjectNode agedOrNull;
  private long agedBytes;

  /** How many records one stands for, and how many the last one does yet. */
  private long each = 1;

  private long inLast;

  /**
   * @param most records beside the newest; even, and at least 2
   * @param age makes of the newest what is kept of it when another has come
   * @param merge makes one of an earlier and the next one
   */
  Series(int most, UnaryOperator<ObjectNode> age, BinaryOperator<ObjectNode> merge) {
    if (most < 2 || most % 2 != 0) {
      throw new IllegalArgumentException(
          "most is %s; it must be even, and 2 or more".formatted(most));
    }
    this.most = most;
    this.age = age;
    this.merge = merge;
  }

  @SuppressWarnings("ReferenceEquality") // What doesn't age is the record itself.
  void add(ObjectNode record) {
    if (agedOrNull != null) {
      settle(agedOrNull);
    }
    newestOrNull = KeptRecord.of(record);
    agedOrNull = age.apply(record);
    KeptRecord aged = agedOrNull == record ? newestOrNull : KeptRecord.of(agedOrNull);
    agedBytes = (long) TREE * aged.size();
  }

  private void settle(ObjectNode record) {
    if (lastOrNull != null && inLast < each) {
      lastOrNull = merge.apply(lastOrNull, record);
      lastBytes = Math.max(lastBytes, agedBytes);
      inLast++;
      return;
    }
    if (lastOrNull != null) {
      KeptRecord last = KeptRecord.of(lastOrNull);
      settled.add(last);
      settledBytes += last.size();
      if (settled.size() == most) {
        halve();
      }
    }
    lastOrNull = record;
    lastBytes = agedBytes;
    inLast = 1;
  }

  /** Makes one of each two neighbours; false where there are none. */
  boolean halve() {
    if (settled.size() < 2) {
      return false;
    }
    List<KeptRecord> fewer = new ArrayList<>();
    for (int i = 0; i + 1 < settled.size(); i += 2) {
      fewer.add(KeptRecord.of(merge.apply(settled.get(i).record(), settled.get(i + 1).record())));
    }
    if (settled.size() % 2 != 0) {
      fewer.add(settled.get(settled.size() - 1));
    }
    settled = fewer;
    settledBytes = settled.stream().mapToLong(KeptRecord::size).sum();
    each *= 2;
    return true;
  }

  /** Bytes of memory that it takes. */
  long bytes() {
    return settledBytes + lastBytes + agedBytes + (newestOrNull == null ? 0 : newestOrNull.size());
  }

  List<KeptRecord> records() {
    List<KeptRecord> all = new ArrayList<>(settled);
    if (lastOrNull != null) {
      all.add(KeptRecord.of(lastOrNull));
    }
    if (newestOrNull != null) {
      all.add(newestOrNull);
    }
    return all;
  }
}
