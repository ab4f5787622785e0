package dev.millrace.exchange.rows;

import dev.millrace.model.io.WireFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A job with embedding tables, without Flink: replicas and shards take steps in random order, at
 * random moments all of them die, and go on from the last checkpoint, as many as before or others.
 */
final class SimulatedRows {

  static final int GROUPS = 12;
  static final int PARTITIONS = 4;

  private static final List<RowTable> TABLES =
      List.of(
          RowTable.of("users", 4),
          RowTable.of("items", 3)
              .with(RowUpdater.named("adam", 0.01f, 0.001f))
              .with(new Admission(3, 64)),
          RowTable.of("tags", 2)
              .with(RowUpdater.named("ftrl", 0.1f, 0.01f))
              .with(Expiry.afterTime(Duration.ofSeconds(9))),
          RowTable.of("words", 5)
              .with(RowUpdater.named("adagrad", 0.1f, 0))
              .with(new Admission(2, 64))
              .with(Expiry.afterExamples(150)),
          RowTable.of("places", 1).with(RowUpdater.named("sgd", 0.1f, 0)).withAtMost(60));

  private final Random random;
  private final RowLearner learner;
  private final int minibatches;
  private final int depth;

  /** How many there are always; 0 where a failure leads to other numbers of them. */
  private final int replicaCount;

  /** Rounds that replicas wait for each other in; null where there are none. */
  private final SimulatedRounds rounds;

  private final List<SimulatedRowReplica> replicas = new ArrayList<>();
  private final List<SimulatedRowShard> shards = new ArrayList<>();

  /** What is saved, for each table, of all shards. */
  private List<HeapRowStore> checkpoint = stores();

  private int[] positions = new int[PARTITIONS];

  /** The checkpoint that is being made; null if there is none. */
  private List<HeapRowStore> open;

  /** What shards held by key group, in the last checkpoint and in the open one. */
  private Map<Integer, byte[]> held = new TreeMap<>();

  private Map<Integer, byte[]> openHeld;
  private int[] openPositions;
  private int openShards;
  private boolean[] openReplicas;

  int failures;
  int checkpoints;

  /** Checkpoints that have pushes that shards held. */
  int heldPushes;

  /** A job whose shards apply pushes as they come. */
  SimulatedRows(long seed, int minibatches, int depth, boolean oneReplica) {
    this(seed, minibatches, depth, oneReplica ? 1 : 0, null);
  }

  /** A job whose shards apply pushes in the order of replicas. */
  SimulatedRows(long seed, int minibatches, SimulatedRounds rounds) {
    this(seed, minibatches, 0, rounds.replicas(), rounds);
  }

  private SimulatedRows(
      long seed, int minibatches, int depth, int replicaCount, SimulatedRounds rounds) {
    this.rounds = rounds;
    this.replicaCount = replicaCount;
    this.random = new Random(seed);
    this.learner = new RowLearner(seed, TABLES);
    this.minibatches = minibatches;
    this.depth = depth;
  }

  static int groupOf(long id) {
    return (int) Math.floorMod(id * 31, (long) GROUPS);
  }

  private static List<HeapRowStore> stores() {
    List<HeapRowStore> stores = new ArrayList<>();
    for (int i = 0; i < TABLES.size(); i++) {
      stores.add(new HeapRowStore(SimulatedRows::groupOf));
    }
    return stores;
  }

  /** Runs until all is learned. Returns for each table the rows and groups that are saved then. */
  List<HeapRowStore> run(double failure) {
    start();
    while (!done()) {
      int who = random.nextInt(replicas.size() + shards.size());
      if (who < replicas.size()) {
        barrier(who);
        replicas.get(who).step();
      } else {
        shards.get(who - replicas.size()).step(random);
      }
      if (open == null && random.nextInt(200) == 0) {
        openCheckpoint();
      }
      if (random.nextDouble() < failure) {
        failures++;
        start();
      }
    }
    List<HeapRowStore> all = stores();
    for (SimulatedRowShard shard : shards) {
      shard.rows.flush();
      shard.rows.close();
      merge(shard.stores, all);
    }
    return all;
  }

