package dev.millrace.job.common;

import dev.millrace.history.SavedHistory;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.kafka.source.SavedPartitions;
import dev.millrace.kafka.topic.SourceSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * Looks, before a job is submitted, at the place where one of its sources goes on from a savepoint:
 * whether it can, and which options have no effect there.
 *
 * @param uid of the source
 * @param bounded the option that ends it, and {@code start} the one that says where it begins
 */
public record ResumedInput(String uid, ConfigOption<Boolean> bounded, ConfigOption<String> start) {

  /**
   * Looks.
   *
   * @param options as they are in force
   * @return what a person should know
   * @throws IOException if the savepoint can't be read
   * @throws InvalidOptionsException if options and savepoint don't go together
   * @throws dev.millrace.kafka.KafkaAccessException if a topic is another one than it was, or can't
   *     be looked at
   */
  public List<String> check(Resumption resumption, Configuration options, SourceSettings settings)
      throws IOException {
    SavedPartitions saved =
        SavedPartitions.read(SavedHistory.read(resumption.states().splits(uid)).live());
    return saved.isEmpty() ? List.of() : check(resumption.path(), saved, options, settings);
  }

  private List<String> check(
      String savepoint, SavedPartitions saved, Configuration options, SourceSettings settings) {
    if (saved.areBounded() && !settings.bounded()) {
      throw new InvalidOptionsException(
          List.of(
              ("%s is 'false', and %s is of a job where it was 'true': partitions that had come to"
                      + " their end aren't in it any more, and nobody would read on in them. Set it to"
                      + " 'true', or start without the savepoint")
                  .formatted(bounded.key(), savepoint)));
    }
    List<String> told = new ArrayList<>(saved.changes(settings, InputSetup.CHECK_LIMIT));
    if (saved.areBounded()) {
      told.add(
          ("%s ends the job where the one of the savepoint was to end: at offsets that were the"
                  + " latest when that one started")
              .formatted(bounded.key()));
    }
    options
        .getOptional(start)
        .ifPresent(
            where ->
                told.add(
                    ("%s is '%s', and has no effect on partitions that the savepoint tells of: they"
                            + " go on where it was in them")
                        .formatted(start.key(), where)));
    saved
        .without(settings.topics())
        .forEach(
            topic ->
                told.add(
                    ("The savepoint's job read the topic '%s', and this one doesn't. Its place"
                            + " there is kept, should it be named again")
                        .formatted(topic)));
    return told;
  }
}
