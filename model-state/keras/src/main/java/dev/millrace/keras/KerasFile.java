package dev.millrace.keras;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.nio.file.Path;
import org.deeplearning4j.nn.modelimport.keras.KerasModel;
import org.deeplearning4j.nn.modelimport.keras.KerasSequentialModel;
import org.deeplearning4j.nn.modelimport.keras.config.KerasModelConfiguration;
import org.deeplearning4j.nn.modelimport.keras.exceptions.InvalidKerasConfigurationException;
import org.deeplearning4j.nn.modelimport.keras.exceptions.UnsupportedKerasConfigurationException;
import org.deeplearning4j.nn.modelimport.keras.utils.KerasModelBuilder;

/** A Keras model in an HDF5 file, read by DL4J's import. */
final class KerasFile {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Path file;

  private KerasFile(Path file) {
    this.file = file;
  }

  /**
   * @throws InvalidModelException if it can't be read, or DL4J has no such network
   * @throws dev.millrace.model.device.UnusableEngineException if HDF5's native code can't be loaded
   */
  static TrainableNetwork read(Path file) {
    Hdf5.require(file);
    return new KerasFile(file).read();
  }

  private TrainableNetwork read() {
    try (KerasModelBuilder builder = new KerasModelBuilder(new KerasModelConfiguration())) {
      open(builder);
      JsonNode model = MAPPER.readTree(builder.getModelJson());
      requireVersion(model.path("keras_version").asText());
      IgnoredSettings.refuse(model, file.toString());
      Regularizers.adapt(model);
      builder.modelJson(model.toString());
      TrainingConfiguration training =
          TrainingConfiguration.parse(builder.getTrainingJson(), file.toString());
      builder.trainingJson(training.toJson()).enforceTrainingConfig(true);
      return build(builder, model, training.takesLogits());
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "The configuration in %s is no JSON: the file is damaged".formatted(file), e);
    } catch (IOException e) {
      throw new InvalidModelException("%s can't be read: %s".formatted(file, e.getMessage()), e);
    }
  }

  private void open(KerasModelBuilder builder) throws IOException {
    try {
      builder.modelHdf5Filename(file.toString());
    } catch (InvalidKerasConfigurationException | UnsupportedKerasConfigurationException e) {
      throw new InvalidModelException(
          ("%s holds no whole Keras model: it has no model_config, as files of weights alone have"
                  + " none; write it with model.save(\"model.h5\")")
              .formatted(file),
          e);
    } catch (RuntimeException e) {
      throw damaged(e);
    }
  }

  private InvalidModelException damaged(RuntimeException e) {
    return new InvalidModelException(
        "%s is damaged, or not whole, or not written by Keras (HDF5 says: %s); save it again"
            .formatted(file, e.getMessage()),
        e);
  }

  private void requireVersion(String version) {
    if (!version.startsWith("1") && !version.startsWith("2")) {
      throw new InvalidModelException(
          ("%s is of Keras %s, and DL4J's import reads models of Keras 1 and 2; save it with Keras 2,"
                  + " such as tf_keras or that of TensorFlow 2.15")
              .formatted(file, version));
    }
  }

  private TrainableNetwork build(KerasModelBuilder builder, JsonNode model, boolean takesLogits)
      throws IOException {
    try {
      if (model.path("class_name").asText().equals("Sequential")) {
        KerasSequentialModel keras = builder.buildSequential();
        return LayeredImport.prepare(
            keras.getMultiLayerNetwork(), InputShape.of(keras), takesLogits);
      }
      KerasModel keras = builder.buildModel();
      return GraphImport.prepare(keras.getComputationGraph(), InputShape.of(keras), takesLogits);
    } catch (InvalidKerasConfigurationException | UnsupportedKerasConfigurationException e) {
      throw new InvalidModelException(
          ("%s can't be imported: %s; rebuild that part of the model in Keras, and save it again:"
                  + " docs/internals/keras.md lists what DL4J's import knows")
              .formatted(file, new ImportComplaint(e.getMessage(), model)),
          e);
    } catch (InvalidModelException e) {
      throw new InvalidModelException(
          "%s can't be imported: %s".formatted(file, e.getMessage()), e);
    } catch (RuntimeException e) {
      if (Hdf5.hasFailed(e)) {
        throw damaged(e);
      }
      throw new InvalidModelException(
          "%s can't be imported: DL4J's %s fails with %s; rebuild that part of the model in Keras, and save it again"
              .formatted(file, ImportComplaint.place(e), e),
          e);
    }
  }
}
