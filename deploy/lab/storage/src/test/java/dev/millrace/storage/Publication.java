package dev.millrace.storage;

import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a job publishes in one place, and what follows it there; without the jobs. */
final class Publication implements AutoCloseable {

  /** About 400 kB as an archive. */
  private static final ExampleShape SHAPE = new ExampleShape(10_000, 10, Target.CLASSIFICATION);

  private static final ModelEngine ENGINE = ModelEngine.named("dl4j");
  private static final InitialModel MODEL =
      ENGINE.define(
          new ModelDefinition.BuiltIn(
              "linear", SHAPE, List.of(), List.of(), "sgd", 0.1, 0.9, 0, 1));

  private final SnapshotWriter writer;
  private final SnapshotFeed feed;

  Publication(String place) throws IOException {
    this.feed = ModelDirectory.of(place, false).open();
    this.writer = writer(place);
  }

  static SnapshotWriter writer(String place) throws IOException {
    return new SnapshotWriter(
        SnapshotPlace.of(place).open(),
        ENGINE,
        Optional.empty(),
        new Retention(2, 0, 0),
        InstantSource.system(),
        new Writers(List.of("one"), -1),
        Optional.empty());
  }

  /** Publishes model 0.{@code round}. */
  SnapshotDescription write(int round) throws IOException {
    SnapshotDescription written =
        writer.write(
            new GlobalModel(
                MODEL.spec(),
                new ModelVersion(0, round),
                round,
                MODEL.vector(),
                new FeatureStatistics(0),
                new Ledger(),
                Measures.NONE,
                new Lineage(null, Map.of())),
            Optional.empty());
    writer.sweep();
    return written;
  }

  void commit(int round) throws IOException {
    writer.commit(new ModelVersion(0, round), round);
  }

  /** The version of the model that a reader is given next, which is whole; empty if none is. */
  Optional<String> poll() throws IOException {
    return feed.poll().map(snapshot -> snapshot.description().version().toString());
  }

  @Override
  public void close() throws IOException {
    feed.close();
  }
}
