package dev.millrace.model.dl4j;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.ModelArchiveContract;
import dev.millrace.model.testing.PopulationTestEngine;

/** Archives of populations of DL4J's networks. */
final class PopulationArchiveContractTest extends ModelArchiveContract {

  @Override
  protected ModelEngine engine() {
    return new PopulationTestEngine(new Dl4jEngine());
  }
}
