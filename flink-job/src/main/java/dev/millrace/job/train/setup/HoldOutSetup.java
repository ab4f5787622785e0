package dev.millrace.job.train.setup;

import dev.millrace.example.FormatSettings;
import dev.millrace.example.LagSettings;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.file.FieldTable;
import dev.millrace.file.LaggedSequence;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.publish.HoldOutSource;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicExamples;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdRows;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** The hold-out set that the options name, checked against the job's examples. */
public final class HoldOutSetup {

  /** Share of the records that is held out of training for measurements by segment. */
  private static final double SEGMENTS_SHARE = 0.01;

  /** Records of a partition that make up a period. */
  private static final long SEGMENTS_PERIOD = 10_000;

  /** Most examples of a segment that are kept. */
  private static final int SEGMENTS_SIZE = 200;

  private HoldOutSetup() {}

  /**
   * Null where there is none.
   *
   * @throws InvalidOptionsException if a set of files can't be read, or its examples are of another
   *     shape, or examples have ids and no place has rows; a topic is checked with the job's others
   */
  public static HoldOutSource of(Configuration options, InputSetup input) {
    Optional<RowPlace> rows = RowPlace.of(options);
    requireRows(options, input.shape(), rows.isPresent());
    HoldOutSource set = set(options, input);
    return set == null || input.shape().columns().ids().isEmpty()
        ? set
        : new SetWithRows(set, rows.orElseThrow());
  }

  /** A set that is read once the rows of its ids are there; they are closed with it. */
  record SetWithRows(HoldOutSource set, RowPlace rows) implements HoldOutSource {

    @Override
    public HoldOut read() throws IOException {
      // They may not be there yet: then nothing of the set is read.
      ServedRows opened = rows.open();
      try {
        return set.read().with(opened);
      } catch (IOException | RuntimeException | Error e) {
        opened.close();
        throw e;
      }
    }
  }

  private static HoldOutSource set(Configuration options, InputSetup input) {
    if (EvaluationOptions.holdOutTopic(options).isPresent()) {
      return ofTopic(topic(options, input), input.deserializer(), input.shape(), input.lags());
    }
    return options
        .getOptional(EvaluationOptions.HOLDOUT)
        .map(spec -> ofFiles(options, spec, input.shape()))
        .orElse(null);
  }

  private static void requireRows(
      Configuration options, ExampleShape shape, boolean publishesRows) {
    boolean holdsOut = options.contains(EvaluationOptions.HOLDOUT) || segments(options).isOn();
    if (holdsOut && !publishesRows) {
      IdRows.problem(
              shape,
              "What is held out",
              "give rows.topic or rows.files, where training publishes them")
          .ifPresent(
              problem -> {
                throw new InvalidOptionsException(List.of(problem));
              });
    }
  }

  /** The hold-out topic: as the input, but read from its first record to its last. */
  static SourceSettings topic(Configuration options, InputSetup input) {
    return SourceSettings.of(
            input.cluster(),
            Topics.named(List.of(EvaluationOptions.holdOutTopic(options).orElseThrow())))
        .inGroup(KafkaOptions.group(options, "-holdout"))
        .bounded(true);
  }

  private static HoldOutSource ofTopic(
      SourceSettings topic,
      ExampleDeserializer deserializer,
      ExampleShape shape,
      LagSettings lags) {
    return () -> {
      try (ExampleSequence examples =
          LaggedSequence.of(
              TopicExamples.open(topic, deserializer, shape, InputSetup.CHECK_LIMIT),
              shape,
              lags)) {
        return HoldOut.read(examples);
      }
    };
  }

  private static HoldOutSource ofFiles(Configuration options, String spec, ExampleShape all) {
    ExampleShape shape = all.ofRecords();
    LagSettings lags = LagOptions.settings(options);
    try {
      // Where it is measured is another directory.
      String source = DataSpec.parse(spec).absolute().toString();
      if (InputFields.areGiven(options)) {
        FieldTable table = InputFields.table(options, shape);
        readFields(source, table, all, lags);
        return () -> readFields(source, table, all, lags);
      }
      FormatSettings settings = CsvOptions.settings(options);
      ExampleSet set = DataSpec.parse(source).openFor(shape, settings);
      FormatSettings found = settings.withClassNames(set.classes());
      if (!set.shape().structure().equals(shape.structure())) {
        throw problem(
            spec,
            "holds arrays of features, and the job's examples are sequences, or for several inputs"
                + " and outputs; name a topic by topic:NAME");
      }
      if (!set.shape().equals(shape)) {
        throw problem(
            spec,
            "has %s features and %s outputs (%s), the job's examples %s and %s (%s)"
                .formatted(
                    set.shape().features(),
                    set.shape().outputs(),
                    set.shape().target(),
                    shape.features(),
                    shape.outputs(),
                    shape.target()));
      }
      // All of it: a row that is no example would stop every measurement.
      read(source, found, all, lags);
      return () -> read(source, found, all, lags);
    } catch (IOException | IllegalArgumentException e) {
      throw problem(spec, "can't be read: " + Reason.of(e));
    }
  }

  private static HoldOut read(
      String source, FormatSettings settings, ExampleShape shape, LagSettings lags)
      throws IOException {
    ExampleSet set = DataSpec.parse(source).openFor(shape.ofRecords(), settings);
    try (ExampleSequence examples = LaggedSequence.of(open(set), shape, lags)) {
      return HoldOut.read(examples);
    }
  }

  private static HoldOut readFields(
      String source, FieldTable table, ExampleShape shape, LagSettings lags) throws IOException {
    ExampleSet set = DataSpec.parse(source).openFields(table);
    try (ExampleSequence examples = LaggedSequence.of(open(set), shape, lags)) {
      return HoldOut.read(examples);
    }
  }

  /** The hold-out part of the data; all of it where it has no such part of its own. */
  private static ExampleSequence open(ExampleSet set) throws IOException {
    ExampleSequence holdOut = set.holdOut();
    if (holdOut.count() != 0) {
      return holdOut;
    }
    holdOut.close();
    return set.training();
  }

  private static InvalidOptionsException problem(String spec, String what) {
    return new InvalidOptionsException(
        List.of("%s '%s' %s".formatted(EvaluationOptions.HOLDOUT.key(), spec, what)));
  }

  /** Returns where segments have rows of ids; null where they need none. */
  static RowPlace rowsOfSegments(Configuration options, ExampleShape shape) {
    return segments(options).isOn() && !shape.columns().ids().isEmpty()
        ? RowPlace.of(options).orElseThrow()
        : null;
  }

  /** Says which examples of the stream are held out, to measure models by segments. */
  static SegmentRule segments(Configuration options) {
    Kind kind =
        switch (options.get(EvaluationOptions.SEGMENTS)) {
          case NONE -> Kind.NONE;
          case CLASS -> Kind.CLASS;
          case PERIOD -> Kind.PERIOD;
        };
    return kind == Kind.NONE
        ? SegmentRule.NONE
        : new SegmentRule(kind, SEGMENTS_SHARE, SEGMENTS_PERIOD, SEGMENTS_SIZE);
  }
}
