package dev.millrace.job.common;

import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.ModelOptions.Device;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** What checked options say of devices. */
public final class DeviceSetup {

  private DeviceSetup() {}

  /**
   * Requests a device for replicas that train, on any of the devices that their process may use.
   */
  public static DeviceRequest training(Configuration options) {
    return request(
        options, options.get(ModelOptions.DEVICE) == Device.EXCLUSIVE ? Use.EXCLUSIVE : Use.SHARED);
  }

  /** Requests a device for another use of the same kind of device. */
  public static DeviceRequest request(Configuration options, Use use) {
    Kind kind =
        switch (options.get(ModelOptions.DEVICE)) {
          case AUTO -> Kind.AUTO;
          case CPU -> Kind.CPU;
          case CUDA, EXCLUSIVE -> Kind.CUDA;
        };
    return new DeviceRequest(List.of(), use, kind, options.get(ModelOptions.DETERMINISTIC));
  }
}
