package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.ModelArchiveContract;

final class TorchArchiveContractTest extends ModelArchiveContract {

  @Override
  protected ModelEngine engine() {
    return new TorchEngine();
  }
}
