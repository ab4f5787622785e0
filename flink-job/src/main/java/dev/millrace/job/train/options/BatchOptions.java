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
          .withDescription("Examples in a full minibatch. A replica learns from it at once.");

  public static final ConfigOption<Duration> MAX_WAIT =
      ConfigOptions.key("batch.max-wait")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription(
              "Time after a minibatch's first example at which a replica learns from it"
                  + " though it isn't full.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Minibatches",
          "A minibatch is closed by its size or by its age, whichever comes first.",
          List.of(
              Setting.common(SIZE, Range.atLeast(1)),
              Setting.of(MAX_WAIT, Range.atLeast(Duration.ofMillis(1), "1 ms"))));

  private BatchOptions() {}
}
