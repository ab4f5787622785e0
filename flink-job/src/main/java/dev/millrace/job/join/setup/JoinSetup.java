package dev.millrace.job.join.setup;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.fields.FieldPath;
import dev.millrace.job.common.CheckpointSetup;
import dev.millrace.job.common.DiskState;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.common.JobPart;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.common.ResumedInput;
import dev.millrace.job.common.Resumption;
import dev.millrace.job.join.JoinBounds;
import dev.millrace.job.join.JoinOperators;
import dev.millrace.job.join.JoinReader;
import dev.millrace.job.join.JoinRecord;
import dev.millrace.job.join.JoinSettings;
import dev.millrace.job.join.JoinSinks;
import dev.millrace.job.join.JoinTopology;
import dev.millrace.job.join.Labelling;
import dev.millrace.job.join.Negatives;
import dev.millrace.job.join.ReadingRule;
import dev.millrace.job.join.options.JoinOptions;
import dev.millrace.job.join.options.JoinedOptions;
import dev.millrace.job.join.options.SideFormat;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.Problems;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.RecordDeserializer;
import dev.millrace.kafka.sink.DeadLetterSink;
import dev.millrace.kafka.sink.KeyedTopic;
import dev.millrace.kafka.source.ExampleSource;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicCheck;
import dev.millrace.kafka.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A join, as options that have been checked say it. */
public final class JoinSetup {

  private static final Logger LOG = LoggerFactory.getLogger(JoinSetup.class);

  private static final String FEATURES_GROUP = "-join-features";
  private static final String LABELS_GROUP = "-join-labels";

  private static final String LABEL = "label";
  private static final String WEIGHT = "weight";

  /** How much later than its record's timestamp, and than the clock, a time may be. */
  private static final Duration AHEAD = Duration.ofHours(1);

  /** A partition that has had nothing for so long isn't waited for. */
  private static final Duration IDLE_AFTER = Duration.ofMinutes(1);

  private static final List<JobPart> PARTS =
      List.of(
          new JobPart(
              "dead letters",
              DeadLetterOptions.TOPIC.key(),
              options -> options.contains(DeadLetterOptions.TOPIC),
              List.of(JoinOperators.DEAD_LETTERS)));

  private final Configuration options;
  private final List<String> warnings;
  private final KafkaCluster cluster;

  /** Sets up a join of options that are known to be right; topics aren't looked at. */
  public JoinSetup(CheckedOptions checked) {
    this.options = checked.values();
    this.warnings = new ArrayList<>(checked.warnings());
    this.cluster = KafkaOptions.cluster(options);
  }

  /** Options that have no effect in this job, each with the reason. */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * Asks the cluster whether all topics can be used, and whether it takes the transactions; and a
   * registry that is needed whether it answers.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  public void checkTopics() {
    TopicCheck.exists(source(JoinOptions.FEATURES, FEATURES_GROUP), InputSetup.CHECK_LIMIT);
    TopicCheck.exists(source(JoinOptions.LABELS, LABELS_GROUP), InputSetup.CHECK_LIMIT);
    features().requirePrerequisites(InputSetup.CHECK_LIMIT);
    labels().requirePrerequisites(InputSetup.CHECK_LIMIT);
    List<String> aside = options.getOptional(DeadLetterOptions.TOPIC).stream().toList();
    List<String> outputs = new ArrayList<>(aside);
    outputs.add(options.get(JoinedOptions.OUTPUT));
    TopicCheck.outputs(cluster, outputs, InputSetup.CHECK_LIMIT);
    TopicCheck.keyless(cluster, aside, InputSetup.CHECK_LIMIT);
    TopicCheck.transactions(
        cluster, JoinOptions.transactionTimeout(options), InputSetup.CHECK_LIMIT);
  }

  /** Has the environment run the job. */
  public void build(StreamExecutionEnvironment environment) {
    build(environment, FaultInjector.NONE);
  }

  /** Has the environment run the join, with faults, for tests. */
  public void build(StreamExecutionEnvironment environment, FaultInjector faults) {
    CheckpointSetup.apply(options, environment);
    warnings.addAll(resume(environment.getConfiguration(), Problems.THROWN, LOG::info));
    DiskState.prefer(environment);
    new JoinTopology(settings(), faults)
        .build(
            environment,
            ExampleSource.of(source(JoinOptions.FEATURES, FEATURES_GROUP), features()),
            ExampleSource.of(source(JoinOptions.LABELS, LABELS_GROUP), labels()),
            sinks());
  }

