package dev.millrace.simulate.job;

import java.util.function.ToIntFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/** Connects tasks. */
interface Wires {

  /**
   * Connects each subtask of one task with each of another.
   *
   * @param tagOrNull of the output; null for the main one
   * @param input of the operator, from 1
   * @param target which subtask a record goes to
   */
  <T> void connect(
      String from,
      OutputTag<T> tagOrNull,
      TypeInformation<? extends T> type,
      String to,
      int input,
      ToIntFunction<T> target);

  /** Connects a side output. */
  default <T> void connect(
      String from, OutputTag<T> tag, String to, int input, ToIntFunction<T> target) {
    connect(from, tag, tag.getTypeInfo(), to, input, target);
  }
}
