package dev.millrace.model.device;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * Where a replica asks to be computed.
 *
 * @param names of the devices that this process may use, as the cluster names them: their numbers
 *     as the driver counts them, or their UUIDs; none for all that the engine sees
 * @param use how it shares the device that it gets
 * @param kind which kind of device it is to be
 * @param deterministic whether the same steps have to give the same bits on a GPU, too, at its
 *     price; on the processor they always do
 */
public record DeviceRequest(List<String> names, Use use, Kind kind, boolean deterministic)
    implements Serializable {

  /** Kinds of devices. */
  public enum Kind {
    /** A GPU where the engine can use one, else the processor. */
    AUTO,
    /** The processor, also where there are GPUs. */
    CPU,
    /** A GPU; the replica isn't built where there is none. */
    CUDA
  }

  /** How a replica shares its device with others of the process. */
  public enum Use {
    /** Shares a device with as few as possible; without a device on the processor. */
    SHARED,
    /** Shares its device with no other: the replica isn't built where no device is free. */
    EXCLUSIVE,
    /** It only predicts now and then, so it isn't counted: on a device that others train on. */
    GUEST
  }

  public DeviceRequest {
    names = List.copyOf(names);
    Objects.requireNonNull(use, "use");
    Objects.requireNonNull(kind, "kind");
  }

  /** Requests a device that computes as fast as it can; on a GPU bits may differ each time. */
  public DeviceRequest(List<String> names, Use use, Kind kind) {
    this(names, use, kind, false);
  }

  /** Requests a device of any kind. */
  public DeviceRequest(List<String> names, Use use) {
    this(names, use, Kind.AUTO);
  }

  /** Requests a device for models that are only looked at. */
  public static DeviceRequest guest() {
    return new DeviceRequest(List.of(), Use.GUEST);
  }

  /** Requests a device for training on any device that there is. */
  public static DeviceRequest any() {
    return new DeviceRequest(List.of(), Use.SHARED);
  }

  /** Returns the same request, for these devices alone. */
  public DeviceRequest among(List<String> devices) {
    return new DeviceRequest(devices, use, kind, deterministic);
  }
}
