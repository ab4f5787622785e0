package dev.millrace.onnx.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenedGraphTest {

  private static final ExampleShape SHAPE = new ExampleShape(3, 2, Target.CLASSIFICATION);

  private final InitialModel initial =
      ModelEngine.named("dl4j")
          .define(
              new ModelDefinition.BuiltIn(
                  "mlp", SHAPE, List.of(4), List.of(), "sgd", 0.1, 0.9, 0, 1));

  private boolean closed;

  @Test
  void bytesThatAreNoGraphAreRefused() {
    byte[] graph =
        PredictionGraph.write(
            initial.spec(), Arrays.copyOf(initial.vector(), initial.spec().parameters()));
    try (OnnxModelRuntime runtime = new OnnxModelRuntime()) {
      byte[] half = Arrays.copyOf(graph, graph.length / 2);

      assertThatThrownBy(() -> runtime.open(initial.spec(), half, this::replica))
          .isInstanceOf(InvalidModelException.class)
          .hasMessageStartingWith("ONNX Runtime can't run it: ");
    }
  }

  @Test
  void theReplicaThatIsComparedWithIsClosed() {
    try (OnnxModelRuntime runtime = new OnnxModelRuntime()) {
      runtime.open(initial.spec(), initial.vector(), this::replica).close();
    }

    assertThat(closed).isTrue();
  }

  private ModelReplica replica() {
    ModelReplica replica = ModelEngine.named("dl4j").build(initial.spec(), DeviceRequest.guest());
    replica.write(0, initial.vector(), 0, initial.spec().parameters());
    return (ModelReplica)
        java.lang.reflect.Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ModelReplica.class},
            (proxy, method, arguments) -> {
              closed |= method.getName().equals("close");
              return method.invoke(replica, arguments);
            });
  }
}
