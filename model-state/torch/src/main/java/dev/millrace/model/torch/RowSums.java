package dev.millrace.model.torch;

import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.RowFeatures;
import java.util.ArrayList;
import java.util.List;

/**
 * TorchScript that sums rows of embedding tables, which are among the features {@code x}. Rows that
 * lie side by side and have one length are one tensor: most often all are.
 */
final class RowSums {

  private RowSums() {}

  /**
   * Returns statements that make {@code first} of the rows' first values, their sum, and by choice
   * {@code pairs} of the other values: the sum over all pairs of rows of their dot products, of as
   * many values as the shortest row has. Both are columns.
   *
   * @param rows in ascending order
   */
  static String code(List<IndexRange> rows, boolean interactions) {
    int values = interactions ? RowFeatures.shortest(rows) : 1;
    StringBuilder code = new StringBuilder();
    int run = 0;
    for (List<IndexRange> equal : runs(rows)) {
      code.append(ofRun(equal, values, run == 0, interactions));
      run++;
    }
    code.append("first = torch.narrow(s, 1, 0, 1)\n");
    if (interactions) {
      // Of all pairs: half of what the square of the sum has more than the sum of squares.
      code.append("f = torch.narrow(s, 1, 1, %s)\n".formatted(values - 1));
      code.append("q = torch.narrow(q, 1, 1, %s)\n".formatted(values - 1));
      code.append("p = torch.sub(torch.mul(f, f), q)\n");
      code.append("pairs = torch.mul(torch.sum(p, [1], True), 0.5)\n");
    }
    return code.toString();
  }

  /** Adds the run's sums to {@code s}, and those of its squares to {@code q}. */
  private static String ofRun(
      List<IndexRange> run, int values, boolean first, boolean interactions) {
    int from = run.get(0).from();
    int length = run.get(0).length();
    String code =
        "r = torch.view(torch.narrow(x, 1, %s, %s), [-1, %s, %s])\n"
            .formatted(from, run.size() * length, run.size(), length);
    if (values < length) {
      code += "r = torch.narrow(r, 2, 0, %s)\n".formatted(values);
    }
    code += added("s", "torch.sum(r, [1])", first);
    return interactions ? code + added("q", "torch.sum(torch.mul(r, r), [1])", first) : code;
  }

  private static String added(String name, String sum, boolean first) {
    return first
        ? "%s = %s\n".formatted(name, sum)
        : "%s = torch.add(%s, %s)\n".formatted(name, name, sum);
  }

  private static List<List<IndexRange>> runs(List<IndexRange> rows) {
    List<List<IndexRange>> runs = new ArrayList<>();
    IndexRange before = null;
    for (IndexRange row : rows) {
      if (before == null || before.to() != row.from() || before.length() != row.length()) {
        runs.add(new ArrayList<>());
      }
      runs.get(runs.size() - 1).add(row);
      before = row;
    }
    return runs;
  }
}
