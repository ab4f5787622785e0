package dev.millrace.simulate.job;

import dev.millrace.simulate.task.Edge;
import dev.millrace.simulate.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.util.OutputTag;

/** Connects the subtasks of tasks that exist. */
final class TaskWires implements Wires {

  private static final SerializerConfig DEFAULTS = new SerializerConfigImpl();

  /** How long things are under way. */
  interface Latencies {

    /** Returns the time from one subtask to another, in microseconds; of each record anew. */
    LongSupplier between(Task from, Task to);
  }

  private final Map<String, List<Task>> tasks;
  private final Latencies latencies;
  private final Defect defect;

  TaskWires(Map<String, List<Task>> tasks, Latencies latencies, Defect defect) {
    this.tasks = tasks;
    this.latencies = latencies;
    this.defect = defect;
  }

  @Override
  @SuppressWarnings("unchecked") // Of an output there is one type.
  public <T> void connect(
      String from,
      OutputTag<T> tagOrNull,
      TypeInformation<? extends T> type,
      String to,
      int input,
      ToIntFunction<T> target) {
    TypeSerializer<T> serializer = (TypeSerializer<T>) type.createSerializer(DEFAULTS);
    for (Task sender : tasks.get(from)) {
      List<Edge> edges = new ArrayList<>();
      for (Task receiver : tasks.get(to)) {
        edges.add(receiver.input(input, serializer, latencies.between(sender, receiver)));
      }
      sender.route(tagOrNull, serializer, target, edges, message -> defect.send(from, to, message));
    }
  }
}
