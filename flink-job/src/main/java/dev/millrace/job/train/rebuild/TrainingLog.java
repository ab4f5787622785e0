package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.train.part.PartTopic;
import dev.millrace.job.train.part.rebuild.LogDirectory;
import dev.millrace.job.train.part.rebuild.LogFile;
import dev.millrace.job.train.part.rebuild.LogLine;
import dev.millrace.kafka.models.TopicProducer;
import dev.millrace.kafka.sink.OutputRecord;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A training log, wherever it is. */
interface TrainingLog {

  /**
   * Reads all entries, older ones first.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if a topic can't be read
   * @throws UncheckedIOException if a directory can't be read
   */
  void read(Consumer<LogEntry> reader);

  /** Adds entries. */
  void add(List<? extends LogEntry> entries);

  /**
   * Returns the one that an option names.
   *
   * @param limit for the cluster to answer
   */
  static TrainingLog of(String name, InputSetup input, Duration limit) {
    return PartTopic.isDirectory(name) ? new InFiles(name) : new InTopic(name, input, limit);
  }

  /** A log in a topic. */
  record InTopic(String topic, InputSetup input, Duration limit) implements TrainingLog {

    @Override
    public void read(Consumer<LogEntry> reader) {
      TopicValues.all(
          input.source(Topics.named(List.of(topic))),
          limit,
          value -> reader.accept(LogLine.read(value)));
    }

    @Override
    public void add(List<? extends LogEntry> entries) {
      List<OutputRecord> lines =
          entries.stream()
              .map(entry -> OutputRecord.of(topic, LogLine.key(entry), LogLine.write(entry)))
              .toList();
      try (TopicProducer producer =
          TopicProducer.open(input.cluster(), topic, "millrace-forget", "an entry")) {
        producer.sendAll(lines);
      }
    }
  }

  /** A log in a directory. */
  record InFiles(String location) implements TrainingLog {

    @Override
    public void read(Consumer<LogEntry> reader) {
      try {
        LogDirectory.open(location).read(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void add(List<? extends LogEntry> entries) {
      try {
        LogFile file = LogDirectory.open(location).begin();
        entries.forEach(file::add);
        LogFile unused = file.write();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
