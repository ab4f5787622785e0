package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two replicas and two tables; an id's key group is its last digit. */
class OrderedPushesTest {

  private static final List<RowTable> TABLES =
      List.of(RowTable.of("users", 2), RowTable.of("items", 1));
  private static final KeyGroups ALL = groups(0, 9);

  private final List<String> done = new ArrayList<>();
  private final OrderedPushes pushes = pushes();

  private static KeyGroups groups(int first, int last) {
    return new KeyGroups(first, last, 10, id -> (int) (id % 10));
  }

  private OrderedPushes pushes() {
    return new OrderedPushes(TABLES, 2, message -> done.add(text(message)));
  }

  private static String text(RowMessage message) {
    return message instanceof RowPush push
        ? "push %s of %s".formatted(push.number(), push.replica())
        : "pull of %s".formatted(message.replica());
  }

  private static RowRound round(int replica, long round) {
    return new RowRound(0, replica, round);
  }

  private static RowPull pull(int replica) {
    return new RowPull(0, new int[] {1, 1}, new long[] {3}, replica, 0, "home", false);
  }

  /** With two ids of the first table, and two of the second. */
  private static RowPush push(int replica, long number) {
    return new RowPush(
        0,
        new int[] {2, 4},
        new long[] {13, 4, 23, 33},
        replica,
        number,
        new int[] {1, 2, 3, 4},
        new float[] {1, 2, 3, 4, 5, 6},
        new RowMinibatch(0.5f, 77, 8, 0));
  }

  private void take(RowMessage... messages) {
    for (RowMessage message : messages) {
      pushes.take(message);
    }
  }

  @Test
  void pushesOfARoundComeInTheOrderOfReplicasOnceAllKnowTheNext() {
    take(round(1, 0), round(0, 0));
    take(push(1, 0), push(1, 1), push(0, 0), push(0, 1), round(1, 1), push(1, 2));
    assertThat(done).isEmpty();

    take(round(0, 1));

    assertThat(done).containsExactly("push 0 of 0", "push 1 of 0", "push 0 of 1", "push 1 of 1");
    assertThat(pushes.isEmpty()).isFalse();
  }

  @Test
  void aPullReadsAllRoundsBeforeItsOwnAndNothingOfItsOwn() {
    take(round(0, 0), pull(0));
    assertThat(done).isEmpty();
    take(round(1, 0));
    assertThat(done).containsExactly("pull of 0");
    take(push(0, 0), pull(0), round(0, 1), push(0, 1), pull(0), pull(1));
    assertThat(done).containsExactly("pull of 0", "pull of 0", "pull of 1");
    done.clear();

    take(push(1, 0), round(1, 1));

    assertThat(done).containsExactly("push 0 of 0", "push 0 of 1", "pull of 0");
  }

  /** Such as one that was idle, and takes in a later head while it waits for rows. */
  @Test
  void aPullOfAnEarlierRoundReadsNothingLater() {
    take(round(0, 0), round(1, 0), push(1, 0), round(0, 1), push(0, 0), pull(0), round(0, 3));
    assertThat(done).isEmpty();

    take(round(1, 4));

    assertThat(done).containsExactly("push 0 of 1", "pull of 0", "push 0 of 0");
  }

  @Test
  void nobodyWaitsForWhoHasEnded() {
    take(round(0, 5), round(1, 5), push(0, 0), push(1, 0), round(1, RowRound.ENDED));
    assertThat(done).isEmpty();

    take(round(0, 6), push(0, 1), pull(0));
    assertThat(done).containsExactly("push 0 of 0", "push 0 of 1", "pull of 0");

    take(round(0, RowRound.ENDED));
    assertThat(done).endsWith("pull of 0", "push 1 of 0");
    assertThat(pushes.isEmpty()).isTrue();
  }

  @Test
  void whatIsHeldIsReleasedInOrder() {
    take(round(0, 0), round(1, 0), push(1, 0), round(1, 1), push(1, 1), push(0, 0));

    pushes.release();

    assertThat(done).containsExactly("push 0 of 0", "push 0 of 1", "push 1 of 1");
  }

