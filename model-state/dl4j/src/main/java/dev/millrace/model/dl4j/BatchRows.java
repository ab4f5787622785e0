package dev.millrace.model.dl4j;

/**
 * How many examples a batch has, and how long their sequences are.
 *
 * @param count of examples, at least 1
 * @param steps of each example's sequence, behind them room for more; null where examples are none
 * @param longest of the sequences; 1 where examples are none
 */
@SuppressWarnings("ArrayRecordComponent") // It is handed on, never compared.
record BatchRows(int count, int[] steps, int longest) {

  /**
   * @param stepsOrNull null where examples are no sequences
   */
  static BatchRows of(int[] stepsOrNull, int count) {
    int longest = 1;
    for (int row = 0; stepsOrNull != null && row < count; row++) {
      longest = Math.max(longest, stepsOrNull[row]);
    }
    return new BatchRows(count, stepsOrNull, longest);
  }

  /** Steps of an example. One that has none, as a row that doesn't count, has one of zeros. */
  int steps(int row) {
    return steps == null ? 1 : Math.max(1, steps[row]);
  }
}
