package dev.millrace.sql.train;

import dev.millrace.sql.kafka.KafkaProperties;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.factories.FactoryUtil;

/**
 * What {@code CREATE TABLE … WITH (…)} may say beside the options of training;
 * docs/internals/sql.md has the table.
 */
final class TrainingTableOptions {

  static final ConfigOption<List<String>> LABEL =
      ConfigOptions.key("label")
          .stringType()
          .asList()
          .defaultValues("label")
          .withDescription("Column with the label, or columns with one each.");

  static final ConfigOption<String> WEIGHT =
      ConfigOptions.key("weight")
          .stringType()
          .noDefaultValue()
          .withDescription("Column that says how much an example counts in the loss.");

  static final ConfigOption<String> ID =
      ConfigOptions.key("id")
          .stringType()
          .noDefaultValue()
          .withDescription("Column with the example's own name; not a feature.");

  static final ConfigOption<String> TIMESTAMP =
      ConfigOptions.key("timestamp")
          .stringType()
          .noDefaultValue()
          .withDescription("Column that says when it was so; not a feature.");

  static final ConfigOption<Integer> WORDS =
      ConfigOptions.key("words")
          .intType()
          .defaultValue(100)
          .withDescription("Places in the vocabulary of each column of words.");

  static final ConfigOption<List<String>> EMBED =
      ConfigOptions.key("embed")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription("Columns whose values name rows of embedding tables; arrays are lists.");

  static final ConfigOption<Integer> DIMENSION =
      ConfigOptions.key("dimension")
          .intType()
          .defaultValue(16)
          .withDescription("Values of each row of these tables.");

  static final ConfigOption<String> UID_PREFIX =
      ConfigOptions.key("uid-prefix")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "What the state in savepoints is called by; the table's name by default.");

  static final ConfigOption<Integer> MOST_PARKED =
      ConfigOptions.key("most-parked")
          .intType()
          .defaultValue(10_000)
          .withDescription(
              "Rows that a subtask keeps while its replica can't train, before the query waits.");

  private TrainingTableOptions() {}

  static Set<ConfigOption<?>> all() {
    return Set.of(LABEL, WEIGHT, ID, TIMESTAMP, WORDS, EMBED, DIMENSION, UID_PREFIX, MOST_PARKED);
  }

  /** Returns the options that say what columns are. */
  static List<ConfigOption<?>> ofColumns() {
    return List.of(LABEL, WEIGHT, ID, TIMESTAMP, WORDS, EMBED, DIMENSION);
  }

  /** Returns the options of training among those of a table. */
  static Map<String, String> ofTraining(Map<String, String> all) {
    Map<String, String> training = new TreeMap<>(KafkaProperties.ofJob(all));
    training
        .keySet()
        .removeAll(
            Stream.concat(all().stream(), Stream.of(FactoryUtil.CONNECTOR))
                .map(ConfigOption::key)
                .collect(Collectors.toSet()));
    return training;
  }
}
