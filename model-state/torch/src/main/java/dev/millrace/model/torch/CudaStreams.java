package dev.millrace.model.torch;

import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceGuardImplInterface;
import org.bytedeco.pytorch.Stream;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.EventFlag;

/**
 * The two streams of one replica on a GPU: it computes on the one, and copies to the device on the
 * other. By libtorch's interface to any device, so that no class for CUDA is needed, whose own
 * library wants JavaCPP's bindings to CUDA.
 */
final class CudaStreams implements AutoCloseable {

  private final Natives natives = new Natives();
  private final Device device;
  private final DeviceGuardImplInterface cuda;
  private final Stream compute;
  private final Stream copy;

  CudaStreams(Device device) {
    this.device = device;
    this.cuda = natives.keep(torch.getDeviceGuardImpl(DeviceType.CUDA));
    cuda.setDevice(device);
    this.compute = natives.keep(cuda.getStreamFromGlobalPool(device, false));
    this.copy = natives.keep(cuda.getStreamFromGlobalPool(device, false));
  }

  /** Has the calling thread compute on this device, and on the stream for that. */
  void useCompute() {
    cuda.setDevice(device);
    use(compute);
  }

  void useCopy() {
    use(copy);
  }

  /** Each call makes an object of the stream before, and often no scope is open to free it. */
  private void use(Stream stream) {
    cuda.exchangeStream(stream).close();
  }

  Event event() {
    return new Event();
  }

  @Override
  public void close() {
    natives.close();
  }

  /** A place in what a stream has been asked to do. */
  final class Event implements AutoCloseable {

    private final PointerPointer<?> event = natives.keep(new PointerPointer<>(1L));
    private boolean recorded;

    private Event() {
      event.put(0, null);
    }

    void onCompute() {
      record(compute);
    }

    void onCopy() {
      record(copy);
    }

    private void record(Stream stream) {
      // With the time; libtorch's own default has none.
      cuda.record(event, stream, device.index(), EventFlag.BACKEND_DEFAULT);
      recorded = true;
    }

    /** Makes what is asked of the computing stream from now on wait for this. */
    void holdCompute() {
      if (recorded) {
        cuda.block(event.get(0), compute);
      }
    }

    void holdCopy() {
      if (recorded) {
        cuda.block(event.get(0), copy);
      }
    }

    /** Waits until all in front of it is done. */
    void await() {
      if (recorded) {
        cuda.synchronizeEvent(event.get(0));
      }
    }

    /** Returns the time from another event to this, when both have passed. */
    long nanosSince(Event start) {
      return recorded && start.recorded
          ? (long) (cuda.elapsedTime(start.event.get(0), event.get(0), device.index()) * 1e6)
          : 0;
    }

    @Override
    public void close() {
      if (recorded) {
        recorded = false;
        cuda.destroyEvent(event.get(0), device.index());
      }
    }
  }
}
