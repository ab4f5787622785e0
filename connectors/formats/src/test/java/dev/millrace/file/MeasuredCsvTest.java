package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredCsvTest {

  private static final ExampleShape THREE_CLASSES = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @TempDir Path directory;

  @Test
  void theLastColumnsAreTheOutputsOfARegression() throws IOException {
    ExampleSet set =
        open("a,b,y,z\n1,2,3,4\n5,6,7,8\n", new ExampleShape(9, 2, Target.REGRESSION), List.of());

    assertThat(set.shape()).isEqualTo(new ExampleShape(2, 2, Target.REGRESSION));
    assertThat(set.classes()).isEmpty();
    Example second = read(set, 2);
    assertThat(second.features()).containsExactly(5, 6);
    assertThat(second.labels()).containsExactly(7, 8);
  }

  @Test
  void labelsOfASetAreSharesOfOne() throws IOException {
    ExampleSet set = open("1,0\n1,1.5\n", new ExampleShape(1, 1, Target.MULTI_LABEL), List.of());

    assertThatThrownBy(() -> read(set, 2))
        .isInstanceOf(InvalidRowException.class)
        .hasMessageContaining("line 2, column 2: expected a number from 0 to 1, got \"1.5\"");
  }

  @Test
  void classesKeepTheModelsNumbers() throws IOException {
    ExampleSet set = open("1,2,cow\n3,4,ant\n", THREE_CLASSES, List.of("bee", "ant", "cow"));

    assertThat(set.shape()).isEqualTo(THREE_CLASSES);
    assertThat(read(set, 1).labels()).containsExactly(0, 0, 1);
    assertThat(read(set, 2).labels()).containsExactly(0, 1, 0);
  }

  @Test
  void unknownClassesAreNumberedByNameIfThereAreAsManyAsTheModels() throws IOException {
    ExampleSet set = open("1,2,10\n1,2,9\n1,2,1\n", THREE_CLASSES, List.of());

    assertThat(set.classes()).containsExactly("1", "9", "10");
    assertThatThrownBy(() -> open("1,2,a\n1,2,b\n", THREE_CLASSES, List.of()))
        .hasMessageContainingAll("has 2 classes", "[a, b]", "the model 3", "the input's classes");
  }

  @Test
  void numbersFromZeroOnAreThemselvesWhateverTheFileLacks() throws IOException {
    ExampleSet set = open("1,2,2\n1,2,0\n", THREE_CLASSES, List.of());

    assertThat(set.classes()).containsExactly("0", "1", "2");
    assertThat(read(set, 1).labels()).containsExactly(0, 0, 1);
    assertThat(read(set, 2).labels()).containsExactly(1, 0, 0);
    assertThatThrownBy(() -> open("1,2,2\n1,2,1\n", THREE_CLASSES, List.of()))
        .hasMessageContainingAll("has 2 classes", "[1, 2]", "the input's classes");
  }

  @Test
  void rowsThatAreNoExamplesAreToldAndPassedBy() throws IOException {
    ExampleSet set = open("1,2,a\n1,x,b\n1,2\n1,2,d\n1,2,\n3,4,c\n", THREE_CLASSES, classes());
    Example example = new Example(set.shape());
    try (ExampleSequence sequence = set.training()) {
      assertThat(sequence.next(example)).isTrue();
      assertThatThrownBy(() -> sequence.next(example))
          .isInstanceOfSatisfying(
              InvalidRowException.class,
              e -> {
                assertThat(e.line()).isEqualTo(2);
                assertThat(e.reason())
                    .isEqualTo("column 2: expected a finite decimal number, got \"x\"");
              })
          .hasMessageContaining("table.csv, line 2, column 2: expected");
      assertThatThrownBy(() -> sequence.next(example))
          .isInstanceOf(InvalidRowException.class)
          .hasMessageContaining("line 3: expected 3 fields");
      assertThatThrownBy(() -> sequence.next(example)).hasMessageContaining("[a, b, c]");
      assertThatThrownBy(() -> sequence.next(example)).hasMessageContaining("a class, by name");
      assertThat(sequence.next(example)).isTrue();
      assertThat(example.features()).containsExactly(3, 4);
      assertThat(sequence.next(example)).isFalse();
    }
  }

  @Test
  void aTableWithoutAnyClassIsRefusedByItsFirstRow() {
    assertThatThrownBy(() -> open("w,h,area\n1,2,0.5\n1,2\n", THREE_CLASSES, List.of()))
        .isInstanceOf(InvalidRowException.class)
        .hasMessageContaining("table.csv, line 2, column 3 (area): expected a class, by name");
  }

  @Test
  void skippedRowsCountWhateverTheyHold() throws IOException {
    ExampleSet set = open("1,2,a\n1,x,b\n1,2\n3,4,c\n", THREE_CLASSES, classes());
    Example example = new Example(set.shape());
    try (ExampleSequence sequence = set.training()) {
      for (int i = 0; i < 3; i++) {
        assertThat(sequence.skip(example)).isTrue();
      }
      assertThat(sequence.next(example)).isTrue();
      assertThat(sequence.skip(example)).isFalse();
    }
  }

  @Test
  void theHoldOutMayBeTheWholeFileAndNoMore() throws IOException {
    Path file = write("1,2,a\n1,2,b\n1,2,c\n");

    assertThat(MeasuredCsv.open(file, 3, THREE_CLASSES, named(classes())).holdOut().count())
        .isEqualTo(3);
    assertThatThrownBy(() -> MeasuredCsv.open(file, 4, THREE_CLASSES, named(classes())))
        .hasMessageContainingAll("table.csv", "holdout=4", "3 rows");
  }

  @Test
  void aTableWithoutFeaturesIsRefused() {
    assertThatThrownBy(() -> open("1,2\n", new ExampleShape(1, 2, Target.REGRESSION), List.of()))
        .hasMessageContainingAll("table.csv, line 1", "at least one feature and 2 labels", "1,2");
  }

  @Test
  void labelsOfARegressionMayBeFirst() throws IOException {
    Path file = write("y;z;a\n1;2;3\n4;5;x\n");
    ExampleShape shape = new ExampleShape(1, 2, Target.REGRESSION);

    ExampleSet set =
        new DataSpec.Csv(file, 0).openFor(shape, new FormatSettings(true, ';', List.of()));

    assertThat(set.shape()).isEqualTo(shape);
    assertThat(read(set, 1).features()).containsExactly(3);
    assertThat(read(set, 1).labels()).containsExactly(1, 2);
    assertThatThrownBy(() -> read(set, 2)).hasMessageContaining("line 3, column 3 (a)");
  }

  private static List<String> classes() {
    return List.of("a", "b", "c");
  }

  private static FormatSettings named(List<String> classes) {
    return FormatSettings.defaults().withClassNames(classes);
  }

  private ExampleSet open(String text, ExampleShape model, List<String> classes)
      throws IOException {
    return new DataSpec.Csv(write(text), 0).openFor(model, named(classes));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("table.csv"), text);
  }

  private static Example read(ExampleSet set, int row) throws IOException {
    Example example = new Example(set.shape());
    try (ExampleSequence sequence = set.training()) {
      for (int i = 0; i < row; i++) {
        assertThat(sequence.next(example)).isTrue();
      }
    }
    return example;
  }
}
