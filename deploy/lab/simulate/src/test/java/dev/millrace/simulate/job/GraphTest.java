package dev.millrace.simulate.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingTopology;
import dev.millrace.job.train.setup.ModelSetup;
import dev.millrace.job.train.setup.StartingModel;
import dev.millrace.job.train.setup.TrainingSetup;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.kafka.source.ExampleSource;
import dev.millrace.simulate.time.Chance;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulator's graph is that of the job, so that neither is changed without the other. */
class GraphTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itHasTheVerticesAndWaysOfTheJob(boolean gathers) {
    JobOptions options = options(drawn -> drawn.gathers() == gathers);
    Input input = input();
    Graph simulated =
        new Graph(options, input, new Operators(options, input, null, UsedGenerations.NONE));
    Ways ways = new Ways();
    simulated.connect(ways);

    StreamGraph job = job(options.replicas(), gathers);

    assertThat(vertices(job).keySet()).isEqualTo(simulated.subtasks().keySet());
    assertThat(ways(job)).isEqualTo(ways.all);
  }

  private static JobOptions options(Predicate<JobOptions> wanted) {
    return Stream.iterate(0L, seed -> seed + 1)
        .map(seed -> JobOptions.draw(new Chance(seed)))
        .filter(wanted)
        .findFirst()
        .orElseThrow();
  }

  private static Input input() {
    return Stream.iterate(0L, seed -> seed + 1)
        .map(seed -> Input.draw(new Chance(seed), 10))
        .filter(drawn -> !drawn.isStream())
        .findFirst()
        .orElseThrow();
  }

  private static StreamGraph job(int replicas, boolean gathers) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(replicas);
    Configuration options =
        dev.millrace.job.setup.JobOptions.check(
                JobKind.TRAINING,
                OptionReader.configuration(
                    Map.of(
                        "kafka.bootstrap.servers", "localhost:9092",
                        "input.topics", "examples",
                        "input.features", "8",
                        "input.outputs", "3",
                        "model.name", "mlp",
                        "model.hidden", "64",
                        "exchange.combine", gathers ? "process" : "off")),
                new Configuration())
            .values();
    InputSetup input = new InputSetup(options, InputOptions.shape(options));
    StartingModel model = ModelSetup.of(options, input.shape());
    var unused =
        new TrainingTopology(
                TrainingSetup.settings(
                    options, OptionsInForce.NONE, model, null, Integer.MAX_VALUE),
                FaultInjector.NONE)
            .build(
                environment,
                ExampleSource.of(input.source(), input.deserializer()),
                new ReceivedTypeInfo());
    return environment.getStreamGraph();
  }

  /** What only reports is no part of the exchange. */
  private static Map<String, StreamNode> vertices(StreamGraph graph) {
    Map<String, StreamNode> vertices = new TreeMap<>();
    for (StreamNode node : graph.getStreamNodes()) {
      String name = name(node);
      if (Set.of("replica", "coordinator", "gatherer", "exchange", "feedback", "publisher")
          .contains(name)) {
        vertices.put(name, node);
      }
    }
    return vertices;
  }

  private static String name(StreamNode node) {
    return node.getTransformationUID();
  }

  private static Set<String> ways(StreamGraph graph) {
    Map<String, StreamNode> vertices = vertices(graph);
    Set<String> ways = new TreeSet<>();
    for (StreamNode node : vertices.values()) {
      for (StreamEdge edge : node.getOutEdges()) {
        StreamNode target = graph.getStreamNode(edge.getTargetId());
        if (vertices.containsKey(name(target))) {
          OutputTag<?> tag = edge.getOutputTag();
          ways.add(way(name(node), tag, name(target), Math.max(1, edge.getTypeNumber())));
        }
      }
    }
    return ways;
  }

  private static String way(String from, OutputTag<?> tagOrNull, String to, int input) {
    return "%s %s to input %s of %s"
        .formatted(from, tagOrNull == null ? "" : tagOrNull.getId(), input, to);
  }

  private static final class Ways implements Wires {

    private final Set<String> all = new TreeSet<>();

    @Override
    public <T> void connect(
        String from,
        OutputTag<T> tagOrNull,
        TypeInformation<? extends T> type,
        String to,
        int input,
        ToIntFunction<T> target) {
      all.add(way(from, tagOrNull, to, input));
    }
  }
}
