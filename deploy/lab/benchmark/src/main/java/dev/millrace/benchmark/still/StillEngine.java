package dev.millrace.benchmark.still;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An engine that learns nothing: a step takes no time, and the model is a vector of as many values
 * as {@code model.hidden} says. What a job with it does is all that Millrace does around learning.
 *
 * <p>Its models can't be written or read as archives.
 */
public final class StillEngine implements ModelEngine {

  static final String NAME = "still";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public InitialModel define(ModelDefinition definition) {
    if (!(definition instanceof BuiltIn builtIn) || builtIn.hidden().size() != 1) {
      throw new InvalidModelException(
          "The engine 'still' takes model.name: mlp, and in model.hidden how many values its model"
              + " has");
    }
    int values = builtIn.hidden().get(0);
    ModelSpec spec = new ModelSpec(NAME, NAME, "{}", builtIn.shape(), values, 0, List.of());
    return new InitialModel(spec, new float[values], 0, null);
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    return new NoOpReplica(spec);
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file) {
    throw new UnsupportedOperationException("Models of the engine 'still' have no archives");
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    throw new InvalidModelException("Models of the engine 'still' have no archives");
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    return List.of();
  }
}
