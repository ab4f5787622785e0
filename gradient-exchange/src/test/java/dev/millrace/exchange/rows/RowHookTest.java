package dev.millrace.exchange.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.HookPort;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Examples of a number and one id; ids are even or odd, and so are the two shards. Of three
 * replicas two have something to read.
 */
class RowHookTest {

  private static final ExampleShape SHAPE =
      new ExampleShape(
          3,
          1,
          Target.REGRESSION,
          new FeatureColumns(
              "{}",
              List.of(),
              List.of(),
              List.of(new IdColumn("user", "users", new IndexRange(1, 3), IdColumn.Pooling.SUM))),
          ExampleStructure.FLAT);

  private final List<RowMessage> sent = new ArrayList<>();
  private final RowHook hook = hook(RowTable.of("users", 2));

  private RowHook hook(RowTable table) {
    return hook(table, false);
  }

  private RowHook hook(RowTable table, boolean tellsRounds) {
    return hook(SHAPE, table, tellsRounds, false);
  }

  private RowHook hook(ExampleShape shape, RowTable table, boolean tellsRounds, boolean tellsUses) {
    HookPort port =
        new HookPort() {
          @Override
          public void send(HookMessage message) {
            sent.add((RowMessage) message);
          }

          @Override
          public String home() {
            return "home";
          }
        };
    return new RowHook(
        new RowRouter(List.of(table), 2, id -> (int) (id & 1)),
        new HookContext(
            1,
            3,
            2,
            new SummingEngine().build(SummingEngine.spec(shape, 1), DeviceRequest.guest()),
            false,
            port),
        tellsRounds,
        tellsUses);
  }

  private static Minibatch minibatch(long... ids) {
    Minibatch minibatch = new Minibatch(SHAPE, ids.length);
    for (int row = 0; row < ids.length; row++) {
      add(minibatch, ids[row], row);
    }
    return minibatch;
  }

  private static void add(Minibatch minibatch, long id, int row) {
    minibatch.add(
        new float[] {row, 0, 0},
        new float[1],
        new String[0],
        ids(id),
        0,
        1,
        new Partition("t", 0),
        row);
  }

  private static IdLists ids(long id) {
    return Lists.of(new long[] {id}, new int[] {1}, 1);
  }

  private void answer() {
    answer(hook);
  }

  /** Answers what was pulled with the id, and ten times the id; used a hundred times the id. */
  private void answer(RowHook to) {
    for (RowMessage message : List.copyOf(sent)) {
      RowPull pull = (RowPull) message;
      float[] values = new float[2 * pull.ids().length];
      int[] uses = new int[pull.wantsUses() ? pull.ids().length : 0];
      for (int i = 0; i < pull.ids().length; i++) {
        values[2 * i] = pull.ids()[i];
        values[2 * i + 1] = 10 * pull.ids()[i];
      }
      for (int i = 0; i < uses.length; i++) {
        uses[i] = (int) (100 * pull.ids()[i]);
      }
      to.accept(new RowAnswer(pull.shard(), pull.number(), values, uses));
    }
    sent.clear();
  }

  @Test
  void rowsArePulledOnceAndPushedBehindTheStep() {
    Minibatch minibatch = minibatch(4, 7, 4);

    assertThat(hook.isReady(minibatch)).isFalse();
    assertThat(hook.isReady(minibatch)).isFalse();
    assertThat(sent).hasSize(2);
    answer();
    assertThat(hook.isReady(minibatch)).isTrue();
    hook.beforeStep(minibatch, () -> null);
    assertThat(minibatch.features()).startsWith(0, 4, 40, 1, 7, 70, 2, 4, 40);
    hook.takeGradients(minibatch, new float[] {9, 1, 2, 9, 3, 4, 9, 5, 6});

    RowPush even = (RowPush) sent.get(0);
    assertThat(even.ids()).containsExactly(4);
    assertThat(even.uses()).containsExactly(2);
    assertThat(even.gradients()).containsExactly(6, 8);
    assertThat(even.minibatch().scale()).isEqualTo(0.5f);
    assertThat(((RowPush) sent.get(1)).gradients()).containsExactly(3, 4);
  }

  @Test
  void examplesThatAreTakenOutAreNotPushed() {
    Minibatch minibatch = minibatch(4, 7, 6);
    hook.isReady(minibatch);
    answer();
    hook.beforeStep(minibatch, () -> null);
    BitSet first = new BitSet();
    first.set(0);
    minibatch.remove(first);

    hook.takeGradients(minibatch, new float[] {9, 3, 4, 9, 5, 6});

    assertThat(sent).hasSize(2);
    assertThat(((RowPush) sent.get(0)).ids()).containsExactly(6);
    assertThat(((RowPush) sent.get(0)).gradients()).containsExactly(5, 6);
    assertThat(((RowPush) sent.get(1)).gradients()).containsExactly(3, 4);
  }