  /** Shards of other key groups have them whole together, behind what came before. */
  @Test
  void whatIsSavedGoesOnInOtherShards() {
    take(round(0, 0), round(1, 0), push(1, 0), round(1, 1), push(1, 1), push(0, 0));
    Map<Integer, byte[]> saved = pushes.save(ALL);
    List<RowPush> low = new ArrayList<>();
    List<RowPush> high = new ArrayList<>();

    goOn(saved, groups(0, 3), low);
    goOn(saved, groups(4, 9), high);

    assertThat(low).extracting(RowPush::replica).containsExactly(0, 0, 1, 1);
    assertThat(low).extracting(RowPush::number).containsExactly(0L, 7L, 0L, 1L);
    assertThat(high).extracting(RowPush::number).containsExactly(0L, 7L, 0L, 1L);
    assertThat(low.get(2).ends()).containsExactly(1, 3);
    assertThat(low.get(2).ids()).containsExactly(13, 23, 33);
    assertThat(low.get(2).uses()).containsExactly(1, 3, 4);
    assertThat(low.get(2).gradients()).containsExactly(1, 2, 5, 6);
    assertThat(high.get(2).ends()).containsExactly(1, 1);
    assertThat(high.get(2).ids()).containsExactly(4);
    assertThat(high.get(2).gradients()).containsExactly(3, 4);
    assertThat(low.get(2).minibatch())
        .isEqualTo(high.get(2).minibatch())
        .isEqualTo(push(1, 0).minibatch());
  }

  /** Replica 0 makes another step in the round, twice restored; the ends of rounds follow. */
  private static void goOn(Map<Integer, byte[]> saved, KeyGroups groups, List<RowPush> applied) {
    OrderedPushes first = restored(saved, groups, applied);
    OrderedPushes again = restored(first.save(groups), groups, applied);
    again.take(round(0, 0));
    RowPush empty = push(0, 7);
    again.take(
        new RowPush(0, new int[2], new long[0], 0, 7, new int[0], new float[0], empty.minibatch()));
    assertThat(applied).as("before all have told of a round").isEmpty();
    again.take(round(1, 1));
    again.take(round(0, 2));
    again.take(round(1, 2));
    assertThat(again.save(groups)).isEmpty();
  }

  private static OrderedPushes restored(
      Map<Integer, byte[]> saved, KeyGroups groups, List<RowPush> applied) {
    OrderedPushes pushes = new OrderedPushes(TABLES, 2, message -> applied.add((RowPush) message));
    List<byte[]> here = new ArrayList<>();
    for (int group = groups.first(); group <= groups.last(); group++) {
      here.add(saved.get(group));
    }
    pushes.restore(groups, here);
    return pushes;
  }

  @Test
  void usesThatAreHeldAreCounted() {
    take(round(0, 0), push(0, 0), push(0, 1));
    long users = 0;
    long items = 0;

    for (byte[] group : pushes.save(ALL).values()) {
      users += OrderedPushes.usesIn(group).get("users");
      items += OrderedPushes.usesIn(group).get("items");
    }

    assertThat(users).isEqualTo(2 * (1 + 2));
    assertThat(items).isEqualTo(2 * (3 + 4));
  }

  @Test
  void whatIsSavedOfOtherTablesIsRefused() {
    take(round(0, 0), push(0, 0));
    List<byte[]> saved = List.copyOf(pushes.save(ALL).values());
    OrderedPushes other =
        new OrderedPushes(TABLES.subList(0, 1), 2, message -> done.add(text(message)));

    assertThatThrownBy(() -> other.restore(ALL, saved))
        .isInstanceOf(DamagedRowException.class)
        .hasMessageContaining("Gradients of the tables [users, items]")
        .hasMessageContaining("the job has the tables [users]");
    byte[] cut = new byte[saved.get(0).length - 1];
    System.arraycopy(saved.get(0), 0, cut, 0, cut.length);
    assertThatThrownBy(() -> pushes().restore(ALL, List.of(cut)))
        .isInstanceOf(DamagedRowException.class);
  }

  @Test
  void whoHasToldOfNoRoundOrGoesBackIsRefused() {
    assertThatThrownBy(() -> take(pull(1)))
        .hasMessage("Replica 1 sends RowPull, and has told of no round yet");
    take(round(0, 3));
    assertThatThrownBy(() -> take(round(0, 3)))
        .hasMessage("Replica 0 tells of round 3 behind round 3");
    take(round(1, RowRound.ENDED));
    assertThatThrownBy(() -> take(push(1, 0))).hasMessage("Replica 1 sends RowPush, and has ended");
  }
}
