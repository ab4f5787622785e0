package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerOptimizerStateTest {

  private final ServerOptimizerState state =
      new ServerOptimizerState(List.of(new float[] {1, 2, 3}, new float[] {4, 5, 6}), 9);

  @Test
  void aPartIsThatOfSomeParametersAndOfNoneIsNone() {
    ServerOptimizerState part = state.part(1, 2);

    assertThat(part.slots().get(0)).containsExactly(2, 3);
    assertThat(part.slots().get(1)).containsExactly(5, 6);
    assertThat(part.rounds()).isEqualTo(9);
    assertThat(state.part(7, 0)).isEqualTo(ServerOptimizerState.NONE);
    assertThat(ServerOptimizerState.NONE.part(3, 2)).isEqualTo(ServerOptimizerState.NONE);
  }

  @Test
  void slotsOfDifferentLengthsTooManyAndRoundsBelowZeroAreRefused() {
    assertThatThrownBy(() -> new ServerOptimizerState(List.of(new float[1], new float[2]), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ServerOptimizerState(List.of(new float[1]), -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ServerOptimizerState(Collections.nCopies(9, new float[0]), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bytesOfOthersAreHeldToTheLengthThatIsExpected() throws IOException {
    byte[] bytes = Bytes.of(out -> ServerOptimizerState.WIRE.write(state, out));

    assertThat(ServerOptimizerState.read(Bytes.in(bytes), 3))
        .usingRecursiveComparison()
        .isEqualTo(state);
    assertThatThrownBy(() -> ServerOptimizerState.read(Bytes.in(bytes), 4))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("3 floats", "4 belong");
    bytes[9] = (byte) 200;
    assertThatThrownBy(() -> ServerOptimizerState.read(Bytes.in(bytes), 3))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("200 slots");
  }

  @Test
  void aModelHasItForEachParameterOrNotAtAll() {
    ModelSpec spec =
        new ModelSpec(
            "engine", "kind", "{}", new ExampleShape(1, 1, Target.REGRESSION), 2, 0, List.of());

    assertThat(new InitialModel(spec, new float[2], 0, null).serverOptimizer().isEmpty()).isTrue();
    assertThatThrownBy(() -> new InitialModel(spec, new float[2], 0, null, state))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("3 values", "2 parameters");
  }
}
