package dev.millrace.model.dl4j;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.FreezeContract;

final class Dl4jFreezeContractTest extends FreezeContract {

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }
}
