package dev.millrace.model.device;

import dev.millrace.model.device.DeviceRequest.Use;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Deals devices out to the replicas of a process: each gets the one with the fewest holders, the
 * lowest number first. By a replica's index in its job it could not be done, because Flink puts
 * replicas into processes in any order: of three processes with two devices each, one may have the
 * replicas 1 and 3.
 *
 * <p>Thread-safe.
 */
public final class DevicePool {

  private static final class Device {
    int holders;
    boolean exclusive;
  }

  /** A device that was dealt out. */
  public final class Share implements DeviceLease {

    private final int device;
    private boolean held;

    private Share(int device, boolean held) {
      this.device = device;
      this.held = held;
    }

    public int device() {
      return device;
    }

    @Override
    public void close() {
      synchronized (devices) {
        if (held) {
          held = false;
          Device given = devices.get(device);
          given.holders--;
          given.exclusive = false;
        }
      }
    }
  }

  private final Map<Integer, Device> devices = new HashMap<>();

  /**
   * Deals out a device.
   *
   * @param allowed numbers of the devices that it may be; at least one
   * @throws NoFreeDeviceException if {@code use} is exclusive and all of them have holders, or if
   *     all of them are exclusively another's
   */
  public Share take(NavigableSet<Integer> allowed, Use use) {
    synchronized (devices) {
      int device =
          switch (use) {
            case GUEST -> hostOf(allowed);
            case SHARED ->
                leastHeld(allowed.stream().filter(d -> !device(d).exclusive).toList())
                    .orElseThrow(() -> noneFree(allowed));
            case EXCLUSIVE ->
                leastHeld(allowed.stream().filter(d -> device(d).holders == 0).toList())
                    .orElseThrow(() -> noneFree(allowed));
          };
      if (use == Use.GUEST) {
        return new Share(device, false);
      }
      device(device).holders++;
      device(device).exclusive = use == Use.EXCLUSIVE;
      return new Share(device, true);
    }
  }

  /**
   * Chooses the device of a guest: one whose memory and context are in use already, so that it
   * takes no further device.
   */
  private int hostOf(NavigableSet<Integer> allowed) {
    return allowed.stream()
        .filter(device -> device(device).holders > 0)
        .findFirst()
        .orElseGet(allowed::first);
  }

  /** The first of those that share the minimum. */
  private Optional<Integer> leastHeld(List<Integer> candidates) {
    return candidates.stream().min(Comparator.comparing(device -> device(device).holders));
  }

  private Device device(int number) {
    return devices.computeIfAbsent(number, any -> new Device());
  }

  private static NoFreeDeviceException noneFree(NavigableSet<Integer> allowed) {
    return new NoFreeDeviceException(
        ("No GPU is free for a replica: %s may be used in this process, %s, and each trains one"
                + " replica alone (device exclusive). Lower taskmanager.numberOfTaskSlots to the"
                + " number of GPUs, raise external-resource.gpu.amount, or let replicas share devices"
                + " (auto)")
            .formatted(allowed.size(), allowed));
  }
}
