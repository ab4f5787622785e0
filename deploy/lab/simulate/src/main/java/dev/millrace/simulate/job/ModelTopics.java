package dev.millrace.simulate.job;

import dev.millrace.job.train.publish.ModelTopicListener;
import dev.millrace.job.train.publish.ReleaseListener;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.simulate.time.Chance;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The topic that models go to beside their place, in some runs. It is slow and fails when the place
 * does.
 */
final class ModelTopics {

  private static final long MILLI = 1_000;

  private final ModelPlace place;
  private final Chance chance;
  private final Consumer<SimulatedModelTopic> listener;
  private final SimulatedModelTopic topicOrNull;

  /**
   * @param listener is told of each record
   */
  ModelTopics(ModelPlace place, Chance chance, Consumer<SimulatedModelTopic> listener) {
    this.place = place;
    this.chance = chance;
    this.listener = listener;
    this.topicOrNull = chance.says(0.3) ? new SimulatedModelTopic(new OfTopic()) : null;
  }

  /** Takes time, and may fail. */
  private final class OfTopic implements SimulatedModelTopic.Broker {

    @Override
    public void ask() {
      TimedFiber.take(chance.anyScale(MILLI, place.longest()));
      if (place.fails() && chance.says(0.5)) {
        throw new KafkaAccessException(
            "the broker fails", InjectedException.io("the broker doesn't answer"));
      }
    }

    @Override
    public void wrote(SimulatedModelTopic topic) {
      listener.accept(topic);
    }
  }

  /** Returns what tells the topic of a job's models. */
  List<ReleaseListener> ofJob() {
    return topicOrNull == null
        ? List.of()
        : List.of(new ModelTopicListener("models", () -> topicOrNull.open(false)));
  }

  /** A person has put a model back, or let go of it: the topic gets what is served now. */
  void tell(SnapshotStore store) throws IOException {
    Optional<SnapshotDescription> served = new SnapshotCatalog(store).described(Pointer.LATEST);
    if (topicOrNull != null && served.isPresent()) {
      try (ModelTopicListener person =
          new ModelTopicListener("models", () -> topicOrNull.open(true))) {
        person.released(served.get(), store);
      }
    }
  }
}
