package dev.millrace.model.torch;

import dev.millrace.model.device.DeviceUse;
import org.bytedeco.pytorch.Device;

/**
 * Where a replica's tensors are, and how values get there from the heap. Belongs to the replica's
 * thread.
 */
interface TorchDevice extends AutoCloseable {

  /** Returns the device as libtorch names it; it lives as long as this. */
  Device device();

  /** Has the calling thread compute here; each call of a replica's begins with it. */
  default void enter() {}

  /** A way of rows of so many values to the device. */
  RowInput input(int width);

  /** A way of values back from the device. */
  RowOutput output();

  /** Makes a storage of so many values, all zero. */
  FlatStorage storage(int length);

  /** A step is being computed from here to {@link #computed}. */
  void computing();

  void computed();

  DeviceUse use();

  /** Frees what it has made, and gives the device back; closing it again does nothing. */
  @Override
  void close();
}
