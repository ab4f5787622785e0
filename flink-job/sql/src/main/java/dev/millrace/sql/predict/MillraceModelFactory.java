package dev.millrace.sql.predict;

import static dev.millrace.sql.predict.ModelSqlOptions.BATCH_SIZE;
import static dev.millrace.sql.predict.ModelSqlOptions.BOOTSTRAP_SERVERS;
import static dev.millrace.sql.predict.ModelSqlOptions.DEVICE;
import static dev.millrace.sql.predict.ModelSqlOptions.ENGINE;
import static dev.millrace.sql.predict.ModelSqlOptions.FIRST_MODEL_WAIT;
import static dev.millrace.sql.predict.ModelSqlOptions.INVALID_ROWS;
import static dev.millrace.sql.predict.ModelSqlOptions.MAX_WAIT;
import static dev.millrace.sql.predict.ModelSqlOptions.MODELS;
import static dev.millrace.sql.predict.ModelSqlOptions.MODELS_TOPIC;
import static dev.millrace.sql.predict.ModelSqlOptions.OUTPUTS;
import static dev.millrace.sql.predict.ModelSqlOptions.POLL_INTERVAL;
import static dev.millrace.sql.predict.ModelSqlOptions.ROWS_FILES;
import static dev.millrace.sql.predict.ModelSqlOptions.ROWS_TOPIC;
import static dev.millrace.sql.predict.ModelSqlOptions.SERVE;
import static dev.millrace.sql.predict.ModelSqlOptions.TRUSTED_KEYS;

import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelTrust;
import dev.millrace.job.follow.ModelsOfTopic;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.TrustedModels;
import dev.millrace.job.score.options.ScoringOptions.Serve;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.snapshot.TrustedKeys;
import dev.millrace.sql.kafka.KafkaProperties;
import dev.millrace.sql.predict.ModelSqlOptions.InvalidRows;
import dev.millrace.sql.row.InputColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.util.TimeUtils;

/**
 * Makes the provider of {@code CREATE MODEL … WITH ('provider' = 'millrace', …)}. Flink calls it in
 * the client or gateway when a query first uses the model; {@code CREATE MODEL} itself checks
 * nothing. What is wrong with options and columns is said here; whether they fit the model, a
 * running query says, which is the first to see one.
 */
public final class MillraceModelFactory implements ModelProviderFactory {

  private static final Duration SHORTEST_POLL = Duration.ofMillis(10);

  @Override
  public String factoryIdentifier() {
    return "millrace";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return ModelSqlOptions.all();
  }

  @Override
  public ModelProvider createModelProvider(Context context) {
    FactoryUtil.ModelProviderFactoryHelper helper =
        FactoryUtil.createModelProviderFactoryHelper(this, context);
    ResolvedCatalogModel model = context.getCatalogModel();
    KafkaProperties.requireNames(model.getOptions());
    helper.validateExcept(KafkaProperties.PREFIX);
    ReadableConfig options = helper.getOptions();
    checkNumbers(options);
    InvalidRows invalid = options.get(INVALID_ROWS);
    return new MillraceModelProvider(
        new PredictSettings(
            new TrustedModels(
                place(options, model.getOptions()),
                trust(options),
                rows(options, model.getOptions()),
                null),
            options.get(POLL_INTERVAL),
            options.get(FIRST_MODEL_WAIT),
            Kind.valueOf(options.get(DEVICE).name()),
            options.get(BATCH_SIZE),
            options.get(MAX_WAIT),
            invalid,
            InputColumns.of(model.getResolvedInputSchema()),
            OutputColumns.of(
                model.getResolvedOutputSchema(),
                options.get(OUTPUTS),
                invalid == InvalidRows.NULL)));
  }

