package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;
import dev.millrace.model.shape.IdColumn;
import java.util.List;
import java.util.Random;

/**
 * What a simulated replica learns: minibatches of a partition, and the gradients of what stands in
 * for a network.
 */
final class RowLearner {

  /** Fields by table: two fields share the first. */
  static final int[] TABLE_OF = {0, 1, 2, 0, 3, 4};

  private static final int FIELDS = TABLE_OF.length;
  private static final int EXAMPLES = 4;
  private static final int MOST_IDS = 4;
  private static final long INTERVAL = 600;

  /** Records come behind a gap from this minibatch on. */
  private static final int GAP_AT = 30;

  private static final long GAP = 20_000;

  /** One of so many minibatches has a record of the far future; the first has none. */
  private static final int FUTURE = 30;

  /** Of 1,000 columns' gradients, those that aren't finite. */
  private static final int UNSOUND = 1;

  private final long seed;
  private final List<RowTable> tables;
  private final int columns;

  RowLearner(long seed, List<RowTable> tables) {
    this.seed = seed;
    this.tables = tables;
    int sum = 0;
    for (int table : TABLE_OF) {
      sum += tables.get(table).dimension();
    }
    this.columns = sum;
  }

  private Random random(int partition, int number, int what) {
    return new Random(RowHash.mix(RowHash.mix(seed + partition) + number) + what);
  }

  IdLists ids(int partition, int number) {
    Random random = random(partition, number, 1);
    IdLists lists = new IdLists(FIELDS);
    for (int list = 0; list < EXAMPLES * FIELDS; list++) {
      for (int n = random.nextInt(MOST_IDS + 1); n > 0; n--) {
        double skewed = Math.pow(random.nextDouble(), 4);
        // What is new all the time, and what is there all the time.
        int id = (int) (skewed * 200) + (random.nextInt(4) == 0 ? number * 3 : 0);
        lists.add(RowHash.mix(id));
      }
      lists.end();
    }
    return lists;
  }

  /** Returns how many of a minibatch's examples are fresh; those behind them are replayed. */
  int fresh(int partition, int number) {
    return EXAMPLES - random(partition, number, 4).nextInt(2);
  }

  RowMinibatch minibatch(int partition, int number) {
    Random random = random(partition, number, 2);
    long time = number * INTERVAL + random.nextInt(1_500) + (number < GAP_AT ? 0 : GAP);
    return new RowMinibatch(
        0.5f,
        number > 0 && random.nextInt(FUTURE) == 0 ? 1_000 * time : time,
        fresh(partition, number),
        number / 30);
  }

  /** Returns gradients of the different ids of each table, given their values. */
  float[][] gradients(int partition, int number, IdLists lists, TableIds ids, float[][] rows) {
    Random random = random(partition, number, 3);
    float[] features = new float[lists.rows() * columns];
    int column = 0;
    for (int field = 0; field < FIELDS; field++) {
      int dimension = dimension(field);
      Pooling.pool(
          pooling(field),
          lists,
          field,
          ids.numbers(),
          rows[TABLE_OF[field]],
          dimension,
          features,
          columns,
          column);
      column += dimension;
    }
    for (int i = 0; i < features.length; i++) {
      features[i] =
          random.nextInt(1_000) < UNSOUND
              ? Float.NaN
              : 0.3f * features[i] + (float) random.nextGaussian();
    }
    float[][] gradients = new float[tables.size()][];
    for (int table = 0; table < gradients.length; table++) {
      gradients[table] = new float[ids.unique(table).size() * tables.get(table).dimension()];
    }
    column = 0;
    for (int field = 0; field < FIELDS; field++) {
      int dimension = dimension(field);
      Pooling.scatter(
          pooling(field),
          lists,
          field,
          ids.numbers(),
          gradients[TABLE_OF[field]],
          dimension,
          features,
          columns,
          column);
      column += dimension;
    }
    return gradients;
  }

  private int dimension(int field) {
    return tables.get(TABLE_OF[field]).dimension();
  }

  private static IdColumn.Pooling pooling(int field) {
    return field % 2 == 0 ? IdColumn.Pooling.MEAN : IdColumn.Pooling.SUM;
  }
}
