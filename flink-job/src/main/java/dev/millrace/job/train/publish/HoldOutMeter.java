package dev.millrace.job.train.publish;

import dev.millrace.model.DeviceRequest;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import java.io.IOException;
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

  @Override
  public void close() {
    if (replica != null) {
      replica.close();
    }
  }
}