  private static ModelTrust trust(ReadableConfig options) {
    List<Path> keys =
        options.getOptional(TRUSTED_KEYS).orElse(List.of()).stream().map(Path::of).toList();
    try {
      return new ModelTrust(options.get(ENGINE), ENGINE.key(), TrustedKeys.read(keys));
    } catch (IOException e) {
      throw new ValidationException(
          "'%s' can't be read: %s".formatted(TRUSTED_KEYS.key(), e.getMessage()), e);
    }
  }

  private static ModelPlace place(ReadableConfig options, Map<String, String> all) {
    String directory = options.getOptional(MODELS).orElse("");
    String topic = options.getOptional(MODELS_TOPIC).orElse("");
    if (directory.isBlank() == topic.isBlank()) {
      throw new ValidationException(
          "'%s' and '%s' are both %s; name the directory or the topic that models are published in"
              .formatted(MODELS.key(), MODELS_TOPIC.key(), topic.isBlank() ? "missing" : "given"));
    }
    if (topic.isBlank()) {
      return ModelDirectory.of(directory, options.get(SERVE) == Serve.COMMITTED);
    }
    if (options.get(SERVE) == Serve.COMMITTED) {
      throw new ValidationException(
          "'%s' is '%s', and a topic has the latest models; follow the directory with '%s'"
              .formatted(SERVE.key(), Serve.COMMITTED, MODELS.key()));
    }
    return new ModelsOfTopic(cluster(options, all, MODELS_TOPIC), topic);
  }

  /** Null where there are none. */
  private static RowPlace rows(ReadableConfig options, Map<String, String> all) {
    Optional<String> topic = options.getOptional(ROWS_TOPIC);
    Optional<String> directory = options.getOptional(ROWS_FILES);
    if (topic.isPresent() && directory.isPresent()) {
      throw new ValidationException(
          "'%s' and '%s' are both given; name the topic or the directory that rows are published in"
              .formatted(ROWS_TOPIC.key(), ROWS_FILES.key()));
    }
    return topic
        .flatMap(name -> RowPlace.ofTopic(cluster(options, all, ROWS_TOPIC), name))
        .or(() -> directory.flatMap(RowPlace::ofDirectory))
        .orElse(null);
  }

  private static KafkaCluster cluster(
      ReadableConfig options, Map<String, String> all, ConfigOption<String> topic) {
    String servers =
        options
            .getOptional(BOOTSTRAP_SERVERS)
            .filter(given -> !given.isBlank())
            .orElseThrow(
                () ->
                    new ValidationException(
                        "'%s' is missing, and '%s' is given; name the brokers, as host:port"
                            .formatted(BOOTSTRAP_SERVERS.key(), topic.key())));
    Map<String, String> properties = new TreeMap<>();
    all.forEach(
        (key, value) -> {
          if (key.startsWith(KafkaProperties.PREFIX) && !key.equals(BOOTSTRAP_SERVERS.key())) {
            properties.put(key.substring(KafkaProperties.PREFIX.length()), value);
          }
        });
    return new KafkaCluster(servers, properties, KafkaProperties.PREFIX);
  }

  private static void checkNumbers(ReadableConfig options) {
    if (options.get(BATCH_SIZE) < 1) {
      throw new ValidationException(
          "'%s' is %s; give at least 1".formatted(BATCH_SIZE.key(), options.get(BATCH_SIZE)));
    }
    atLeast(options, MAX_WAIT, Duration.ZERO);
    atLeast(options, POLL_INTERVAL, SHORTEST_POLL);
    atLeast(options, FIRST_MODEL_WAIT, Duration.ZERO);
  }

  private static void atLeast(
      ReadableConfig options, ConfigOption<Duration> option, Duration least) {
    Duration given = options.get(option);
    if (given.compareTo(least) < 0) {
      throw new ValidationException(
          "'%s' is %s; give at least %s"
              .formatted(
                  option.key(),
                  TimeUtils.formatWithHighestUnit(given),
                  TimeUtils.formatWithHighestUnit(least)));
    }
  }
}
