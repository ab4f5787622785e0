package dev.millrace.model.torch;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.io.ArchiveEntries;
import dev.millrace.model.io.StrictJson;
import dev.millrace.model.io.TemporaryFiles;
import dev.millrace.model.shape.ExampleShape;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;

/**
 * Writes TorchScript archives that Python loads with {@code torch.jit.load}, in evaluation mode,
 * with all else that belongs to a model among the extra files.
 */
final class ArchiveWriter {

  private static final int CHUNK_FLOATS = 1 << 14;
  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  private ArchiveWriter() {}

  static void write(GlobalModel model, Optional<String> description, Path file) throws IOException {
    Path directory = TemporaryFiles.directory("millrace-archive-");
    // The name of the file is in the archive.
    Path module = directory.resolve("model.pt");
    try {
      TorchConfiguration configuration = TorchConfiguration.fromJson(model.spec().configuration());
      save(configuration, model.vector(), module);
      try (ArchiveEntries saved = ArchiveEntries.open(module);
          HashedZip zip = new HashedZip(file, "model/")) {
        for (String name : saved.names()) {
          zip.copy(saved, name, name.substring(name.indexOf('/') + 1));
        }
        addExtras(zip, model, configuration, description);
      }
    } finally {
      Files.deleteIfExists(module);
      Files.delete(directory);
    }
  }

  @SuppressWarnings("try") // The resource is a scope.
  private static void save(TorchConfiguration configuration, float[] vector, Path file)
      throws IOException {
    try (PointerScope scope = new PointerScope()) {
      JitModule module = ModuleArchive.fromText(configuration.module());
      ModuleSlots.write(vector, configuration.slots(), module);
      module.eval();
      module.save(file.toString());
    } catch (RuntimeException e) {
      throw new IOException("libtorch can't write it: " + TorchMessage.of(e), e);
    }
  }

  private static void addExtras(
      HashedZip zip,
      GlobalModel model,
      TorchConfiguration configuration,
      Optional<String> description)
      throws IOException {
    ModelFacts facts =
        new ModelFacts(
            ModelFacts.FORMAT, model.spec().shape(), model.iteration(), configuration.training());
    zip.add(CheckedArchive.EXTRA + ModelFacts.NAME, out -> out.write(facts.toJson()));
    int parameters = model.spec().parameters();
    if (model.vector().length > parameters) {
      zip.add(
          CheckedArchive.EXTRA + TorchArchive.UPDATER_STATE,
          out -> writeFloats(model.vector(), parameters, out));
    }
    ExampleShape shape = model.spec().shape();
    if (!shape.columns().isPlain()) {
      zip.add(
          CheckedArchive.EXTRA + FeaturesFile.ENTRY,
          out -> out.write(FeaturesFile.write(shape, model.learned())));
    } else if (model.standardizes()) {
      zip.add(
          CheckedArchive.EXTRA + TorchArchive.STANDARDIZATION,
          out -> out.write(MAPPER.writeValueAsBytes(model.statistics().standardization())));
      zip.add(
          CheckedArchive.EXTRA + TorchArchive.STATISTICS,
          out -> FeatureStatistics.WIRE.write(model.statistics(), out));
    }
    if (!model.serverOptimizer().isEmpty()) {
      zip.add(
          CheckedArchive.EXTRA + TorchArchive.SERVER_OPTIMIZER,
          out -> ServerOptimizerState.WIRE.write(model.serverOptimizer(), out));
    }
    if (description.isPresent()) {
      zip.add(
          CheckedArchive.EXTRA + ModelEngine.DESCRIPTION_ENTRY,
          out -> out.write(description.get().getBytes(StandardCharsets.UTF_8)));
    }
    zip.addHashes(CheckedArchive.EXTRA + ArchiveHashes.NAME);
  }

  private static void writeFloats(float[] values, int from, DataOutputStream out)
      throws IOException {
    byte[] chunk = new byte[CHUNK_FLOATS * Float.BYTES];
    FloatBuffer floats = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    for (int done = from; done < values.length; done += CHUNK_FLOATS) {
      int count = Math.min(CHUNK_FLOATS, values.length - done);
      floats.clear().put(values, done, count);
      out.write(chunk, 0, count * Float.BYTES);
    }
  }
}
