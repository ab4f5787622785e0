package dev.millrace.simulate.job;

import dev.millrace.exchange.feedback.SimulatedProcess;
import dev.millrace.simulate.task.Task;
import dev.millrace.simulate.time.Chance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes of a job, and which subtask is in which. */
final class Processes {

  /** Makes a subtask. */
  interface Tasks {
    Task make(String vertex, int index, int subtasks, SimulatedProcess process);
  }

  private final String job;
  private final List<SimulatedProcess> all = new ArrayList<>();
  private int started;

  Processes(String job, int count) {
    this.job = job;
    for (int i = 0; i < count; i++) {
      all.add(start());
    }
  }

  private SimulatedProcess start() {
    return new SimulatedProcess(job + "-" + started++);
  }

  /** Puts a new one in the place of another, and returns that. */
  SimulatedProcess replace(int number) {
    return all.set(number % all.size(), start());
  }

  /**
   * Places subtasks: those of one number are in one process, as co-location has it, but for the
   * exchange's.
   */
  Map<String, List<Task>> place(Map<String, Integer> subtasks, Chance places, Tasks tasks) {
    Map<String, List<Task>> placed = new LinkedHashMap<>();
    int shift = places.below(all.size());
    subtasks.forEach(
        (vertex, count) -> {
          List<Task> ofVertex = new ArrayList<>();
          for (int index = 0; index < count; index++) {
            int place = vertex.equals(Graph.EXCHANGE) ? places.below(64) : index;
            ofVertex.add(tasks.make(vertex, index, count, all.get((place + shift) % all.size())));
          }
          placed.put(vertex, ofVertex);
        });
    return placed;
  }
}
