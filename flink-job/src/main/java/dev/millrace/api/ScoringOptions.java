package dev.millrace.api;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.setup.OptionReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.Configuration;

/**
 * How records are predicted for: options of docs/reference/options.md. They are checked when
 * scoring is added to a job. Never changes.
 */
@PublicEvolving
public final class ScoringOptions {

  private static final int SOME_WAITING = 10_000;

  private final Configuration configuration;
  private final int mostWaiting;
  private final String uidPrefix;

  private ScoringOptions(Configuration configuration, int mostWaiting, String uidPrefix) {
    this.configuration = configuration;
    this.mostWaiting = mostWaiting;
    this.uidPrefix = uidPrefix;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Makes options of options that have been read already, of a job that only scores. */
  public static ScoringOptions of(Configuration configuration) {
    return new ScoringOptions(new Configuration(configuration), SOME_WAITING, "");
  }

  Configuration configuration() {
    return new Configuration(configuration);
  }

  /** Requires what a job that Millrace makes as a whole can have alone. */
  void requireWholeJob() {
    WholeJob.require(uidPrefix, "mostWaiting", mostWaiting, SOME_WAITING);
  }

  int mostWaiting() {
    return mostWaiting;
  }

  String uidPrefix() {
    return uidPrefix;
  }

  /** Collects options. A later value of an option replaces an earlier one. */
  @PublicEvolving
  public static final class Builder {

    private final Map<String, String> options = new TreeMap<>();
    private int mostWaiting = SOME_WAITING;
    private String uidPrefix = "";

    private Builder() {}

    /** Largest number of records that are predicted for together; 1 for each alone. */
    public Builder batchSize(int records) {
      return option(
          dev.millrace.job.score.options.ScoringOptions.BATCH_SIZE.key(),
          Integer.toString(records));
    }

    /** Sets how long the first record of a batch may wait for others. */
    public Builder maxWait(Duration wait) {
      return option(
          dev.millrace.job.score.options.ScoringOptions.MAX_WAIT.key(), wait.toMillis() + " ms");
    }

    /**
     * Sets the topic that training publishes rows of ids in, for models that take them.
     *
     * @param servers addresses of Kafka's brokers
     * @param properties for Kafka's client, such as those of a login
     */
    public Builder rows(String servers, Map<String, String> properties, String topic) {
      properties.forEach((name, value) -> option(KafkaOptions.PREFIX + name, value));
      option(KafkaOptions.BOOTSTRAP_SERVERS.key(), servers);
      return option(RowsOptions.TOPIC.key(), topic);
    }

    /**
     * Sets the directory that training publishes rows of ids in, for models that take them.
     *
     * @param location a path or a URI that all machines reach
     */
    public Builder rows(String location) {
      return option(RowsOptions.FILES.key(), location);
    }

    /**
     * Sets how many records of a stream each subtask keeps in its state while there is no model
     * yet, before the stream waits, and with it checkpoints do; 10,000 unless it is said.
     */
    public Builder mostWaiting(int records) {
      mostWaiting = records;
      return this;
    }

    /** Sets what uids and names of the operators begin with, as for training. */
    public Builder uidPrefix(String prefix) {
      uidPrefix = prefix;
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
    public ScoringOptions build() {
      UidPrefix.require(uidPrefix);
      if (mostWaiting < 0) {
        throw new InvalidOptionsException(
            List.of(
                "%s records may wait for a model; it must be at least 0".formatted(mostWaiting)));
      }
      return new ScoringOptions(OptionReader.configuration(options), mostWaiting, uidPrefix);
    }
  }
}
