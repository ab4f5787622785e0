package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.NegativesContract;

final class TorchNegativesContractTest extends NegativesContract {

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }
}
