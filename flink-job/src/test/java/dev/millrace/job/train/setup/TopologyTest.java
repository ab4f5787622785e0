package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.TrainingTopology;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.kafka.source.ExampleSource;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyTest {

  /** How many subtasks the exchange of an mlp of 11 blocks has, and may ever have. */
  @ParameterizedTest
  @CsvSource({"2, -1, 2, 128", "20, -1, 11, 128", "2, 1024, 2, 1024", "2, 2, 2, 2"})
  void theExchangeMayGrowAsFarAsTheReplicas(
      int replicas, int configured, int parallelism, int atMost) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(replicas);
    if (configured > 0) {
      environment.setMaxParallelism(configured);
    }

    build(
        environment,
        Map.of("input.features", "8", "model.hidden", "64", "exchange.block-size", "1kb"));

    StreamNode exchange =
        environment.getStreamGraph().getStreamNodes().stream()
            .filter(node -> TrainingOperators.EXCHANGE.uid().equals(node.getTransformationUID()))
            .findFirst()
            .orElseThrow();
    assertThat(exchange.getParallelism()).isEqualTo(parallelism);
    assertThat(exchange.getMaxParallelism()).isEqualTo(atMost);
  }

  /** Flink names the state of an operator without a uid by the shape of the graph. */
  @Test
  void everyOperatorHasAUid() {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2);

    build(
        environment,
        Map.of(
            "input.fields",
            "[{path: who, kind: id, dimension: 4}, {path: y, role: label}]",
            "rows.topic",
            "rows",
            "rows.files",
            "/mnt/rows"));

    assertThat(environment.getStreamGraph().getStreamNodes())
        .extracting(StreamNode::getTransformationUID)
        .doesNotContainNull();
  }

  private static void build(StreamExecutionEnvironment environment, Map<String, String> more) {
    Map<String, String> given =
        new TreeMap<>(
            Map.of(
                "kafka.bootstrap.servers",
                "localhost:9092",
                "input.topics",
                "examples",
                "input.outputs",
                "3",
                "model.name",
                "mlp"));
    given.putAll(more);
    Configuration options =
        JobOptions.check(JobKind.TRAINING, OptionReader.configuration(given), new Configuration())
            .values();
    InputSetup input = new InputSetup(options, InputOptions.shape(options));
    StartingModel model = ModelSetup.of(options, input.shape());
    new TrainingTopology(
            TrainingSetup.settings(options, OptionsInForce.NONE, model, null, Integer.MAX_VALUE),
            FaultInjector.NONE)
        .build(
            environment,
            ExampleSource.of(input.source(), input.deserializer()),
            new ReceivedTypeInfo());
  }
}
