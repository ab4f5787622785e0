package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelRuntime;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import java.io.IOException;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says who predicts with each model: another runtime where one is there and predicts as the model's
 * engine does, else the engine. It says in the log when that changes, and why.
 *
 * <p>Belongs to the thread of the watch, but for its making and its end.
 */
final class ModelOpener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ModelOpener.class);
  private static final String CPU = "cpu";

  private final PredictionRuntime wanted;
  private final DeviceRequest device;
  private final Optional<ModelRuntime> runtime;

  /**
   * Whether the runtime predicts with the last model, as the log has it; empty before the first.
   */
  private Optional<Boolean> byRuntime = Optional.empty();

  /**
   * @param device that engines compute on
   * @throws IOException if a runtime is asked for and isn't there, saying what to do
   */
  ModelOpener(PredictionRuntime wanted, DeviceRequest device) throws IOException {
    this(wanted, device, find(wanted, device));
  }

  ModelOpener(PredictionRuntime wanted, DeviceRequest device, Optional<ModelRuntime> runtime) {
    this.wanted = wanted;
    this.device = device;
    this.runtime = runtime;
  }

  private static Optional<ModelRuntime> find(PredictionRuntime wanted, DeviceRequest device)
      throws IOException {
    boolean onGpu = wanted == PredictionRuntime.AUTO && device.kind() == DeviceRequest.Kind.CUDA;
    if (wanted == PredictionRuntime.ENGINE || onGpu) {
      return Optional.empty();
    }
    Optional<ModelRuntime> found;
    try {
      found = ModelRuntime.find();
    } catch (ServiceConfigurationError | LinkageError e) {
      LOG.warn("What predicts by ONNX Runtime can't be used", e);
      found = Optional.empty();
    }
    if (found.isEmpty() && wanted == PredictionRuntime.ONNX) {
      throw new IOException(
          "--runtime is onnx, and ONNX Runtime isn't on the class path: the jars of opt/onnx, which"
              + " bin/millrace adds for this command; where you start Java yourself, add"
              + " opt/onnx/*");
    }
    if (found.isEmpty()) {
      LOG.info(
          "The engine of each model predicts; ONNX Runtime would be faster with many networks, and"
              + " its jars, opt/onnx, aren't on the class path");
    }
    return found;
  }

  /**
   * Makes a model ready for requests. It is to be retired in the end.
   *
   * @throws InvalidModelException if only a runtime may predict, and it can't with this model
   * @throws UnusableEngineException if the engine can't work in this process
   */
  PredictingModel open(ServedModel model) {
    if (runtime.isEmpty()) {
      return PredictingModel.ofEngine(model);
    }
    try {
      RuntimeModel opened =
          runtime.get().open(model.spec(), model.parameters(), () -> replica(model));
      sayRuntime(model, opened.agreement());
      return PredictingModel.ofRuntime(model, opened);
    } catch (UnusableEngineException e) {
      throw e;
    } catch (RuntimeException e) {
      return withoutRuntime(model, Reason.of(e), e);
    } catch (Error e) {
      return withoutRuntime(model, InputErrors.reason(e), e);
    }
  }

  /** Returns a replica for a few predictions, on the kind of device that predictors have. */
  private ModelReplica replica(ServedModel model) {
    DeviceRequest guest =
        new DeviceRequest(
            device.names(), DeviceRequest.Use.GUEST, device.kind(), device.deterministic());
    ModelReplica replica = ModelEngine.named(model.spec().engine()).build(model.spec(), guest);
    try {
      String computes = replica.deviceUse().device();
      if (wanted == PredictionRuntime.AUTO && !computes.isEmpty() && !computes.equals(CPU)) {
        throw new InvalidModelException("its engine computes on %s".formatted(computes));
      }
      replica.write(0, model.parameters(), 0, model.parameters().length);
      return replica;
    } catch (RuntimeException | Error e) {
      replica.close();
      throw e;
    }
  }

  private PredictingModel withoutRuntime(ServedModel model, String why, Throwable cause) {
    String name = runtime.orElseThrow().name();
    if (wanted == PredictionRuntime.ONNX) {
      throw new InvalidModelException(
          "%s can't predict with it: %s; --runtime engine has its engine predict"
              .formatted(name, why),
          cause);
    }
    if (byRuntime.equals(Optional.of(false))) {
      LOG.debug("{} can't predict with model {}: {}", name, model.version(), why);
    } else {
      LOG.warn(
          "The engine {} predicts with model {} and those that follow, since {} can't: {}",
          model.spec().engine(),
          model.version(),
          name,
          why);
    }
    byRuntime = Optional.of(false);
    return PredictingModel.ofEngine(model);
  }

  private void sayRuntime(ServedModel model, Agreement agreement) {
    if (!byRuntime.equals(Optional.of(true))) {
      LOG.info(
          "{} predicts with model {} and those that follow; of {} random examples it differs from"
              + " the engine {} by {} at most",
          runtime.orElseThrow().name(),
          model.version(),
          agreement.rows(),
          model.spec().engine(),
          agreement.difference());
    }
    byRuntime = Optional.of(true);
  }

  /** All models that it has opened are retired by now. */
  @Override
  public void close() {
    runtime.ifPresent(ModelRuntime::close);
  }
}
