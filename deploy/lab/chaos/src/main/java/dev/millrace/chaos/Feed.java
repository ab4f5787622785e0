package dev.millrace.chaos;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.Rate;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends examples to a topic, on a thread of its own. */
final class Feed implements AutoCloseable {

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
    Feed feed = new Feed(workload, kafka, topic, seed, rate, most);
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
      throw new ChaosException("Examples couldn't be produced: " + e.getCause().getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
