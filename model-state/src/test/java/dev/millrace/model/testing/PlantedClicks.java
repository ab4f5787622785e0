package dev.millrace.model.testing;

import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.negatives.NegativesReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.Random;

/**
 * A stream of clicks alone: users and items are of kinds, users like items of their own kind, and
 * some items are more popular. Rows learn by plain Adagrad.
 */
final class PlantedClicks {

  /** What a click brings beside itself. */
  enum Negatives {
    NONE,
    /** Items of other clicks, as often as they come: what a replica doesn't do. */
    AS_OFTEN,
    /** What a replica does. */
    WEIGHED
  }

  /**
   * What a model has learned.
   *
   * @param auc of true pairs against random ones
   * @param agreement of the items' ranks by score and by how often a user chooses them, from -1 to
   *     1, the mean over users (Spearman)
   */
  record Learned(double auc, double agreement) {}

  private static final int USERS = 40;
  private static final int ITEMS = 200;
  private static final int KINDS = 4;
  private static final int DIMENSION = 8;
  private static final int BATCH = 64;
  private static final int STEPS = 400;
  private static final int EACH = 4;
  private static final double LIKING = 4;
  private static final float RATE = 0.1f;

  private final ExampleShape shape = RowShapes.twoRows(DIMENSION, 2, Target.CLASSIFICATION);
  private final double[][] chosen = new double[USERS][ITEMS];
  private final double liking;
  private final long seed;

  /**
   * @param skew of popularity, which falls with an item's number by this power
   */
  PlantedClicks(double skew, long seed) {
    this.seed = seed;
    // Where popularity tells much, liking tells less, so that both count.
    this.liking = skew > 0 ? LIKING / 2 : LIKING;
    for (int user = 0; user < USERS; user++) {
      for (int item = 0; item < ITEMS; item++) {
        chosen[user][item] =
            Math.pow(item + 1, -skew) * Math.exp(user % KINDS == item % KINDS ? liking : 0);
      }
      double sum = Arrays.stream(chosen[user]).sum();
      for (int item = 0; item < ITEMS; item++) {
        chosen[user][item] /= sum;
      }
    }
  }

  ExampleShape shape() {
    return shape;
  }

  private int item(int user, Random random) {
    double left = random.nextDouble();
    int item = 0;
    while (item < ITEMS - 1 && left > chosen[user][item]) {
      left -= chosen[user][item++];
    }
    return item;
  }

