package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.RowNetworksContract;

final class TorchRowNetworksContractTest extends RowNetworksContract {

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }

  @Override
  protected Refused refused() {
    throw new UnsupportedOperationException();
  }
}
