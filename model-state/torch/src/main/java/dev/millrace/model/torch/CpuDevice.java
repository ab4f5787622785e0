package dev.millrace.model.torch;

import dev.millrace.model.device.DeviceUse;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** The processor: what is on the device is in memory, and all that is asked for is computed. */
final class CpuDevice implements TorchDevice {

  private final Natives natives = new Natives();
  private final Device device = natives.keep(new Device("cpu"));
  private long started;
  private long computeNanos;
  private long copyNanos;
  private long bytes;

  @Override
  public Device device() {
    return device;
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

  /**
   * A step takes numbers below 1.2e-38 as zero: processors need many times as long for these, and
   * examples that a network is sure of leave such gradients. Between steps this thread computes as
   * Java wants.
   */
  @Override
  public void computing() {
    Context.setFlushDenormal(true);
    started = System.nanoTime();
  }

  @Override
  public void computed() {
    Context.setFlushDenormal(false);
    computeNanos += System.nanoTime() - started;
  }

  @Override
  public DeviceUse use() {
    return new DeviceUse("cpu", computeNanos, copyNanos, bytes);
  }

  @Override
  public void close() {
    natives.close();
  }

  private static final class Storage implements FlatStorage {

    private final Natives natives = new Natives();
    private final Tensor tensor;
    private final FloatBuffer values;

    private Storage(int length) {
      tensor = natives.keep(torch.zeros(length));
      // Its accesses are checked against its length, those of libtorch's pointers aren't.
      values = tensor.createBuffer();
    }

    @Override
    public Tensor tensor() {
      return tensor;
    }

    @Override
    public void read(int from, float[] target, int offset, int length) {
      values.get(from, target, offset, length);
    }

    @Override
    public void write(int from, float[] source, int offset, int length) {
      values.put(from, source, offset, length);
    }

    @Override
    public void close() {
      natives.close();
    }
  }

  private final class Input implements RowInput {

    private final int width;
    private Natives natives = new Natives();
    private Tensor tensor;
    private FloatBuffer values;
    private int capacity = -1;

    private Input(int width) {
      this.width = width;
    }

    @Override
    public Tensor put(float[] source, int rows) {
      long start = System.nanoTime();
      if (rows > capacity) {
        grow(rows);
      }
      values.put(0, source, 0, rows * width);
      Tensor filled = rows == capacity ? tensor : tensor.narrow(0, 0, rows);
      copyNanos += System.nanoTime() - start;
      return filled;
    }

    private void grow(int rows) {
      close();
      natives = new Natives();
      tensor = natives.keep(torch.empty(rows, width));
      values = tensor.createBuffer();
      capacity = rows;
      bytes += held();
    }

    @Override
    public void used() {}

    private long held() {
      return capacity < 0 ? 0 : (long) capacity * width * Float.BYTES;
    }

    @Override
    public void close() {
      bytes -= held();
      capacity = -1;
      natives.close();
    }
  }

  private final class Output implements RowOutput {

    private Tensor taken;

    @Override
    public void take(Tensor values) {
      taken = values;
    }

    @Override
    public void give(float[] target) {
      long start = System.nanoTime();
      Tensor values = taken.contiguous();
      int count = Math.toIntExact(values.numel());
      // The pointer doesn't know how many there are, nor how many fit.
      Objects.checkFromIndexSize(0, count, target.length);
      values.data_ptr_float().get(target, 0, count);
      taken = null;
      copyNanos += System.nanoTime() - start;
    }

    @Override
    public void close() {}
  }
}
