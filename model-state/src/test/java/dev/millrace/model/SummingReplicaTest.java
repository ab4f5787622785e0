package dev.millrace.model;

import dev.millrace.model.testing.ModelReplicaContract;
import dev.millrace.model.testing.Replicas;
import dev.millrace.model.testing.SummingEngine;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** The engine that tests of the exchange use is one. */
class SummingReplicaTest extends ModelReplicaContract {

  @Override
  protected ModelEngine engine() {
    return new SummingEngine();
  }

  @Override
  protected Stream<Named<InitialModel>> models() {
    return Stream.of(Named.of("sum", SummingEngine.initial(20)));
  }

  @Override
  protected boolean hasLearningRates() {
    return false;
  }

  @Override
  protected Refused refused() {
    InitialModel model = SummingEngine.initial(6);
    return new Refused(
        model, Replicas.ofOneFeature(model.spec().shape(), 1, Float.NEGATIVE_INFINITY));
  }
}
