package dev.millrace.model.dl4j;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.NegativesContract;

final class Dl4jNegativesContractTest extends NegativesContract {

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }
}
