package dev.millrace.job.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.record.RawRecord;
import dev.millrace.model.Partition;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkGeneratorSupplier;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.ManualClock;
import org.apache.flink.util.clock.RelativeClock;
import org.junit.jupiter.api.Test;

class RecordWatermarksTest {

  private static final RawRecord RAW =
      new RawRecord(new Partition("t", 0), 0, 5, new byte[] {1}, new byte[0]);

  private final ManualClock clock = new ManualClock(1_000_000);
  private final Output output = new Output();

  private static final class Output implements WatermarkOutput {
    private long watermark = Long.MIN_VALUE;
    private boolean idle;

    @Override
    public void emitWatermark(Watermark next) {
      watermark = next.getTimestamp();
      idle = false;
    }

    @Override
    public void markIdle() {
      idle = true;
    }

    @Override
    public void markActive() {
      idle = false;
    }
  }

  private WatermarkGenerator<JoinRecord> watermarks(Duration idleAfter) {
    JoinSettings settings =
        new JoinSettings(
            new JoinBounds(Duration.ofHours(1), Duration.ZERO),
            new Labelling("label", null),
            null,
            Duration.ofMillis(10),
            idleAfter);
    return RecordWatermarks.strategy(settings)
        .createWatermarkGenerator(
            new WatermarkGeneratorSupplier.Context() {
              @Override
              public MetricGroup getMetricGroup() {
                return new UnregisteredMetricsGroup();
              }

              @Override
              public RelativeClock getInputActivityClock() {
                return clock;
              }
            });
  }

  private void afterASecond(WatermarkGenerator<JoinRecord> watermarks, JoinRecord record) {
    clock.advanceTime(Duration.ofSeconds(1));
    watermarks.onEvent(record, record.isUsable() ? record.time() : -1, output);
    watermarks.onPeriodicEmit(output);
  }

  /** Otherwise a partition of nothing but mistakes would hold back all others. */
  @Test
  void aPartitionOfUnusableRecordsBecomesIdle() {
    WatermarkGenerator<JoinRecord> watermarks = watermarks(Duration.ofSeconds(5));
    for (int i = 0; i < 20; i++) {
      afterASecond(watermarks, JoinRecord.unusable(Side.FEATURES, RAW, "not JSON"));
    }

    assertThat(output.idle).isTrue();

    afterASecond(watermarks, JoinRecord.features(RAW, RAW.value(), "k", 1_000));

    assertThat(output.idle).isFalse();
    assertThat(output.watermark).isEqualTo(989);
  }

  @Test
  void aPartitionOfUsableRecordsStaysActive() {
    WatermarkGenerator<JoinRecord> watermarks = watermarks(Duration.ofSeconds(5));
    for (int i = 0; i < 20; i++) {
      afterASecond(watermarks, JoinRecord.features(RAW, RAW.value(), "k", 1_000));
    }

    assertThat(output.idle).isFalse();
  }

  @Test
  void withoutAnIdleTimeAllOthersWait() {
    WatermarkGenerator<JoinRecord> watermarks = watermarks(Duration.ZERO);
    for (int i = 0; i < 20; i++) {
      afterASecond(watermarks, JoinRecord.unusable(Side.FEATURES, RAW, "not JSON"));
    }

    assertThat(output.idle).isFalse();
  }
}
