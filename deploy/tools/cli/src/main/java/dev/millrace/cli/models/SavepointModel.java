package dev.millrace.cli.models;

import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.rows.IdCounts;
import dev.millrace.cli.rows.StoredTables;
import dev.millrace.exchange.flink.replica.ReplicaOperator;
import dev.millrace.exchange.minibatch.MinibatchWindow;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.savepoint.HeldUses;
import dev.millrace.exchange.savepoint.SavedHead;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.exchange.savepoint.SavedRows;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.exchange.savepoint.SavepointFacts;
import dev.millrace.job.models.Servable;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.MemberReport;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelMembers;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ServableModel;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.snapshot.PartitionProgress;
import dev.millrace.snapshot.Quality;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A model in a savepoint or checkpoint of a training job. */
final class SavepointModel implements StoredModel {

  private final SavedStates states;
  private final SavedModelReader reader;

  SavepointModel(SavedStates states) {
    this.states = states;
    this.reader =
        new SavedModelReader(
            states, TrainingOperators.COORDINATOR.uid(), TrainingOperators.EXCHANGE.uid());
  }

  SavepointFacts facts() {
    return states.facts();
  }

  /** Returns how it was taken, in words. */
  String kind() {
    return facts().kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  GlobalModel read(SavedModelReader.Progress progress) throws IOException {
    return reader.read(progress);
  }

  GlobalModel readAverage(SavedModelReader.Progress progress) throws IOException {
    return reader.readAverage(progress);
  }

  @Override
  public StoredTables tables() throws IOException {
    String uid = TrainingOperators.ROWS.uid();
    return StoredTables.of(new SavedRows(states, uid), () -> HeldUses.of(states, uid));
  }

  @Override
  public List<ConsumedRecords> taken() throws IOException {
    SavedHead head = reader.head();
    Ledger underWay = head.announced().copy();
    List<DataInputStream> replicas =
        states.streams(TrainingOperators.REPLICA.uid(), ReplicaOperator.REPLICA_STATE);
    List<byte[]> minibatches =
        states.strings(TrainingOperators.REPLICA.uid(), ReplicaOperator.EXAMPLES_STATE);
    try {
      for (DataInputStream replica : replicas) {
        underWay.merge(Replica.recordsUnderWay(replica));
      }
      for (byte[] minibatch : minibatches) {
        underWay.merge(MinibatchWindow.records(minibatch));
      }
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "The records under way in %s can't be read: %s".formatted(states.path(), e), e);
    }
    return TakenRecords.of(head.ledger(), underWay);
  }

  @Override
  public long[] waitingIds() throws IOException {
    List<IdColumn> columns = reader.head().model().spec().shape().columns().ids();
    long[] waiting = new long[columns.size()];
    for (byte[] minibatch :
        states.strings(TrainingOperators.REPLICA.uid(), ReplicaOperator.EXAMPLES_STATE)) {
      IdCounts.add(MinibatchWindow.ids(minibatch), waiting);
    }
    return waiting;
  }

  @Override
  public float[] vector(SavedModelReader.Progress progress) throws IOException {
    return read(progress).vector();
  }

  /** Returns what members count. It is in the vector, which no other model is read for. */
  private List<MemberReport> population(ModelSpec spec) throws IOException {
    Optional<ModelMembers> members = ModelMembers.of(spec.engine());
    return members.isPresent()
        ? members.get().report(spec.configuration(), vector((blocks, ofBlocks, bytes) -> {}))
        : null;
  }

  @Override
  public ServableModel servable(boolean average, boolean best, SavedModelReader.Progress progress)
      throws IOException {
    GlobalModel model = average ? readAverage(progress) : read(progress);
    return Servable.of(
        model.spec(),
        model.vector(),
        model.learned(),
        best,
        Optional.of(SnapshotDescription.of(model, Optional.empty(), facts().written())));
  }

  @Override
  public Inspection inspect() throws IOException {
    SavepointFacts facts = facts();
    SavedHead head = reader.head();
    ModelSpec spec = head.model().spec();
    boolean standardizes = head.statistics().features() > 0;
    return new Inspection(
        states.path(),
        kind(),
        facts.written().toString(),
        facts.bytes(),
        head.version(),
        head.iteration(),
        spec.engine(),
        spec.kind(),
        spec.parameters(),
        head.model().layout().length() - spec.parameters(),
        null,
        spec.shape(),
        population(spec),
        ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration()),
        standardizes ? head.statistics().count() : 0,
        head.statistics().clips() ? head.statistics().clip() : null,
        Inspection.features(spec.shape(), head.learned()),
        PartitionProgress.of(head.ledger()),
        Quality.of(spec.shape().target(), head.prequential()),
        Quality.of(spec.shape().target(), head.recent()),
        null,
        new Inspection.Savepoint(
            facts.directory(),
            facts.checkpointId(),
            facts.backend().name().toLowerCase(Locale.ROOT),
            head.model().layout().count(),
            head.model().layout().blockSize(),
            facts.operators()),
        null,
        null);
  }
}
