package dev.millrace.watch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The runs that sources of metric records tell of. It is made anew of the records when a server
 * starts again.
 *
 * <p>Thread-safe.
 */
public final class History {

  /** Hears of records that have been added, on the thread that adds them; must not block. */
  interface Listener {

    /** A run has begun. */
    void began(String id, String title);

    /**
     * Records of a run have come.
     *
     * @param before how many had come before
     */
    void added(String id, long before, List<ObjectNode> records);
  }

  private static final JsonFactory JSON = new JsonFactory();

  private final Map<String, List<Run>> runs = new LinkedHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Adds what a source has given.
   *
   * @param source such as a file's name; each has runs of its own, one after the other
   * @param records in their order; what has no type and time is left out
   */
  public synchronized void add(String source, List<ObjectNode> records) {
    List<ObjectNode> together = new ArrayList<>();
    Run run = null;
    for (ObjectNode record : records) {
      if (!record.path("type").isTextual() || !record.path("time").isIntegralNumber()) {
        continue;
      }
      Run next = runOf(source, record);
      if (next != run) {
        tell(run, together);
        together = new ArrayList<>();
        run = next;
      }
      next.add(record);
      together.add(record);
    }
    tell(run, together);
  }

  private Run runOf(String source, ObjectNode record) {
    List<Run> all = runs.computeIfAbsent(source, any -> new ArrayList<>());
    Run last = all.isEmpty() ? null : all.get(all.size() - 1);
    if (last != null && !last.isOver(record)) {
      return last;
    }
    int number = all.size() + 1;
    String title = number == 1 ? source : "%s, run %s".formatted(source, number);
    Run begun = new Run(source + "#" + number, title);
    all.add(begun);
    listeners.forEach(listener -> listener.began(begun.id(), begun.title()));
    return begun;
  }

  private void tell(Run runOrNull, List<ObjectNode> records) {
    if (runOrNull != null && !records.isEmpty()) {
      long before = runOrNull.count() - records.size();
      listeners.forEach(listener -> listener.added(runOrNull.id(), before, records));
    }
  }

  void listen(Listener listener) {
    listeners.add(listener);
  }

  void leave(Listener listener) {
    listeners.remove(listener);
  }

  int listeners() {
    return listeners.size();
  }

  /**
   * All that is kept, as JSON.
   *
   * @param live whether more may come
   */
  synchronized String json(boolean live) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.writeStartObject();
      out.writeBooleanField("live", live);
      out.writeArrayFieldStart("runs");
      for (List<Run> of : runs.values()) {
        for (Run run : of) {
          run.write(out);
        }
      }
      out.writeEndArray();
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}
