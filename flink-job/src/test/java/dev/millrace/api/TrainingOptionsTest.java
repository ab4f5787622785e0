package dev.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.train.options.Preset;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

class TrainingOptionsTest {

  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.createLocalEnvironment(2);

  @Test
  void aBuilderSaysWhatAFileSays() {
    TrainingOptions options =
        TrainingOptions.builder()
            .model(Model.mlp(54, 7).hidden(64, 32).seed(3))
            .exchange(ExchangePreset.OVERLAP_AVERAGING)
            .batchSize(128)
            .publishTo("s3://bucket/models", Duration.ofMinutes(1))
            .option("model.updater", "adam")
            .build();

    assertThat(options.configuration().toMap())
        .isEqualTo(
            Map.of(
                "model.name", "mlp",
                "input.features", "54",
                "input.outputs", "7",
                "model.hidden", "64;32",
                "model.seed", "3",
                "exchange.preset", "overlap-averaging",
                "batch.size", "128",
                "snapshot.directory", "s3://bucket/models",
                "snapshot.interval", "60000 ms",
                "model.updater", "adam"));
  }

  @Test
  void idsAreFieldsBesideTheFeatures() {
    Model model =
        Model.mlp(2, 7)
            .ids(
                Ids.one("user", 4).table("people"),
                Ids.list("items.seen", 3).sum().most(9).table("items"))
            .seed(3);

    assertThat(TrainingOptions.builder().model(model).build().configuration().toMap())
        .isEqualTo(
            Map.of(
                "model.name",
                "mlp",
                "input.features",
                "9",
                "input.outputs",
                "7",
                "model.seed",
                "3",
                "input.fields",
                """
                [{"path":"features[0]","kind":"number"},{"path":"features[1]","kind":"number"},\
                {"path":"user","name":"user","kind":"id","dimension":"4","table":"people"},\
                {"path":"[\\"items.seen\\"]","name":"items.seen","kind":"ids","dimension":"3",\
                "most":"9","pooling":"sum","table":"items"}]"""));
    assertThat(
            TrainingOptions.builder()
                .model(model)
                .model(Model.linear(3, 2))
                .build()
                .configuration()
                .toMap())
        .doesNotContainKey("input.fields")
        .containsEntry("input.features", "3");
    train(TrainingOptions.builder().model(model));
    train(
        TrainingOptions.builder().model(Model.linear(0, 2).ids(Ids.one("user", 4))).uidPrefix("b"));
  }

  @Test
  void wrongIdsAreRefused() {
    assertProblems(
        TrainingOptions.builder()
            .model(Model.mlp(1, 2).ids(Ids.one("a", 4).table("t"), Ids.list("b", 5).table("t"))),
        "Fields \"a\" and \"b\" share the table \"t\" and have the dimensions 4 and 5");
    assertProblems(
        TrainingOptions.builder().model(Model.mlp(1, 2).ids(Ids.one("a", 0))), "dimension");
    assertProblems(
        TrainingOptions.builder().model(Model.mlp(1, 2).ids(Ids.one("a", 2).sum())), "pooling");
    assertProblems(
        TrainingOptions.builder()
            .model(Model.mlp(1, 2))
            .option("input.fields", "[{\"path\":\"features[0]\",\"kind\":\"number\"}]"),
        "input.fields has no effect here: it acts only in a job that Millrace makes as a whole (the"
            + " program's mapper gives the features)");
  }

  @Test
  void presetsAreThoseOfOptions() {
    assertThat(Stream.of(ExchangePreset.values()).map(Object::toString))
        .containsExactlyElementsOf(Stream.of(Preset.values()).map(Object::toString).toList());
  }

  @Test
  void wrongOptionsAreRefusedAllAtOnceByTheRulesOfAFile() {
    assertProblems(
        TrainingOptions.builder()
            .model(Model.mlp(8, 1))
            .option("batch.sise", "8")
            .option("exchange.server-momentum", "0.5"),
        "batch.sise is not an option; did you mean batch.size?",
        "input.outputs is '1'; classification needs at least 2 classes",
        "exchange.server-momentum has no effect here");
  }

  @Test
  void whatTheProgramDecidesIsRefused() {
    assertProblems(
        TrainingOptions.builder()
            .model(Model.mlp(8, 3))
            .option("input.topics", "orders")
            .option("dead-letter.topic", "dead")
            .option("execution.checkpointing.interval", "1 s"),
        "input.topics has no effect here: it acts only in a job that Millrace makes as a whole",
        "dead-letter.topic has no effect here",
        "execution.checkpointing.interval has no effect here");
  }

  @Test
  void whatUsesKafkaNeedsServers() {
    assertProblems(
        TrainingOptions.builder().model(Model.mlp(8, 3)).option("metrics.topic", "metrics"),
        "kafka.bootstrap.servers is missing");
  }

  /** Records of a program's are of no topic. */
  @Test
  void lineageNeedsNoServers() {
    environment.enableCheckpointing(1_000);

    train(
        TrainingOptions.builder()
            .model(Model.mlp(8, 3))
            .publishTo("/mnt/models", Duration.ZERO)
            .option("lineage.url", "http://marquez:5000"));

    assertThat(environment.getStreamGraph().getStreamNodes()).isNotEmpty();
  }

