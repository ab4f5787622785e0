package dev.millrace.job.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Partition;

/** Records of a test that come to a join. */
final class Arrivals {

  private static final Partition FEATURES = new Partition("features", 0);
  private static final Partition LABELS = new Partition("labels", 0);

  private long offset;

  JoinRecord features(String key, long time) {
    RawRecord raw = raw(FEATURES, key, time, "{\"k\":\"%s\"}");
    return JoinRecord.features(raw, raw.value(), key, time);
  }

  JoinRecord label(String key, long time) {
    return JoinRecord.label(raw(LABELS, key, time, "{\"label\":\"%s\"}"), key, time, "1");
  }

  private RawRecord raw(Partition partition, String key, long time, String value) {
    return new RawRecord(
        partition, offset++, time, key.getBytes(UTF_8), value.formatted(key).getBytes(UTF_8));
  }
}
