package dev.millrace.simulate.job;

import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.train.publish.ReleaseSettings;
import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.snapshot.Retention;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The models that jobs of a run publish to one place, and the person who looks after them. */
final class Models {

  /** So many stay; in other runs all of them. */
  private static final int FEW = 5;

  /** Hears what is written. */
  interface Writers {

    void wrote(WrittenFile file);

    void wroteBySecond(WrittenFile file);

    void putBack(String file);

    void sent(SimulatedModelTopic topic);

    /** A person has put a model back, and nobody is at the place. */
    void held(ModelPlace place);
  }

  private final Chance chance;
  private final String location;
  private final Writers writers;
  private final int stay;
  private final ModelPlace place;
  private final ModelTopics topics;
  private final List<MemoryStore> stores = new ArrayList<>();
  private final Person person;

  /**
   * @param location that no other run has
   * @param defect of what jobs write
   */
  Models(Timeline timeline, Chance chance, String location, Defect defect, Writers writers) {
    this.chance = chance;
    this.location = location;
    this.writers = writers;
    this.stay = chance.at("retention").says(0.5) ? FEW : Integer.MAX_VALUE;
    this.place = new ModelPlace(timeline, this::quiet);
    this.topics = new ModelTopics(place, chance.at("topic"), writers::sent);
    this.person =
        new Person(
            timeline,
            place,
            store("person", Defect.NONE, file -> writers.putBack(file.name())),
            topics);
    MemoryStores.add(location, store("store", defect, this::wrote));
    MemoryStores.add(ofSecond(), store("second", defect, writers::wroteBySecond));
  }

  /** Opens the place for one of those who are at it. */
  private MemoryStore store(String user, Defect wrong, Consumer<WrittenFile> written) {
    MemoryStore store = new MemoryStore(place, chance.at(user), location, wrong, written);
    stores.add(store);
    return store;
  }

  /** Returns the name by which a second job finds the same place. */
  private String ofSecond() {
    return location + "/second";
  }

  private void wrote(WrittenFile file) {
    person.seesFile();
    writers.wrote(file);
  }

  private void quiet() {
    if (person.holdsUndisturbed()) {
      writers.held(place);
    }
  }

  /** Returns how a job publishes here: the second of two to the place alone. */
  ReleaseSettings release(boolean second) {
    return new ReleaseSettings(
        new SnapshotPlace(second ? ofSecond() : location),
        null,
        new Retention(stay, 0, 0),
        second ? List.of() : topics.ofJob(),
        null,
        null);
  }

  ModelPlace place() {
    return place;
  }

  Person person() {
    return person;
  }

  /** Nothing more is written. */
  void end() {
    MemoryStores.remove(location);
    MemoryStores.remove(ofSecond());
    person.end();
  }

  /** Nobody is left who writes. */
  void close() {
    stores.forEach(MemoryStore::close);
  }
}
