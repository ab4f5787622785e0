package dev.millrace.model.torch;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.testing.ModelArchiveContract;
import dev.millrace.model.testing.PopulationTestEngine;

/** Archives of populations of TorchScript modules. */
final class PopulationArchiveContractTest extends ModelArchiveContract {

  @Override
  protected ModelEngine engine() {
    return new PopulationTestEngine(new TorchEngine());
  }
}