  /** Learns the stream, and closes the replica. */
  Learned learn(ModelReplica network, Negatives negatives) {
    Random random = new Random(seed);
    float[][] rows = new float[USERS + ITEMS][DIMENSION];
    float[] squares = new float[USERS + ITEMS];
    int[] uses = new int[ITEMS];
    for (float[] row : rows) {
      for (int i = 0; i < DIMENSION; i++) {
        row[i] = (float) (0.05 * random.nextGaussian());
      }
    }
    try (ModelReplica replica =
        negatives == Negatives.WEIGHED ? new NegativesReplica(network, EACH) : network) {
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = new Minibatch(shape, BATCH * (1 + EACH));
        int[] users = new int[BATCH];
        int[] items = new int[BATCH];
        for (int i = 0; i < BATCH; i++) {
          users[i] = random.nextInt(USERS);
          items[i] = item(users[i], random);
          add(minibatch, rows, users[i], items[i], 1);
          minibatch.usesOfSecond()[i] = uses[items[i]];
        }
        for (int item : items) {
          uses[item]++;
        }
        for (int i = 0; negatives == Negatives.AS_OFTEN && i < BATCH * EACH; i++) {
          int other = items[random.nextInt(BATCH)];
          if (other != items[i / EACH]) {
            add(minibatch, rows, users[i / EACH], other, 0);
          }
        }
        learn(
            minibatch,
            rows,
            squares,
            InputGradients.fit(replica, minibatch, new float[2 * minibatch.size()]));
      }
      return measure(replica, rows, random);
    }
  }

  private void add(Minibatch minibatch, float[][] rows, int user, int item, int label) {
    IdLists ids = new IdLists(2);
    ids.add(user);
    ids.end();
    ids.add(item);
    ids.end();
    minibatch.add(
        features(rows, user, item),
        new float[] {1 - label, label},
        new String[0],
        ids,
        0,
        1,
        Replicas.PARTITION,
        0);
  }

  private static float[] features(float[][] rows, int user, int item) {
    float[] features = Arrays.copyOf(rows[user], 2 * DIMENSION);
    System.arraycopy(rows[USERS + item], 0, features, DIMENSION, DIMENSION);
    return features;
  }

  /** Makes a step of row-wise Adagrad. */
  private static void learn(Minibatch minibatch, float[][] rows, float[] squares, float[] told) {
    float[][] gradients = new float[rows.length][DIMENSION];
    for (int row = 0; row < minibatch.size(); row++) {
      int user = (int) minibatch.ids().ids()[2 * row];
      int item = USERS + (int) minibatch.ids().ids()[2 * row + 1];
      for (int i = 0; i < DIMENSION; i++) {
        gradients[user][i] += told[2 * DIMENSION * row + i];
        gradients[item][i] += told[2 * DIMENSION * row + DIMENSION + i];
      }
    }
    for (int id = 0; id < rows.length; id++) {
      float square = 0;
      for (float value : gradients[id]) {
        square += value * value / DIMENSION;
      }
      squares[id] += square;
      for (int i = 0; i < DIMENSION && square > 0; i++) {
        rows[id][i] -= RATE * gradients[id][i] / (float) Math.sqrt(squares[id]);
      }
    }
  }

  private Learned measure(ModelReplica replica, float[][] rows, Random random) {
    float[] features = new float[USERS * ITEMS * 2 * DIMENSION];
    for (int pair = 0; pair < USERS * ITEMS; pair++) {
      System.arraycopy(
          features(rows, pair / ITEMS, pair % ITEMS),
          0,
          features,
          pair * 2 * DIMENSION,
          2 * DIMENSION);
    }
    float[] predictions = new float[USERS * ITEMS * 2];
    replica.predict(features, USERS * ITEMS, predictions);
    double[][] scores = new double[USERS][ITEMS];
    for (int pair = 0; pair < USERS * ITEMS; pair++) {
      scores[pair / ITEMS][pair % ITEMS] = logit(predictions[2 * pair + 1]);
    }
    double right = 0;
    int pairs = 5000;
    for (int i = 0; i < pairs; i++) {
      int user = random.nextInt(USERS);
      double difference =
          scores[user][item(user, random)] - scores[random.nextInt(USERS)][random.nextInt(ITEMS)];
      right += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
    }
    double agreement = 0;
    for (int user = 0; user < USERS; user++) {
      agreement += correlation(ranks(scores[user]), ranks(chosen[user])) / USERS;
    }
    return new Learned(right / pairs, agreement);
  }

  private static double logit(double probability) {
    return Math.log(probability / (1 - probability));
  }

  private static double[] ranks(double[] values) {
    double[] ranks = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      for (double other : values) {
        ranks[i] += other < values[i] ? 1 : other == values[i] ? 0.5 : 0;
      }
    }
    return ranks;
  }

  private static double correlation(double[] a, double[] b) {
    double meanOfA = Arrays.stream(a).average().orElseThrow();
    double meanOfB = Arrays.stream(b).average().orElseThrow();
    double both = 0;
    double squaresOfA = 0;
    double squaresOfB = 0;
    for (int i = 0; i < a.length; i++) {
      both += (a[i] - meanOfA) * (b[i] - meanOfB);
      squaresOfA += (a[i] - meanOfA) * (a[i] - meanOfA);
      squaresOfB += (b[i] - meanOfB) * (b[i] - meanOfB);
    }
    return both / Math.sqrt(squaresOfA * squaresOfB);
  }
}
