package dev.millrace.dl4j.run;

import dev.millrace.job.models.LocatedModel;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotCatalog;
import java.io.IOException;
import java.util.Optional;
import org.deeplearning4j.nn.api.Model;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has a network follow the models that a job publishes. */
final class NewestModel {

  private static final Logger LOG = LoggerFactory.getLogger(NewestModel.class);

  private final Model network;
  private final String models;
  private final NetworkState before;

  private String taken = "";

  /**
   * @param models directory that the job publishes in
   */
  NewestModel(Model network, String models) {
    this.network = network;
    this.models = models;
    this.before = NetworkState.copy(network);
  }

  /** Gives the network the newest model, if there is one that it hasn't. */
  void take() {
    try {
      Optional<String> newest =
          new SnapshotCatalog(SnapshotPlace.of(models).open())
              .pointer(Pointer.LATEST)
              .map(Pointer::archive);
      if (newest.isEmpty() || newest.get().equals(taken)) {
        return;
      }
      LocatedModel located = LocatedModel.find("the model", models + "/" + newest.get());
      NetworkState.take(network, ModelEngine.named("dl4j").readArchive(located.archive()));
      taken = newest.get();
    } catch (IOException | InvalidModelException e) {
      // Only the newest are kept, so it may be gone by now. The next round looks again.
      LOG.debug("The newest model can't be read, so listeners see the one before", e);
    }
  }

  /** Gives the network what it had before. */
  void takeBack() {
    before.giveTo(network);
  }
}
