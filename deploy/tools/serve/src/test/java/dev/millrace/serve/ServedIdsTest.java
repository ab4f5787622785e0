package dev.millrace.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.DynamicMessage;
import dev.millrace.example.Example;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.TrustedModels;
import dev.millrace.job.follow.ModelTrust;
import dev.millrace.job.serve.Endpoint.Access;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.ModelReplica;
import dev.millrace.serve.ServerUnderTest.Reply;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import io.grpc.ManagedChannel;

/** Models of ids: rows come of a map here. */
class ServedIdsTest {

  private static final FieldsDescription FIELDS =
      FieldsDescription.parse(
          """
          [{"path": "user", "kind": "id", "table": "users", "dimension": 3},
           {"path": "items", "kind": "ids", "table": "items", "dimension": 2, "pooling": "mean"},
           {"path": "tags", "kind": "ids", "table": "tags", "dimension": 2, "separator": "|"},
           {"path": "price", "kind": "number"}]\
          """,
          null);
  private static final ExampleShape SHAPE = FIELDS.shape(Target.REGRESSION, 1);

  @TempDir private static Path directory;
  private static final HeapRows ROWS = new HeapRows();
  private static ServerUnderTest server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    publish(directory, 1);
    server = start(directory, ROWS).ready();
    channel = GrpcTest.channel(server);
  }

  private static void publish(Path models, long round) throws IOException {
    TellingModels.publish(
        models,
        TrainedModels.model("dl4j", "mlp", SHAPE, List.of(4), round, TrainedModels.none(SHAPE)));
  }

  private static ServerUnderTest start(Path models, HeapRows rows) throws IOException {
    ModelPlace place =
        new TrustedModels(
            ModelDirectory.of(models.toString(), false),
            new ModelTrust("dl4j", "scoring.engine", TrustedKeys.read(List.of())),
            rows);
    return ServerUnderTest.start(
        place,
        GrpcTest.endpoint(Optional.empty(), new Access.ThisMachine()),
        ServerUnderTest.BATCHING,
        ServerUnderTest.LIMITS,
        HttpClient.newHttpClient());
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.close();
    assertThat(ROWS.closed).isTrue();
  }

  /** Returns the ids of a record's fields in their order, as a job makes them. */
  private static long[] ids(String user, String items, String tags) {
    RecordFeatures features = RecordFeatures.of(FIELDS, SHAPE);
    Example example = new Example(SHAPE);
    example.reset();
    throw new UnsupportedOperationException(user + items + tags + features + example);
  }

  private static float predict(String records) throws Exception {
    Reply reply = server.post("/v2/models/model/predict", records);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.json().path("predictions").get(0).path("values").get(0).floatValue();
  }

  private static float infer(String inputs) throws Exception {
    Reply reply = server.infer("{\"inputs\":[" + inputs + "]}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply.floats("values")[0];
  }
}
