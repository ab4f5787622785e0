package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.submission.PlaceDependences;
import dev.millrace.job.train.options.Preset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That an option without effect isn't passed over. */
class DependencesTest {

  private static final Configuration NO_CLUSTER = new Configuration();

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "input.topics", "examples",
              "input.features", "4",
              "input.outputs", "3",
              "model.name", "mlp"));

  /** Without effect; what it needs; with effect. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
"""
model.hidden=8                | model.name=linear       | model.name=mlp
model.image=2;2;1             | model.name=mlp          | model.name=lenet
model.negatives=4             | model.name=mlp          | model.name=two-tower
model.momentum=0.5            | model.updater=sgd       | model.updater=nesterovs
model.weight-decay=0.5        | model.updater=adam      | model.updater=adamw
model.learning-rate-schedule.steps=5 | model.updater=adam | model.learning-rate-schedule=cosine
exchange.local-steps=4        | exchange.interval=1 s   | exchange.overhead=0.1
exchange.learning-rate-warm-up=99 | exchange.learning-rate-scaling=none | exchange.learning-rate-scaling=linear
exchange.trim=0.1             | exchange.aggregator=median | exchange.aggregator=trimmed-mean
exchange.combine=process      | exchange.aggregator=median | exchange.aggregator=sum
exchange.server-momentum=0.5  | exchange.server-optimizer=none | exchange.server-optimizer=adam
exchange.codec.threshold.rule=fixed | exchange.codec.contributions=int8 | exchange.codec.contributions=threshold
exchange.codec.threshold.initial=0.1 | exchange.codec.feedback=int8 | exchange.codec.feedback=threshold
exchange.codec.share=0.1 | exchange.codec.contributions=int8 | exchange.codec.contributions=top-k
exchange.codec.share=0.1 | exchange.codec.feedback=sparse | exchange.codec.feedback=top-k-2-bit
exchange.codec.decay=0.9 | exchange.codec.feedback=top-k | exchange.codec.contributions=top-k-2-bit
exchange.codec.decay=0.8 | exchange.codec.contributions=sparse | exchange.codec.contributions=int8
snapshot.parameters=newest    | snapshot.directory=/m   | exchange.ema.half-life=5000
stop.min-improvement=0.1      | stop.examples=10        | stop.examples-without-improvement=10
evaluation.every=7            | evaluation.window=9     | evaluation.holdout=digits:9
replay.keep=recent            | model.name=mlp          | replay.size=10
replay.share=0.7              | model.name=mlp          | replay.size=10
replay.half-life=9            | model.name=mlp          | replay.size=10
input.label-lags-by=key       | model.name=mlp          | input.label-lags=2
forgetting.strength=0.1       | forgetting.older-model=none  | forgetting.older-model=initial
forgetting.every=9            | forgetting.older-model=initial | forgetting.older-model=periodic
gate.margin=0.1               | snapshot.directory=/m   | snapshot.directory=/m gate.metric=loss evaluation.holdout=digits:9
output.guarantee=at-least-once | metrics.topic=m   | dead-letter.topic=d
scoring.batch-size=3          | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
scoring.models=/n | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
scoring.models-topic=t | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
scoring.serve=latest | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
scoring.max-wait=1 s | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
scoring.start=latest | snapshot.directory=/m   | snapshot.directory=/m scoring.topics=s scoring.output-topic=p
exchange.codec.share=0.2 | exchange.codec.threshold.rule=fixed exchange.codec.feedback=threshold | exchange.codec.feedback=threshold exchange.codec.threshold.rule=target
""")
  void isRefusedWhereItCanNotAct(String option, String without, String with) {
    set(option);
    set(without);
    assertThat(catchThrowableOfType(InvalidOptionsException.class, this::check).problems())
        .singleElement()
        .asString()
        .startsWith(option.split("=", 2)[0] + " has no effect here: it acts only with");

    unset(without);
    options.put("model.name", "mlp");
    set(with);
    assertThat(check().warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"input.missing, NA", "input.decimal, ."})
  void howTextsAreWrittenActsOnNamedFieldsAlone(String key, String value) {
    options.put(key, value);
    assertThatThrownBy(this::check)
        .hasMessageStartingWith(key + " has no effect here: it acts only with input.fields");

    options.put("input.fields", "[{path: a, kind: number}, {path: y, role: label}]");
    options.remove("input.features");
    assertThat(check().warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"model.seed, 5", "model.hidden, 8"})
  void whatIsForABuiltInModelIsRefusedBesideAnother(String key, String value) {
    options.remove("model.name");
    options.put("model.archive", "s3://bucket/model.zip");
    options.put(key, value);
    assertThatThrownBy(this::check).hasMessageStartingWith(key + " has no effect here");

    options.remove("model.archive");
    options.put("model.configuration", "pom.xml");
    assertThatThrownBy(this::check).hasMessageStartingWith(key + " has no effect here");
  }

  /** What an archive's updater is, and what may take its place, its engine knows. */
  @ParameterizedTest
  @CsvSource({
    "model.loss, cross-entropy",
    "model.learning-rate, 0.1",
    "model.updater, sgd",
    "model.l2, 0.1",
    "model.weight-decay, 0.1",
    "model.momentum, 0.5",
    "model.learning-rate-schedule, constant",
    "model.gradient-clip, 1",
    "model.precision, bfloat16"
  })
  void howItLearnsActsBesideAnArchiveAndNotBesideAConfiguration(String key, String value) {
    options.remove("model.name");
    options.put("model.archive", "s3://bucket/model.zip");
    options.put(key, value);
    assertThatCode(this::check).doesNotThrowAnyException();

    options.remove("model.archive");
    options.put("model.configuration", "pom.xml");
    assertThatThrownBy(this::check)
        .hasMessageStartingWith(
            key + " has no effect here: it acts only with model.name or model.");
  }

  /** A network of one's own may be for images, too, which aren't standardized. */
  @Test
  void imagesActBesideAConfiguration() {
    options.remove("model.name");
    options.put("model.configuration", "pom.xml");
    options.put("model.image", "2;2;1");
    assertThatCode(this::check).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"quantile, threshold.initial, 0.1", "fixed, share, 0.1"})
  void whatAnotherRuleOfThresholdsUsesIsRefused(String rule, String key, String value) {
    options.put("exchange.codec.contributions", "threshold");
    options.put("exchange.codec.threshold.rule", rule);
    options.put("exchange.codec." + key, value);
    assertThatThrownBy(this::check).hasMessageContaining("exchange.codec.threshold.rule");
  }

  @Test
  void whatAPresetAddsIsNotTheUsers() {
    for (Preset preset : Preset.values()) {
      options.put("exchange.preset", preset.toString());
      assertThat(check().warnings()).isEmpty();
    }
    options.put("exchange.interval", "1 s");
    assertThatCode(this::check).as("local steps of the preset").doesNotThrowAnyException();
    options.put("exchange.preset", "gradient-sharing");
    options.put("exchange.codec.threshold.initial", "0.1");
    assertThatThrownBy(this::check).as("a rule of the preset").hasMessageContaining("initial");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
"""
input.csv.separator=;         | input.format=json       | input.format=csv
input.csv.label=first         | input.format=uint8      | evaluation.holdout=csv:t.csv
snapshot.interval=5 s         | input.format=json       | snapshot.directory=/m
snapshot.rounds=5             | input.format=json       | snapshot.directory=/m
snapshot.keep=5               | input.format=json       | snapshot.directory=/m
snapshot.keep-every=5         | input.format=json       | snapshot.directory=/m
metrics.timeline=true         | input.format=json       | metrics.file=/m
metrics.interval=5 s          | input.format=json       | metrics.topic=m
execution.checkpointing.dir=/c | execution.checkpointing.interval=0 | execution.checkpointing.interval=1 s
""")
  void isWarnedOfWhereAnotherCommandMayUseIt(String option, String without, String with) {
    set(option);
    set(without);
    assertThat(check().warnings())
        .singleElement()
        .asString()
        .startsWith(option.split("=", 2)[0] + " has no effect here");

    unset(without);
    set(with);
    assertThat(check().warnings()).isEmpty();
  }

  @Test
  void aJobThatOnlyScoresPassesOverWhatIsForTraining() {
    options.put("exchange.trim", "0.1");
    options.put("evaluation.every", "5");
    options.put("scoring.topics", "s");
    options.put("scoring.output-topic", "p");
    options.put("scoring.models", "/m");
    assertThat(scoring().warnings()).isEmpty();

    options.put("input.csv.label", "first");
    assertThat(scoring().warnings()).singleElement().asString().contains("input.csv.label");
  }

  @Test
  void thePlaceOfTheJobDecidesToo() {
    set("flink.rest.port=0");
    set("submission.slot-wait=1 s");

    assertThat(PlaceDependences.submitted(given()))
        .singleElement()
        .asString()
        .startsWith("flink.rest.port has no effect here")
        .contains("-D KEY=VALUE");
    assertThat(PlaceDependences.local(given()))
        .singleElement()
        .asString()
        .startsWith("submission.slot-wait has no effect here");
  }

  private void set(String changes) {
    for (String change : List.of(changes.split(" (?=[a-z-]+\\.)", -1))) {
      String[] keyAndValue = change.split("=", 2);
      options.put(keyAndValue[0], keyAndValue[1]);
    }
  }

  private void unset(String change) {
    options.remove(change.split("=", 2)[0]);
  }

  private Configuration given() {
    return OptionReader.configuration(options);
  }

  private CheckedOptions check() {
    return JobOptions.check(JobKind.TRAINING, given(), NO_CLUSTER);
  }

  private CheckedOptions scoring() {
    return JobOptions.check(JobKind.SCORING, given(), NO_CLUSTER);
  }
}
