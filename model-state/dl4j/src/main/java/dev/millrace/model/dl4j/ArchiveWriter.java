package dev.millrace.model.dl4j;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.shape.ExampleShape;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.deeplearning4j.util.ModelSerializer;

/** Writes what {@link Dl4jArchive} reads, from the model's vector as it is. */
final class ArchiveWriter {

  private ArchiveWriter() {}

  /**
   * @param configuration as DL4J writes it, with the model's iteration
   */
  static void write(
      GlobalModel model, String configuration, Optional<String> description, Path file)
      throws IOException {
    try (ZipOutputStream zip =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
        DataOutputStream out = new DataOutputStream(zip)) {
      // Weights don't get smaller by compression, only late.
      zip.setLevel(Deflater.NO_COMPRESSION);
      ModelSpec spec = model.spec();
      float[] vector = model.vector();
      writeText(zip, ModelSerializer.CONFIGURATION_JSON, configuration);
      begin(zip, ModelSerializer.COEFFICIENTS_BIN);
      ArrayBytes.write(vector, 0, spec.parameters(), out);
      if (vector.length > spec.parameters()) {
        begin(zip, ModelSerializer.UPDATER_BIN);
        ArrayBytes.write(vector, spec.parameters(), vector.length - spec.parameters(), out);
      }
      writeFeatures(model, zip, out);
      if (!model.serverOptimizer().isEmpty()) {
        begin(zip, Dl4jArchive.SERVER_OPTIMIZER_ENTRY);
        ServerOptimizerState.WIRE.write(model.serverOptimizer(), out);
      }
      if (description.isPresent()) {
        writeText(zip, ModelEngine.DESCRIPTION_ENTRY, description.get());
      }
    }
  }

  /** A normalizer that plain DL4J can use, and what it comes from. */
  private static void writeFeatures(GlobalModel model, ZipOutputStream zip, DataOutputStream out)
      throws IOException {
    ExampleShape shape = model.spec().shape();
    boolean plain = shape.columns().isPlain();
    if (model.standardizes()) {
      Standardization standardization = model.statistics().standardization();
      begin(zip, ModelSerializer.NORMALIZER_BIN);
      zip.write(Normalizers.write(plain ? standardization : standardization.ofAll(shape)));
    }
    if (!plain) {
      begin(zip, FeaturesFile.ENTRY);
      zip.write(FeaturesFile.write(shape, model.learned()));
    } else if (model.standardizes()) {
      begin(zip, Dl4jArchive.STATISTICS_ENTRY);
      FeatureStatistics.WIRE.write(model.statistics(), out);
    }
  }

  private static void writeText(ZipOutputStream zip, String name, String text) throws IOException {
    begin(zip, name);
    zip.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void begin(ZipOutputStream zip, String name) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
  }
}
