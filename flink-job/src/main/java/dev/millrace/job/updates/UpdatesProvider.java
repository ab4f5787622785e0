package dev.millrace.job.updates;

import dev.millrace.job.follow.UpdatePlace;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.UpdateOptions;
import dev.millrace.snapshot.TrustedKeys;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Found by {@link UpdatePlace#of}. */
public final class UpdatesProvider implements UpdatePlace.Provider {

  @Override
  public Optional<UpdatePlace> place(Configuration options, TrustedKeys keys) {
    if (!options.contains(UpdateOptions.TOPIC)) {
      return Optional.empty();
    }
    if (!options.contains(KafkaOptions.BOOTSTRAP_SERVERS)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is given, and %s is missing; it must be host:port"
                  .formatted(UpdateOptions.TOPIC.key(), KafkaOptions.BOOTSTRAP_SERVERS.key())));
    }
    return Optional.of(
        new UpdatesOfTopic(KafkaOptions.cluster(options), options.get(UpdateOptions.TOPIC), keys));
  }
}
