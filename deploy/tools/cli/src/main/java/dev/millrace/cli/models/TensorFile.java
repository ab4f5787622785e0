package dev.millrace.cli.models;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.Standardization;
import dev.millrace.snapshot.Safetensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A model's parameters in a file of the format safetensors, with what else others need. */
final class TensorFile {

  private final ModelEngine engine;
  private final Map<String, String> facts = new TreeMap<>();

  /**
   * @param iteration optimizer steps behind the model
   */
  TensorFile(ModelEngine engine, long iteration) {
    this.engine = engine;
    facts.put("engine", engine.name());
    facts.put("iteration", Long.toString(iteration));
  }

  TensorFile version(ModelVersion version) {
    facts.put("version", version.toString());
    return this;
  }

  /** Features are to be standardized by it. */
  TensorFile standardization(Standardization standardization) throws IOException {
    facts.put("standardization", Safetensors.json(standardization));
    return this;
  }

  /**
   * @param kind as the engine names it
   * @param vector parameters, and whatever follows them
   */
  void write(String kind, String configuration, float[] vector, Path file) throws IOException {
    Safetensors.write(engine.tensors(kind, configuration), vector, facts, file);
  }
}
