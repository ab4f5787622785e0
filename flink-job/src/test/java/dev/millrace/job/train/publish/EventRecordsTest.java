package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.JobEvent.Began;
import dev.millrace.exchange.round.JobEvent.Checkpointed;
import dev.millrace.exchange.round.JobEvent.Noticed;
import dev.millrace.exchange.steering.Notice;
import dev.millrace.kafka.sink.LineTopic;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventRecordsTest {

  private static final ModelVersion VERSION = new ModelVersion(1, 7);

  @Test
  void aRunTellsItsReplicasAndItsOptions() throws IOException {
    JsonNode record = record(new Began(VERSION, 5, 4, true, 2));

    assertThat(record.path("type").asText()).isEqualTo("run");
    assertThat(record.path("generation").asInt()).isEqualTo(1);
    assertThat(record.path("replicas").asInt()).isEqualTo(4);
    assertThat(record.path("restored").asBoolean()).isTrue();
    assertThat(record.path("attempt").asInt()).isEqualTo(2);
    assertThat(record.path("engine").asText()).isEqualTo(SummingEngine.NAME);
    assertThat(record.path("parameters").asInt()).isEqualTo(4);
    assertThat(record.path("millrace").asText()).isNotEmpty();
    assertThat(record.at("/options/batch.size").asText()).isEqualTo("32");
    assertThat(record.at("/defaults/drift.confidence").asText()).isEqualTo("0");
  }

  @Test
  void aNoticeHasTheTypeAndTheFieldsThatItsHookGives() throws IOException {
    Notice notice = new Notice("drift", "for the log", "{\"examples\":900,\"reacted\":true}");

    assertThat(record(new Noticed(VERSION, 5, notice)))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"type":"drift","time":5,"generation":1,"round":7,"examples":900,
                     "reacted":true}
                    """));
  }

  @Test
  void aCheckpointTellsTheLedger() throws IOException {
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("a", 0), 4);
    ledger.rejected(new Partition("a", 0), 5);
    ledger.heldOut(new Partition("a", 1), 3);

    JsonNode record = record(new Checkpointed(VERSION, 5, 12, 40, ledger));

    assertThat(record)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"type":"checkpoint","time":5,"generation":1,"round":7,"checkpoint":12,
                     "duration":40,"learned":1,"rejected":1,"ledger":[
                     {"topic":"a","partition":0,"learned":1,"rejected":1,"heldOut":0,"skipped":0,"last":5},
                     {"topic":"a","partition":1,"learned":0,"rejected":0,"heldOut":1,"skipped":0,"last":3}]}
                    """));
  }

  /** Kafka's brokers take 1 MB a record unless told otherwise. */
  @Test
  void aLedgerOfManyPartitionsIsCutAndTheSumsAreOfAll() throws IOException {
    Ledger ledger = new Ledger();
    for (int partition = 0; partition < 20_000; partition++) {
      ledger.learned(new Partition("examples", partition), 4);
    }

    JsonNode record = record(new Checkpointed(VERSION, 5, 12, 40, ledger));

    assertThat(record.toString().length()).isBetween(700_000, LineTopic.MAX_LINE_BYTES);
    assertThat(record.path("learned").asInt()).isEqualTo(20_000);
    assertThat(record.path("ledger").size() + record.path("omitted").asInt()).isEqualTo(20_000);
    assertThat(record.path("omitted").asInt()).isPositive();
  }

  private static JsonNode record(JobEvent event) throws IOException {
    return new ObjectMapper()
        .readTree(
            EventRecords.event(
                event,
                SummingEngine.spec(4),
                Map.of("batch.size", "32"),
                Map.of("drift.confidence", "0")));
  }
}
