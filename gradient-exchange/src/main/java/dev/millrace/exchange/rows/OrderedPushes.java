package dev.millrace.exchange.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Hands messages to a shard in an order that doesn't depend on which replica is faster. Each
 * message is of the round that its replica has told of last. A pull of round {@code r} reads all
 * pushes of rounds before {@code r}, in the order of rounds, then replicas, then steps, and no
 * others.
 *
 * <p>So a push is held until each replica knows a later round than that of the push, and a pull
 * until each knows the pull's round. A replica with the earliest round waits for nobody.
 *
 * <p>Pushes that are held are saved; pulls aren't, since restored replicas ask again. After a
 * restore nothing is handed on before each replica has told of a round. Belongs to one thread.
 */
public final class OrderedPushes {

  /** A pull that not all replicas know the round of. */
  private record WaitingPull(long round, RowPull pull) {}

  private final List<RowTable> tables;
  private final Consumer<RowMessage> shard;
  private final PriorityQueue<HeldPush> held = new PriorityQueue<>(HeldPush.ORDER);
  private final PriorityQueue<WaitingPull> waiting =
      new PriorityQueue<>(Comparator.comparingLong(WaitingPull::round));

  /** The round of each replica. */
  private final long[] rounds;

  /** The position of each replica's next push in its round. */
  private final int[] positions;

  /** The round that each replica knows. */
  private long reached = RowRound.NONE;

  /**
   * @param tables in the order of their numbers
   * @param replicas how many there are
   * @param shard takes pulls and pushes
   */
  public OrderedPushes(List<RowTable> tables, int replicas, Consumer<RowMessage> shard) {
    this.tables = List.copyOf(tables);
    this.shard = shard;
    this.rounds = new long[replicas];
    this.positions = new int[replicas];
    Arrays.fill(rounds, RowRound.NONE);
  }

  /**
   * Takes a message, and hands on what nobody has to wait for any more.
   *
   * @throws IllegalStateException if a replica pulls or pushes before it has told of a round, or
   *     goes back to an earlier one
   */
  public void take(RowMessage message) {
    if (message instanceof RowRound round) {
      begin(round);
      return;
    }
    long round = rounds[message.replica()];
    if (round == RowRound.NONE || round == RowRound.ENDED) {
      throw new IllegalStateException(
          "Replica %s sends %s, and %s"
              .formatted(
                  message.replica(),
                  message.getClass().getSimpleName(),
                  round == RowRound.NONE ? "has told of no round yet" : "has ended"));
    }
    if (message instanceof RowPush push) {
      held.add(new HeldPush(round, positions[push.replica()]++, push));
    } else if (message instanceof RowPull pull) {
      waiting.add(new WaitingPull(round, pull));
      handOn();
    }
  }

  private void begin(RowRound message) {
    int replica = message.replica();
    long before = rounds[replica];
    if (message.round() <= before) {
      throw new IllegalStateException(
          "Replica %s tells of round %s behind round %s"
              .formatted(replica, message.round(), before));
    }
    rounds[replica] = message.round();
    positions[replica] = before == RowRound.NONE ? restored(replica) : 0;
    reached = Arrays.stream(rounds).min().orElseThrow();
    handOn();
  }

  /** Returns how many pushes of its round a replica had sent before it was restored. */
  private int restored(int replica) {
    return held.stream()
        .filter(one -> one.push().replica() == replica && one.round() == rounds[replica])
        .mapToInt(one -> one.position() + 1)
        .max()
        .orElse(0);
  }

  private void handOn() {
    while (!waiting.isEmpty() && waiting.peek().round() <= reached) {
      WaitingPull next = waiting.remove();
      handOnBefore(next.round());
      shard.accept(next.pull());
    }
    handOnBefore(reached);
  }

  private void handOnBefore(long round) {
    while (!held.isEmpty() && held.peek().round() < round) {
      shard.accept(held.remove().push());
    }
  }

  /**
   * Hands on all pushes that are held, in their order: no round follows, or nobody tells of any.
   */
  public void release() {
    handOnBefore(RowRound.ENDED);
  }

  /** Whether no push is held. */
  public boolean isEmpty() {
    return held.isEmpty();
  }

  /**
   * Returns what is held, for each key group of the shard; nothing where nothing is.
   *
   * @param groups of the shard
   */
  public Map<Integer, byte[]> save(KeyGroups groups) {
    if (held.isEmpty()) {
      return Map.of();
    }
    List<List<HeldPush>> parts = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      parts.add(new ArrayList<>());
    }
    PushParts splitter = new PushParts(tables, groups);
    for (HeldPush one : held) {
      RowPush[] split = splitter.split(one.push());
      for (int i = 0; i < split.length; i++) {
        parts.get(i).add(new HeldPush(one.round(), one.position(), split[i]));
      }
    }
    List<String> names = tables.stream().map(RowTable::name).toList();
    Map<Integer, byte[]> saved = new LinkedHashMap<>();
    for (int i = 0; i < groups.size(); i++) {
      saved.put(groups.first() + i, new SavedPushes(names, parts.get(i)).bytes());
    }
    return saved;
  }

  /**
   * Goes on with what was saved, by whatever shards, before the first message comes.
   *
   * @param groups of the shard
   * @param saved of each of these that something was saved of, in the order of their numbers
   * @throws DamagedRowException if it can't be read, or is of other tables
   */
  public void restore(KeyGroups groups, List<byte[]> saved) {
    Map<HeldPush, List<RowPush>> parts = new TreeMap<>(HeldPush.ORDER);
    for (byte[] ofGroup : saved) {
      for (HeldPush part : read(ofGroup)) {
        parts.computeIfAbsent(part, first -> new ArrayList<>()).add(part.push());
      }
    }
    PushParts splitter = new PushParts(tables, groups);
    parts.forEach(
        (first, all) ->
            held.add(new HeldPush(first.round(), first.position(), splitter.join(all))));
  }

  private List<HeldPush> read(byte[] bytes) {
    SavedPushes saved = SavedPushes.read(bytes);
    List<String> names = tables.stream().map(RowTable::name).toList();
    if (!saved.tables().equals(names)) {
      throw new DamagedRowException(
          ("Gradients of the tables %s wait for the end of their round, and the job has the tables"
                  + " %s; restore it with the tables that it had")
              .formatted(saved.tables(), names));
    }
    return saved.parts();
  }

  /**
   * Returns how many uses of each table are held, by their names, of what was saved of a key group.
   *
   * @throws DamagedRowException if it can't be read
   */
  public static Map<String, Long> usesIn(byte[] saved) {
    return SavedPushes.read(saved).uses();
  }
}
