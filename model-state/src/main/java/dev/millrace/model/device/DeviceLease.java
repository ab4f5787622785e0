package dev.millrace.model.device;

/** A replica's share of a device, until it is closed; closing it again does nothing. */
public interface DeviceLease extends AutoCloseable {

  /** The lease of what is computed on the processor. */
  DeviceLease NONE = () -> {};

  @Override
  void close();
}
