package dev.millrace.sql;

import dev.millrace.job.testing.TestEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A session of Flink SQL whose queries run in the cluster of the tests. */
public final class Queries {

  private final StreamTableEnvironment session;
  private final Path models;

  private Queries(StreamTableEnvironment session, Path models) {
    this.session = session;
    this.models = models;
  }

  /**
   * Opens a session without checkpoints.
   *
   * @param models where those of {@link #createModel} are published
   * @param restarts of a query that fails
   */
  public static Queries open(Path models, int parallelism, int restarts) throws Exception {
    StreamExecutionEnvironment environment =
        TestEnvironment.local(parallelism, "hashmap", null, restarts);
    // With checkpoints results come with them, not at once.
    environment.getCheckpointConfig().disableCheckpointing();
    return new Queries(StreamTableEnvironment.create(environment), models);
  }

  /** The same with a session of one's own. */
  public static Queries of(StreamExecutionEnvironment environment, Path models) {
    return new Queries(StreamTableEnvironment.create(environment), models);
  }

  /** Runs a statement that inserts, to its end. */
  public void insert(String statement) throws Exception {
    run(statement).await(3, TimeUnit.MINUTES);
  }

  public StreamTableEnvironment session() {
    return session;
  }

  /** Makes the model {@code m}. */
  public Queries createModel(String input, String output, String... moreOptions) {
    run(
        "CREATE MODEL m INPUT (%s) OUTPUT (%s) WITH ('provider' = 'millrace', 'models' = '%s', 'poll-interval' = '10 ms'%s)"
            .formatted(
                input,
                output,
                models,
                moreOptions.length == 0 ? "" : ", " + String.join(", ", moreOptions)));
    return this;
  }

  public TableResult run(String statement) {
    return session.executeSql(statement);
  }

  /** All rows of a query that ends. */
  public List<Row> rows(String query) throws Exception {
    List<Row> rows = new ArrayList<>();
    readWhile(query, rows::add);
    return rows;
  }

  /** Reads rows until a reader wants no more, or the query ends. */
  public void readWhile(String query, Predicate<Row> reader) throws Exception {
    CloseableIterator<Row> results = run(query).collect();
    // Not by a try of resources: closing may be interrupted, which javac warns of.
    try {
      while (results.hasNext()) {
        if (!reader.test(results.next())) {
          return;
        }
      }
    } finally {
      results.close();
    }
  }
}
