package dev.millrace.benchmark.rows;

import dev.millrace.example.Example;
import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.rows.Admission;
import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.RowHook;
import dev.millrace.exchange.rows.RowRouter;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.exchange.rows.RowUpdater;
import dev.millrace.fields.FieldTexts;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.FieldTable;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * One pass over a table of clicks in a plain loop, without a job: each minibatch is predicted, then
 * learned. All fields are ids or lists of ids.
 */
@Command(name = "rows")
public final class PlainRows implements Runnable {

  private static final Partition PLACE = new Partition("file", 0);

  @Option(names = "--data", required = true)
  private String data;

  @Option(names = "--ids", split = ",", required = true)
  private List<String> ids;

  @Option(names = "--lists", split = ",")
  private List<String> lists = List.of();

  @Option(names = "--label", required = true)
  private String label;

  @Option(names = "--engine", defaultValue = "torch")
  private String engine;

  @Option(names = "--model", defaultValue = "deepfm")
  private String model;

  @Option(names = "--hidden", split = ",", defaultValue = "64,32")
  private List<Integer> hidden;

  @Option(names = "--updater", defaultValue = "adam")
  private String updater;

  @Option(names = "--rate", defaultValue = "0.001")
  private double rate;

  @Option(names = "--l2", defaultValue = "0")
  private double l2;

  @Option(names = "--dimension", defaultValue = "16")
  private int dimension;

  @Option(names = "--row-updater", defaultValue = "adagrad-rowwise")
  private String rowUpdater;

  @Option(names = "--row-rate", defaultValue = "0.05")
  private float rowRate;

  @Option(names = "--row-l2", defaultValue = "0")
  private float rowL2;

  @Option(names = "--spread", defaultValue = "0.01")
  private float spread;

  @Option(names = "--admit-after", defaultValue = "1")
  private int admitAfter;

  @Option(names = "--batch", split = ",", defaultValue = "32")
  private List<Integer> batches;

  @Option(names = "--prefetch", defaultValue = "0")
  private int prefetch;

  @Option(names = "--most", defaultValue = "2147483647")
  private int most;

