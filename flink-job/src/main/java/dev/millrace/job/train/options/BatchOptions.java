package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** When a minibatch is closed. */
public final class BatchOptions {

  public static final ConfigOption<Integer> SIZE =
      ConfigOptions.key("batch.size")
          .intType()
          .defaultValue(32)
          .withDescription("Examples in a step of the whole job. Replicas share them out.");

  public static final ConfigOption<Integer> LOCAL_SIZE =
      ConfigOptions.key("batch.local-size")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Examples in a replica's minibatch; DL4J's batchSizePerWorker. Absent: its"
                  + " share of batch.size, at least 4.");

  public static final ConfigOption<Duration> MAX_WAIT =
      ConfigOptions.key("batch.max-wait")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription("A minibatch that isn't full is learned after this time.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Minibatches",
          "A minibatch is closed by its size or its age.",
          List.of(
              Setting.common(SIZE, Range.atLeast(1)),
              Setting.of(LOCAL_SIZE, Range.atLeast(1)),
              Setting.of(MAX_WAIT, Range.atLeast(Duration.ofMillis(1), "1 ms"))));

  private BatchOptions() {}
}
