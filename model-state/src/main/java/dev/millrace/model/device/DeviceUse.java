package dev.millrace.model.device;

import java.util.Objects;

/**
 * What a replica has used of its device so far.
 *
 * @param device such as {@code cpu} or {@code cuda:0}; empty where the engine doesn't tell
 * @param computeNanos in which the device computed its steps
 * @param copyNanos in which minibatches and predictions were copied to the device and from it. A
 *     GPU copies while it computes
 * @param memoryBytes that the replica holds there at least: the model, its gradients and
 *     minibatches
 */
public record DeviceUse(String device, long computeNanos, long copyNanos, long memoryBytes) {

  /** The use of an engine that doesn't tell. */
  public static final DeviceUse UNKNOWN = new DeviceUse("", 0, 0, 0);

  public DeviceUse {
    Objects.requireNonNull(device, "device");
  }
}