  /** As often as the rarest of its ids; of the first side they tell nothing. Told if wanted. */
  @Test
  void aMinibatchIsToldHowOftenSecondSidesWereUsed() {
    List<IdColumn> ids = new ArrayList<>();
    for (int field = 0; field < 3; field++) {
      IndexRange features = new IndexRange(2 * field, 2 * field + 2);
      ids.add(new IdColumn("field" + field, "users", features, IdColumn.Pooling.SUM));
    }
    ExampleShape shape =
        new ExampleShape(
            6,
            1,
            Target.REGRESSION,
            new FeatureColumns("{}", List.of(), List.of(), ids),
            new ExampleStructure(
                0,
                false,
                List.of(
                    new Input("user", new IndexRange(0, 2)),
                    new Input("item", new IndexRange(2, 6))),
                List.of()));
    Minibatch minibatch = new Minibatch(shape, 4);
    long[][] rows = {{1, 5, 9}, {2, 8, 6}, {3, 4, 7}};
    for (long[] row : rows) {
      minibatch.add(
          new float[6],
          new float[1],
          new String[0],
          Lists.of(row, new int[] {1, 2, 3}, 3),
          0,
          1,
          new Partition("t", 0),
          0);
    }
    minibatch.add(
        new float[6],
        new float[1],
        new String[0],
        Lists.of(new long[] {1}, new int[] {1, 1, 1}, 3),
        0,
        1,
        new Partition("t", 0),
        0);
    RowHook pairs = hook(shape, RowTable.of("users", 2), false, true);
    pairs.isReady(minibatch);
    answer(pairs);

    pairs.beforeStep(minibatch, () -> null);

    assertThat(minibatch.usesOfSecond()).containsExactly(500, 600, 400, 0);
    BitSet second = new BitSet();
    second.set(1);
    minibatch.remove(second);
    assertThat(minibatch.usesOfSecond()).startsWith(500, 400, 0);

    RowHook untold = hook(shape, RowTable.of("users", 2), false, false);
    untold.isReady(minibatch);
    assertThat(sent).hasSize(2).noneMatch(pull -> ((RowPull) pull).wantsUses());
    answer(untold);
    untold.beforeStep(minibatch, () -> null);
    assertThat(minibatch.usesOfSecond()).as("as it was").startsWith(500, 400, 0);
  }

  /** Its gradients count, and its uses don't. */
  @Test
  void whatIsReplayedIsPulledAndPushedWithoutUses() {
    Minibatch minibatch = new Minibatch(SHAPE, 1, 2);
    add(minibatch, 4, 0);
    for (long id : new long[] {4, 7}) {
      minibatch.addReplayed(new float[3], new float[1], new String[0], 0, ids(id), 0, 1);
    }
    hook.isReady(minibatch);
    answer();
    hook.beforeStep(minibatch, () -> null);
    assertThat(minibatch.features()).startsWith(0, 4, 40, 0, 4, 40, 0, 7, 70);

    hook.takeGradients(minibatch, new float[] {9, 1, 2, 9, 3, 4, 9, 5, 6});

    RowPush even = (RowPush) sent.get(0);
    assertThat(even.uses()).containsExactly(1);
    assertThat(even.gradients()).containsExactly(4, 6);
    assertThat(even.minibatch().examples()).isOne();
    RowPush odd = (RowPush) sent.get(1);
    assertThat(odd.uses()).containsExactly(0);
    assertThat(odd.gradients()).containsExactly(5, 6);
  }

  /** Answers to the pulls before are nobody's. */
  @Test
  void afterARefusalRowsAreAskedAgain() {
    Minibatch minibatch = minibatch(4);
    hook.isReady(minibatch);
    List<RowMessage> before = List.copyOf(sent);
    sent.clear();

    hook.refused();

    assertThat(hook.isReady(minibatch)).isFalse();
    hook.accept(
        new RowAnswer(0, ((RowPull) before.get(0)).number(), new float[] {1, 1}, new int[0]));
    assertThat(hook.isReady(minibatch)).isFalse();
    answer();
    assertThat(hook.isReady(minibatch)).isTrue();
    hook.beforeStep(minibatch, () -> null);
    assertThat(minibatch.features()).startsWith(0, 4, 40);
  }

  /** The same minibatch is filled and asked about again. */
  @Test
  void aStepThatNoExampleIsLeftOfLeavesNothingBehind() {
    Minibatch lost = minibatch(4);
    hook.isReady(lost);
    answer();
    hook.beforeStep(lost, () -> null);
    lost.clear();
    lost.add(
        new float[3],
        new float[1],
        new String[0],
        Lists.of(new long[] {7}, new int[] {1}, 1),
        0,
        1,
        new Partition("t", 0),
        9);

    assertThat(hook.isReady(lost)).isFalse();
    answer();
    hook.beforeStep(lost, () -> null);

    assertThat(lost.features()).startsWith(0, 7, 70);
  }

  private static RoundHead head(long round) {
    return new RoundHead(round, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false);
  }

  /** And of each step, with an id of theirs or without. */
  @Test
  void shardsAreToldOfRoundsWhereTheyApplyPushesInOrder() {
    RowHook ordered = hook(RowTable.of("users", 2), true);
    ordered.accept(head(4));
    ordered.accept(head(4));
    ordered.accept(head(6));
    assertThat(sent)
        .containsExactly(
            new RowRound(0, 1, 4),
            new RowRound(1, 1, 4),
            new RowRound(0, 1, 6),
            new RowRound(1, 1, 6));
    sent.clear();
    Minibatch minibatch = minibatch(4);
    ordered.isReady(minibatch);
    RowPull pull = (RowPull) sent.remove(0);
    ordered.accept(new RowAnswer(0, pull.number(), new float[2], new int[0]));
    ordered.beforeStep(minibatch, () -> null);
    ordered.takeGradients(minibatch, new float[3]);
    assertThat(sent).extracting(RowMessage::shard).containsExactly(0, 1);
    sent.clear();

    ordered.ended();
    hook.accept(head(4));
    hook.ended();

    assertThat(sent)
        .containsExactly(new RowRound(0, 1, RowRound.ENDED), new RowRound(1, 1, RowRound.ENDED));
  }

  @Test
  void fieldsAndTablesMustFitTogether() {
    assertThatThrownBy(() -> hook(RowTable.of("users", 3)))
        .hasMessage("Table 'users' has a dimension of 3, and field 'user' takes 2");
    assertThatThrownBy(() -> hook(RowTable.of("items", 2)))
        .hasMessage("Field 'user' has rows of table 'users', and there is no such table");
  }
}
