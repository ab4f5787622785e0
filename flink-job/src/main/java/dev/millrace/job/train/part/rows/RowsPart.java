package dev.millrace.job.train.part.rows;

import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.exchange.flink.rows.RowHooks;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.RowsOptions.Order;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.options.TableOptions;
import dev.millrace.job.rows.files.FileRows;
import dev.millrace.job.train.SideLoop;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.part.PartTopic;
import dev.millrace.model.shape.IdColumn;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Has embedding tables, where fields are ids. */
public final class RowsPart implements OptionalPart {

  /** Key groups of the rows' operator; part of every savepoint. */
  static final int KEY_GROUPS = 256;

  /** So that as many readers can share a topic. */
  private static final int TOPIC_PARTITIONS = 8;

  @Override
  public OptionGroup options() {
    return RowsOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return refused(
        new Condition("with fields of the kinds id or ids", RowsPart::mayHaveIds),
        TableOptions.TABLES,
        RowsOptions.PREFETCH,
        RowsOptions.ORDER,
        RowsOptions.CACHE,
        RowsOptions.TOPIC,
        RowsOptions.FILES);
  }

  /** True where there is no description, too: a program may say which fields there are. */
  private static boolean mayHaveIds(Configuration options) {
    return ids(options).map(ids -> !ids.isEmpty()).orElse(true);
  }

  /** Returns the fields of ids; nothing where there is no description, or it is wrong. */
  private static Optional<List<IdColumn>> ids(Configuration options) {
    try {
      return InputFields.description(options).map(fields -> fields.columns().ids());
    } catch (InvalidOptionsException e) {
      // The rules of fields tell it.
      return Optional.empty();
    }
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    if (rules.has(TableOptions.TABLES)) {
      ids(rules.options()).filter(ids -> !ids.isEmpty()).ifPresent(ids -> Tables.check(ids, rules));
    }
    if (rules.options().get(RowsOptions.ORDER) == Order.REPLICA) {
      checkOrder(rules);
    }
    if (rules.has(RowsOptions.FILES)) {
      checkFiles(rules);
    }
  }

  /** Rounds that nobody waits for, and rows that are read ahead, are other ones each time. */
  private static void checkOrder(OptionRules rules) {
    String schedule = rules.options().get(ExchangeOptions.SCHEDULE);
    if (!schedule.equals("sync")) {
      rules.broken(
          "%s is 'replica', and %s is '%s': it takes rounds that replicas wait for; use sync"
              .formatted(RowsOptions.ORDER.key(), ExchangeOptions.SCHEDULE.key(), schedule));
    }
    int prefetch = rules.options().get(RowsOptions.PREFETCH);
    if (prefetch > 0) {
      rules.broken(
          "%s is 'replica', and %s is '%s': what is fetched ahead differs each time; set it to 0"
              .formatted(RowsOptions.ORDER.key(), RowsOptions.PREFETCH.key(), prefetch));
    }
  }

  private static void checkFiles(OptionRules rules) {
    String location = rules.options().get(RowsOptions.FILES);
    try {
      SnapshotPlace place = SnapshotPlace.of(location);
      if (rules
          .options()
          .getOptional(SnapshotOptions.DIRECTORY)
          .filter(models -> SnapshotPlace.of(models).equals(place))
          .isPresent()) {
        rules.broken(
            "%s and %s are both '%s'; give rows a directory of their own"
                .formatted(RowsOptions.FILES.key(), SnapshotOptions.DIRECTORY.key(), location));
      }
    } catch (IllegalArgumentException e) {
      rules.broken(
          "%s is '%s', which is no path or URI: %s"
              .formatted(RowsOptions.FILES.key(), location, e.getMessage()));
    }
    if (rules.options().get(CheckpointOptions.INTERVAL).isZero()) {
      rules.broken(
          "%s is '0', and %s publishes what checkpoints have; set an interval"
              .formatted(CheckpointOptions.INTERVAL.key(), RowsOptions.FILES.key()));
    }
  }

  @Override
  public boolean needsDisk(Configuration options) {
    return ids(options).filter(ids -> !ids.isEmpty()).isPresent();
  }

  @Override
  public Optional<PartTopic> topic() {
    return Optional.of(
        new PartTopic(RowsOptions.TOPIC, "rows", "a row", TOPIC_PARTITIONS, true, false));
  }

  @Override
  public List<String> leftovers(Configuration options) {
    return options.getOptional(RowsOptions.FILES).filter(FileRows::isUsed).stream()
        .map(
            location ->
                ("The directory '%s' has rows of an earlier job. Where this one begins without"
                        + " state, it ends at once: name a directory in %s that isn't there yet")
                    .formatted(location, RowsOptions.FILES.key()))
        .toList();
  }

  @Override
  public Optional<ReplicaHookFactory> replicaHook(PartContext context) {
    List<RowTable> tables = tables(context);
    if (tables.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new RowHooks(
            tables,
            KEY_GROUPS,
            context.options().get(RowsOptions.PREFETCH),
            context.options().get(RowsOptions.ORDER) == Order.REPLICA,
            context.options().get(ModelOptions.NEGATIVES) > 0));
  }

  @Override
  public Optional<SideLoop> loop(PartContext context) {
    List<RowTable> tables = tables(context);
    return tables.isEmpty()
        ? Optional.empty()
        : Optional.of(new RowLoop(tables, context.options()));
  }

  private static List<RowTable> tables(PartContext context) {
    try {
      return Tables.of(context.shape().columns().ids(), context.options());
    } catch (IllegalArgumentException e) {
      // Options that describe fields were checked before; those of a program weren't.
      throw new InvalidOptionsException(List.of(e.getMessage()));
    }
  }
}
