package dev.millrace.simulate.task;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.OutputTag;

/** The ways out of a task. */
final class Outputs {

  private final LongSupplier micros;
  private final Map<OutputTag<?>, Route> side = new LinkedHashMap<>();
  private final DataOutputSerializer buffer = new DataOutputSerializer(256);
  private Route main;
  private boolean cut;

  /**
   * @param micros the task's own time
   */
  Outputs(LongSupplier micros) {
    this.micros = micros;
  }

  /** Where records of one output go. */
  private record Route(
      TypeSerializer<Object> serializer,
      ToIntFunction<Object> target,
      List<Edge> edges,
      Function<Object, List<Object>> instead) {}

  /**
   * Adds one of the last operator's; the main one has no tag.
   *
   * @param instead says what leaves in place of a record
   */
  @SuppressWarnings("unchecked") // A serializer is of what the output has.
  <T> void add(
      OutputTag<T> tagOrNull,
      TypeSerializer<T> serializer,
      ToIntFunction<T> target,
      List<Edge> edges,
      Function<Object, List<Object>> instead) {
    Route route =
        new Route(
            (TypeSerializer<Object>) serializer,
            (ToIntFunction<Object>) target,
            List.copyOf(edges),
            instead);
    if (tagOrNull == null) {
      main = route;
    } else {
      side.put(tagOrNull, route);
    }
  }

  /** Whether no record of the main output would wait long. */
  boolean haveRoom() {
    return main == null || main.edges().stream().allMatch(Edge::hasRoom);
  }

  /** Nothing leaves any more. */
  void cut() {
    cut = true;
  }

  boolean isCut() {
    return cut;
  }

  void send(Object value) {
    send(main, value);
  }

  void send(OutputTag<?> tag, Object value) {
    send(side.get(tag), value);
  }

  private void send(Route routeOrNull, Object value) {
    if (routeOrNull != null && !cut) {
      for (Object sent : routeOrNull.instead().apply(value)) {
        routeOrNull
            .edges()
            .get(routeOrNull.target().applyAsInt(sent))
            .send(new Item.Data(bytes(routeOrNull.serializer(), sent)), micros.getAsLong());
      }
    }
  }

  private byte[] bytes(TypeSerializer<Object> serializer, Object value) {
    try {
      buffer.clear();
      serializer.serialize(value, buffer);
      return buffer.getCopyOfBuffer();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends it over each edge. */
  void broadcast(Item item) {
    if (cut) {
      return;
    }
    Set<Edge> all = new LinkedHashSet<>();
    if (main != null) {
      all.addAll(main.edges());
    }
    side.values().forEach(route -> all.addAll(route.edges()));
    all.forEach(edge -> edge.send(item, micros.getAsLong()));
  }
}
