package dev.millrace.model.dl4j;

/** A replica's share of a device, until it is closed; closing it again does nothing. */
interface DeviceLease extends AutoCloseable {

  /** Of what is computed on the processor. */
  DeviceLease NONE = () -> {};

  @Override
  void close();
}
