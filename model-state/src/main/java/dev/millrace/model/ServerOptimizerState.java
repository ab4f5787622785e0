package dev.millrace.model;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.HeapRoom;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a server optimizer has kept from round to round: momentum, for instance. It is told apart
 * from the blocks that it was kept in, so that a job with others can go on from it. Shares its
 * arrays.
 *
 * @param slots each one value a parameter, in the parameters' order; empty where nothing is kept
 * @param rounds that it has behind it; 0 where the optimizer doesn't count them
 */
public record ServerOptimizerState(List<float[]> slots, long rounds) implements Serializable {

  /** More than any server optimizer keeps; who reads takes no memory for more. */
  public static final int MOST_SLOTS = 8;

  public static final ServerOptimizerState NONE = new ServerOptimizerState(List.of(), 0);

  /** Takes memory as the bytes say: for bytes of one's own only. */
  public static final WireFormat<ServerOptimizerState> WIRE = new StateWire();

  public ServerOptimizerState {
    slots = List.copyOf(slots);
    if (slots.size() > MOST_SLOTS) {
      throw new IllegalArgumentException(
          "A server optimizer keeps at most %s slots, not %s".formatted(MOST_SLOTS, slots.size()));
    }
    for (float[] slot : slots) {
      if (slot.length != slots.get(0).length) {
        throw new IllegalArgumentException(
            "A server optimizer's slots are of one length, not of %s and %s"
                .formatted(slots.get(0).length, slot.length));
      }
    }
    if (rounds < 0) {
      throw new IllegalArgumentException("%s rounds can't have been made".formatted(rounds));
    }
  }

  public boolean isEmpty() {
    return slots.isEmpty();
  }

  /** Values of a slot. */
  public int length() {
    return isEmpty() ? 0 : slots.get(0).length;
  }

  /** Values of all slots. */
  public long size() {
    return (long) slots.size() * length();
  }

  /** A copy of that of {@code length} parameters, from index {@code from}; none of none. */
  public ServerOptimizerState part(int from, int length) {
    return isEmpty() || length == 0
        ? NONE
        : new ServerOptimizerState(
            slots.stream().map(slot -> Arrays.copyOfRange(slot, from, from + length)).toList(),
            rounds);
  }

  /**
   * Checks that this is of a model.
   *
   * @throws IllegalArgumentException if it is of another number of parameters
   */
  void requireFor(ModelSpec spec) {
    if (!isEmpty() && length() != spec.parameters()) {
      throw new IllegalArgumentException(
          "A server optimizer's state of %s values can't belong to %s parameters"
              .formatted(length(), spec.parameters()));
    }
  }

  /**
   * Reads what {@link #WIRE} wrote, whoever has had it since: takes no more memory than {@link
   * #MOST_SLOTS} slots of the length that is expected.
   *
   * @throws IOException if it is of another length
   */
  public static ServerOptimizerState read(DataInput in, int length) throws IOException {
    WireFormat.readVersion(in, StateWire.VERSION, ServerOptimizerState.class);
    long rounds = in.readLong();
    int count = in.readUnsignedByte();
    if (count > MOST_SLOTS) {
      throw new IOException("%s slots, where at most %s belong".formatted(count, MOST_SLOTS));
    }
    List<float[]> slots = new ArrayList<>();
    for (int left = count; left > 0; left--) {
      float[] slot = HeapRoom.floats(length, "The server optimizer's state");
      BulkArrays.readFloats(in, slot);
      slots.add(slot);
    }
    return new ServerOptimizerState(slots, rounds);
  }

  private static final class StateWire implements WireFormat<ServerOptimizerState>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(ServerOptimizerState state, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(state.rounds);
      out.writeByte(state.slots.size());
      for (float[] slot : state.slots) {
        BulkArrays.writeFloats(out, slot);
      }
    }

    @Override
    public ServerOptimizerState read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, ServerOptimizerState.class);
      long rounds = in.readLong();
      List<float[]> slots = new ArrayList<>();
      for (int left = in.readUnsignedByte(); left > 0; left--) {
        slots.add(BulkArrays.readFloats(in));
      }
      return new ServerOptimizerState(slots, rounds);
    }
  }
}
