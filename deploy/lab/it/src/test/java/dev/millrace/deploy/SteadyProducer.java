package dev.millrace.deploy;

import dev.millrace.digits.Digits;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Sends drawn digits to a topic at a steady rate until it is closed. */
final class SteadyProducer implements AutoCloseable {

  private static final int MORE_THAN_ANY_TEST_TAKES = 10_000_000;

  private final Thread thread;
  private final CompletableFuture<Long> sent = new CompletableFuture<>();
  private volatile boolean ended;

  private SteadyProducer(KafkaCluster kafka, String topic, double examplesASecond) {
    this.thread =
        new Thread(
            () -> {
              try {
                sent.complete(send(kafka, topic, examplesASecond));
              } catch (Exception e) {
                sent.completeExceptionally(e);
              }
            },
            "producer-" + topic);
  }

  static SteadyProducer start(KafkaCluster kafka, String topic, double examplesASecond) {
    SteadyProducer producer = new SteadyProducer(kafka, topic, examplesASecond);
    producer.thread.start();
    return producer;
  }

  private long send(KafkaCluster kafka, String topic, double examplesASecond) throws Exception {
    ExampleSet digits = new Digits(MORE_THAN_ANY_TEST_TAKES, 2).open();
    ExampleFormat format = ExampleFormat.named("uint8", digits.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = new UntilTheEnd(digits.training());
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      return producer.send(examples, Rate.perSecond(examplesASecond), Long.MAX_VALUE, soFar -> {});
    }
  }

  /** Ends it, and returns how many examples it has sent; brokers have all of them. */
  long end() {
    ended = true;
    return sent.join();
  }

  @Override
  public void close() {
    end();
  }

  /** Ends with the producer, which then waits for what is under way. */
  private final class UntilTheEnd implements ExampleSequence {

    private final ExampleSequence all;

    UntilTheEnd(ExampleSequence all) {
      this.all = all;
    }

    @Override
    public ExampleShape shape() {
      return all.shape();
    }

    @Override
    public boolean next(Example into) throws IOException {
      return !ended && all.next(into);
    }

    @Override
    public void close() throws IOException {
      all.close();
    }
  }
}
