package dev.millrace.model.grow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.VectorLayout;
import dev.millrace.model.VectorLayout.State;
import dev.millrace.model.VectorLayout.Tensor;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.grow.Growth.Move;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import dev.millrace.model.testing.FieldShapes;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrowthTest {

  /** Two features, two units, two outputs; one value of state each. */
  private static VectorLayout layout(int features, int units, int outputs) {
    int hidden = units * features;
    int output = hidden + units;
    int bias = output + outputs * units;
    int end = bias + outputs;
    return new VectorLayout(
        List.of(
            new Tensor("hidden.W", 0, units, features, true, false, false),
            new Tensor("hidden.b", hidden, units, 1, false, false, false),
            new Tensor("output.W", output, outputs, units, false, true, false),
            new Tensor("output.b", bias, outputs, 1, false, true, true)),
        // The second updater's begins within the network.
        List.of(new State(0, output, end, 1), new State(output, end, end + output, 2)));
  }

  private static float[] counted(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = i + 1;
    }
    return values;
  }

  @Test
  void whatIsKnownKeepsItsValuesAndWhatIsNewIsZero() {
    VectorLayout old = layout(2, 2, 2);
    Growth growth =
        Growth.between(old, layout(3, 2, 3), new int[] {1, -1, 0}, new int[] {0, -1, 1});

    float[] moved = growth.begin(counted(old.length()));

    assertThat(moved)
        .containsExactly(
            // hidden, by unit
            2,
            0,
            1,
            4,
            0,
            3,
            5,
            6,
            // output, by class, and its biases
            7,
            8,
            0,
            0,
            9,
            10,
            11,
            Growth.BIAS,
            12,
            // what the first updater keeps of hidden
            14,
            0,
            13,
            16,
            0,
            15,
            17,
            18,
            // what the second keeps of output: first and second values
            19,
            20,
            0,
            0,
            21,
            22,
            23,
            0,
            24, //
            25,
            26,
            0,
            0,
            27,
            28,
            29,
            0,
            30);
    assertThat(growth.apply(counted(old.parameters())))
        .hasSize(growth.parameters())
        .startsWith(2, 0, 1, 4, 0, 3, 5, 6, 7, 8, 0, 0, 9, 10, 11, 0, 12);
  }

  @Test
  void aModelThatDoesNotGrowMovesInOnePiece() {
    VectorLayout layout = layout(2, 2, 2);
    Growth growth = Growth.between(layout, layout, new int[] {0, 1}, new int[] {0, 1});

    assertThat(growth.moves().get(0)).isEqualTo(new Move(0, 0, layout.parameters()));
    assertThat(growth.begin(counted(layout.length()))).isEqualTo(counted(layout.length()));
  }

  @Test
  void otherLayersAreRefused() {
    assertThatThrownBy(
            () ->
                Growth.between(
                    layout(2, 2, 2), layout(3, 4, 2), new int[] {0, 1, -1}, new int[] {0, 1}))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("hidden.W", "2 x 2", "4 x 3", "leave the layers as they are");
  }

  @Test
  void whatIsKnownOfFeaturesMovesByName() {
    ExampleShape old = shape(List.of(new IndexRange(0, 2)), new WordColumn("land", 2, 2, true), 6);
    ExampleShape shape =
        shape(List.of(new IndexRange(4, 7)), new WordColumn("land", 4, 7, true), 13);
    Places places =
        Places.byName(
            old,
            List.of("a", "b", "o", "m", "0", "1"),
            List.of("n", "y"),
            shape,
            List.of("p", "q", "r", "s", "b", "new", "a", "o", "m", "0", "1", "2", "3"),
            List.of("n", "y"));
    FeatureStatistics statistics = new FeatureStatistics(2);
    statistics.add(new float[] {1, 10, 3, 30}, 2);
    statistics.setClip(7);
    Vocabularies vocabularies = new Vocabularies(old.columns().words());
    WordCounts counts = new WordCounts(1);
    List.of("DE", "DE", "FR", "FR", "IT").forEach(word -> counts.add(0, word));
    vocabularies.merge(counts);
    vocabularies.fill();

    LearnedFeatures moved = places.apply(new LearnedFeatures(statistics, vocabularies));

    assertThat(moved.statistics().features()).isEqualTo(3);
    assertThat(moved.statistics().mean(0)).isEqualTo(20);
    assertThat(moved.statistics().count(1)).isZero();
    assertThat(moved.statistics().deviation(2)).isEqualTo(1);
    assertThat(moved.statistics().clip()).isEqualTo(7);
    assertThat(moved.vocabularies().of(0).words()).containsExactly("DE", "FR");
    assertThat(moved.vocabularies().most(0)).isEqualTo(4);
    assertThat(moved.vocabularies().counts().count(0, "DE")).isEqualTo(2);
    assertThat(places.features(new float[] {1, 2, 0, 0, 0, 0}, 1))
        .containsExactly(0, 0, 0, 0, 2, Float.NaN, 1, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void examplesWithIdsDoNotGrow() {
    ExampleShape ids = FieldShapes.ids(2);

    assertThatThrownBy(() -> Places.byName(ids, List.of(), List.of(), ids, List.of(), List.of()))
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(
            "A model that grows has no rows of tables, and the field \"user\" takes those of the"
                + " table \"users\"; take a model that has a category with buckets in its place");
  }

  private static ExampleShape shape(List<IndexRange> numbers, WordColumn words, int features) {
    return new ExampleShape(
        features,
        2,
        Target.CLASSIFICATION,
        new FeatureColumns("{}", numbers, List.of(words), List.of()),
        ExampleStructure.FLAT);
  }

  /** The labels of records before are features, too. */
  @Test
  void labelsOfRecordsBeforeMoveWithTheirClasses() {
    ExampleShape old = new ExampleShape(1, 2, Target.CLASSIFICATION).withLabelLags(2);
    ExampleShape shape = new ExampleShape(2, 3, Target.CLASSIFICATION).withLabelLags(2);

    Places places =
        Places.byName(
            old,
            List.of("x"),
            List.of("n", "y"),
            shape,
            List.of("new", "x"),
            List.of("y", "?", "n"));

    assertThat(places.features()).containsExactly(-1, 0, 2, -1, 1, 4, -1, 3);
  }
}
