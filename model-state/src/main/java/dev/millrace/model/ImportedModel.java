package dev.millrace.model;

import dev.millrace.model.shape.ExampleShape;
import java.util.Objects;

/**
 * What has become of another library's model.
 *
 * @param engine name of the {@link ModelEngine} that reads its archive
 * @param shape of the examples that it takes
 */
public record ImportedModel(String engine, ExampleShape shape) {

  public ImportedModel {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(shape, "shape");
  }
}
