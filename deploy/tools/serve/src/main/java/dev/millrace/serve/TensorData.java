package dev.millrace.serve;

import dev.millrace.fields.FieldValues;
import java.util.List;

/** The elements of a tensor, in row-major order. */
interface TensorData {

  /**
   * Checks that it is as the rest of the tensor says. All else is asked for afterwards.
   *
   * @param mayMiss whether elements may be missing
   * @throws RefusedRequestException if not, naming the first element or length that is wrong
   */
  void require(int[] shape, Datatype type, boolean mayMiss) throws RefusedRequestException;

  /**
   * Returns the numbers as a network takes them, NaN for a missing one. The array may be longer.
   *
   * @throws RefusedRequestException if one is beyond the range of floats
   */
  float[] numbers() throws RefusedRequestException;

  /** Returns the texts, null for a missing one. */
  List<String> texts();

  /** Puts an element into the values of a record; a missing one leaves the field as it is. */
  void put(int element, FieldValues into, int field);
}
