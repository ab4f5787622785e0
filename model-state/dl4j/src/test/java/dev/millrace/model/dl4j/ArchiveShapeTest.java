package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ArchiveShapeTest {

  private final Dl4jEngine engine = new Dl4jEngine();

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void aNetworkTellsItsExamples(Target target) throws IOException {
    ExampleShape shape = new ExampleShape(6, 3, target);
    Path archive = write(engine.define(TestNetworks.builtIn("mlp", shape, List.of(4), "adam")));

    assertThat(engine.shapeOf(archive)).isEqualTo(shape);
  }

  @Test
  void soDoesOneOfImages() throws IOException {
    InitialModel model = engine.define(TestNetworks.lenet());

    assertThat(engine.shapeOf(write(model))).isEqualTo(model.spec().shape());
  }

  @Test
  void imagesOfUnknownSizeHaveToBeDescribed() throws IOException {
    ExampleShape shape = new ExampleShape(2 * 10 * 10, 5, Target.CLASSIFICATION);
    Path archive = write(TestNetworks.define(TestNetworks.graphOfImagesJson(), shape, directory));

    assertThatThrownBy(() -> engine.shapeOf(archive))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(archive.toString(), "the number of features");
  }

  @Test
  void aTruncatedArchiveIsNamed() throws IOException {
    Path archive = write(engine.define(TestNetworks.mlp()));
    byte[] bytes = Files.readAllBytes(archive);
    Files.write(archive, Arrays.copyOf(bytes, bytes.length / 2));

    assertThatThrownBy(() -> engine.shapeOf(archive))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(archive.toString(), "it is cut off");
  }

  @Test
  void aMissingArchiveIsNamed() {
    assertThatThrownBy(() -> engine.shapeOf(directory.resolve("absent.zip")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("absent.zip", "there is no such file");
  }

  private Path write(InitialModel model) throws IOException {
    Path archive = directory.resolve("model.zip");
    engine.writeArchive(
        new GlobalModel(
            model.spec(),
            new ModelVersion(0, 1),
            model.iteration(),
            model.vector(),
            new FeatureStatistics(0),
            new Ledger(),
            Measures.NONE,
            Lineage.NONE),
        archive);
    return archive;
  }
}
