package dev.millrace.model.torch;

import dev.millrace.model.Learning.Precision;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Sets in what numbers a network computes its outputs, which are float32 in any case. */
final class Precisions {

  private Precisions() {}

  /** PyTorch's autocast, which holds for the calling thread. */
  static Tensor in(Precision precision, DeviceType device, Supplier<Tensor> forward) {
    if (precision == Precision.FLOAT32) {
      return forward.get();
    }
    // Weights in bfloat16 that it remembers would be those of steps before.
    boolean remembers = torch.is_autocast_cache_enabled();
    torch.set_autocast_cache_enabled(false);
    torch.set_autocast_dtype(device, ScalarType.BFloat16);
    torch.set_autocast_enabled(device, true);
    Tensor outputs;
    try {
      outputs = forward.get();
    } finally {
      torch.set_autocast_enabled(device, false);
      torch.set_autocast_cache_enabled(remembers);
    }
    return outputs.to(ScalarType.Float);
  }
}
