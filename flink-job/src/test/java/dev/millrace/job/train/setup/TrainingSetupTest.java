package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.exchange.round.StopRules;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.EmbeddingNetwork;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.snapshot.PublicationGate;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That what options say of the exchange is what the graph is made of. */
class TrainingSetupTest {

  /** Of a change to encode: few enough that a sample has all of them. */
  private static final int VALUES = 8_000;

  @Test
  void withoutOptionsItIsParameterAveraging() {
    TrainingSettings settings = settings(Map.of());

    assertThat(settings.coordinator().pace().schedule()).isEqualTo(Schedule.every(3, true));
    assertThat(settings.replica().rules().schedule()).isEqualTo(Schedule.every(3, true));
    assertThat(settings.replica().rules().codecs().parameters()).hasSameClassAs(Codec.float32());
    assertThat(settings.replica().batching().size()).isEqualTo(new BatchSize(32, 0, 3));
    assertThat(settings.replica().rates().scaling()).isEqualTo(LearningRateScaling.AUTO);
    assertThat(settings.replica().rules().guard()).isEqualTo(new ContributionGuard(10));
    assertThat(settings.feedback().sendChanges()).isFalse();
    assertThat(settings.averaging()).isEqualTo(Averaging.NONE);
    assertThat(settings.aggregator()).hasSameClassAs(Aggregator.weightedMean());
    assertThat(settings.serverOptimizer()).isEqualTo(ServerOptimizer.none(1));
    assertThat(settings.coordinator().pace().patience()).isZero();
    assertThat(settings.coordinator().stopRules())
        .isEqualTo(new StopRules(Duration.ZERO, 0, 0, 0, 5000));
    assertThat(settings.coordinator().refusals().most()).isEqualTo(100);
    assertThat(settings.coordinator().reports().timeline()).isFalse();
    assertThat(settings.coordinator().steering()).isSameAs(NoSteering.NONE);
    assertThat(settings.replica().hooks().factories()).isEmpty();
  }

  @Test
  void eachChoiceComesFromItsOptions() {
    TrainingSettings settings =
        settings(
            Map.ofEntries(
                Map.entry("exchange.schedule", "overlap"),
                Map.entry("exchange.interval", "2 s"),
                Map.entry("exchange.warm-up", "7"),
                Map.entry("exchange.straggler-wait", "0.5"),
                Map.entry("exchange.learning-rate-scaling", "linear"),
                Map.entry("exchange.learning-rate-warm-up", "5000"),
                Map.entry("batch.local-size", "16"),
                Map.entry("exchange.codec.contributions", "int8"),
                Map.entry("exchange.codec.feedback", "bfloat16"),
                Map.entry("exchange.aggregator", "trimmed-mean"),
                Map.entry("exchange.trim", "0.2"),
                Map.entry("exchange.server-optimizer", "nesterov"),
                Map.entry("exchange.server-learning-rate", "0.7"),
                Map.entry("exchange.server-momentum", "0.8"),
                Map.entry("guard.max-change", "3"),
                Map.entry("guard.max-refusals", "9"),
                Map.entry("evaluation.segments", "period"),
                Map.entry("evaluation.every", "50"),
                Map.entry("stop.after", "1 h"),
                Map.entry("stop.examples", "10"),
                Map.entry("stop.examples-without-improvement", "20"),
                Map.entry("stop.min-improvement", "0.5"),
                Map.entry("evaluation.window", "30"),
                Map.entry("metrics.timeline", "true")));

    Schedule schedule = Schedule.every(Duration.ofSeconds(2), false).afterWarmUp(7);
    assertThat(settings.coordinator().pace().schedule()).isEqualTo(schedule);
    assertThat(settings.replica().rules().schedule()).isEqualTo(schedule);
    assertThat(settings.replica().rules().codecs().parameters()).hasSameClassAs(Codec.int8());
    assertThat(settings.replica().batching().size()).isEqualTo(new BatchSize(32, 16, 3));
    assertThat(settings.replica().rates().scaling()).isEqualTo(LearningRateScaling.LINEAR);
    assertThat(settings.replica().rates().warmUp()).isEqualTo(5000);
    assertThat(settings.replica().rules().guard()).isEqualTo(new ContributionGuard(3));
    assertThat(settings.replica().hooks().detailsInterval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.replica().examples().segments())
        .isEqualTo(new SegmentRule(SegmentRule.Kind.PERIOD, 0.01, 10_000, 200));
    assertThat(settings.coordinator().publication().plan().measureEvery()).isEqualTo(50);
    assertThat(settings.feedback().parameters()).hasSameClassAs(Codec.bfloat16());
    assertThat(settings.aggregator()).isEqualTo(Aggregator.trimmedMean(0.2));
    assertThat(settings.serverOptimizer()).isEqualTo(ServerOptimizer.nesterov(0.7, 0.8));
    assertThat(settings.coordinator().pace().patience()).isEqualTo(0.5);
    assertThat(settings.coordinator().refusals().most()).isEqualTo(9);
    assertThat(settings.coordinator().refusals().advice()).contains("guard.max-refusals");
    assertThat(settings.coordinator().stopRules())
        .isEqualTo(new StopRules(Duration.ofHours(1), 10, 20, 0.5, 30));
    assertThat(settings.coordinator().reports().timeline()).isTrue();
  }

