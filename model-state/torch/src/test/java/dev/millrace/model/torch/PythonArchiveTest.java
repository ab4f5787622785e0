package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A network that Python has scripted. PyTorch 2.13 made {@code python-network.pt}, and printed what
 * it predicts, with
 *
 * <pre>
 * import json, shutil, torch, zipfile
 * from torch import nn
 *
 * class Network(nn.Module):
 *     def __init__(self):
 *         super().__init__()
 *         self.convolution = nn.Conv2d(1, 2, 3)
 *         self.norm = nn.BatchNorm2d(2)
 *         self.drop = nn.Dropout(0.25)
 *         self.output = nn.Linear(8, 3)
 *
 *     def forward(self, x):
 *         x = x.view(-1, 1, 4, 4)
 *         x = torch.relu(self.norm(self.convolution(x)))
 *         return self.output(self.drop(x.flatten(1)))
 *
 * torch.manual_seed(1)
 * network = Network()
 * for _ in range(3):
 *     network(torch.randn(8, 16))
 * network.eval()
 * shape = {"shape": {"features": 16, "outputs": 3, "target": "classification"}}
 * torch.jit.save(torch.jit.script(network), "whole.pt",
 *                _extra_files={"millrace/model.json": json.dumps(shape)})
 * print(network(torch.arange(32).view(2, 16) / 10).tolist())
 *
 * # Without source positions, which are paths of the machine.
 * with zipfile.ZipFile("whole.pt") as whole, zipfile.ZipFile("python-network.pt", "w") as kept:
 *     for name in whole.namelist():
 *         if not name.endswith(".debug_pkl"):
 *             kept.writestr(zipfile.ZipInfo(name), whole.read(name),
 *                           whole.getinfo(name).compress_type)
 * </pre>
 */
final class PythonArchiveTest {

  private static final ExampleShape SHAPE = new ExampleShape(16, 3, Target.CLASSIFICATION);
  private static final float[] PREDICTED = {
    -0.37855226f, 0.26553097f, -0.051507205f, -0.4980917f, 0.28985745f, 0.058235973f
  };
  private static final float NEAR = 1e-6f;

  @TempDir private Path directory;

  private Path file;

  @BeforeEach
  void copy() throws IOException {
    file = directory.resolve("network.pt");
    try (InputStream in = getClass().getResourceAsStream("/python-network.pt")) {
      Files.copy(in, file);
    }
  }

  @Test
  void itPredictsAsInPython() throws Exception {
    assertThat(TestModules.outputs(file, features(), 2)).containsExactly(PREDICTED, within(NEAR));
  }

  @Test
  void itsTensorsAreTheVectorInTheOrderOfItsParts() {
    InitialModel model = InitialModels.of(new Archive(file, SHAPE));

    assertThat(ModuleLayers.of(TorchConfiguration.fromJson(model.spec().configuration())))
        .extracting(LayerDescription::name, LayerDescription::type, LayerDescription::parameters)
        .containsExactly(
            tuple("convolution", "Conv2d", new IndexRange(0, 20)),
            tuple("norm", "BatchNorm2d", new IndexRange(20, 24)),
            tuple("output", "Linear", new IndexRange(24, 51)),
            tuple("norm.buffers", "BatchNorm2d", new IndexRange(51, 55)));
    assertThat(model.spec().runningStatistics()).containsExactly(new IndexRange(51, 55));
    assertThat(model.spec().nonNegative())
        .containsExactly(new IndexRange(53, 55), new IndexRange(106, 157));
    assertThat(model.spec().vectorLength()).isEqualTo(55 + 2 * 51);
    assertThat(model.vector()[53]).isPositive();
  }

  @Test
  void itSaysWhatItIsForAsPythonHasToldIt() {
    assertThat(InitialModels.shapeOf(file)).isEqualTo(SHAPE);
  }

  /** With our archives Python itself has been tried by hand. */
  @Test
  void whatItBecomesPredictsTheSame() throws Exception {
    InitialModel model = InitialModels.of(new Archive(file, SHAPE));
    Path written = directory.resolve("written.zip");
    ArchiveWriter.write(
        TestModules.global(model, new FeatureStatistics(0), 1), Optional.empty(), written);

    assertThat(TestModules.outputs(written, features(), 2))
        .isEqualTo(TestModules.outputs(file, features(), 2));
    assertThat(InitialModels.of(new Archive(written, SHAPE)).spec()).isEqualTo(model.spec());
  }

  private static float[] features() {
    float[] features = new float[2 * SHAPE.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = i / 10f;
    }
    return features;
  }
}
