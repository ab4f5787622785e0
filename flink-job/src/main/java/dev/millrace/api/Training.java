package dev.millrace.api;

import dev.millrace.example.RejectedRecord;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Training that was added to a job. It runs with the job, and needs no sink: its model is published
 * where the options say.
 *
 * @param <T> the records that it learns from
 */
@PublicEvolving
public final class Training<T> {

  private final Function<DataStream<RejectedRecord>, DataStream<Rejected<T>>> reading;
  private final DataStream<RejectedRecord> unread;
  private final DataStream<String> progress;
  private final List<String> warnings;

  private DataStream<Rejected<T>> rejected;

  Training(
      DataStream<RejectedRecord> rejected,
      Function<DataStream<RejectedRecord>, DataStream<Rejected<T>>> reading,
      DataStream<String> progress,
      List<String> warnings) {
    this.unread = rejected;
    this.reading = reading;
    this.progress = progress;
    this.warnings = List.copyOf(warnings);
  }

  /** Records that weren't learned, each with the reason; they are counted in any case. */
  public DataStream<Rejected<T>> rejected() {
    if (rejected == null) {
      rejected = reading.apply(unread);
    }
    return rejected;
  }

  /**
   * Returns what is measured, as JSON records of one task; docs/internals/formats.md describes
   * them.
   */
  public DataStream<String> progress() {
    return progress;
  }

  /**
   * Returns what doesn't keep the job from being started: options without effect, slow settings.
   */
  public List<String> warnings() {
    return warnings;
  }
}
