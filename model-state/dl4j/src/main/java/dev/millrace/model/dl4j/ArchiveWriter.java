package dev.millrace.model.dl4j;

import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServerOptimizerState;
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
      if (model.standardizes()) {
        FeatureStatistics statistics = model.statistics();
        begin(zip, ModelSerializer.NORMALIZER_BIN);
        zip.write(Normalizers.write(statistics.standardization()));
        begin(zip, Dl4jArchive.STATISTICS_ENTRY);
        FeatureStatistics.WIRE.write(statistics, out);
      }
      if (!model.serverOptimizer().isEmpty()) {
        begin(zip, Dl4jArchive.SERVER_OPTIMIZER_ENTRY);
        ServerOptimizerState.WIRE.write(model.serverOptimizer(), out);
      }
      if (description.isPresent()) {
        writeText(zip, ModelEngine.DESCRIPTION_ENTRY, description.get());
      }
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