  /** They would be passed over. */
  @Test
  void aWholeJobTakesNothingOfAPart() {
    assertThatThrownBy(
            () ->
                Millrace.train(
                    environment,
                    TrainingOptions.builder().uidPrefix("orders").mostParked(5).build()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("uidPrefix is 'orders'", "mostParked is 5");
    assertThatThrownBy(
            () ->
                Millrace.score(
                    environment,
                    ScoringOptions.builder().uidPrefix("orders").mostWaiting(5).build()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("uidPrefix is 'orders'", "mostWaiting is 5");
  }

  @Test
  void optionsOfScoringAreCheckedWhereItIsAdded() {
    assertThat(
            ScoringOptions.builder()
                .option("scoring.engine", "torch")
                .batchSize(3)
                .build()
                .configuration()
                .toMap())
        .isEqualTo(Map.of("scoring.engine", "torch", "scoring.batch-size", "3"));
    ScoringOptions options =
        ScoringOptions.of(Configuration.fromMap(Map.of("scoring.batch-size", "0")));

    assertThatThrownBy(
            () ->
                Millrace.score(
                    environment.fromSequence(0, 9),
                    ModelFeed.latest("/mnt/models"),
                    ApiJob::map,
                    options))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("scoring.batch-size");
  }

  @Test
  void settingsThatTrainingCantRunWithAreNamedInOneMessage() {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    environment.disableOperatorChaining();
    environment.enableCheckpointing(1_000, CheckpointingMode.AT_LEAST_ONCE);
    environment.getCheckpointConfig().enableUnalignedCheckpoints();

    assertProblems(
        TrainingOptions.builder().model(Model.mlp(8, 3)),
        "setRuntimeMode(STREAMING)",
        "Operator chaining is disabled",
        "setCheckpointingConsistencyMode(EXACTLY_ONCE)",
        "enableUnalignedCheckpoints(false)");
  }

  @Test
  void aPreparedEnvironmentHasAllSettings() {
    environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
    environment.enableCheckpointing(1_000, CheckpointingMode.AT_LEAST_ONCE);

    Millrace.prepare(environment);

    assertThat(train(TrainingOptions.builder().model(Model.mlp(8, 3))).warnings()).isEmpty();
  }

  @Test
  void theEnvironmentStaysAsItIs() {
    Map<String, String> before = Map.copyOf(environment.getConfiguration().toMap());
    long timeout = environment.getBufferTimeout();

    Training<Long> training = train(TrainingOptions.builder().model(Model.mlp(8, 3)));

    Map<String, String> after = new TreeMap<>(environment.getConfiguration().toMap());
    // It deletes the file of the model to start from.
    after.remove(DeploymentOptions.JOB_LISTENERS.key());
    assertThat(after).isEqualTo(before);
    assertThat(environment.getBufferTimeout()).isEqualTo(timeout);
    assertThat(training.warnings()).hasSize(2);
  }

  @Test
  void aPrefixIsBeforeEveryUid() {
    train(TrainingOptions.builder().model(Model.mlp(8, 3)).uidPrefix("orders")).rejected();

    assertThat(environment.getStreamGraph().getStreamNodes())
        .extracting(StreamNode::getTransformationUID)
        .isNotEmpty()
        .allSatisfy(uid -> assertThat(uid).startsWith("orders-"));
  }

  @Test
  void aPrefixThatCantBeOneIsRefused() {
    assertThatThrownBy(() -> TrainingOptions.builder().uidPrefix("my orders").build())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("'my orders'");
  }

  /** Nor can one that may be bounded be trained on as a batch. */
  @Test
  void nothingBehindAStreamCanEndIt() {
    TrainingOptions options =
        TrainingOptions.builder().model(Model.mlp(8, 3)).option("stop.examples", "5").build();

    assertThatThrownBy(() -> Millrace.train(environment.fromSequence(0, 9), ApiJob::map, options))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(
            "stop.examples has no effect here: it acts only where a source gives the records");
    environment.setRuntimeMode(RuntimeExecutionMode.AUTOMATIC);
    assertThatThrownBy(() -> Millrace.train(environment.fromSequence(0, 9), ApiJob::map, options))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("setRuntimeMode(STREAMING)");
  }

  @Test
  void aMapperThatCantTravelIsRefused() {
    Object here = new Object();

    assertThatThrownBy(
            () ->
                Millrace.train(
                    environment,
                    new NumberSequenceSource(0, 9),
                    (number, to) -> to.id(here.toString()),
                    TrainingOptions.builder().model(Model.mlp(8, 3)).build()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("The mapper can't be serialized");
  }

  private Training<Long> train(TrainingOptions.Builder options) {
    return Millrace.train(
        environment, new NumberSequenceSource(0, 9), ApiJob::map, options.build());
  }

  private void assertProblems(TrainingOptions.Builder options, String... problems) {
    assertThatThrownBy(() -> train(options))
        .isInstanceOfSatisfying(
            InvalidOptionsException.class,
            e -> {
              assertThat(e.problems()).hasSize(problems.length);
              for (String problem : List.of(problems)) {
                assertThat(e).hasMessageContaining(problem);
              }
            });
  }
}
