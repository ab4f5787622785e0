package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.testing.FieldShapes;
import dev.millrace.model.testing.Fuzz;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Parts of archives and states, of any bytes, are read or refused. */
final class FuzzedModelPartsTest {

  private static final Fuzz FUZZ =
      new Fuzz(IOException.class, InvalidModelException.class, IllegalArgumentException.class);

  @Test
  void featuresAreReadOrRefused() throws IOException {
    assertThat(features(3_000)).isGreaterThan(500);
  }

  @Test
  void fieldsThatAreKeptAreComparedWhateverTheyAre() {
    assertThat(keptFields(3_000)).isZero();
  }

  @Test
  void statesAreReadOrRefused() throws IOException {
    assertThat(states(5_000)).isGreaterThan(500);
  }

  static int features(int count) throws IOException {
    ExampleShape shape = FieldShapes.flow(2);
    String whole =
        new String(FeaturesFile.write(shape, FieldShapes.learned()), StandardCharsets.UTF_8);
    return FUZZ.run(
        count,
        mutations -> {
          byte[] json = mutations.json(whole).getBytes(StandardCharsets.UTF_8);
          FeaturesFile.read(json).requireFor(shape, "It");
        });
  }

  static int keptFields(int count) {
    String whole = FieldShapes.flow(2).columns().description();
    return FUZZ.run(count, mutations -> KeptFields.difference(mutations.json(whole), whole));
  }

  /** Those of savepoints and of archives. */
  static int states(int count) throws IOException {
    byte[] learned = Bytes.of(out -> LearnedFeatures.WIRE.write(FieldShapes.learned(), out));
    byte[] statistics =
        Bytes.of(out -> FeatureStatistics.WIRE.write(FieldShapes.learned().statistics(), out));
    ServerOptimizerState optimizer =
        new ServerOptimizerState(List.of(new float[100], new float[100]), 7);
    byte[] slots = Bytes.of(out -> ServerOptimizerState.WIRE.write(optimizer, out));
    Ledger ledger = new Ledger();
    ledger.learned(new Partition("t", 0), 7);
    byte[] records = Bytes.of(out -> Ledger.WIRE.write(ledger, out));
    Lineage lineage =
        new Lineage(
            new Lineage.Parent("file", "hash", new ModelVersion(1, 2)), Map.of("key", "value"));
    byte[] origin = Bytes.of(out -> Lineage.WIRE.write(lineage, out));
    return FUZZ.run(
        count,
        mutations -> {
          switch (mutations.below(6)) {
            case 0 -> LearnedFeatures.WIRE.read(in(mutations.bytes(learned)));
            case 1 -> FeatureStatistics.WIRE.read(in(mutations.bytes(statistics)));
            case 2 -> ServerOptimizerState.WIRE.read(in(mutations.bytes(slots)));
            case 3 -> ServerOptimizerState.read(in(mutations.bytes(slots)), 100);
            case 4 -> Ledger.WIRE.read(in(mutations.bytes(records)));
            default -> Lineage.WIRE.read(in(mutations.bytes(origin)));
          }
        });
  }

  private static DataInputStream in(byte[] bytes) {
    return new DataInputStream(new ByteArrayInputStream(bytes));
  }
}
