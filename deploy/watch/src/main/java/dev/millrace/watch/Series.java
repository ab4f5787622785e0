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

  private final int most;
  private final UnaryOperator<ObjectNode> age;
  private final BinaryOperator<ObjectNode> merge;
  private List<KeptRecord> settled = new ArrayList<>();

  /** Behind those that are settled: what the next records are merged with. */
  private ObjectNode lastOrNull;

  private ObjectNode newestOrNull;

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

  void add(ObjectNode record) {
    if (newestOrNull != null) {
      settle(age.apply(newestOrNull));
    }
    newestOrNull = record;
  }

  private void settle(ObjectNode record) {
    if (lastOrNull != null && inLast < each) {
      lastOrNull = merge.apply(lastOrNull, record);
      inLast++;
      return;
    }
    if (lastOrNull != null) {
      settled.add(KeptRecord.of(lastOrNull));
      if (settled.size() == most) {
        halve();
      }
    }
    lastOrNull = record;
    inLast = 1;
  }

  private void halve() {
    List<KeptRecord> fewer = new ArrayList<>(most);
    for (int i = 0; i < most; i += 2) {
      fewer.add(KeptRecord.of(merge.apply(settled.get(i).record(), settled.get(i + 1).record())));
    }
    settled = fewer;
    each *= 2;
  }

  List<KeptRecord> records() {
    List<KeptRecord> all = new ArrayList<>(settled);
    if (lastOrNull != null) {
      all.add(KeptRecord.of(lastOrNull));
    }
    if (newestOrNull != null) {
      all.add(KeptRecord.of(newestOrNull));
    }
    return all;
  }
}
