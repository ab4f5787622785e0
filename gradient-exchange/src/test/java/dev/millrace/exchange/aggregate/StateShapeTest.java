package dev.millrace.exchange.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ServerOptimizerState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StateShapeTest {

  static Stream<Arguments> optimizersAndSizes() {
    return Stream.of(
            ServerOptimizer.none(1),
            ServerOptimizer.nesterov(1, 0.9),
            ServerOptimizer.adam(1, 0.9, 0.99, 1e-8))
        .flatMap(
            optimizer ->
                Stream.of(1, 2, 3, 4, 1000)
                    .map(parameters -> Arguments.of(optimizer.stateShape(), parameters)));
  }

  @ParameterizedTest
  @MethodSource("optimizersAndSizes")
  void isToldByTheLengthOfAState(StateShape shape, int parameters) {
    assertThat(StateShape.of(parameters, shape.length(parameters))).contains(shape);
    assertThat(shape.length(0)).isZero();
  }

  @Test
  void aLengthThatNoOptimizerHasIsOfNone() {
    assertThat(StateShape.of(10, 1)).isEmpty();
    assertThat(StateShape.of(10, 12)).isEmpty();
    assertThat(StateShape.of(10, 500)).isEmpty();
    assertThatThrownBy(() -> new StateShape(0, true)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new StateShape(9, false)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aStateBeginsWithWhatFitsAndElseAnew() {
    StateShape moments = new StateShape(2, true);
    ServerOptimizerState two =
        new ServerOptimizerState(List.of(new float[] {1, 2}, new float[] {3, 4}), 5);
    ServerOptimizerState one = new ServerOptimizerState(List.of(new float[] {1, 2}), 0);

    assertThat(moments.begin(2, two)).containsExactly(1, 2, 3, 4, 5);
    assertThat(moments.rounds(moments.begin(2, two))).isEqualTo(5);
    assertThat(moments.begin(2, one)).containsExactly(0, 0, 0, 0, 0);
    assertThat(moments.begin(3, two)).containsOnly(0);
    assertThat(moments.begin(0, two)).isEmpty();
    assertThat(new StateShape(1, false).begin(2, one)).containsExactly(1, 2);
    assertThat(new StateShape(1, false).begin(2, two)).containsExactly(0, 0);
    assertThat(StateShape.NONE.begin(2, two)).isEmpty();
  }
}