  private boolean done() {
    return replicas.stream().allMatch(SimulatedRowReplica::isOver)
        && shards.stream().allMatch(SimulatedRowShard::idle);
  }

  /** Goes on from the last checkpoint, with some number of replicas and shards. */
  private void start() {
    open = null;
    replicas.clear();
    shards.clear();
    int count = replicaCount == 0 ? 1 + random.nextInt(3) : replicaCount;
    if (rounds != null) {
      rounds.restore();
    }
    int shardCount = 1 + random.nextInt(4);
    RowRouter router = new RowRouter(TABLES, shardCount, id -> groupOf(id) * shardCount / GROUPS);
    for (int i = 0; i < count; i++) {
      replicas.add(new SimulatedRowReplica(this, i, count, depth, positions, router));
    }
    for (int i = 0; i < shardCount; i++) {
      // As Flink deals them out.
      int first = (i * GROUPS + shardCount - 1) / shardCount;
      int last = ((i + 1) * GROUPS - 1) / shardCount;
      List<HeapRowStore> stores = stores();
      int[] cached = new int[TABLES.size()];
      for (int table = 0; table < cached.length; table++) {
        stores.get(table).take(checkpoint.get(table), first, last);
        cached[table] = 1 + random.nextInt(40);
      }
      KeyGroups groups = new KeyGroups(first, last, GROUPS, SimulatedRows::groupOf);
      List<byte[]> heldHere = null;
      if (rounds != null) {
        heldHere = new ArrayList<>();
        for (int group = first; group <= last; group++) {
          if (held.containsKey(group)) {
            heldHere.add(held.get(group));
          }
        }
      }
      shards.add(new SimulatedRowShard(this, count, groups, stores, heldHere, cached));
    }
  }

  private void openCheckpoint() {
    open = stores();
    openHeld = new TreeMap<>();
    openPositions = new int[PARTITIONS];
    openShards = 0;
    openReplicas = new boolean[replicas.size()];
  }

  private void barrier(int number) {
    if (open == null || openReplicas[number]) {
      return;
    }
    openReplicas[number] = true;
    if (rounds != null) {
      rounds.barrier(number);
    }
    SimulatedRowReplica replica = replicas.get(number);
    for (int partition : replica.own()) {
      openPositions[partition] = replica.pushed[partition];
    }
    for (int shard = 0; shard < shards.size(); shard++) {
      send(number, shard, SimulatedRowShard.BARRIER);
    }
  }

  /** A shard is flushed. */
  void saved(List<HeapRowStore> stores, Map<Integer, byte[]> heldThere) {
    merge(stores, open);
    openHeld.putAll(heldThere);
    openShards++;
    if (openShards == shards.size()) {
      checkpoint = open;
      positions = openPositions;
      held = openHeld;
      heldPushes += held.isEmpty() ? 0 : 1;
      if (rounds != null) {
        rounds.saved();
      }
      open = null;
      checkpoints++;
    }
  }

  private static void merge(List<HeapRowStore> from, List<HeapRowStore> to) {
    for (int table = 0; table < to.size(); table++) {
      to.get(table).take(from.get(table), 0, GROUPS - 1);
    }
  }

  void send(int replica, int shard, byte[] message) {
    shards.get(shard).channels.get(replica).add(message);
  }

  void answer(int replica, byte[] answer) {
    replicas.get(replica).answers.add(answer);
  }

  List<RowTable> tables() {
    return TABLES;
  }

  SimulatedRounds roundsOrNull() {
    return rounds;
  }

  RowLearner learner() {
    return learner;
  }

  Random random() {
    return random;
  }

  int minibatches() {
    return minibatches;
  }

  static byte[] bytes(RowMessage message) {
    return bytes(RowMessage.WIRE, message);
  }

  static byte[] bytes(RowAnswer answer) {
    return bytes(RowAnswer.WIRE, answer);
  }

  private static <T> byte[] bytes(WireFormat<T> wire, T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      wire.write(value, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static RowMessage message(byte[] bytes) {
    return read(RowMessage.WIRE, bytes);
  }

  static RowAnswer answer(byte[] bytes) {
    return read(RowAnswer.WIRE, bytes);
  }

  private static <T> T read(WireFormat<T> wire, byte[] bytes) {
    try {
      return wire.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
