package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.factory.Nd4j;

/** Plain DL4J standardizes the numbers of named fields, and leaves all else as it is. */
final class FieldsNormalizerTest {

  @TempDir Path directory;

  @Test
  void plainDl4jStandardizesTheNumbersAlone() throws IOException {
    ExampleShape shape = FieldShapes.flow(3);
    LearnedFeatures learned = FieldShapes.learned();
    Dl4jEngine engine = new Dl4jEngine();
    InitialModel model = engine.define(TestNetworks.builtIn("mlp", shape, List.of(4), "adam"));
    Path archive = directory.resolve("model.zip");
    engine.writeArchive(
        new GlobalModel(
            model.spec(),
            new ModelVersion(0, 1),
            model.iteration(),
            model.vector(),
            learned,
            new Ledger(),
            Measures.NONE,
            Lineage.NONE,
            ServerOptimizerState.NONE,
            false),
        archive);
    // The words' features are there already: http is the second of its vocabulary.
    float[] features = {1, 3, 2.5f, 0, 0, 0, 1, 0, 0.25f, 7};
    INDArray plain = Nd4j.createFromArray(features.clone()).reshape(1, FieldShapes.WIDTH);

    DataNormalization normalizer = ModelSerializer.restoreNormalizerFromFile(archive.toFile());
    normalizer.transform(plain);

    float[] ours = {1, 3, 2.5f, 0, 0, 0, 0, 0, 0.25f, 0};
    FeatureCompletion.of(shape, learned).apply(ours, new String[] {"http", "x"}, null, 1);
    ours[9] = 7;
    assertThat(plain.data().asFloat()).containsExactly(ours);
  }
}
