package dev.millrace.simulate;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Handover;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Farewell;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.simulate.job.Defect;
import dev.millrace.simulate.task.SavedState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Defects, one a run, that the invariants have to show. Each changes what goes over an edge, what a
 * checkpoint has, what a task is told, or what the place of models has.
 */
final class PlantedDefects {

  private static final String SPLITS = "splits";

  private PlantedDefects() {}

  /** Returns what makes each, by its name in words. */
  static Map<String, Supplier<Defect>> all() {
    Map<String, Supplier<Defect>> all = new LinkedHashMap<>();
    publication(all);
    membership(all);
    restore(all);
    gatesAndStops(all);
    contributions(all);
    return all;
  }

  private static void publication(Map<String, Supplier<Defect>> all) {
    all.put("publication: the committed pointer goes back", CommittedGoesBack::new);
    all.put("publication: an archive has an example too many", LargerArchive::new);
    all.put(
        "publication: a block is that of a round before",
        () -> new OnMessage<>(PublishedPart.Block.class, new StaleBlock()));
    all.put(
        "publication: a ledger is that of a model before",
        () -> new OnMessage<>(PublishedPart.Head.class, new StaleLedger()));
  }

  private static void membership(Map<String, Supplier<Defect>> all) {
    all.put("membership: an announcement comes twice", () -> twice(Announcement.class, 30));
    all.put("membership: an announcement is lost", () -> lost(Announcement.class, 30));
    all.put("membership: a decision is lost", () -> lost(Decision.class, 50));
    all.put(
        "membership: a block is told one member less",
        () -> new OnMessage<>(Decision.class, nth(50, PlantedDefects::oneMemberLess)));
    all.put("membership: an order to a gatherer is lost", () -> lost(GatherOrder.class, 20));
  }

  private static void restore(Map<String, Supplier<Defect>> all) {
    all.put(
        "restore: examples that waited are lost",
        () -> restored(state -> without(state, ReplicaOperator.EXAMPLES_STATE)));
    all.put(
        "restore: a replica's own state is lost",
        () -> restored(state -> without(state, ReplicaOperator.REPLICA_STATE)));
    all.put("restore: a source begins one record back", () -> restored(PlantedDefects::oneBack));
    all.put("restore: parked records are lost", () -> restored(state -> without(state, "parked")));
    all.put("restore: a block is lost", () -> restored(PlantedDefects::withoutBlock));
    all.put("restore: the coordinator's state is of a checkpoint before", OlderCoordinator::new);
    all.put("restore: what waits in gatherers is lost", () -> vertexLoses("gatherer"));
  }

  private static void gatesAndStops(Map<String, Supplier<Defect>> all) {
    all.put("stops: replicas aren't told of checkpoints", () -> untold("replica"));
    all.put("stops: the publisher isn't told of checkpoints", () -> untold("publisher"));
    all.put("stops: the coordinator isn't told of checkpoints", () -> untold("coordinator"));
    all.put("stops: a farewell is lost", () -> lost(Farewell.class, 1));
    all.put("stops: a greeting is lost", () -> lost(Hello.class, 8));
    all.put(
        "gates: training ends early",
        () -> new OnMessage<>(HeadDelivery.class, nth(40, PlantedDefects::ended)));
  }

  private static void contributions(Map<String, Supplier<Defect>> all) {
    all.put("contributions: one is lost", () -> lost(Contribution.class, 40));
    all.put("contributions: one comes twice", () -> twice(Contribution.class, 40));
    all.put(
        "contributions: one has the change of the one before",
        () -> new OnMessage<>(Contribution.class, new StalePayload()));
    all.put(
        "contributions: two change places", () -> new OnMessage<>(Contribution.class, swap(40)));
    all.put("contributions: one that is handed over comes twice", () -> twice(Handover.class, 40));
    all.put("contributions: one that is handed over is lost", () -> lost(Handover.class, 40));
  }

  /** Puts something in place of messages of a kind. */
  private static final class OnMessage<T> implements Defect {

    private final Class<T> type;
    private final Function<T, List<Object>> instead;

    OnMessage(Class<T> type, Function<T, List<Object>> instead) {
      this.type = type;
      this.instead = instead;
    }

    @Override
    public List<Object> send(String from, String to, Object message) {
      return type.isInstance(message) ? instead.apply(type.cast(message)) : List.of(message);
    }
  }

  /** Changes the n-th of them only. */
  private static <T> Function<T, List<Object>> nth(int number, Function<T, List<Object>> change) {
    int[] seen = new int[1];
    return message -> ++seen[0] == number ? change.apply(message) : List.of(message);
  }

  private static <T> Defect lost(Class<T> type, int number) {
    return new OnMessage<>(type, nth(number, message -> List.of()));
  }

  private static <T> Defect twice(Class<T> type, int number) {
    return new OnMessage<>(type, nth(number, message -> List.of(message, message)));
  }

  private static <T> Function<T, List<Object>> swap(int number) {
    List<Object> held = new ArrayList<>();
    int[] seen = new int[1];
    return message -> {
      seen[0]++;
      if (seen[0] == number) {
        held.add(message);
        return List.of();
      }
      List<Object> both = new ArrayList<>(List.of(message));
      both.addAll(held);
      held.clear();
      return both;
    };
  }

