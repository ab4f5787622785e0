package dev.millrace.api;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.Configuration;

/** How records are predicted for: options of docs/reference/options.md. Never changes. */
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
      options.put(
          dev.millrace.job.score.options.ScoringOptions.BATCH_SIZE.key(),
          Integer.toString(records));
      return this;
    }

    /** Sets how long the first record of a batch may wait for others. */
    public Builder maxWait(Duration wait) {
      options.put(
          dev.millrace.job.score.options.ScoringOptions.MAX_WAIT.key(), wait.toMillis() + " ms");
      return this;
    }

    /**
     * Sets the topic that training publishes rows of ids in, for models that take them.
     *
     * @param servers addresses of Kafka's brokers
     * @param properties for Kafka's client, such as those of a login
     */
    public Builder rows(String servers, Map<String, String> properties, String topic) {
      properties.forEach((name, value) -> options.put(KafkaOptions.PREFIX + name, value));
      options.put(KafkaOptions.BOOTSTRAP_SERVERS.key(), servers);
      options.put(RowsOptions.TOPIC.key(), topic);
      return this;
    }

    /**
     * Sets the directory that training publishes rows of ids in, for models that take them.
     *
     * @param location a path or a URI that all machines reach
     */
    public Builder rows(String location) {
      options.put(RowsOptions.FILES.key(), location);
      return this;
    }

    /**
     * Sets how many records each subtask keeps in its state while there is no model yet; 10,000
     * unless it is said. Above it the stream waits, and with it checkpoints do.
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

    /**
     * The options so far.
     *
     * @throws InvalidOptionsException if a value is wrong, with all that are
     */
    public ScoringOptions build() {
      UidPrefix.require(uidPrefix);
      if (mostWaiting < 0) {
        throw new InvalidOptionsException(
            List.of(
                "%s records may wait for a model; it must be at least 0".formatted(mostWaiting)));
      }
      Configuration configuration = OptionReader.configuration(options);
      JobOptions.checkEach(configuration);
      return new ScoringOptions(configuration, mostWaiting, uidPrefix);
    }
  }
}
