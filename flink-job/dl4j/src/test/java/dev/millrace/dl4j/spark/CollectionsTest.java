package dev.millrace.dl4j.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Collections under Spark's names. */
class CollectionsTest {

  private static final JavaSparkContext CONTEXT =
      new JavaSparkContext(new SparkConf().setMaster("local[4]").setAppName("test"));

  private final JavaRDD<Integer> numbers =
      CONTEXT.parallelize(IntStream.rangeClosed(1, 100).boxed().toList());

  @Test
  void elementsAreMappedFilteredAndReduced() {
    assertThat(numbers.map(number -> number * 2).first()).isEqualTo(2);
    assertThat(numbers.filter(number -> number > 98).collect()).containsExactly(99, 100);
    assertThat(numbers.flatMap(number -> List.of(number, -number).iterator()).take(3))
        .containsExactly(1, -1, 2);
    assertThat(numbers.reduce(Integer::sum)).isEqualTo(5050);
    assertThat(numbers.union(numbers).count()).isEqualTo(200);
    List<Integer> seen = new ArrayList<>();
    numbers.foreach(seen::add);
    assertThat(seen).isEqualTo(numbers.collect());
  }

  @Test
  void numbersAreSummedUp() {
    JavaDoubleRDD doubles = numbers.mapToDouble(number -> number);

    assertThat(doubles.sum()).isEqualTo(5050);
    assertThat(doubles.mean()).isEqualTo(50.5);
    assertThat(doubles.min()).isEqualTo(1);
    assertThat(doubles.max()).isEqualTo(100);
  }

  @Test
  void valuesHaveKeys() {
    JavaPairRDD<String, Integer> pairs =
        numbers
            .filter(number -> number < 3)
            .mapToPair(number -> new Tuple2<>("n" + number, number));

    assertThat(pairs.collectAsMap()).containsExactly(entry("n1", 1), entry("n2", 2));
    assertThat(pairs.mapValues(number -> number + 1).values().collect()).containsExactly(2, 3);
    assertThat(pairs.keys().collect()).containsExactly("n1", "n2");
    assertThat(JavaPairRDD.fromJavaRDD(CONTEXT.parallelize(pairs.collect())).collect())
        .isEqualTo(pairs.collect());
  }

  @Test
  void aSplitIsTheSameForTheSameSeed() {
    JavaRDD<Integer>[] parts = numbers.randomSplit(new double[] {0.8, 0.2}, 7);

    assertThat(parts).hasSize(2);
    assertThat(parts[0].union(parts[1]).collect())
        .containsExactlyInAnyOrderElementsOf(numbers.collect());
    assertThat(parts[0].count()).isBetween(65L, 95L);
    assertThat(numbers.randomSplit(new double[] {0.8, 0.2}, 7)[0].collect())
        .isEqualTo(parts[0].collect());
  }

  @Test
  void partitionsAreANumberAlone() {
    assertThat(numbers.getNumPartitions()).isEqualTo(4);
    JavaRDD<Integer> others = numbers.repartition(9).cache().persist(StorageLevel.MEMORY_ONLY());
    assertThat(others.getNumPartitions()).isEqualTo(9);
    assertThat(others.coalesce(2).unpersist().getNumPartitions()).isEqualTo(2);
    assertThat(others.collect()).isEqualTo(numbers.collect());
  }

  @Test
  void whatAFunctionThrowsIsThrown() {
    assertThatThrownBy(
            () ->
                numbers.foreach(
                    number -> {
                      throw new IOException("no disk");
                    }))
        .hasRootCauseMessage("no disk");
    assertThatThrownBy(
            () ->
                numbers.map(
                    number -> {
                      throw new UncheckedIOException(new IOException("no disk"));
                    }))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aMasterOfSparkIsRefused() {
    assertThatThrownBy(() -> new SparkConf().setMaster("spark://host:7077"))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("spark://host:7077")
        .hasMessageContaining("TrainingContext.remote");
    assertThatThrownBy(() -> new SparkConf().set("spark.master", "yarn"))
        .hasMessageContaining("yarn");
    assertThatThrownBy(() -> new SparkConf().setMaster("local[0]"))
        .hasMessageContaining("local[0]");
  }

  @Test
  void localMastersHaveWorkers() {
    int processors = Runtime.getRuntime().availableProcessors();

    assertThat(workers("local")).isEqualTo(1);
    assertThat(workers("local[3]")).isEqualTo(3);
    assertThat(workers("local[3,2]")).isEqualTo(3);
    assertThat(workers("local[*]")).isEqualTo(processors);
  }

  private static int workers(String master) {
    return new JavaSparkContext(new SparkConf().setMaster(master)).defaultParallelism();
  }
}
