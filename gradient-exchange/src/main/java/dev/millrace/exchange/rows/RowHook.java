package dev.millrace.exchange.rows;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.HookMessage;
import dev.millrace.exchange.hook.ReplicaHook;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A replica's side of embedding tables: it pulls the rows of a minibatch's ids before the step,
 * makes features of them, and pushes their gradients behind it.
 *
 * <p>It keeps nothing: examples that wait are in checkpoints with their ids, and pulls are asked
 * again. A push takes its place among the replica's messages, so it is in a checkpoint of the rows
 * exactly if the step is in that of the replica.
 *
 * <p>Belongs to the replica's thread.
 */
public final class RowHook implements ReplicaHook {

  /** Names this hook's messages. */
  public static final String NAME = "rows";

  private final RowRouter router;
  private final HookContext context;
  private final ExampleShape shape;
  private final int[] tableOf;
  private final int[] fieldsOfSecond;
  private final Deque<AskedRows> asked = new ArrayDeque<>();
  private final Deque<AskedRows> spare = new ArrayDeque<>();
  private final float scale;
  private final boolean tellsRounds;
  private long next;

  /** The newest round that shards were told of. */
  private long round = RowRound.NONE;

  /** The rows of the step that is made; null before the first. */
  private AskedRows current;

  /**
   * @param context of a model whose shape has fields of ids
   * @throws IllegalArgumentException if a field's table isn't one of the router's, or has another
   *     dimension
   */
  public RowHook(RowRouter router, HookContext context) {
    this(router, context, false, false);
  }

  /**
   * @param tellsRounds whether shards are told of each round, as {@link OrderedPushes} asks for
   * @param tellsUses whether minibatches of two inputs are told how often the second one of each
   *     row was used, see {@link Minibatch#usesOfSecond}
   */
  public RowHook(RowRouter router, HookContext context, boolean tellsRounds, boolean tellsUses) {
    this.router = router;
    this.tellsRounds = tellsRounds;
    this.context = context;
    this.shape = context.model().spec().shape();
    this.tableOf = shape.columns().ids().stream().mapToInt(this::table).toArray();
    this.fieldsOfSecond = tellsUses ? fieldsOfSecond(shape) : new int[0];
    // The replicas' gradients are of means over their own examples, and add up to the job's mean.
    this.scale = 1f / context.readers();
  }

  private int table(IdColumn column) {
    List<RowTable> tables = router.tables();
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).name().equals(column.table())) {
        if (tables.get(i).dimension() != column.features().length()) {
          throw new IllegalArgumentException(
              "Table '%s' has a dimension of %s, and field '%s' takes %s"
                  .formatted(
                      column.table(),
                      tables.get(i).dimension(),
                      column.name(),
                      column.features().length()));
        }
        return i;
      }
    }
    throw new IllegalArgumentException(
        "Field '%s' has rows of table '%s', and there is no such table"
            .formatted(column.name(), column.table()));
  }

  private static int[] fieldsOfSecond(ExampleShape shape) {
    List<Input> inputs = shape.structure().inputs();
    if (inputs.size() != 2) {
      return new int[0];
    }
    IndexRange side = inputs.get(1).features();
    List<IdColumn> columns = shape.columns().ids();
    return IntStream.range(0, columns.size())
        .filter(field -> columns.get(field).features().from() >= side.from())
        .filter(field -> columns.get(field).features().to() <= side.to())
        .toArray();
  }

  @Override
  public void accept(RoundHead head) {
    tell(head.round());
  }

  /** Nothing of any round follows. */
  @Override
  public void ended() {
    tell(RowRound.ENDED);
  }

  private void tell(long newer) {
    if (!tellsRounds || newer <= round) {
      return;
    }
    round = newer;
    for (int shard = 0; shard < router.shards(); shard++) {
      context.port().send(new RowRound(router.name(shard), context.index(), round));
    }
  }

  @Override
  public boolean isReady(Minibatch minibatch) {
    for (AskedRows rows : asked) {
      if (rows.minibatch() == minibatch) {
        return rows.isComplete();
      }
    }
    return ask(minibatch).isComplete();
  }

  private AskedRows ask(Minibatch minibatch) {
    AskedRows rows =
        spare.isEmpty() ? new AskedRows(router, tableOf, fieldsOfSecond) : spare.removeFirst();
    RoutedIds routed = rows.begin(minibatch, next++);
    asked.add(rows);
    for (int shard = 0; shard < router.shards(); shard++) {
      if (routed.pulls(shard)) {
        context
            .port()
            .send(
                routed.pull(
                    shard,
                    context.index(),
                    rows.number(),
                    context.port().home(),
                    fieldsOfSecond.length > 0));
      }
    }
    return rows;
  }

  @Override
  public void accept(HookMessage message) {
    if (message instanceof RowAnswer answer) {
      for (AskedRows rows : asked) {
        if (rows.number() == answer.number()) {
          rows.place(answer);
          return;
        }
      }
    }
  }

  @Override
  public void beforeStep(Minibatch minibatch, Supplier<float[]> global) {
    if (current != null) {
      // A step that no example was left of has pushed nothing.
      spare.add(current);
    }
    current = asked.removeFirst();
    if (current.minibatch() != minibatch) {
      throw new IllegalStateException("Minibatches are learned in another order than was asked");
    }
    current.pool(shape);
  }

  /** Asks again for what waits, which may have other replayed rows from now on. */
  @Override
  public void refused() {
    spare.addAll(asked);
    asked.clear();
  }

  @Override
  public void takeGradients(Minibatch minibatch, float[] gradients) {
    RoutedIds routed = current.scatter(shape, gradients);
    long time =
        minibatch.newestTime() == Minibatch.NO_TIME ? RowPush.NO_TIME : minibatch.newestTime();
    RowMinibatch step = new RowMinibatch(scale, time, minibatch.fresh(), 0);
    for (int shard = 0; shard < router.shards(); shard++) {
      // Where rounds are told, a step has the same number in each shard.
      if (routed.pushes(shard) || tellsRounds) {
        context
            .port()
            .send(routed.push(shard, context.index(), current.number(), current.gradients(), step));
      }
    }
  }
}
