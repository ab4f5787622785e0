package dev.millrace.model.dl4j;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.ModelReplicaContract;
import dev.millrace.model.testing.PopulationTestEngine;
import dev.millrace.model.testing.Replicas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Populations of DL4J's networks. */
final class PopulationContractTest extends ModelReplicaContract {

  private static final ExampleShape WORDS = new ExampleShape(1, 3, Target.CLASSIFICATION);

  @TempDir private static Path directory;

  @Override
  protected ModelEngine engine() {
    return new PopulationTestEngine(new Dl4jEngine());
  }

  /** Losses don't grow with learning rates. */
  @Override
  protected boolean hasLearningRates() {
    return false;
  }

  @Override
  protected boolean tellsGradientsOfTheLossOfItsPredictions() {
    return false;
  }

  /** Of the words 0 to 9 in embeddings. */
  @Override
  protected Refused refused() throws IOException {
    InitialModel words = TestNetworks.define(TestNetworks.embeddingJson(), WORDS, directory);
    return new Refused(
        PopulationTestEngine.of(List.of(words, words), 0.01, 0.01),
        Replicas.ofOneFeature(WORDS, 4, 10, 5));
  }
}
