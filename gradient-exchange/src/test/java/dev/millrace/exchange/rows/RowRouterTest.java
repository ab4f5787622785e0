package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RowRouterTest {

  private static final RowTable USERS = RowTable.of("users", 2);
  private static final RowTable ITEMS = RowTable.of("items", 1);
  private static final RowMinibatch MINIBATCH = new RowMinibatch(1, 2, 3, 4);

  private final TableIds ids = new TableIds(2, 0, 1);

  private RoutedIds routed(RowTable... tables) {
    // Shard 3 has none of them.
    ids.take(Lists.of(new long[] {4, 5, 8, 4, 2, 1}, new int[] {4, 6}, 2));
    return new RowRouter(List.of(tables), 4, id -> (int) (id % 4)).route(ids);
  }

  @Test
  void aShardIsAskedForItsIdsOfAllTables() {
    RoutedIds routed = routed(USERS, ITEMS);
    RowPull first = routed.pull(0, 7, 9, "home", true);
    assertThat(first.ids()).containsExactly(4, 8);
    assertThat(first.ends()).containsExactly(2, 2);
    assertThat(first.shard()).isZero();
    assertThat(first.replica()).isEqualTo(7);
    assertThat(first.number()).isEqualTo(9);
    assertThat(first.home()).isEqualTo("home");
    assertThat(first.wantsUses()).isTrue();
    RowPull second = routed.pull(1, 7, 9, "home", false);
    assertThat(second.ids()).containsExactly(5, 1);
    assertThat(second.ends()).containsExactly(1, 2);
    assertThat(second.wantsUses()).isFalse();
    assertThat(routed.pulls(2)).isTrue();
    assertThat(routed.pulls(3)).isFalse();
  }

  @Test
  void answersInAnyOrderComeInTheOrderOfTheIds() {
    RoutedIds routed = routed(USERS, ITEMS);
    float[][] rows = {new float[6], new float[2]};
    int[][] uses = {new int[3], new int[2]};
    routed.place(new RowAnswer(2, 9, new float[] {20}, new int[] {2}), rows, uses);
    routed.place(new RowAnswer(1, 9, new float[] {50, 51, 10}, new int[] {5, 1}), rows, uses);
    assertThat(routed.complete()).isFalse();
    routed.place(new RowAnswer(0, 9, new float[] {40, 41, 80, 81}, new int[] {4, 8}), rows, uses);
    assertThat(routed.complete()).isTrue();
    assertThat(rows[0]).containsExactly(40, 41, 50, 51, 80, 81);
    assertThat(rows[1]).containsExactly(20, 10);
    assertThat(uses[0]).containsExactly(4, 5, 8);
    assertThat(uses[1]).containsExactly(2, 1);
    assertThatThrownBy(
            () -> routed.place(new RowAnswer(0, 9, new float[3], new int[2]), rows, uses))
        .hasMessage("Shard 0 answers pull 9 with 3 values, and 4 were asked for");
    assertThatThrownBy(
            () -> routed.place(new RowAnswer(0, 9, new float[4], new int[3]), rows, uses))
        .hasMessage("Shard 0 answers pull 9 with the uses of 3 ids, and 2 were asked for");
    assertThatThrownBy(
            () -> routed.place(new RowAnswer(0, 9, new float[4], new int[2]), rows, null))
        .hasMessage("Shard 0 answers pull 9 with the uses of 2 ids, and 0 were asked for");
  }

  @Test
  void gradientsGoBackTheSameWay() {
    RoutedIds routed = routed(USERS, ITEMS);
    float[][] gradients = {{40, 41, 50, 51, 80, 81}, {20, 10}};
    RowPush first = routed.push(0, 7, 9, gradients, MINIBATCH);
    assertThat(first.ids()).containsExactly(4, 8);
    assertThat(first.uses()).containsExactly(2, 1);
    assertThat(first.gradients()).containsExactly(40, 41, 80, 81);
    assertThat(first.minibatch()).isEqualTo(MINIBATCH);
    RowPush second = routed.push(1, 7, 9, gradients, MINIBATCH);
    assertThat(second.ids()).containsExactly(5, 1);
    assertThat(second.gradients()).containsExactly(50, 51, 10);
    assertThat(second.ends()).containsExactly(1, 2);
  }

  /** The next minibatch may have the ids' memory by then. */
  @Test
  void laterMinibatchesDoNotMatter() {
    RoutedIds routed = routed(USERS, ITEMS);
    ids.take(Lists.of(new long[] {3, 3}, new int[] {1, 2}, 2));
    assertThat(routed.pull(0, 7, 9, "home", true).ids()).containsExactly(4, 8);
    assertThat(routed.push(0, 7, 9, new float[2][6], MINIBATCH).uses()).containsExactly(2, 1);
  }

  @Test
  void whereRowsExpireEachShardIsToldTheTime() {
    assertThat(routed(USERS, ITEMS).pushes(3)).isFalse();
    RoutedIds routed = routed(USERS, ITEMS.with(Expiry.afterExamples(5)));
    assertThat(routed.pushes(3)).isTrue();
    RowPush push = routed.push(3, 7, 9, new float[2][6], MINIBATCH);
    assertThat(push.ids()).isEmpty();
    assertThat(push.ends()).containsExactly(0, 0);
    assertThat(push.minibatch()).isEqualTo(MINIBATCH);
  }

  @Test
  void aMinibatchWithoutIdsIsCompleteAtOnce() {
    ids.take(Lists.of(new long[0], new int[2], 2));
    assertThat(new RowRouter(List.of(USERS, ITEMS), 2, id -> 0).route(ids).complete()).isTrue();
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> new RowRouter(List.of(USERS), 1, id -> 0).route(ids))
        .hasMessageContaining("ids of 2 tables, and there are 1");
    ids.take(Lists.of(new long[] {6}, new int[] {0, 1}, 2));
    assertThatThrownBy(() -> new RowRouter(List.of(USERS, ITEMS), 2, id -> 2).route(ids))
        .hasMessageContaining("Id 6 is of shard 2, and there are 2");
  }
}
