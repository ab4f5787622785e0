package dev.millrace.exchange.replica;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;

/**
 * Reads and writes a replica's values block by block, and has room for one block, which all who
 * work on the vector share. What isn't exchanged, the rest, comes in pieces as large as a block.
 *
 * <p>Not thread-safe.
 */
final class VectorBlocks {

  private final ModelReplica model;
  private final BlockLayout layout;
  private final float[] room;

  VectorBlocks(ModelReplica model, BlockLayout layout) {
    this.model = model;
    this.layout = layout;
    this.room = new float[layout.blockSize()];
  }

  BlockLayout layout() {
    return layout;
  }

  int count() {
    return layout.count();
  }

  int offset(int block) {
    return layout.offset(block);
  }

  int size(int block) {
    return layout.size(block);
  }

  /** Returns the room with a block's values in front. Whoever asks next writes over them. */
  float[] read(int block) {
    read(block, room, 0);
    return room;
  }

  /** Returns the room with these values in front, see {@link #read(int)}. */
  float[] copyToRoom(float[] values) {
    System.arraycopy(values, 0, room, 0, values.length);
    return room;
  }

  /** Copies a block's values into an array. */
  void read(int block, float[] into, int at) {
    model.read(offset(block), into, at, size(block));
  }

  /** Returns a block's values in an array of their own. */
  float[] copy(int block) {
    float[] values = new float[size(block)];
    read(block, values, 0);
    return values;
  }

  /** Takes a block's values out of the front of an array. */
  void write(int block, float[] values) {
    model.write(offset(block), values, 0, size(block));
  }

  int restPieces() {
    return (restLength() + room.length - 1) / room.length;
  }

  int restSize(int piece) {
    return Math.min(room.length, restLength() - piece * room.length);
  }

  /** Returns the room with a piece of the rest in front, see {@link #read(int)}. */
  float[] readRest(int piece) {
    model.read(restOffset(piece), room, 0, restSize(piece));
    return room;
  }

  /** Returns a piece of the rest in an array of its own. */
  float[] copyRest(int piece) {
    float[] values = new float[restSize(piece)];
    model.read(restOffset(piece), values, 0, values.length);
    return values;
  }

  void writeRest(int piece, float[] values) {
    model.write(restOffset(piece), values, 0, values.length);
  }

  private int restOffset(int piece) {
    return layout.length() + piece * room.length;
  }

  private int restLength() {
    return model.spec().vectorLength() - layout.length();
  }
}
