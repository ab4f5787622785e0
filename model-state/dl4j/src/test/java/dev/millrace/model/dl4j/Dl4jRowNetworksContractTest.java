package dev.millrace.model.dl4j;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.RowNetworksContract;

final class Dl4jRowNetworksContractTest extends RowNetworksContract {

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }

  @Override
  protected Refused refused() {
    throw new UnsupportedOperationException();
  }
}
