package dev.millrace.job.train.publish.lineage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.train.publish.ReleaseListener;
import dev.millrace.registry.Secret;
import dev.millrace.registry.WholeAnswer;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Posts events of OpenLineage: each attempt of the job is a run, and each committed model an event
 * of it. An event that the server doesn't take is lost: the next model's has the whole ledger.
 *
 * <p>{@code OPENLINEAGE_API_KEY} of the process' environment is sent as a token.
 */
public final class LineageListener implements ReleaseListener {

  private static final long serialVersionUID = 1;

  private static final String KEY = "OPENLINEAGE_API_KEY";
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final String url;
  private final String job;
  private final String serversOrNull;
  private final Duration limit;

  private transient HttpClient client;
  private transient LineageEvents events;

  /**
   * @param url of the server, such as {@code http://marquez:5000}
   * @param job name that events bear
   * @param serversOrNull of the topics; null where records are of a program's or a query's own
   */
  public LineageListener(String url, String job, String serversOrNull) {
    this(url, job, serversOrNull, LIMIT);
  }

  /** {@code limit} is that of an event and its whole answer. */
  LineageListener(String url, String job, String serversOrNull, Duration limit) {
    this.url = url.replaceAll("/+$", "");
    this.job = job;
    this.serversOrNull = serversOrNull;
    this.limit = limit;
  }

  @Override
  public void began() throws IOException {
    client = HttpClient.newBuilder().connectTimeout(limit).build();
    events = new LineageEvents(job, serversOrNull, UUID.randomUUID());
    send(events.event("START", Instant.now()));
  }

  @Override
  public void released(SnapshotDescription snapshot, SnapshotStore store) {
    // Only what stays is told.
  }

  @Override
  public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again)
      throws IOException {
    send(events.model(snapshot, store.locate(""), Instant.now()));
  }

  @Override
  public void ended(boolean finished) throws IOException {
    send(events.event(finished ? "COMPLETE" : "FAIL", Instant.now()));
  }

  private void send(ObjectNode event) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + "/api/v1/lineage"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(event.toString()));
    String key = System.getenv(KEY);
    if (key != null) {
      Secret.authorize(request, "Bearer " + Secret.bare(key), KEY);
    }
    int status;
    try {
      status =
          WholeAnswer.of(client, request.build(), BodyHandlers.discarding(), limit).statusCode();
    } catch (IOException e) {
      throw new IOException(
          "%s can't be reached: %s; check the server's URL".formatted(this, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while waiting for " + this, e);
    }
    if (status / 100 != 2) {
      throw new IOException("%s answered %s; check the server's URL".formatted(this, status));
    }
  }

  @Override
  public void close() {
    // A client of the JDK ends with its last use.
  }

  @Override
  public String toString() {
    return "the lineage server at " + url;
  }
}
