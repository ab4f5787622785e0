package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that sources of metric records tell of. It is made anew of the records when a server
 * starts again. Where they take more memory than there is for them, the oldest runs are forgotten,
 * and of the others less is kept.
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

  /** What is kept of a run. */
  private record Kept(String id, String title, long count, List<KeptRecord> records) {}

  private static final Logger LOG = LoggerFactory.getLogger(History.class);
  private static final JsonFactory JSON = new JsonFactory();

  /** A part of the heap. */
  private static final int PART_OF_HEAP = 2;

  private final long mostBytes;
  private final Map<String, Source> sources = new LinkedHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();
  private long bytes;
  private boolean hasWarned;

  /** Keeps as much as this process has memory for. */
  public History() {
    this(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  History(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds what a source has given.
   *
   * @param name such as a file's; each source has runs of its own, one after the other
   * @param records in their order; what has no type and time is left out
   */
  public synchronized void add(String name, List<ObjectNode> records) {
    Source source = sources.computeIfAbsent(name, Source::new);
    List<ObjectNode> together = new ArrayList<>();
    Run run = null;
    for (ObjectNode record : records) {
      if (!record.path("type").isTextual() || !record.path("time").isIntegralNumber()) {
        continue;
      }
      Run next = source.beginsRun(record) ? begin(source) : source.last();
      if (next != run) {
        tell(run, together);
        together = new ArrayList<>();
        run = next;
      }
      bytes -= next.bytes();
      next.add(record);
      bytes += next.bytes();
      together.add(record);
      keepWithin();
    }
    tell(run, together);
  }

  private Run begin(Source source) {
    Run begun = source.begin();
    bytes += begun.bytes();
    listeners.forEach(listener -> listener.began(begun.id(), begun.title()));
    return begun;
  }

  private void keepWithin() {
    if (bytes <= mostBytes) {
      return;
    }
    if (!hasWarned) {
      hasWarned = true;
      LOG.warn(
          "Metric records take more than {} MB; the oldest runs are forgotten, and of others less"
              + " is kept",
          mostBytes >> 20);
    }
    boolean less = true;
    while (bytes > mostBytes && less) {
      less = sources.values().stream().anyMatch(Source::forgetOldest) || thinLargest();
      bytes = runs().stream().mapToLong(Run::bytes).sum();
    }
  }

  private boolean thinLargest() {
    return runs().stream().max(Comparator.comparingLong(Run::bytes)).orElseThrow().thin();
  }

  private List<Run> runs() {
    return sources.values().stream().flatMap(source -> source.runs().stream()).toList();
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

  private synchronized List<Kept> kept() {
    return runs().stream()
        .map(run -> new Kept(run.id(), run.title(), run.count(), run.records()))
        .toList();
  }

  /**
   * Writes all that is kept, as JSON. Whoever adds records doesn't wait for it.
   *
   * @param live whether more may come
   */
  void write(OutputStream to, boolean live) throws IOException {
    try (JsonGenerator out = JSON.createGenerator(to)) {
      out.writeStartObject();
      out.writeBooleanField("live", live);
      out.writeArrayFieldStart("runs");
      for (Kept run : kept()) {
        out.writeStartObject();
        out.writeStringField("id", run.id());
        out.writeStringField("title", run.title());
        out.writeNumberField("count", run.count());
        out.writeArrayFieldStart("records");
        for (KeptRecord record : run.records()) {
          out.writeRawValue(record.text());
        }
        out.writeEndArray();
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  /** Returns them as one text. */
  String json(boolean live) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try {
      write(text, live);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(UTF_8);
  }
}
