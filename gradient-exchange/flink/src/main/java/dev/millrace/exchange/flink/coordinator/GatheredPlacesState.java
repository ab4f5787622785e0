package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.flink.ByteStringState;
import dev.millrace.exchange.gather.GatheredPlaces;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.state.StateInitializationContext;

/** Where contributions wait, in checkpoints of jobs that gather them. */
final class GatheredPlacesState {

  private static final String NAME = "gathered-places";

  private final Optional<ByteStringState> state;

  private GatheredPlacesState(Optional<ByteStringState> state) {
    this.state = state;
  }

  static GatheredPlacesState open(StateInitializationContext context, boolean gathers)
      throws Exception {
    return new GatheredPlacesState(
        gathers ? Optional.of(ByteStringState.open(context, NAME)) : Optional.empty());
  }

  /** Returns what the checkpoint has, which may be nothing. */
  GatheredPlaces read() throws Exception {
    List<byte[]> saved = state.isPresent() ? state.get().get() : List.of();
    return saved.isEmpty()
        ? GatheredPlaces.NONE
        : GatheredPlaces.read(new DataInputStream(new ByteArrayInputStream(saved.get(0))));
  }

  void save(GatheredPlaces places) throws Exception {
    if (state.isPresent()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      places.write(new DataOutputStream(bytes));
      state.get().set(List.of(bytes.toByteArray()));
    }
  }
}
