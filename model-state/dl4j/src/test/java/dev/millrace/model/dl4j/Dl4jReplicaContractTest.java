package dev.millrace.model.dl4j;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.ModelReplicaContract;
import dev.millrace.model.testing.Replicas;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;

final class Dl4jReplicaContractTest extends ModelReplicaContract {

  private static final ExampleShape TABLE = new ExampleShape(12, 5, Target.CLASSIFICATION);
  private static final ExampleShape WORDS = new ExampleShape(1, 3, Target.CLASSIFICATION);

  @TempDir private static Path directory;

  @Override
  protected ModelEngine engine() {
    return new Dl4jEngine();
  }

  @Override
  protected Stream<Named<InitialModel>> models() throws Exception {
    return Stream.concat(
        super.models(),
        Stream.of(
            Named.of("graph", TestNetworks.define(TestNetworks.graphJson(), TABLE, directory))));
  }

  /** Of the words 0 to 9 in an embedding. */
  @Override
  protected Refused refused() throws IOException {
    return new Refused(
        TestNetworks.define(TestNetworks.embeddingJson(), WORDS, directory),
        Replicas.ofOneFeature(WORDS, 4, 10, 5));
  }
}
