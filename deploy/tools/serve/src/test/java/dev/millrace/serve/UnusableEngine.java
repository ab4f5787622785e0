package dev.millrace.serve;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.UnusableEngineException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One whose libraries aren't there. */
public final class UnusableEngine implements ModelEngine {

  static final String NAME = "unusable";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    throw unusable();
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    throw unusable();
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file) {
    throw unusable();
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    throw unusable();
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    throw unusable();
  }

  private static UnusableEngineException unusable() {
    return new UnusableEngineException("Its libraries aren't there");
  }
}
