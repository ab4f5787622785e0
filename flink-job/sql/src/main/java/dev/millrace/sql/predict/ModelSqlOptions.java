package dev.millrace.sql.predict;

import dev.millrace.job.score.options.ScoringOptions.Serve;
import dev.millrace.sql.kafka.KafkaProperties;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What {@code CREATE MODEL … WITH (…)} may say; docs/internals/sql.md has the table. */
final class ModelSqlOptions {

  /** What predictions are computed on. */
  enum Device {
    /** A GPU where there is one, else the processor. */
    AUTO,
    CPU,
    /** A GPU; the query fails where there is none. */
    CUDA;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What becomes of a row that is no example, such as one with a NULL among its features. */
  enum InvalidRows {
    /** Its outputs are NULL. */
    NULL,
    /** It fails the query. */
    FAIL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static final ConfigOption<String> MODELS =
      ConfigOptions.key("models")
          .stringType()
          .noDefaultValue()
          .withDescription("Directory or URI that models are published in.");

  static final ConfigOption<String> MODELS_TOPIC =
      ConfigOptions.key("models-topic")
          .stringType()
          .noDefaultValue()
          .withDescription("Topic that models are published in, in place of a directory.");

  static final ConfigOption<String> BOOTSTRAP_SERVERS =
      ConfigOptions.key(KafkaProperties.PREFIX + "bootstrap.servers")
          .stringType()
          .noDefaultValue()
          .withDescription("Addresses of the brokers that have the topic of models or of rows.");

  static final ConfigOption<String> ROWS_TOPIC =
      ConfigOptions.key("rows.topic")
          .stringType()
          .noDefaultValue()
          .withDescription("Topic of the rows that models with ids take.");

  static final ConfigOption<String> ROWS_FILES =
      ConfigOptions.key("rows.files")
          .stringType()
          .noDefaultValue()
          .withDescription("Directory of the rows that models with ids take, in place of a topic.");

  static final ConfigOption<Serve> SERVE =
      ConfigOptions.key("serve")
          .enumType(Serve.class)
          .defaultValue(Serve.LATEST)
          .withDescription("Which models predict.");

  static final ConfigOption<String> ENGINE =
      ConfigOptions.key("engine")
          .stringType()
          .defaultValue("dl4j")
          .withDescription("The engine of the models that are read; others are refused.");

  static final ConfigOption<List<String>> TRUSTED_KEYS =
      ConfigOptions.key("trusted-keys")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Files of public keys, one of which has signed each model that predicts.");

  static final ConfigOption<Duration> POLL_INTERVAL =
      ConfigOptions.key("poll-interval")
          .durationType()
          .defaultValue(Duration.ofMillis(200))
          .withDescription("Time between two looks for a new model.");

  static final ConfigOption<Duration> FIRST_MODEL_WAIT =
      ConfigOptions.key("first-model-wait")
          .durationType()
          .defaultValue(Duration.ofMinutes(5))
          .withDescription("How long a query waits for the first model before it fails.");

  static final ConfigOption<Device> DEVICE =
      ConfigOptions.key("device")
          .enumType(Device.class)
          .defaultValue(Device.AUTO)
          .withDescription("What predictions are computed on.");

  static final ConfigOption<Integer> BATCH_SIZE =
      ConfigOptions.key("batch-size")
          .intType()
          .defaultValue(64)
          .withDescription("Most rows that are predicted for together.");

  static final ConfigOption<Duration> MAX_WAIT =
      ConfigOptions.key("max-wait")
          .durationType()
          .defaultValue(Duration.ofMillis(5))
          .withDescription("A batch that isn't full is predicted for after this time.");

  static final ConfigOption<InvalidRows> INVALID_ROWS =
      ConfigOptions.key("invalid-rows")
          .enumType(InvalidRows.class)
          .defaultValue(InvalidRows.NULL)
          .withDescription("What becomes of rows that are no examples.");

  static final ConfigOption<Map<String, String>> OUTPUTS =
      ConfigOptions.key("outputs")
          .mapType()
          .defaultValue(Map.of())
          .withDescription(
              "What output columns hold that are called otherwise, as column:content,….");

  private ModelSqlOptions() {}

  static Set<ConfigOption<?>> all() {
    return Set.of(
        MODELS,
        MODELS_TOPIC,
        BOOTSTRAP_SERVERS,
        ROWS_TOPIC,
        ROWS_FILES,
        SERVE,
        ENGINE,
        TRUSTED_KEYS,
        POLL_INTERVAL,
        FIRST_MODEL_WAIT,
        DEVICE,
        BATCH_SIZE,
        MAX_WAIT,
        INVALID_ROWS,
        OUTPUTS);
  }
}
