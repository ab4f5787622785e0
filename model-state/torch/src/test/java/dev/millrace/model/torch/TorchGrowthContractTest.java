package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.GrowthContract;

final class TorchGrowthContractTest extends GrowthContract {

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }
}
