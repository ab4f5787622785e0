package dev.millrace.job.options;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionCheckTest {

  private static final List<Setting<?>> SETTINGS = MillraceOptions.settings().toList();

  private final Map<String, String> options =
      new TreeMap<>(
          Map.of(
              "kafka.bootstrap.servers", "localhost:9092",
              "input.topics", "examples",
              "input.features", "784",
              "input.outputs", "10",
              "model.name", "lenet"));

  @Test
  void theSmallestRightOptionsPass() {
    assertThatCode(
            () ->
                JobOptions.check(
                    JobKind.TRAINING, OptionReader.configuration(options), new Configuration()))
        .doesNotThrowAnyException();
  }

  @Test
  void anythingMayBePassedOnToKafkaAndFlink() {
    options.put("kafka.my.interceptor.setting", "x");
    options.put("flink.rest.port", "0");

    assertThat(problems()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          batch.sise              | did you mean batch.size?
          learning-rate           | did you mean model.learning-rate?
          exchange.roundtimeout   | did you mean exchange.round-timeout?
          snapshot.dir            | did you mean snapshot.directory?
          exchange.quantization   | 'millrace options exchange' lists what may be meant
          Input.Format            | did you mean input.format?
          lr                      | did you mean model.learning-rate?
          batch_size              | did you mean batch.size?
          epochs                  | did you mean stop.examples?
          topic                   | did you mean input.topics?
          k                       | did you mean exchange.local-steps?
          averagingFrequency      | did you mean exchange.local-steps?
          prefetchBuffer          | did you mean kafka.max.poll.records?
          optimizer               | did you mean model.updater?
          dl                      | docs/reference/options.md lists them all
          bootstrap-servers       | did you mean kafka.bootstrap.servers?
          completely.different    | docs/reference/options.md lists them all
          """)
  void anUnknownKeyNamesTheNearestRightOne(String key, String advice) {
    options.put(key, "1");

    assertThat(problems()).containsExactly(key + " is not an option; " + advice);
  }

  @ParameterizedTest
  @CsvSource({"workers, --parallelism", "resume, --from", "lr, model.learning-rate"})
  void aWordOfOtherToolsNamesAnArgumentOrAnOption(String word, String meant) {
    List<String> arguments = List.of("-h", "--help", "--parallelism", "--from");
    Configuration given = new Configuration();
    given.setString(word, "1");

    assertThat(new OptionCheck(SETTINGS, List.of(), arguments).unknownKeys(given))
        .containsExactly("%s is not an option; did you mean %s?".formatted(word, meant));
  }

  @Test
  void wordsOfOtherToolsStandForKeysThatThereAre() {
    List<String> known = new ArrayList<>(SETTINGS.stream().map(Setting::key).toList());
    known.addAll(List.of("--parallelism", "--from", "kafka.max.poll.records"));

    assertThat(known).containsAll(Synonyms.keys());
  }

  @ParameterizedTest
  @CsvSource({
    "mlflow.url, http://bob:HUNTER2@mlflow:5000/api",
    "input.registry.url, http://bob:HUNTER2@mlflow:5000/api",
    "mlflow.url, https://b/o b:H@HUNTER2@mlflow:5000/api"
  })
  void aRefusalHidesThePasswordThatItRefuses(String key, String url) {
    options.put(key, url);

    assertThat(problems())
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .startsWith(key + " is 'http")
        .contains("://…@mlflow:5000/api'")
        .doesNotContain("HUNTER2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          batch.size             | 0        | a whole number of at least 1
          batch.size             | many     | a whole number of at least 1
          batch.size             | 99999999999 | a whole number of at least 1
          batch.local-size       | 0        | a whole number of at least 1
          batch.max-wait         | 0        | a duration of at least 1 ms
          batch.max-wait         | soon     | a duration of at least 1 ms
          model.learning-rate    | 0        | a number above 0
          model.learning-rate    | NaN      | a number above 0
          model.learning-rate    | Infinity | a number above 0
          model.momentum         | 1        | a number of at least 0 and below 1
          mlflow.url           | mlflow:5000 | an http or https URL without user and password
          exchange.preset        | gossip   | parameter-averaging, overlap-averaging
          exchange.codec.contributions         | float16  | float32, bfloat16, int8, sparse, threshold, top-k, top-k-2-bit or a class's full name
          exchange.aggregator    | max      | mean, sum, trimmed-mean, median or a class's full name
          exchange.trim          | 0.5      | a number of at least 0 and below 0.5
          exchange.codec.share   | 0        | a number above 0 and at most 1
          stop.after             | 0        | a duration of at least 1 ms
          stop.examples          | 0        | a whole number of at least 1
          stop.examples-without-improvement | 0 | a whole number of at least 1
          exchange.interval      | 0        | a duration of at least 1 ms
          exchange.overhead      | 0        | a number above 0 and below 1
          exchange.straggler-wait | 0       | a number above 0
          exchange.fragments     | 0        | a whole number of at least 1
          exchange.warm-up       | 0        | a whole number of at least 1
          snapshot.rounds        | 0        | a whole number of at least 1
          snapshot.keep-every    | 0        | a whole number of at least 1
          model.l2               | -1        | a number of at least 0
          model.negatives        | 1001      | a whole number from 0 to 1000
          model.negatives        | -1        | a whole number from 0 to 1000
          execution.checkpointing.interval | 5 ms | 0 or a duration of at least 10 ms
          model.hidden           | 64;0     | each a whole number of at least 1
          model.hidden           | 64;x     | each a whole number of at least 1
          model.name             | resnet   | lenet, mlp, linear, deepfm, wide-deep, dcn or two-tower
          model.device           | gpu      | auto, cpu, cuda or exclusive
          model.loss             | hinge    | cross-entropy, binary-cross-entropy, mse, mae or huber
          model.updater          | lion     | sgd, nesterovs, adam, adamw, rmsprop or adagrad
          model.weight-decay     | -1        | a number of at least 0
          model.learning-rate-schedule | linear | constant, step, exponential or cosine
          model.learning-rate-schedule.steps | 0 | a whole number of at least 1
          model.learning-rate-schedule.factor | 0 | a number above 0
          model.gradient-clip | -1      | a number of at least 0
          model.precision        | float16  | float32 or bfloat16
          model.deterministic    | maybe    | true or false
          input.format           | xml      | json, csv, float32, uint8, avro,
          input.target           | multi    | classification, multi-label or regression
          input.bounded          | maybe    | true or false
          input.start            | yesterday | earliest, latest, group-offsets or milliseconds
          input.topic-pattern    | (a       | a regular expression
          input.max-record-size  | 8        | a size from 16 bytes to 1 gb
          input.csv.separator    | ::       | \\t or one ASCII character
          input.csv.separator    | 5        | \\t or one ASCII character
          exchange.block-size    | 1gb      | a size from 1 kb to 4 mb
          exchange.schedule      | async    | sync, overlap or a class's full name
          exchange.codec.contributions         | zip      | float32
          kafka.bootstrap.servers | broker  | host:port
          evaluation.holdout     | mydata   | idx:DIR
          snapshot.interval      | -1 s     | 0 or a duration of at least 1 ms
          """)
  void aWrongValueIsNamedWithItsKeyAndRange(String key, String value, String range) {
    options.put(key, value);

    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("%s is '%s'; it must be ".formatted(key, value))
        .contains(range);
  }

  @Test
  void aScheduleNeedsItsStepsAndALossItsTarget() {
    options.put("model.learning-rate-schedule", "cosine");
    options.put("model.loss", "huber");

    assertThat(problems())
        .containsExactlyInAnyOrder(
            "model.learning-rate-schedule.steps is missing; it must be a whole number of at least"
                + " 1",
            "model.loss is 'huber', which isn't for input.target 'classification'; take"
                + " cross-entropy, or leave it out");

    options.put("model.learning-rate-schedule.steps", "1000");
    options.put("model.loss", "cross-entropy");
    assertThat(problems()).isEmpty();
  }

  @Test
  void detectorsAndReactionsNeedWhatTheyWorkOn() {
    options.put("drift.detector", "adwin");
    options.put("input.target", "regression");
    options.put("drift.reaction", "publish;more-rounds");
    options.put("exchange.fragments", "2");
    options.put("exchange.average-updater", "false");
    options.put("exchange.codec.feedback", "top-k");

    assertThat(problems())
        .satisfiesExactlyInAnyOrder(
            problem -> assertThat(problem).startsWith("snapshot.directory is missing"),
            problem -> assertThat(problem).startsWith("drift.reaction has more-rounds and"));
  }

  @Test
  void eachFragmentNeedsAStepMomentsOfOneRoundAndItsOwnWay() {
    options.put("exchange.fragments", "4");
    options.put("exchange.combine", "process");

    assertThat(problems())
        .satisfiesExactly(
            problem ->
                assertThat(problem)
                    .startsWith("exchange.fragments is '4' and exchange.local-steps is '3': "),
            problem ->
                assertThat(problem)
                    .startsWith("exchange.fragments is '4' and exchange.average-updater is 'true'"),
            problem ->
                assertThat(problem)
                    .startsWith("exchange.fragments is '4' and exchange.combine is 'process'"));

    options.remove("exchange.combine");
    options.put("exchange.average-updater", "false");
    options.put("exchange.interval", "2 s");
    assertThat(problems()).isEmpty();
    options.remove("exchange.interval");
    options.put("exchange.local-steps", "4");
    assertThat(problems()).isEmpty();
    options.remove("exchange.local-steps");
    options.put("exchange.preset", "low-communication");
    assertThat(problems()).isEmpty();
  }

  @Test
  void allProblemsAreListedAtOnce() {
    options.put("batch.size", "-1");
    options.put("model.nam", "mlp");
    options.put("exchange.local-steps", "often");

    InvalidOptionsException failure = failure();

    assertThat(failure.problems()).hasSize(3);
    assertThat(failure)
        .hasMessageContainingAll("3 options are wrong", "batch.size", "model.nam", "often");
  }

  @Test
  void whatIsRequiredIsNamedWhenItIsMissing() {
    options.clear();

    assertThat(problems())
        .anySatisfy(p -> assertThat(p).startsWith("kafka.bootstrap.servers is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("input.features is missing"))
        .anySatisfy(p -> assertThat(p).startsWith("input.outputs is missing"))
        .contains(
            "None of input.topics, input.topic-pattern is set; give exactly one, such as"
                + " input.topics: payments")
        .contains(
            "None of model.name, model.configuration, model.archive is set; give exactly one, such"
                + " as model.name: mlp")
        .hasSize(5);
  }

  @Test
  void segmentsAndOlderModelsSuitTheRest() {
    options.put("evaluation.segments", "class");
    options.put("input.target", "regression");
    options.put("forgetting.older-model", "periodic");

    assertThat(problems())
        .anySatisfy(
            p ->
                assertThat(p)
                    .isEqualTo(
                        "evaluation.segments is 'class', and examples have no class each; take"
                            + " period"))
        .anySatisfy(p -> assertThat(p).startsWith("forgetting.every is missing"));

    options.put("forgetting.older-model", "drift");
    assertThat(problems())
        .anySatisfy(
            p -> assertThat(p).startsWith("forgetting.older-model is 'drift', and nothing"));
  }

  @Test
  void aRegistryNeedsItsModelAndAPlaceThatItTakesAsASource() {
    options.put("mlflow.url", "http://mlflow:5000");
    assertThat(problems()).singleElement().asString().contains("belong together");

    options.put("mlflow.model", "digits");
    options.put("snapshot.directory", "s3://bucket/models");
    assertThat(problems()).isEmpty();

    for (String path : List.of("/mnt/models", "models", "file:///mnt/models")) {
      options.put("snapshot.directory", path);
      assertThat(problems())
          .singleElement()
          .asString()
          .contains("snapshot.directory is '" + path + "'", "takes no path", "s3://bucket/models");
    }
  }

  @Test
  void alternativesExcludeEachOther() {
    options.put("input.topic-pattern", "ex.*");
    options.put("model.archive", "/nowhere.zip");
    options.put("evaluation.holdout", "idx:somewhere");

    assertThat(problems())
        .containsExactlyInAnyOrder(
            "input.topics and input.topic-pattern are both set; give exactly one of input.topics,"
                + " input.topic-pattern",
            "model.name and model.archive are both set; give exactly one of model.name,"
                + " model.configuration, model.archive",
            "model.archive is '/nowhere.zip'; there is no such readable file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          input.outputs=1                                   | at least 2 classes
          input.classes=up;down                         | names 2 classes and input.outputs is '10'
          input.classes=a;b;c;d;e;f;g;h;i;a             | names a class twice
          input.classes=a;b;c;d;e;f;g;h;i;j input.target=regression | must be classification
          input.features=785                                | no square image
          model.image=28;28                                 | must be height;width;channels
          model.image=28;28;3                               | product is input.features, '784'
          dead-letter.topic=examples                        | which is an input topic too
          metrics.topic=examples                            | which is an input topic too
          output.guarantee=exactly-once kafka.group.id=g | acts only with dead-letter.topic
          output.guarantee=exactly-once dead-letter.topic=d | kafka.group.id is missing
          input.start=group-offsets                         | kafka.group.id is missing
          output.guarantee=exactly-once dead-letter.topic=d kafka.group.id=g execution.checkpointing.interval=0 | execution.checkpointing.interval is '0'
          input.bounded=true input.start=latest             | no record lies between
          """)
  void optionsThatContradictEachOtherAreRefused(String changes, String message) {
    for (String change : changes.split(" ", -1)) {
      String[] keyAndValue = change.split("=", 2);
      options.put(keyAndValue[0], keyAndValue[1]);
    }

    assertThat(problems()).singleElement().asString().contains(message);
  }

  @Test
  void aPatternMustNotReadTheJobsOwnTopics() {
    options.remove("input.topics");
    options.put("input.topic-pattern", "ex.*");
    options.put("dead-letter.topic", "ex-rejected");

    assertThat(problems()).singleElement().asString().contains("dead-letter.topic", "input topic");
  }

  private List<String> problems() {
    InvalidOptionsException failure = failure();
    return failure == null ? List.of() : failure.problems();
  }

  private InvalidOptionsException failure() {
    return catchThrowableOfType(
        InvalidOptionsException.class,
        () ->
            JobOptions.check(
                JobKind.TRAINING, OptionReader.configuration(options), new Configuration()));
  }
}
