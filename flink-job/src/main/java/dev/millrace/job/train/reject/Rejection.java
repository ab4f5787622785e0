package dev.millrace.job.train.reject;

import dev.millrace.example.RejectedRecord;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * A record that wasn't learned, without its bytes.
 *
 * @param topic of its place; so are the others
 */
public record Rejection(String topic, int partition, long offset, String reason) {

  /** The most characters of a reason: as much as people read. */
  private static final int MOST = 200;

  static Rejection of(RejectedRecord record) {
    String reason = record.reason();
    return new Rejection(
        record.partition().topic(),
        record.partition().number(),
        record.offset(),
        reason.length() <= MOST ? reason : reason.substring(0, MOST) + "…");
  }

  static TypeInformation<Rejection> type() {
    return Types.POJO(
        Rejection.class,
        Map.of(
            "topic", Types.STRING,
            "partition", Types.INT,
            "offset", Types.LONG,
            "reason", Types.STRING));
  }
}
