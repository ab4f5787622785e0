package dev.millrace.exchange.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the coordinator steers reaches heads and decisions, and is kept. */
class SteeringControllerTest {

  private static final Steering STEERED = new Steering(1, 0.4, 1);

  private Coordinator coordinator =
      new Coordinator(ModelTotals.open(new FeatureStatistics(0), 0, 10, 2));

  @BeforeEach
  void start() {
    coordinator.hello(new Hello(0, 1, "home"));
  }

  @Test
  void headsTellWhatIsSteeredAndScaleLocalSteps() throws IOException {
    assertThat(coordinator.head(5, false).steering()).isEqualTo(Steering.NONE);

    coordinator.controller().steer(STEERED);
    RoundHead head = coordinator.head(5, false);

    assertThat(head.localSteps()).isEqualTo(2);
    assertThat(coordinator.head(1, false).localSteps()).isEqualTo(1);
    assertThat(copy(RoundHead.WIRE, head).steering()).isEqualTo(STEERED);
  }

  @Test
  void headsTellOfSmallerMinibatches() throws IOException {
    Steering more = new Steering(0, 1, 0.25);
    coordinator.controller().steer(more);
    restore();

    RoundHead head = coordinator.head(5, false);

    assertThat(copy(RoundHead.WIRE, head).steering()).isEqualTo(more);
    assertThat(more.minibatch(16)).isEqualTo(4);
    assertThat(more.minibatch(1)).isEqualTo(1);
    assertThat(STEERED.minibatch(16)).isEqualTo(16);
  }

  @Test
  void whatIsSteeredSurvivesARestore() throws IOException {
    coordinator.controller().steer(STEERED);

    restore();

    assertThat(coordinator.head(5, false).steering()).isEqualTo(STEERED);
  }

  @Test
  void nothingIsMultipliedByNothing() {
    assertThatThrownBy(() -> new Steering(0, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Steering(0, 1, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private void restore() throws IOException {
    coordinator = Coordinator.read(new DataInputStream(new ByteArrayInputStream(saved())), 10, 2);
    start();
  }

  private byte[] saved() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    coordinator.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static <T> T copy(WireFormat<T> wire, T value) throws IOException {
    return wire.read(new DataInputStream(new ByteArrayInputStream(bytes(wire, value))));
  }

  private static <T> byte[] bytes(WireFormat<T> wire, T value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    wire.write(value, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
