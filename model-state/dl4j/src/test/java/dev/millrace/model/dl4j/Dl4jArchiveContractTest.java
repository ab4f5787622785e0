package dev.millrace.model.dl4j;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.ModelArchiveContract;

final class Dl4jArchiveContractTest extends ModelArchiveContract {

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }
}
