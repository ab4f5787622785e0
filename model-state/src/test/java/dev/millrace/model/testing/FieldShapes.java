package dev.millrace.model.testing;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.util.List;

/** Shapes of examples that are made of named fields. */
public final class FieldShapes {

  /**
   * Features of {@link #flow}: a flag, two numbers, a word one-hot, another number, a word's id.
   */
  public static final int WIDTH = 10;

  private FieldShapes() {}

  /** Classification of examples with three numbers and two words. */
  public static ExampleShape flow(int outputs) {
    return new ExampleShape(
        WIDTH, outputs, Target.CLASSIFICATION, columns("flag"), ExampleStructure.FLAT);
  }

  /** The same, but the first field has another name. */
  public static ExampleShape renamed(int outputs) {
    return new ExampleShape(
        WIDTH, outputs, Target.CLASSIFICATION, columns("urgent"), ExampleStructure.FLAT);
  }

  /** Sequences of such examples. */
  public static ExampleShape flows(int steps) {
    return new ExampleShape(
        steps * WIDTH, 1, Target.REGRESSION, columns("flag"), new ExampleStructure(steps, false));
  }

  /** Classification of examples with a flag, and ids of two fields of one table of four values. */
  public static ExampleShape ids(int outputs) {
    FeatureColumns columns =
        new FeatureColumns(
            "{\"fields\":[{\"path\":\"flag\",\"name\":\"flag\",\"kind\":\"boolean\","
                + "\"indicator\":false},{\"path\":\"user\",\"name\":\"user\",\"kind\":\"id\","
                + "\"table\":\"users\",\"dimension\":4},{\"path\":\"friends\",\"name\":\"friends\","
                + "\"kind\":\"ids\",\"table\":\"users\",\"dimension\":4,\"pooling\":\"mean\","
                + "\"most\":1000}]}",
            List.of(),
            List.of(),
            List.of(
                new IdColumn("user", "users", new IndexRange(1, 5), IdColumn.Pooling.SUM),
                new IdColumn("friends", "users", new IndexRange(5, 9), IdColumn.Pooling.MEAN)));
    return new ExampleShape(9, outputs, Target.CLASSIFICATION, columns, ExampleStructure.FLAT);
  }

  private static FeatureColumns columns(String flag) {
    return new FeatureColumns(
        ("{\"fields\":[{\"path\":\"%s\",\"kind\":\"boolean\"},{\"path\":\"duration\",\"kind\":"
                + "\"number\",\"scale\":\"standardize\"},{\"path\":\"bytes\",\"kind\":\"number\","
                + "\"scale\":\"logarithm\"},{\"path\":\"service\",\"kind\":\"category\",\"words\":3,"
                + "\"encode\":\"one-hot\"},{\"path\":\"rate\",\"kind\":\"number\"},{\"path\":"
                + "\"host\",\"kind\":\"category\",\"words\":2,\"encode\":\"id\"}]}")
            .formatted(flag),
        List.of(new IndexRange(1, 3), new IndexRange(8, 9)),
        List.of(new WordColumn("service", 3, 3, true), new WordColumn("host", 2, 9, false)),
        List.of());
  }

  /** What a model may have learned of {@link #flow}. */
  public static LearnedFeatures learned() {
    FeatureStatistics statistics = new FeatureStatistics(3);
    statistics.setClip(10);
    statistics.merge(statistics.lookAtPresent(new float[] {1, 2, 3, 4, Float.NaN, 0.1f}, 2));
    Vocabularies vocabularies = new Vocabularies(flow(2).columns().words());
    WordCounts counts = new WordCounts(2);
    for (String word : new String[] {"http", "http", "smtp", "smtp", "smtp", "gopher", null}) {
      counts.add(0, word);
      counts.add(1, word == null ? "ü" : null);
    }
    vocabularies.merge(counts);
    vocabularies.fill();
    return new LearnedFeatures(statistics, vocabularies);
  }
}
