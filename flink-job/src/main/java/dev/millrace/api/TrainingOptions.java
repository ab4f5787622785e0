package dev.millrace.api;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.Configuration;

/**
 * How a model is trained: the options of docs/reference/options.md. They are checked when training
 * is added to a job, by the same rules as those of a file. Never changes.
 */
@PublicEvolving
public final class TrainingOptions {

  private static final int SOME_PARKED = 10_000;

  private final Configuration configuration;
  private final String uidPrefix;
  private final int mostParked;

  private TrainingOptions(Configuration configuration, String uidPrefix, int mostParked) {
    this.configuration = configuration;
    this.uidPrefix = uidPrefix;
    this.mostParked = mostParked;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Makes options of options that have been read already. */
  public static TrainingOptions of(Configuration configuration) {
    return new TrainingOptions(new Configuration(configuration), "", SOME_PARKED);
  }

  Configuration configuration() {
    return new Configuration(configuration);
  }

  String uidPrefix() {
    return uidPrefix;
  }

  /** Requires what a job that Millrace makes as a whole can have alone. */
  void requireWholeJob() {
    WholeJob.require(uidPrefix, "mostParked", mostParked, SOME_PARKED);
  }

  int mostParked() {
    return mostParked;
  }

  /** Collects options. A later value of an option replaces an earlier one. */
  @PublicEvolving
  public static final class Builder {

    private final Map<String, String> options = new TreeMap<>();
    private String uidPrefix = "";
    private int mostParked = SOME_PARKED;

    private Builder() {}

    /** Sets what is trained, and the examples that it takes. */
    public Builder model(Model model) {
      options.remove(InputOptions.FIELDS.key());
      options.putAll(model.options());
      return this;
    }

    /** Sets how replicas exchange what they learn. */
    public Builder exchange(ExchangePreset preset) {
      return option(ExchangeOptions.PRESET.key(), preset.toString());
    }

    /** Examples of one step of the whole job. */
    public Builder batchSize(int examples) {
      return option(BatchOptions.SIZE.key(), Integer.toString(examples));
    }

    /**
     * Sets where models are published, for scoring and other programs.
     *
     * @param directory a path or a URI that all machines reach; of this training alone
     * @param interval least time between two models; zero for the last one alone
     */
    public Builder publishTo(String directory, Duration interval) {
      option(SnapshotOptions.DIRECTORY.key(), directory);
      return option(SnapshotOptions.INTERVAL.key(), interval.toMillis() + " ms");
    }

    /**
     * Sets what uids and names of the operators begin with, so that several trainings can be in one
     * job. It belongs to the state: a savepoint continues under the same prefix.
     *
     * @param prefix letters, digits, points, hyphens and underscores
     */
    public Builder uidPrefix(String prefix) {
      uidPrefix = prefix;
      return this;
    }

    /**
     * Sets how many records of a stream each subtask keeps in its state while its replica can't
     * train, before the stream waits, and with it checkpoints do; 10,000 unless it is said. A
     * source is held back instead.
     */
    public Builder mostParked(int records) {
      mostParked = records;
      return this;
    }

    /** Any option of docs/reference/options.md, as a file has it. */
    public Builder option(String key, String value) {
      options.put(key, value);
      return this;
    }

    /**
     * The options so far.
     *
     * @throws InvalidOptionsException if the prefix can't be one, or the number is negative
     */
    public TrainingOptions build() {
      UidPrefix.require(uidPrefix);
      if (mostParked < 0) {
        throw new InvalidOptionsException(
            List.of("%s records may be parked; it must be at least 0".formatted(mostParked)));
      }
      return new TrainingOptions(OptionReader.configuration(options), uidPrefix, mostParked);
    }
  }
}
