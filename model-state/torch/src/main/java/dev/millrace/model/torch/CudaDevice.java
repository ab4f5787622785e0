package dev.millrace.model.torch;

import dev.millrace.model.device.DeviceLease;
import dev.millrace.model.device.DeviceUse;
import dev.millrace.model.device.UnusableEngineException;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * A GPU. Minibatches are copied from pinned memory on a stream of their own, each input into one of
 * two buffers in turn: the next one's copy runs while the device still computes the gradients of
 * the last.
 */
final class CudaDevice implements TorchDevice {

  private static final String WORKSPACE_VARIABLE = "CUBLAS_WORKSPACE_CONFIG";
  private static final int STAGING = 1 << 20;

  private final Natives natives = new Natives();
  private final DeviceLease lease;
  private final Device device;
  private final CudaStreams streams;
  private final CudaStreams.Event[] started = new CudaStreams.Event[2];
  private final CudaStreams.Event[] ended = new CudaStreams.Event[2];
  private int step;
  private long computeNanos;
  private long copyNanos;
  private long bytes;
  private boolean closed;

  /**
   * @param deterministic holds for the process
   * @param lease is closed with this
   */
  CudaDevice(int number, boolean deterministic, DeviceLease lease) {
    if (deterministic) {
      requireDeterminism();
    }
    this.lease = lease;
    this.device = natives.keep(new Device(DeviceType.CUDA, (byte) number));
    this.streams = new CudaStreams(device);
    for (int i = 0; i < 2; i++) {
      started[i] = streams.event();
      ended[i] = streams.event();
    }
  }

  private static void requireDeterminism() {
    if (System.getenv(WORKSPACE_VARIABLE) == null) {
      throw new UnusableEngineException(
          "Steps are to be the same bits each time, and cuBLAS gives them only where %s is set: set it to :4096:8 for each process of the cluster (in Flink: containerized.taskmanager.env.%s)"
              .formatted(WORKSPACE_VARIABLE, WORKSPACE_VARIABLE));
    }
    try (PointerScope scope = new PointerScope()) {
      Context context = torch.globalContext();
      context.setDeterministicAlgorithms(true, false);
      context.setDeterministicFillUninitializedMemory(false);
      context.setDeterministicCuDNN(true);
      context.setBenchmarkCuDNN(false);
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public void enter() {
    streams.useCompute();
  }

  @Override
  public RowInput input(int width) {
    return new Input(width);
  }

  @Override
  public RowOutput output() {
    return new Output();
  }

  @Override
  public FlatStorage storage(int length) {
    bytes += (long) length * Float.BYTES;
    return new Storage(length);
  }

  /** Takes the time of the step before last, which has long been computed. */
  @Override
  public void computing() {
    step ^= 1;
    ended[step].await();
    computeNanos += ended[step].nanosSince(started[step]);
    started[step].onCompute();
  }

  @Override
  public void computed() {
    ended[step].onCompute();
  }

  @Override
  public DeviceUse use() {
    return new DeviceUse("cuda:" + device.index(), computeNanos, copyNanos, bytes);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        for (int i = 0; i < 2; i++) {
          started[i].close();
          ended[i].close();
        }
        streams.close();
        natives.close();
        // What tensors were freed of, libtorch keeps for this process alone.
        torch.emptyCache();
      } finally {
        lease.close();
      }
    }
  }

  private Tensor onDevice(long... sizes) {
    TensorOptions options = new TensorOptions(device).dtype(floats());
    return torch.empty(sizes, options, new MemoryFormatOptional());
  }

  private static Tensor pinned(long... sizes) {
    TensorOptions options = new TensorOptions(ScalarType.Float);
    return torch.empty(
        sizes, options.pinned_memory(new BoolOptional(true)), new MemoryFormatOptional());
  }

  private static ScalarTypeOptional floats() {
    return new ScalarTypeOptional(ScalarType.Float);
  }

  private final class Storage implements FlatStorage {

    private final Natives own = new Natives();
    private final int length;
    private final Tensor tensor;
    private final Tensor staging;
    private final FloatBuffer staged;

    private Storage(int length) {
      this.length = length;
      streams.useCompute();
      try (PointerScope scope = new PointerScope()) {
        tensor = own.keep(onDevice(length));
        tensor.zero_();
        staging = own.keep(pinned(Math.min(length, STAGING)));
      }
      staged = staging.createBuffer();
    }

