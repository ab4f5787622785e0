package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is new, as server-sent events for one client, which a thread of its own writes. A client
 * that is too slow is let go; its browser connects again, and loads the history.
 */
final class EventStream implements History.Listener {

  private static final int MOST_WAITING = 1_000;

  /** One event may be a megabyte of records: where a file grows fast. */
  private static final long MOST_BYTES = 4 << 20;

  private static final long HEARTBEAT_SECONDS = 15;
  private static final byte[] HEARTBEAT = ": still here\n\n".getBytes(UTF_8);

  private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final AtomicLong waitingBytes = new AtomicLong();
  private volatile boolean tooSlow;

  @Override
  public void began(String id, String title) {
    offer("run", JsonNodeFactory.instance.objectNode().put("id", id).put("title", title));
  }

  @Override
  public void added(String id, long before, List<ObjectNode> records) {
    ObjectNode data = JsonNodeFactory.instance.objectNode().put("run", id).put("before", before);
    ArrayNode all = data.putArray("records");
    records.forEach(all::add);
    offer("records", data);
  }

  private void offer(String event, ObjectNode data) {
    if (tooSlow || waitingBytes.get() > MOST_BYTES) {
      tooSlow = true;
      return;
    }
    // JSON on one line: no line of it can be taken for another field.
    byte[] text = "event: %s\ndata: %s\n\n".formatted(event, data).getBytes(UTF_8);
    waitingBytes.addAndGet(text.length);
    if (!waiting.offer(text)) {
      tooSlow = true;
    }
  }

  /** Writes until the client is gone, too slow, or the thread is interrupted. */
  void writeTo(OutputStream client) throws IOException, InterruptedException {
    client.write(HEARTBEAT);
    client.flush();
    while (!tooSlow) {
      byte[] next = waiting.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
      if (next != null) {
        waitingBytes.addAndGet(-next.length);
      }
      client.write(next == null ? HEARTBEAT : next);
      client.flush();
    }
  }
}
