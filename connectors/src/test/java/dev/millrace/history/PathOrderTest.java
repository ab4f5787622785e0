package dev.millrace.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;

class PathOrderTest {

  private final PathOrder order = new PathOrder(List.of(file("c"), file("a"), file("b")));

  private static FileSourceSplit file(String name) {
    return new FileSourceSplit(name, new Path("/history/" + name), 0, 1, 1, 1);
  }

  private List<String> taken() {
    List<String> names = new ArrayList<>();
    for (Optional<FileSourceSplit> next = order.getNext(null);
        next.isPresent();
        next = order.getNext(null)) {
      names.add(next.get().splitId());
    }
    return names;
  }

  /** A reader that has begun two files since the checkpoint begins them again in their order. */
  @Test
  void filesThatAreGivenBackComeInTheirOrderAgain() {
    FileSourceSplit first = order.getNext(null).orElseThrow();
    FileSourceSplit second = order.getNext(null).orElseThrow();
    assertThat(order.remainingSplits()).extracting(FileSourceSplit::splitId).containsExactly("c");

    order.addSplits(List.of(first, second));

    assertThat(taken()).containsExactly("a", "b", "c");
    assertThat(order.remainingSplits()).isEmpty();
  }
}
