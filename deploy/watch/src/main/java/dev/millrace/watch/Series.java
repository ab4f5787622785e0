package dev.millrace.watch;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Records of one kind, in order, and never more than a number of them: where there are too many,
 * each two neighbours become one. So the older ones are, the fewer are left, and a month fits.
 *
 * <p>Not thread-safe.
 */
final class Series {

  private final int most;
  private final BinaryOperator<ObjectNode> merge;
  private List<ObjectNode> records = new ArrayList<>();

  /**
   * @param most records, at least 2
   * @param merge makes one of an earlier and the next one
   */
  Series(int most, BinaryOperator<ObjectNode> merge) {
    this.most = most;
    this.merge = merge;
  }

  void add(ObjectNode record) {
    records.add(record);
    if (records.size() > most) {
      List<ObjectNode> fewer = new ArrayList<>(most);
      int i = 0;
      // The newest stays as it is.
      for (; i + 2 < records.size(); i += 2) {
        fewer.add(merge.apply(records.get(i), records.get(i + 1)));
      }
      fewer.addAll(records.subList(i, records.size()));
      records = fewer;
    }
  }

  List<ObjectNode> records() {
    return records;
  }
}