  /**
   * Looks at the savepoint that the job is to go on from, where there is one.
   *
   * @param flink says whether there is
   * @param unread told why it can't be looked at
   * @return what a person should know
   */
  public List<String> resume(ReadableConfig flink, Problems problems, Consumer<String> unread) {
    return Resumption.check(
        flink,
        problems,
        unread,
        resumption -> JobPart.requireAll(PARTS, resumption, options),
        resumption ->
            input(JoinOperators.FEATURES)
                .check(resumption, options, source(JoinOptions.FEATURES, FEATURES_GROUP)),
        resumption ->
            input(JoinOperators.LABELS)
                .check(resumption, options, source(JoinOptions.LABELS, LABELS_GROUP)));
  }

  private static ResumedInput input(OperatorName source) {
    return new ResumedInput(source.uid(), InputOptions.BOUNDED, InputOptions.START);
  }

  private JoinSettings settings() {
    boolean negative = options.get(JoinedOptions.UNLABELLED) == JoinedOptions.Unlabelled.NEGATIVE;
    return new JoinSettings(
        new JoinBounds(options.get(JoinOptions.WITHIN), options.get(JoinOptions.BEFORE)),
        new Labelling(LABEL, weightOrNull()),
        negative
            ? new Negatives(
                Labelling.json(options.get(JoinedOptions.NEGATIVE_LABEL)),
                options.get(JoinedOptions.NEGATIVE_SAMPLE))
            : null,
        options.get(JoinOptions.OUT_OF_ORDER),
        IDLE_AFTER);
  }

  private String weightOrNull() {
    return options.get(JoinedOptions.NEGATIVE_SAMPLE) < 1 ? WEIGHT : null;
  }

  private RecordDeserializer<JoinRecord> features() {
    String weight = weightOrNull();
    return deserializer(
        SideFormat.FEATURES,
        new ReadingRule(
            path(JoinOptions.KEY),
            path(JoinOptions.TIME),
            AHEAD,
            null,
            weight == null ? List.of(LABEL) : List.of(LABEL, weight)));
  }

  private RecordDeserializer<JoinRecord> labels() {
    return deserializer(
        SideFormat.LABELS,
        new ReadingRule(
            path(either(JoinOptions.LABELS_KEY, JoinOptions.KEY)),
            path(either(JoinOptions.LABELS_TIME, JoinOptions.TIME)),
            AHEAD,
            FieldPath.of(options.get(JoinedOptions.LABEL)),
            List.of()));
  }

  private ConfigOption<String> either(ConfigOption<String> own, ConfigOption<String> common) {
    return options.contains(own) ? own : common;
  }

  private FieldPath path(ConfigOption<String> option) {
    return options.getOptional(option).map(FieldPath::of).orElse(null);
  }

  private RecordDeserializer<JoinRecord> deserializer(SideFormat format, ReadingRule rule) {
    return new RecordDeserializer<>(
        new JoinReader(format.objects(options), rule), JoinTopology.RECORDS);
  }

  private SourceSettings source(ConfigOption<List<String>> topics, String suffix) {
    return SourceSettings.of(cluster, Topics.named(options.get(topics)))
        .discoveringEvery(KafkaOptions.discovery(options))
        .failingOnLostRecords(
            options.get(InputOptions.ON_MISSING_OFFSETS) == InputOptions.MissingOffsets.FAIL)
        .onRecreatedTopic(options.get(InputOptions.ON_RECREATED_TOPIC))
        .inGroup(KafkaOptions.group(options, suffix))
        .startingAt(InputSetup.start(options.get(InputOptions.START)))
        .bounded(options.get(InputOptions.BOUNDED));
  }

  private JoinSinks sinks() {
    return new JoinSinks(
        new KeyedTopic(cluster, options.get(JoinedOptions.OUTPUT))
            .exactlyOnce(KafkaOptions.transactions(options, "-joined")),
        options
            .getOptional(DeadLetterOptions.TOPIC)
            .map(
                topic ->
                    DeadLetterSink.exactlyOnce(
                        cluster, topic, KafkaOptions.transactions(options, "-dead-letters")))
            .orElse(null));
  }
}
