package dev.millrace.job.follow;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdRows;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.flink.configuration.Configuration;

/** Where the rows of embedding tables are published; opened where predictions are made. */
public interface RowPlace extends Serializable {

  /** Finds a place in options. An optional part that is found by {@link ServiceLoader}. */
  interface Provider {

    /** Returns the place that options name. */
    Optional<RowPlace> place(Configuration options);

    /** Returns the place that is a topic, with a temporary copy, if it knows topics. */
    default Optional<RowPlace> place(KafkaCluster cluster, String topic) {
      return Optional.empty();
    }

    /** Returns the place that is a directory, with a temporary copy, if it knows directories. */
    default Optional<RowPlace> place(String location) {
      return Optional.empty();
    }
  }

  /**
   * Opens the rows, and waits until all are there that were published before.
   *
   * @throws IOException if they can't be had, saying what to do
   */
  ServedRows open() throws IOException;

  /** Returns the place as messages name it. */
  @Override
  String toString();

  /**
   * Refuses examples with ids where no place has rows.
   *
   * @param what has none, beginning a sentence: {@code An evaluation}
   * @throws InvalidModelException if there is a field of ids, naming it
   */
  static void requireNoNeed(ExampleShape shape, String what) {
    IdRows.problem(
            shape, what, "name the topic or the directory of rows, where training publishes them")
        .ifPresent(
            problem -> {
              throw new InvalidModelException(problem);
            });
  }

  /** Returns the place that is a topic, where there is the part that knows rows. */
  static Optional<RowPlace> ofTopic(KafkaCluster cluster, String topic) {
    return ServiceLoader.load(Provider.class, RowPlace.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().place(cluster, topic).stream())
        .findFirst();
  }

  /** Returns the place that is a directory, where there is the part that knows rows. */
  static Optional<RowPlace> ofDirectory(String location) {
    return ServiceLoader.load(Provider.class, RowPlace.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().place(location).stream())
        .findFirst();
  }

  /** Returns the place that options name, if there is one. */
  static Optional<RowPlace> of(Configuration options) {
    return ServiceLoader.load(Provider.class, RowPlace.class.getClassLoader()).stream()
        .flatMap(provider -> provider.get().place(options).stream())
        .findFirst();
  }
}
