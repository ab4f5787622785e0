package dev.millrace.job.train.publish;

import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.snapshot.HoldOutResult;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures models on the hold-out set, which is read when the first one is measured.
 *
 * <p>Belongs to the thread that measures first.
 */
final class HoldOutMeter implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HoldOutMeter.class);

  private final HoldOutSource source;
  private final ModelSpec spec;
  private final DeviceRequest device;
  private HoldOut holdOut;
  private ModelReplica replica;

  private ModelVersion servedOrNull;

  /** What the served model is on this set, measured once. */
  private Optional<Quality> qualityOfServed = Optional.empty();

  /** Whether it was said that examples are left out. */
  private boolean saidUnusable;

  HoldOutMeter(HoldOutSource source, ModelSpec spec, DeviceRequest device) {
    this.source = source;
    this.spec = spec;
    this.device = device;
  }

  /**
   * @throws IOException if the hold-out set can't be read; it is tried again the next time
   */
  Measures measure(GlobalModel model) throws IOException {
    if (holdOut == null) {
      holdOut = source.read();
      LOG.info("The hold-out set has {} examples", holdOut.size());
    }
    if (replica == null) {
      replica = ModelEngine.named(spec.engine()).build(spec, device);
    }
    Measures measures = holdOut.evaluate(model, replica);
    if (holdOut.unusable().isPresent() && !saidUnusable) {
      saidUnusable = true;
      LOG.warn(
          "Examples of the hold-out set that the model can't compute with don't count. The first of"
              + " them: {}",
          holdOut.unusable().get());
    }
    return measures;
  }

  /**
   * Returns the result of a model that was just measured, and what it is compared by with the
   * served one.
   */
  HoldOutResult result(Measures measures) {
    return new HoldOutResult(quality(measures), this::ofServed);
  }

  private Quality quality(Measures measures) {
    return Quality.of(spec.shape().target(), measures).onSet(holdOut.checksum());
  }

  private Optional<Quality> ofServed(SnapshotDescription served, SnapshotStore store) {
    if (!served.version().equals(servedOrNull)) {
      qualityOfServed = measuredAnew(served, store);
      servedOrNull = served.version();
    }
    return qualityOfServed;
  }

  private Optional<Quality> measuredAnew(SnapshotDescription served, SnapshotStore store) {
    try {
      Path copy = TemporaryFiles.file("millrace-", "-" + served.archive());
      try (InputStream archive = store.read(served.archive())) {
        Files.copy(archive, copy, StandardCopyOption.REPLACE_EXISTING);
        InitialModel model =
            ModelEngine.named(served.engine())
                .define(new ModelDefinition.Archive(copy, holdOut.shape()));
        Quality quality = quality(holdOut.evaluate(model, device));
        LOG.info(
            "Model {}, which is served, was measured anew: its measures were of another hold-out"
                + " set, or it had none",
            served.version());
        return Optional.of(quality);
      } finally {
        Files.deleteIfExists(copy);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Model {}, which is served, can't be measured on this hold-out set, and its measures are"
              + " of another or none. So models aren't compared with it: the next one that can be"
              + " measured is served",
          served.version(),
          e);
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
    }
    if (holdOut != null) {
      holdOut.close();
    }
  }
}
