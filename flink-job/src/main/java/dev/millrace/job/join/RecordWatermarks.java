package dev.millrace.job.join;

import dev.millrace.kafka.record.RawRecord;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.BoundedOutOfOrdernessWatermarks;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.eventtime.WatermarksWithIdleness;
import org.apache.flink.util.clock.RelativeClock;

/**
 * The watermark of one partition: so much behind the latest of its times. Records that can't be
 * joined have no time: they don't move it, and a partition that has nothing else is idle.
 */
final class RecordWatermarks implements WatermarkGenerator<JoinRecord> {

  /** Sources of one group wait for one that lags. */
  private static final String GROUP = "join";

  /** Shorter ones would have a backlog read in many small parts, with a wait between them. */
  private static final Duration LEAST_DRIFT = Duration.ofHours(1);

  private static final Duration DRIFT_UPDATE = Duration.ofMillis(200);

  private final WatermarkGenerator<JoinRecord> usable;

  private RecordWatermarks(JoinSettings settings, RelativeClock clock) {
    WatermarkGenerator<JoinRecord> bounded =
        new BoundedOutOfOrdernessWatermarks<>(settings.outOfOrder());
    this.usable =
        settings.idleAfter().isZero()
            ? bounded
            : new WatermarksWithIdleness<>(bounded, settings.idleAfter(), clock);
  }

  /**
   * Returns the watermarks of both sources. A source that is far ahead of the other waits, so that
   * a backlog doesn't make the state larger than the bound does.
   */
  static WatermarkStrategy<JoinRecord> strategy(JoinSettings settings) {
    Duration within = settings.bounds().within();
    Duration drift = within.compareTo(LEAST_DRIFT) > 0 ? within : LEAST_DRIFT;
    return WatermarkStrategy.<JoinRecord>forGenerator(
            context -> new RecordWatermarks(settings, context.getInputActivityClock()))
        .withTimestampAssigner((record, timestamp) -> time(record))
        .withWatermarkAlignment(GROUP, drift, DRIFT_UPDATE);
  }

  private static long time(JoinRecord record) {
    return record.isUsable() ? record.time() : RawRecord.NO_TIMESTAMP;
  }

  @Override
  public void onEvent(JoinRecord record, long timestamp, WatermarkOutput output) {
    if (record.isUsable()) {
      usable.onEvent(record, timestamp, output);
    }
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    usable.onPeriodicEmit(output);
  }
}
