package dev.millrace.model.negatives;

import java.util.Arrays;

/**
 * Different keys, numbered in the order in which they came first. It grows, and allocates nothing
 * once it is as large as it needs. Not thread-safe.
 */
final class NumberedKeys {

  private static final int FIRST_SLOTS = 64;

  private long[] keys = new long[FIRST_SLOTS / 2];

  /** The number of the key in each slot, and 1; 0 where there is none. Their count is 2^n. */
  private int[] slots = new int[FIRST_SLOTS];

  private int size;

  /** Takes a key in, unless it is there, and returns its number. */
  int add(long key) {
    int slot = slot(key);
    if (slots[slot] == 0) {
      if (size == keys.length) {
        grow();
        slot = slot(key);
      }
      keys[size++] = key;
      slots[slot] = size;
    }
    return slots[slot] - 1;
  }

  /** Whether a key is there. */
  boolean contains(long key) {
    return slots[slot(key)] > 0;
  }

  /** Returns the key of a number. */
  long key(int number) {
    return keys[number];
  }

  /** Returns how many different keys there are. */
  int size() {
    return size;
  }

  /** Takes all keys out. */
  void clear() {
    Arrays.fill(slots, 0);
    size = 0;
  }

  /** Returns where a key is, or the free slot where it belongs. Half of the slots are free. */
  private int slot(long key) {
    int last = slots.length - 1;
    int slot = (int) key & last;
    while (slots[slot] > 0 && keys[slots[slot] - 1] != key) {
      slot = slot + 1 & last;
    }
    return slot;
  }

  private void grow() {
    keys = Arrays.copyOf(keys, 2 * keys.length);
    slots = new int[2 * slots.length];
    for (int number = 0; number < size; number++) {
      slots[slot(keys[number])] = number + 1;
    }
  }
}
