package dev.millrace.model.testing;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An engine whose model only counts: parameter 0 is the number of examples learned, parameter 1 the
 * sum of their first features, all others likewise. With whole numbers below 2<sup>24</sup> and
 * contributions that are summed up, the global model tells exactly which examples are in it. It
 * predicts the feature plus the sum of all parameters. With a feature that is negative and infinite
 * it can't compute.
 */
public final class SummingEngine implements ModelEngine {

  public static final String NAME = "summing";

  public static ModelSpec spec(int parameters) {
    return spec(new ExampleShape(1, 1, Target.REGRESSION), parameters);
  }

  public static ModelSpec spec(ExampleShape shape, int parameters) {
    return new ModelSpec(NAME, "sum", "{}", shape, parameters, 0, List.of());
  }

  public static InitialModel initial(int parameters) {
    return new InitialModel(spec(parameters), new float[parameters], 0, null);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** From an archive, what {@link #writeArchive} wrote; all else is defined by tests. */
  @Override
  public InitialModel define(ModelDefinition definition) {
    if (!(definition instanceof ModelDefinition.Archive archive)) {
      throw new InvalidModelException("Defined by tests only");
    }
    try {
      FloatBuffer parameters = ByteBuffer.wrap(Files.readAllBytes(archive.file())).asFloatBuffer();
      float[] vector = new float[parameters.remaining()];
      parameters.get(vector);
      return new InitialModel(spec(vector.length), vector, 0, null);
    } catch (IOException e) {
      throw new InvalidModelException("%s can't be read".formatted(archive.file()), e);
    }
  }

  @Override
  public ModelReplica build(ModelSpec spec, DeviceRequest device) {
    return new SummingReplica(spec);
  }

  @Override
  public void writeArchive(GlobalModel model, Optional<String> description, Path file)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(model.vector().length * Float.BYTES);
    bytes.asFloatBuffer().put(model.vector());
    Files.write(file, bytes.array());
  }

  @Override
  public ArchivedModel readArchive(Path file) {
    throw new InvalidModelException("%s can't be read: it names no network".formatted(file));
  }

  @Override
  public List<LayerDescription> describe(String kind, String configuration) {
    return List.of();
  }
}
