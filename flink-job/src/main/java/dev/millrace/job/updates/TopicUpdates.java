package dev.millrace.job.updates;

import dev.millrace.job.follow.ModelUpdates;
import dev.millrace.job.follow.ServedModel;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds the updates of a topic, which a thread of its own reads. */
final class TopicUpdates implements ModelUpdates {

  private static final Logger LOG = LoggerFactory.getLogger(TopicUpdates.class);

  private final UpdatesOfTopic place;
  private final UpdateChain chain = new UpdateChain(System::nanoTime);
  private final UpdateReader reader;

  /** Why the last record was passed over; empty where it wasn't. */
  private String trouble = "";

  TopicUpdates(UpdatesOfTopic place) {
    this.place = place;
    this.reader = new UpdateReader(place);
  }

  @Override
  public Optional<ServedModel> follow(ServedModel whole, boolean held) {
    return chain.follow(whole, held);
  }

  @Override
  public Optional<ServedModel> await(Duration patience) {
    try {
      byte[] record = reader.records().poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      for (; record != null; record = reader.records().poll()) {
        take(record);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return chain.newest();
  }

  private void take(byte[] record) {
    try {
      UpdateEnvelope envelope = UpdateEnvelope.read(record);
      if (!place.keys().trustUpdate(envelope.update(), envelope.signature())) {
        throw new IOException("none of the trusted keys has signed it");
      }
      ModelUpdate update = ModelUpdate.read(envelope.update());
      trouble = "";
      chain.add(update);
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(trouble)) {
        LOG.warn("An update in {} is passed over, as are others like it: {}", place, why);
        trouble = why;
      }
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
