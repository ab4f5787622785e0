package dev.millrace.benchmark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkloadTest {

  @Test
  void theSameRowsAreDrawnEveryTime() throws Exception {
    Workload table = Workload.all().get(4);
    List<Example> first = WorkloadData.rows(table.shape(), 100).examples();
    List<Example> second = WorkloadData.rows(table.shape(), 100).examples();

    assertThat(first).hasSize(100);
    for (int i = 0; i < 100; i++) {
      assertThat(first.get(i).features()).isEqualTo(second.get(i).features());
      assertThat(first.get(i).labels()).isEqualTo(second.get(i).labels()).contains(1f);
    }
  }

  @Test
  void repeatsExamplesUpToACount() throws Exception {
    List<Example> examples = WorkloadData.rows(Workload.all().get(4).shape(), 3).examples();
    Repeated repeated = new Repeated(examples, 7);
    Example example = new Example(repeated.shape());
    List<Float> firstFeatures = new ArrayList<>();
    while (repeated.next(example)) {
      firstFeatures.add(example.features()[0]);
    }

    assertThat(firstFeatures).hasSize(7);
    assertThat(firstFeatures.get(6)).isEqualTo(examples.get(0).features()[0]);
    assertThat(firstFeatures.get(5)).isEqualTo(examples.get(2).features()[0]);
  }
}
