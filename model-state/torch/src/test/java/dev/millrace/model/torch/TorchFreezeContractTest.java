package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.FreezeContract;

final class TorchFreezeContractTest extends FreezeContract {

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }
}
