package dev.millrace.cli.models;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The card of a model whose description is given, against a card that a person has read. */
class ModelCardTest {

  private static final String DESCRIPTION =
      """
      {"format":1,"millrace":"1.0.0","version":{"generation":1,"round":300},"iteration":9600,
       "created":"2026-11-21T10:15:30Z","engine":"dl4j","kind":"MultiLayerNetwork",
       "parameters":1234,"updaterState":20,"configurationHash":"beef",
       "shape":{"features":4,"outputs":3,"target":"CLASSIFICATION"},"standardizationCount":0,
       "ledger":[{"topic":"flowers","partition":0,
                  "learned":{"count":9600,"sum":4560,"first":0,"last":9999},
                  "rejected":{"count":2,"sum":9,"first":4,"last":5},
                  "heldOut":{"count":398,"sum":9,"first":10,"last":9998},
                  "skipped":{"count":5,"sum":9,"first":20,"last":24}},
                 {"topic":"flowers","partition":1,"learned":{"count":0,"sum":0},
                  "rejected":{"count":0,"sum":0}}],
       "prequential":{"examples":9600,"accuracy":0.9312,"loss":0.21,"auc":0.98},
       "holdOut":{"examples":398,"accuracy":0.95,"loss":0.19},
       "configuration":{"batch.size":"32","input.classes":"setosa;versicolor;virginica"},
       "number":7,"state":"committed","checkpoint":12,"beforeDrift":true,
       "parent":{"source":"old.zip","sha256":"cafe","version":{"generation":0,"round":5}}}
      """;

  @Test
  void theCardSaysWhatTheDescriptionSays() throws IOException {
    SnapshotDescription snapshot = SnapshotDescription.fromJson(DESCRIPTION);
    Inspection model =
        new Inspection(
            "model.zip",
            "archive",
            snapshot.created().toString(),
            10_000,
            snapshot.version(),
            snapshot.iteration(),
            snapshot.engine(),
            snapshot.kind(),
            snapshot.parameters(),
            snapshot.updaterState(),
            null,
            snapshot.shape(),
            null,
            List.of(),
            0,
            null,
            null,
            snapshot.ledger(),
            snapshot.prequential(),
            null,
            snapshot.holdOut(),
            null,
            snapshot,
            null);

    try (InputStream golden = ModelCardTest.class.getResourceAsStream("card.md")) {
      assertThat(ModelCard.of(model)).isEqualTo(new String(golden.readAllBytes(), UTF_8));
    }
  }
}