  private static List<Object> oneMemberLess(Decision decision) {
    BitSet members = (BitSet) decision.members().clone();
    members.clear(members.length() - 1 < 0 ? 0 : members.length() - 1);
    return List.of(
        new Decision(
            decision.block(),
            decision.round(),
            members,
            decision.participation(),
            decision.publish()));
  }

  private static List<Object> ended(HeadDelivery delivery) {
    RoundHead head = delivery.head();
    return List.of(
        new HeadDelivery(
            delivery.sink(),
            new RoundHead(
                head.round(),
                head.progress(),
                head.updaterSteps(),
                head.learned(),
                head.localSteps(),
                true,
                head.changed(),
                head.steering()),
            delivery.standings(),
            delivery.gatherer()));
  }

  private static final class StaleBlock implements Function<PublishedPart.Block, List<Object>> {

    private final Map<Integer, float[]> before = new HashMap<>();

    @Override
    public List<Object> apply(PublishedPart.Block block) {
      float[] older = before.put(block.block(), block.values());
      return List.of(
          new PublishedPart.Block(
              block.trigger(),
              block.block(),
              block.round(),
              block.movingAverage(),
              older == null ? block.values() : older));
    }
  }

  private static final class StaleLedger implements Function<PublishedPart.Head, List<Object>> {

    private PublishedPart.Head before;

    @Override
    public List<Object> apply(PublishedPart.Head head) {
      PublishedPart.Head older = before == null ? head : before;
      before = head;
      return List.of(
          new PublishedPart.Head(
              head.trigger(),
              head.purposes(),
              head.version(),
              head.iteration(),
              head.learned(),
              older.ledger(),
              head.prequential(),
              head.lineage()));
    }
  }

  private static final class StalePayload implements Function<Contribution, List<Object>> {

    private final Map<List<Integer>, Payload> before = new HashMap<>();

    @Override
    public List<Object> apply(Contribution made) {
      Payload older = before.put(List.of(made.replica(), made.block()), made.payload());
      boolean changes = older != null && made.sequence() % 10 == 0;
      return List.of(
          changes
              ? new Contribution(
                  made.block(), made.replica(), made.sequence(), made.weight(), older)
              : made);
    }
  }

  private static final class CommittedGoesBack implements Defect {

    private final List<byte[]> all = new ArrayList<>();

    @Override
    public byte[] store(String name, byte[] bytes) {
      if (!name.equals("committed.json")) {
        return bytes;
      }
      all.add(bytes);
      return all.size() == 5 ? all.get(2) : bytes;
    }
  }

  private static final class LargerArchive implements Defect {

    private int seen;

    @Override
    public byte[] store(String name, byte[] bytes) {
      if (!name.endsWith(".zip") || ++seen != 3) {
        return bytes;
      }
      ByteBuffer changed = ByteBuffer.wrap(bytes.clone());
      changed.putFloat(0, changed.getFloat(0) + 1);
      return changed.array();
    }
  }

  private static Defect restored(UnaryOperator<SavedState> change) {
    return new Defect() {
      @Override
      public SavedState restore(String vertex, int part, SavedState state) {
        return change.apply(state);
      }
    };
  }

  private static Defect vertexLoses(String loser) {
    return new Defect() {
      @Override
      public SavedState restore(String vertex, int part, SavedState state) {
        return vertex.equals(loser) ? SavedState.NONE : state;
      }
    };
  }

  private static Defect untold(String deaf) {
    return new Defect() {
      @Override
      public boolean tells(String vertex, long checkpoint) {
        return !vertex.equals(deaf);
      }
    };
  }

  private static SavedState without(SavedState state, String name) {
    Map<String, List<byte[]>> lists = new HashMap<>(state.lists());
    lists.replaceAll((list, items) -> list.contains(name) ? List.of() : items);
    return new SavedState(lists, state.broadcasts(), state.keyed());
  }

  private static SavedState oneBack(SavedState state) {
    List<byte[]> splits = new ArrayList<>(state.lists().getOrDefault(SPLITS, List.of()));
    if (splits.isEmpty()) {
      return state;
    }
    ByteBuffer first = ByteBuffer.wrap(splits.get(0).clone());
    first.putLong(Long.BYTES, Math.max(0, first.getLong(Long.BYTES) - 1));
    splits.set(0, first.array());
    return new SavedState(Map.of(SPLITS, splits), state.broadcasts(), state.keyed());
  }

  private static SavedState withoutBlock(SavedState state) {
    Map<String, Map<Object, byte[]>> keyed = new HashMap<>();
    state
        .keyed()
        .forEach(
            (name, values) -> {
              Map<Object, byte[]> left = new HashMap<>(values);
              left.remove(values.keySet().stream().findFirst().orElseThrow());
              keyed.put(name, left);
            });
    return new SavedState(state.lists(), state.broadcasts(), keyed);
  }

  private static final class OlderCoordinator implements Defect {

    private SavedState newest;
    private SavedState before;

    @Override
    public SavedState save(String vertex, int part, SavedState state) {
      if (vertex.equals("coordinator")) {
        before = newest;
        newest = state;
      }
      return state;
    }

    @Override
    public SavedState restore(String vertex, int part, SavedState state) {
      return vertex.equals("coordinator") && before != null ? before : state;
    }
  }
}
