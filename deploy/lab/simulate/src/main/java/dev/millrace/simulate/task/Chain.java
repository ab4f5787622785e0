package dev.millrace.simulate.task;

import dev.millrace.exchange.flink.replica.ReplicaOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToIntFunction;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** The operators of a task, each behind the one before it. */
final class Chain {

  private final Outputs outputs;
  private final List<Operator<?>> operators = new ArrayList<>();
  private ToIntFunction<Object> keyOrNull;

  /**
   * @param outputs of the last operator
   */
  Chain(Outputs outputs) {
    this.outputs = outputs;
  }

  void add(Operator<?> operator) {
    operators.add(operator);
  }

  /** Records have keys. */
  void keyedBy(ToIntFunction<Object> keys) {
    keyOrNull = keys;
  }

  int size() {
    return operators.size();
  }

  boolean isEmpty() {
    return operators.isEmpty();
  }

  private AbstractStreamOperator<?> head() {
    return operators.get(0).get();
  }

  /** All begin, the last one first. */
  void begin(List<SavedState> saved, OptionalLong checkpoint) throws Exception {
    for (int i = operators.size() - 1; i >= 0; i--) {
      operators.get(i).begin(saved.get(i), checkpoint);
    }
  }

  /** Gives the head a record that has come from another task. */
  @SuppressWarnings("unchecked") // Edges are built for the operator.
  void process(int input, Object value) throws Exception {
    AbstractStreamOperator<?> head = head();
    if (keyOrNull != null) {
      head.setCurrentKey(keyOrNull.applyAsInt(value));
    }
    StreamRecord<Object> record = new StreamRecord<>(value);
    if (head instanceof TwoInputStreamOperator<?, ?, ?> two) {
      if (input == 1) {
        ((TwoInputStreamOperator<Object, Object, Object>) two).processElement1(record);
      } else {
        ((TwoInputStreamOperator<Object, Object, Object>) two).processElement2(record);
      }
    } else {
      ((Input<Object>) head).processElement(record);
    }
  }

  /** Gives a record to the operator at that place, or sends it. */
  @SuppressWarnings("unchecked") // The chain is built for it.
  void forward(int place, StreamRecord<?> record) {
    if (place == operators.size()) {
      outputs.send(record.getValue());
      return;
    }
    try {
      ((Input<Object>) operators.get(place).get()).processElement((StreamRecord<Object>) record);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  void side(OutputTag<?> tag, StreamRecord<?> record) {
    outputs.send(tag, record.getValue());
  }

  /** A barrier is about to leave. */
  void prepare(long checkpoint) throws Exception {
    for (Operator<?> operator : operators) {
      operator.get().prepareSnapshotPreBarrier(checkpoint);
    }
  }

  /** Takes what a checkpoint has of each. */
  List<Operator.Saved> save(Barrier barrier, long millis) throws Exception {
    List<Operator.Saved> parts = new ArrayList<>();
    for (Operator<?> operator : operators) {
      parts.add(operator.save(barrier, millis));
    }
    return parts;
  }

  void completed(long checkpoint) throws Exception {
    for (Operator<?> operator : operators) {
      operator.get().notifyCheckpointComplete(checkpoint);
    }
  }

  void aborted(long checkpoint) throws Exception {
    for (Operator<?> operator : operators) {
      operator.get().notifyCheckpointAborted(checkpoint);
    }
  }

  /** One input of the head is over. */
  void endInput(int input) throws Exception {
    if (!operators.isEmpty()) {
      endInput(head(), input);
    }
  }

  private static void endInput(AbstractStreamOperator<?> operator, int input) throws Exception {
    if (operator instanceof BoundedOneInput one) {
      one.endInput();
    } else if (operator instanceof BoundedMultiInput several) {
      several.endInput(input);
    }
  }

  /** All finish, one after another, each once it has done what has come before its end. */
  void finish(boolean drained, Mailbox mailbox) throws Exception {
    for (int i = 0; i < operators.size(); i++) {
      Operator<?> operator = operators.get(i);
      if (i > 0 && drained) {
        endInput(operator.get(), 1);
      }
      operator.quiesce();
      while (mailbox.tryYield()) {
        // Until there is none.
      }
      if (drained) {
        operator.get().finish();
      }
    }
  }

  void close() throws Exception {
    for (int i = operators.size() - 1; i >= 0; i--) {
      operators.get(i).get().close();
    }
  }

  /** Loses what their process had in memory. */
  void vanish() {
    for (Operator<?> operator : operators) {
      if (operator.get() instanceof ReplicaOperator) {
        try {
          operator.get().close();
        } catch (Exception e) {
          throw new IllegalStateException("A replica can't be closed", e);
        }
      }
    }
  }
}
