package dev.millrace.job.train.part.rebuild;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.SideLoop;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.part.PartTopic;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.kafka.topic.TopicRetention;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Writes the training log, where there is a topic or a directory for it. */
public final class RebuildPart implements OptionalPart {

  @Override
  public OptionGroup options() {
    return RebuildOptions.GROUP;
  }

  @Override
  public boolean logs(Configuration options) {
    return options.contains(RebuildOptions.LOG);
  }

  @Override
  public List<ConfigOption<?>> ofWholeJobs() {
    return List.of(RebuildOptions.LOG);
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    Configuration options = rules.options();
    if (!logs(options)) {
      return;
    }
    String log = RebuildOptions.LOG.key();
    if (options.get(ModelOptions.GROW)) {
      rules.broken(
          "%s is set, and %s: a log doesn't tell how a model grew; leave one of them out"
              .formatted(log, ModelOptions.GROW.key()));
    }
    if (InputFields.haveIds(options)) {
      rules.broken(
          "%s is set, and fields are ids: rows of embedding tables are in no log; leave it out"
              .formatted(log));
    }
    if (options.get(InputOptions.ON_RECREATED_TOPIC) == RecreatedTopic.EARLIEST) {
      rules.broken(
          ("%s is set, and %s is 'earliest': a log names topics, and can't tell a topic from one that"
                  + " was made again under its name. Where none ever was, take another value; else"
                  + " give the new topic a name of its own, or leave one of them out")
              .formatted(log, InputOptions.ON_RECREATED_TOPIC.key()));
    }
  }

  @Override
  public Optional<PartTopic> topic() {
    // Each entry has a key of its own, so compaction removes none.
    return Optional.of(
        new PartTopic(RebuildOptions.LOG, "the training log", "an entry of it", 1, true, true));
  }

  @Override
  public List<String> leftovers(Configuration options) {
    return options
        .getOptional(RebuildOptions.LOG)
        .filter(PartTopic::isDirectory)
        .filter(RebuildPart::isUsed)
        .map(
            directory ->
                ("The directory '%s' has the training log of an earlier job. Where this one begins"
                        + " without state, of versions that both have only its own can be made"
                        + " again: name a directory that isn't there yet")
                    .formatted(directory))
        .stream()
        .toList();
  }

  private static boolean isUsed(String directory) {
    try {
      return LogDirectory.open(directory).isUsed();
    } catch (IOException e) {
      return false;
    }
  }

  /** The log keeps its entries for ever, and what they name may be gone before. */
  @Override
  public List<String> warnings(Configuration options) {
    return logs(options)
        ? forgetful(options).entrySet().stream().map(topic -> warning(topic, options)).toList()
        : List.of();
  }

  private static Map<String, String> forgetful(Configuration options) {
    try {
      return TopicRetention.ofThoseThatForget(
          new InputSetup(options, InputOptions.shape(options)).source(), InputSetup.CHECK_LIMIT);
    } catch (KafkaAccessException e) {
      return Map.of();
    }
  }

  private static String warning(Map.Entry<String, String> topic, Configuration options) {
    return ("%s is '%s', and the topic '%s' doesn't keep every record (%s): models that have learned one that is"
            + " gone can't be made again. Keep records as long as models are to be made again")
        .formatted(
            RebuildOptions.LOG.key(),
            options.get(RebuildOptions.LOG),
            topic.getKey(),
            topic.getValue());
  }

  @Override
  public Optional<SideLoop> loop(PartContext context) {
    return context
        .options()
        .getOptional(RebuildOptions.LOG)
        .map(
            log ->
                PartTopic.isDirectory(log)
                    ? new LogFiles(SnapshotPlace.of(log).location())
                    : new LogTopic(log));
  }
}
