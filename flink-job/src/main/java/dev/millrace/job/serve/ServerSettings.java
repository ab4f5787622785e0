package dev.millrace.job.serve;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.device.DeviceRequest;
import java.time.Duration;
import java.util.Objects;

/**
 * All that a server of predictions is told.
 *
 * @param name that clients call the model by
 * @param models where the served models come from
 * @param poll time between two looks for a new model
 * @param device what predictions are computed on
 * @param runtime what predicts
 */
public record ServerSettings(
    String name,
    ModelPlace models,
    Duration poll,
    DeviceRequest device,
    PredictionRuntime runtime,
    Endpoint endpoint,
    Batching batching,
    Limits limits) {

  public ServerSettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(models, "models");
    Objects.requireNonNull(poll, "poll");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(runtime, "runtime");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(batching, "batching");
    Objects.requireNonNull(limits, "limits");
  }
}