  @Test
  void theExchangesShareOfTheTimeBoundsTheSteps() {
    assertThat(
            settings(Map.of("exchange.overhead", "0.1", "exchange.local-steps", "50"))
                .coordinator())
        .extracting(coordinator -> coordinator.pace().schedule())
        .isEqualTo(Schedule.adaptive(0.1, 50, true));
  }

  @Test
  void aDelayIsOfSyncAndShorterThanTheStepsBetweenTwoContributions() {
    assertThat(settings(Map.of("exchange.delay", "2", "exchange.local-steps", "3")).coordinator())
        .extracting(coordinator -> coordinator.pace().schedule())
        .isEqualTo(Schedule.every(3, true).delayed(2));

    assertThatThrownBy(
            () -> settings(Map.of("exchange.delay", "3", "exchange.schedule", "overlap")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("exchange.schedule is 'overlap', which has no fixed delay")
        .hasMessageContaining("a replica makes 3 local steps between two contributions");
    assertThatThrownBy(() -> settings(Map.of("exchange.delay", "1", "exchange.interval", "1 s")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("lets time decide");
  }

  /** The mlp has 195 parameters. */
  @Test
  void fragmentsShareTheLocalStepsAndHaveABlockEach() {
    Map<String, String> fragments =
        Map.of(
            "exchange.preset", "low-communication",
            "exchange.fragments", "3",
            "exchange.warm-up", "5");

    assertThatThrownBy(() -> settings(fragments))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageStartingWith(
            "exchange.fragments is '3', which is above the model's number of blocks, 1 of"
                + " exchange.block-size '64");

    Map<String, String> large = new TreeMap<>(fragments);
    large.put("model.hidden", "64");
    large.put("exchange.block-size", "1kb");
    assertThat(settings(large).coordinator().pace().schedule())
        .isEqualTo(settings(large).replica().rules().schedule())
        .isEqualTo(Schedule.every(60, true).inFragments(3).afterWarmUp(5));
  }

  @Test
  void sparseCommunicationIsOfTwoBitsBothWaysAndDecays() {
    TrainingSettings settings = settings(Map.of("exchange.preset", "sparse-communication"));

    ContributionCodecs codecs = settings.replica().rules().codecs();
    assertThat(codecs.parameters()).hasSameClassAs(Codec.twoBitTopK(1));
    assertThat(codecs.decay()).isEqualTo(0.99);
    assertThat(settings.feedback().parameters()).hasSameClassAs(Codec.twoBitTopK(1));
    assertThat(settings.aggregator()).hasSameClassAs(Aggregator.weightedMean());
    assertThat(settings.coordinator().pace().schedule()).isEqualTo(Schedule.every(30, true));

    assertThat(settings(Map.of()).replica().rules().codecs().decay()).isEqualTo(1);
  }

  @Test
  void aPresetReachesTheGraph() {
    TrainingSettings settings = settings(Map.of("exchange.preset", "gradient-sharing"));

    assertThat(settings.coordinator().pace().schedule()).isEqualTo(Schedule.every(1, false));
    assertThat(settings.feedback().parameters()).hasSameClassAs(Codec.sparse());
    assertThat(settings.aggregator()).hasSameClassAs(Aggregator.sum());
    assertThat(settings.replica().rules().codecs().decay()).isEqualTo(0.99);
    assertThat(settings.replica().layout().length())
        .as("updater state stays with the replicas")
        .isEqualTo(settings.replica().spec().parameters());
    assertThat(sent(settings.replica().rules().codecs().parameters(), 0)).isEqualTo(VALUES / 4);
  }

  @Test
  void aWarmUpIsOfContributionsAlone() {
    TrainingSettings settings =
        settings(
            Map.of(
                "exchange.codec.contributions", "threshold",
                "exchange.codec.feedback", "threshold",
                "exchange.codec.threshold.rule", "quantile",
                "exchange.codec.share", "0.01"));

    Codec contributions = settings.replica().rules().codecs().parameters();
    assertThat(sent(contributions, 0)).isEqualTo(VALUES / 4);
    assertThat(sent(contributions, 10_000)).isEqualTo(VALUES / 20);
    assertThat(sent(contributions, 20_000)).isEqualTo(VALUES / 100);
    assertThat(sent(settings.feedback().parameters(), 0)).isEqualTo(VALUES / 100);
  }

  /** How many values of a change are sent, all of them different, after so many examples. */
  private static int sent(Codec codec, long examples) {
    float[] change = new float[VALUES];
    for (int i = 0; i < VALUES; i++) {
      change[i] = 1 + i;
    }
    Encoder encoder = codec.encoder(List.of(new IndexRange(0, VALUES)));
    encoder.learned(examples);
    byte[] payload = encoder.encode(0, change, VALUES);
    float[] decoded = new float[VALUES];
    codec.decode(payload, decoded, VALUES);
    int sent = 0;
    for (float value : decoded) {
      sent += value == 0 ? 0 : 1;
    }
    return sent;
  }

  @Test
  void aMovingAverageIsPublishedUnlessTheNewestModelIs() {
    assertThat(settings(Map.of("exchange.ema.half-life", "20000")).averaging())
        .isEqualTo(new Averaging(20_000, true));
    assertThat(
            settings(Map.of("exchange.ema.half-life", "1", "snapshot.parameters", "newest"))
                .averaging())
        .isEqualTo(new Averaging(1, false));
    for (String none : List.of("0", "-1", "none", "1 h", "0.5")) {
      assertThatThrownBy(() -> settings(Map.of("exchange.ema.half-life", none)))
          .isInstanceOf(InvalidOptionsException.class)
          .hasMessageContaining(
              "exchange.ema.half-life is '%s'; it must be a whole number of at least 1", none);
    }
  }

  /** The mlp has 8 x 16 + 16 and 16 x 3 + 3 parameters, and Adam twice as much state. */
  @Test
  void thresholdsAreOfLayers() {
    var segments =
        settings(Map.of("exchange.codec.contributions", "threshold"))
            .replica()
            .rules()
            .codecs()
            .segments();

    assertThat(segments).hasSize(3);
    assertThat(segments.get(0)).isEqualTo(new IndexRange(0, 144));
    assertThat(segments.get(2)).isEqualTo(new IndexRange(195, 3 * 195));
  }

  /** Standardized, a number of a word would be that of another. */
  @Test
  void whatAnEmbeddingTakesIsNotStandardized(@TempDir Path directory) throws IOException {
    Map<String, String> embedding = new TreeMap<>();
    embedding.put("input.features", "1");
    embedding.put("model.name", "");
    embedding.put("model.hidden", "");
    embedding.put("model.configuration", EmbeddingNetwork.write(directory).toString());

    assertThat(settings(embedding).replica().rules().standardize()).isFalse();
    assertThat(settings(Map.of()).replica().rules().standardize()).isTrue();

    embedding.put("input.standardize", "on");
    assertThatThrownBy(() -> settings(embedding))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("input.standardize is on")
        .hasMessageContaining("embedding");
  }

  /** An empty value takes an option out. */
  @Test
  void modelsAreMeasuredOnTheKindOfDeviceThatTheyAreTrainedOn() {
    assertThat(settings(Map.of("model.device", "cpu")).publisher().device())
        .isEqualTo(new DeviceRequest(List.of(), DeviceRequest.Use.GUEST, DeviceRequest.Kind.CPU));
  }

  @Test
  void theGateComparesAreasWhereThereAreTwoClasses() {
    Map<String, String> gate =
        Map.of(
            "snapshot.directory", "/m",
            "evaluation.holdout", "topic:held-out",
            "gate.metric", "auc",
            "gate.margin", "0.01");
    Map<String, String> two = new TreeMap<>(gate);
    two.put("input.outputs", "2");
    Map<String, String> label = new TreeMap<>(gate);
    label.putAll(Map.of("input.outputs", "1", "input.target", "multi-label"));
    Map<String, String> regression = new TreeMap<>(gate);
    regression.putAll(Map.of("input.outputs", "1", "input.target", "regression"));

    for (Map<String, String> accepted : List.of(two, label)) {
      assertThat(settings(accepted).publisher().release().gateOrNull())
          .isEqualTo(new PublicationGate(PublicationGate.Metric.AUC, 0.01));
    }
    assertThatThrownBy(() -> settings(gate))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(
            "gate.metric is 'auc', which is measured of two classes, or of multi-label with one"
                + " output, and input.outputs is '3'; take accuracy or loss");
    assertThatThrownBy(() -> settings(regression))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining(
            "gate.metric is 'auc', which isn't measured for input.target 'regression'; take loss,"
                + " mae or rmse");
  }

  private static TrainingSettings settings(Map<String, String> more) {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "kafka.bootstrap.servers", "localhost:9092",
                "input.topics", "examples",
                "input.features", "8",
                "input.outputs", "3",
                "model.name", "mlp",
                "model.hidden", "16"));
    all.putAll(more);
    all.values().removeIf(String::isEmpty);
    Configuration options =
        JobOptions.check(JobKind.TRAINING, OptionReader.configuration(all), new Configuration())
            .values();
    StartingModel model = ModelSetup.of(options, InputOptions.shape(options));
    return TrainingSetup.settings(options, OptionsInForce.NONE, model, null, 3);
  }
}