  @Option(names = "--seed", defaultValue = "1")
  private long seed;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PlainRows()).execute(arguments));
  }

  private FieldsDescription description() {
    Stream<String> fields =
        Stream.of(
                ids.stream()
                    .map(
                        id ->
                            "{\"path\":\"%s\",\"kind\":\"id\",\"dimension\":%s}"
                                .formatted(id, dimension)),
                lists.stream()
                    .map(
                        list ->
                            "{\"path\":\"%s\",\"kind\":\"ids\",\"dimension\":%s,\"separator\":\"|\"}"
                                .formatted(list, dimension)),
                Stream.of("{\"path\":\"%s\",\"role\":\"label\"}".formatted(label)))
            .flatMap(all -> all);
    return FieldsDescription.parse(
        "[" + String.join(",", fields.toList()) + "]", null, FieldTexts.DEFAULT);
  }

  private List<RowTable> tables(ExampleShape shape) {
    Map<String, RowTable> tables = new LinkedHashMap<>();
    for (IdColumn column : shape.columns().ids()) {
      tables.put(
          column.table(),
          RowTable.of(column.table(), dimension)
              .with(RowUpdater.named(rowUpdater, rowRate, rowL2))
              .with(new InitialRow(InitialRow.Shape.NORMAL, spread, seed))
              .with(Admission.after(admitAfter)));
    }
    return List.copyOf(tables.values());
  }

  @Override
  public void run() {
    try {
      for (int batch : batches) {
        learn(batch);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void learn(int batch) throws IOException {
    FieldsDescription description = description();
    ExampleShape shape = description.shape(Target.CLASSIFICATION, 2);
    InitialModel initial =
        ModelEngine.named(engine)
            .define(
                new ModelDefinition.BuiltIn(
                    model,
                    shape,
                    model.equals("linear") ? List.of() : hidden,
                    List.of(),
                    new Learning(
                        Optional.empty(),
                        Optional.of(updater),
                        Optional.of(rate),
                        Optional.empty(),
                        Optional.of(l2),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                    seed));
    List<RowTable> tables = tables(shape);
    DirectRows rows = new DirectRows(tables);
    FieldTable table = new FieldTable(description, shape, List.of(), ',', List.of());
    try (ModelReplica replica =
            ModelEngine.named(engine).build(initial.spec(), DeviceRequest.any());
        ExampleSequence examples = DataSpec.parse(data).openFields(table).training()) {
      replica.write(0, initial.vector(), 0, initial.vector().length);
      RowHook hook =
          new RowHook(
              new RowRouter(tables, 1, id -> 0), new HookContext(0, 1, 1, replica, false, rows));
      rows.answerTo(hook);
      ExactAuc auc = new ExactAuc();
      long start = System.nanoTime();
      double loss = new Pass(shape, examples, replica, hook, auc).run(batch);
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "batch %d: AUC %.4f, second half %.4f, loss %.4f, %,.0f examples/s, rows %s%n",
          batch,
          auc.from(0),
          auc.from(auc.size() / 2),
          loss / auc.size(),
          auc.size() / seconds,
          Stream.iterate(0, i -> i < tables.size(), i -> i + 1).map(rows::rows).toList());
    }
  }

  /** One pass. */
  private final class Pass {

    private final ExampleShape shape;
    private final ExampleSequence examples;
    private final ModelReplica replica;
    private final RowHook hook;
    private final ExactAuc auc;
    private final Example example;
    private final List<Minibatch> spare = new ArrayList<>();
    private final List<Minibatch> waiting = new ArrayList<>();
    private float[] predictions;
    private float[] gradients;
    private double loss;
    private long steps;
    private int read;

    Pass(
        ExampleShape shape,
        ExampleSequence examples,
        ModelReplica replica,
        RowHook hook,
        ExactAuc auc) {
      this.shape = shape;
      this.examples = examples;
      this.replica = replica;
      this.hook = hook;
      this.auc = auc;
      this.example = new Example(shape);
    }

    double run(int batch) throws IOException {
      predictions = new float[batch * shape.labels()];
      gradients = new float[batch * shape.features()];
      Minibatch next = fill(batch);
      while (next != null || !waiting.isEmpty()) {
        if (next != null) {
          if (!hook.isReady(next)) {
            throw new IllegalStateException("Rows aren't there");
          }
          waiting.add(next);
        }
        if (waiting.size() > prefetch || next == null) {
          step(waiting.remove(0));
        }
        next = next == null ? null : fill(batch);
      }
      return loss;
    }

    private Minibatch fill(int batch) throws IOException {
      Minibatch minibatch =
          spare.isEmpty() ? new Minibatch(shape, batch) : spare.remove(spare.size() - 1);
      minibatch.clear();
      while (!minibatch.isFull() && read < most && examples.next(example)) {
        minibatch.add(
            example.features(),
            example.labels(),
            example.words(),
            example.ids(),
            0,
            1,
            PLACE,
            read);
        read++;
      }
      return minibatch.isEmpty() ? null : minibatch;
    }

    private void step(Minibatch minibatch) {
      hook.beforeStep(minibatch, () -> null);
      replica.setSteps(new Steps(steps, steps));
      steps++;
      replica.fit(minibatch, predictions, gradients);
      hook.takeGradients(minibatch, gradients);
      for (int row = 0; row < minibatch.size(); row++) {
        float predicted = predictions[2 * row + 1];
        boolean positive = minibatch.labels()[2 * row + 1] > 0;
        auc.add(predicted, positive);
        loss -= Math.log(Math.max(1e-7, positive ? predicted : 1 - predicted));
      }
      spare.add(minibatch);
    }
  }
}
