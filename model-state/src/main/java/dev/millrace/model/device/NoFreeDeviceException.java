package dev.millrace.model.device;

/**
 * A replica asked for a device of its own, or for one that isn't another's own, and all are taken.
 * Later, or in another process, one may be free.
 */
public final class NoFreeDeviceException extends RuntimeException {

  public NoFreeDeviceException(String message) {
    super(message);
  }
}
