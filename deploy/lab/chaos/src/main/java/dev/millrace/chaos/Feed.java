package dev.millrace.chaos;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.Rate;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends examples to a topic, on a thread of its own. */
final class Feed implements AutoCloseable {

  /** A broker that is killed beside busy processes takes half a minute to come back. */
  private static final Map<String, String> PATIENT =
      Map.of("delivery.timeout.ms", "600000", "max.block.ms", "600000");

  private final Thread thread;
  private final CompletableFuture<Void> sent = new CompletableFuture<>();

  private Feed(
      Workload workload, KafkaCluster kafka, String topic, long seed, Rate rate, long most) {
    this.thread =
        new Thread(
            () -> {
              try {
                workload.send(kafka, topic, seed, rate, most);
                sent.complete(null);
              } catch (IOException | RuntimeException e) {
                sent.completeExceptionally(e);
              }
            },
            "feed");
  }

  /**
   * Begins to send.
   *
   * @param seed of the examples
   * @param most examples to send; it may be ended before
   */
  static Feed start(
      Workload workload, KafkaCluster kafka, String topic, long seed, Rate rate, long most) {
    KafkaCluster patient = new KafkaCluster(kafka.bootstrapServers(), PATIENT);
    Feed feed = new Feed(workload, patient, topic, seed, rate, most);
    feed.thread.start();
    return feed;
  }

  /**
   * Ends it, or waits for the end of the data.
   *
   * @throws ChaosException if it has failed
   */
  void end(boolean atOnce) throws InterruptedException {
    if (atOnce) {
      thread.interrupt();
    }
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  /** Returns why it has failed, if it has: a job that has nothing to learn makes no rounds. */
  Optional<ChaosException> failure() {
    return sent.isCompletedExceptionally()
        ? Optional.of(failure(sent.handle((nothing, cause) -> cause).join()))
        : Optional.empty();
  }

  private static ChaosException failure(Throwable cause) {
    return new ChaosException("Examples couldn't be produced: " + cause.getMessage());
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
