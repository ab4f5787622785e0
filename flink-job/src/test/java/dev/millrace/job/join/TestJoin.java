package dev.millrace.job.join;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A {@link LabelJoin} without Flink: a map in place of keyed state, which holds bytes, and the
 * earliest first in place of timers.
 */
final class TestJoin implements JoinResults {

  private final LabelJoin join;
  private final Map<String, byte[]> known = new HashMap<>();
  private long watermark = Long.MIN_VALUE;

  final List<String> pairs = new ArrayList<>();
  final List<Long> unlabelled = new ArrayList<>();
  final List<Long> late = new ArrayList<>();
  final List<Long> duplicates = new ArrayList<>();
  final List<String> reasons = new ArrayList<>();

  TestJoin(JoinBounds bounds) {
    this.join = new LabelJoin(bounds);
  }

  void arrive(JoinRecord record) throws IOException {
    keep(record.key(), join.arrived(known(record.key()), record, watermark, this));
  }

  void advance(long newest) throws IOException {
    watermark = newest;
    for (boolean more = true; more; ) {
      TreeMap<Long, String> due = new TreeMap<>();
      for (String key : known.keySet()) {
        due.put(join.until(known(key)), key);
      }
      more = !due.isEmpty() && due.firstKey() <= newest;
      if (more) {
        String key = due.firstEntry().getValue();
        keep(key, join.ended(known(key), this));
      }
    }
  }

  int keys() {
    return known.size();
  }

  private KeyState known(String key) throws IOException {
    byte[] bytes = known.get(key);
    return bytes == null
        ? null
        : KeyState.WIRE.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private void keep(String key, KeyState after) throws IOException {
    if (after == null) {
      known.remove(key);
    } else {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      KeyState.WIRE.write(after, new DataOutputStream(bytes));
      known.put(key, bytes.toByteArray());
    }
  }

  @Override
  public void pair(JoinRecord features, JoinRecord label) {
    pairs.add(features.raw().offset() + "+" + label.raw().offset());
  }

  @Override
  public void unlabelled(JoinRecord features) {
    unlabelled.add(features.raw().offset());
  }

  @Override
  public void late(JoinRecord record, String reason) {
    late.add(record.raw().offset());
    reasons.add(reason);
  }

  @Override
  public void duplicate(JoinRecord record, String reason) {
    duplicates.add(record.raw().offset());
    reasons.add(reason);
  }
}