    @Override
    public Tensor tensor() {
      return tensor;
    }

    @Override
    public void read(int from, float[] target, int offset, int length) {
      requireInside(from, target, offset, length);
      streams.useCompute();
      for (int at = 0; at < length; at += STAGING) {
        int n = Math.min(STAGING, length - at);
        try (PointerScope scope = new PointerScope()) {
          staging.narrow(0, 0, n).copy_(tensor.narrow(0, from + at, n), false);
        }
        staged.get(0, target, offset + at, n);
      }
    }

    @Override
    public void write(int from, float[] source, int offset, int length) {
      requireInside(from, source, offset, length);
      streams.useCompute();
      for (int at = 0; at < length; at += STAGING) {
        int n = Math.min(STAGING, length - at);
        staged.put(0, source, offset + at, n);
        try (PointerScope scope = new PointerScope()) {
          tensor.narrow(0, from + at, n).copy_(staging.narrow(0, 0, n), false);
        }
      }
    }

    /** Before anything is copied: libtorch checks parts of it, and by another exception. */
    private void requireInside(int from, float[] heap, int offset, int count) {
      Objects.checkFromIndexSize(from, count, length);
      Objects.checkFromIndexSize(offset, count, heap.length);
    }

    @Override
    public void close() {
      own.close();
    }
  }

  /** One of the two buffers of an input. */
  private final class Slot implements AutoCloseable {

    private final Natives own = new Natives();
    private final int rows;
    private final Tensor host;
    private final FloatBuffer values;
    private final Tensor target;
    private final CudaStreams.Event start = streams.event();
    private final CudaStreams.Event copied = streams.event();
    private final CudaStreams.Event used = streams.event();

    private Slot(int rows, int width) {
      this.rows = rows;
      try (PointerScope scope = new PointerScope()) {
        host = own.keep(pinned(rows, width));
        target = own.keep(onDevice(rows, width));
      }
      values = host.createBuffer();
      // Its memory may have been another tensor's, which the device still computes with.
      used.onCompute();
    }

    private Tensor put(float[] source, int filled, int width) {
      copied.await();
      copyNanos += copied.nanosSince(start);
      values.put(0, source, 0, filled * width);
      Tensor view = target.narrow(0, 0, filled);
      streams.useCopy();
      try {
        used.holdCopy();
        start.onCopy();
        view.copy_(host.narrow(0, 0, filled), true);
        copied.onCopy();
      } finally {
        streams.useCompute();
      }
      copied.holdCompute();
      return view;
    }

    @Override
    public void close() {
      copied.await();
      used.await();
      start.close();
      copied.close();
      used.close();
      own.close();
    }
  }

  private final class Input implements RowInput {

    private final int width;
    private final Slot[] slots = new Slot[2];
    private int current;

    private Input(int width) {
      this.width = width;
    }

    @Override
    public Tensor put(float[] source, int rows) {
      current ^= 1;
      if (slots[current] == null || slots[current].rows < rows) {
        free(current);
        slots[current] = new Slot(rows, width);
        bytes += (long) rows * width * Float.BYTES;
      }
      return slots[current].put(source, rows, width);
    }

    @Override
    public void used() {
      slots[current].used.onCompute();
    }

    private void free(int index) {
      if (slots[index] != null) {
        bytes -= (long) slots[index].rows * width * Float.BYTES;
        slots[index].close();
        slots[index] = null;
      }
    }

    @Override
    public void close() {
      free(0);
      free(1);
    }
  }

  private final class Output implements RowOutput {

    private final CudaStreams.Event taken = streams.event();
    private Natives own = new Natives();
    private Tensor host;
    private FloatBuffer values;
    private int length;

    @Override
    public void take(Tensor source) {
      length = Math.toIntExact(source.numel());
      if (host == null || host.numel() < length) {
        own.close();
        own = new Natives();
        host = own.keep(pinned(length));
        values = host.createBuffer();
      }
      host.narrow(0, 0, length).copy_(source.contiguous().view(-1), true);
      taken.onCompute();
    }

    @Override
    public void give(float[] target) {
      taken.await();
      values.get(0, target, 0, length);
    }

    @Override
    public void close() {
      taken.close();
      own.close();
    }
  }
}
