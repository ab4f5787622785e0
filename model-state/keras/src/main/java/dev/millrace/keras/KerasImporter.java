package dev.millrace.keras;

import dev.millrace.model.ImportedModel;
import dev.millrace.model.ModelImporter;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.deeplearning4j.util.ModelSerializer;

/**
 * Reads what {@code model.save("model.h5")} of Keras 1 and 2 writes. The archive's network takes
 * rows: an example's features are the values of Keras' input array, the last dimension first to
 * change. It ends in one layer that has activation and loss, as a network that is to be trained
 * must. The updater's state isn't taken over: it begins at zero.
 */
public final class KerasImporter implements ModelImporter {

  private static final String ENGINE = "dl4j";

  /** Classes of DL4J's import, which no cluster has. */
  private static final Pattern IMPORTS_OWN =
      Pattern.compile("org\\.deeplearning4j\\.nn\\.modelimport\\.[\\w.]*\\.(\\w+)");

  @Override
  public String format() {
    return "Keras HDF5";
  }

  @Override
  public ImportedModel convert(Path file, Path archive) throws IOException {
    try (TrainableNetwork network = KerasFile.read(file)) {
      requireClassesOfClusters(network, file);
      ExampleShape shape = shape(network, file);
      ModelSerializer.writeModel(network.model(), archive.toFile(), true);
      return new ImportedModel(ENGINE, shape);
    }
  }

  private static void requireClassesOfClusters(TrainableNetwork network, Path file) {
    Matcher own = IMPORTS_OWN.matcher(network.configuration());
    if (own.find()) {
      throw new InvalidModelException(
          ("%s needs DL4J's %s, which is part of its import and on no cluster; rebuild that part of"
                  + " the model from other layers in Keras, and save it again")
              .formatted(file, own.group(1)));
    }
  }

  private static ExampleShape shape(TrainableNetwork network, Path file) {
    try {
      return network.shape();
    } catch (RuntimeException e) {
      throw new InvalidModelException(
          "%s can't be trained on examples: %s".formatted(file, e.getMessage()), e);
    }
  }
}
