package dev.millrace.job.join.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinRulesTest {

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "kafka.group.id", "orders",
              "join.features.topics", "orders",
              "join.labels.topics", "verdicts",
              "join.output.topic", "labelled",
              "join.within", "1 h"));

  @Test
  void theSmallestRightOptionsPass() {
    assertThat(problems()).isEmpty();
  }

  @Test
  void whatIsForOtherJobsIsNotUsed() {
    options.put("input.topics", "labelled");
    options.put("model.name", "mlp");

    assertThat(problems()).isEmpty();
  }

  /** What is changed; what is said of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          join.within=             | join.within is missing
          kafka.group.id=          | kafka.group.id is missing
          join.within=0 s          | join.within is '0 s'; it must be a duration of at least 1 ms
          join.key=a..b            | join.key is 'a..b'; it must be a path of a field
          join.labels.topics=orders | join.labels.topics is 'orders', which is in join.features.topics too
          join.output.topic=orders | join.output.topic is 'orders', which is in join.features.topics too
          dead-letter.topic=labelled | dead-letter.topic is 'labelled', which is in join.output.topic too
          join.features.topics=a,a | join.features.topics names 'a' twice
          join.unlabelled=negative | join.negative.label is missing
          join.features.format=xml | join.features.format is 'xml'; it must be one of avro, avro-confluent, csv,
          join.features.format=avro | join.features.format is 'avro', and join.features.schema is missing
          join.features.format=protobuf | join.features.format is 'protobuf', and join.features.protobuf.message is missing
          join.labels.format=avro-confluent | join.labels.format is 'avro-confluent', and input.registry.url is missing
          join.labels.format=csv   | join.labels.format is 'csv', and join.labels.csv.columns is missing
          join.labels.schema={}    | join.labels.schema has no effect here
          join.features.csv.columns=a | join.features.csv.columns has no effect here
          join.negative.label=0    | join.negative.label has no effect here
          join.negative.sample=0.5 | join.negative.sample has no effect here
          execution.checkpointing.interval=0 | execution.checkpointing.interval is '0'
          execution.checkpointing.interval=15 min | execution.checkpointing.interval is '900 s', and a transaction lasts 900 s at most
          kafka.transaction.timeout.ms=5000 | execution.checkpointing.interval is '10 s', and a transaction lasts 5 s at most
          """)
  void whatIsWrongIsNamed(String change, String problem) {
    change(change);

    assertThat(problems()).anyMatch(found -> found.contains(problem));
  }

  /** Nothing else is wrong with them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          join.unlabelled=negative | join.negative.label=0
          join.labels.time=at      | join.before=1 s
          join.labels.format=csv   | join.labels.csv.columns=a
          join.features.format=avro-confluent | input.registry.url=http://registry:8081
          input.bounded=true        | input.start=1767225600000
          """)
  void whatGoesTogetherPasses(String one, String other) {
    change(one);
    change(other);

    assertThat(problems()).isEmpty();
  }

  @Test
  void aSchemaThatIsNoneIsNamed() {
    options.put("join.labels.format", "avro");
    options.put("join.labels.schema", "{\"type\":1}");

    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("join.labels.format is 'avro'. no Avro schema");
  }

  private void change(String change) {
    String[] parts = change.split("=", 2);
    if (parts[1].isEmpty()) {
      options.remove(parts[0]);
    } else {
      options.put(parts[0], parts[1]);
    }
  }

  private List<String> problems() {
    InvalidOptionsException refused =
        catchThrowableOfType(
            InvalidOptionsException.class,
            () ->
                JobOptions.check(
                    JobKind.JOINING, OptionReader.configuration(options), new Configuration()));
    return refused == null ? List.of() : refused.problems();
  }
}
