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
          .withDescription(
              "Examples that a step of the whole job takes: replicas share them out. Choose it and"
                  + " the learning rate as for one network.");

  public static final ConfigOption<Integer> LOCAL_SIZE =
      ConfigOptions.key("batch.local-size")
          .intType()
          .noDefaultValue()
          .withDescription(
              "Examples in a replica's full minibatch. Absent: batch.size divided by the number of"
                  + " replicas, though not less than 4. Larger minibatches are learned faster, in"
                  + " fewer steps. DL4J calls it batchSizePerWorker.");

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
              Setting.of(LOCAL_SIZE, Range.atLeast(1)),
              Setting.of(MAX_WAIT, Range.atLeast(Duration.ofMillis(1), "1 ms"))));

  private BatchOptions() {}
}
