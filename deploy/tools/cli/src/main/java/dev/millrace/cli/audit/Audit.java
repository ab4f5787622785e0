package dev.millrace.cli.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an audit finds: whether a model has taken every record between the first and the last of
 * each partition exactly once, whatever became of it. Ledgers keep counts and sums of offsets, so a
 * lost record and a doubled one show, each alone or together; only errors that cancel each other
 * out in count and in sum wouldn't.
 *
 * @param version of the model, as {@code generation.round}; null where that isn't known
 * @param learned records that the model has learned from
 * @param skipped records that said nothing to learn from, such as deletes
 * @param missing records that were never taken, at least
 * @param doubled records that were taken once more, at least
 * @param finding of the partitions, or that a table is wrong; a table that can't be compared
 *     changes nothing about it
 * @param tables of a savepoint with embedding tables
 */
public record Audit(
    String path,
    String version,
    long learned,
    long rejected,
    long skipped,
    long underWay,
    long missing,
    long doubled,
    Finding finding,
    List<PartitionAudit> partitions,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TableAudit> tables) {

  /** Where the records are. */
  public interface Topics {

    /**
     * Looks at one partition.
     *
     * @return empty where there is none
     * @throws IOException if it is a file, and can't be read
     */
    Optional<Held> between(Partition partition, long first, long last) throws IOException;
  }

  /** Compares all that was taken with what topics hold. */
  public static Audit of(String path, String version, List<ConsumedRecords> taken, Topics topics)
      throws IOException {
    List<PartitionAudit> partitions = new ArrayList<>();
    for (ConsumedRecords one : taken) {
      Span all = one.all();
      Held held =
          all.count() == 0
              ? null
              : topics.between(one.partition(), all.first(), all.last()).orElse(null);
      partitions.add(PartitionAudit.of(one, held));
    }
    return new Audit(
        path,
        version,
        partitions.stream().mapToLong(PartitionAudit::learned).sum(),
        partitions.stream().mapToLong(PartitionAudit::rejected).sum(),
        partitions.stream()
            .mapToLong(partition -> partition.skipped() == null ? 0 : partition.skipped())
            .sum(),
        partitions.stream().mapToLong(PartitionAudit::underWay).sum(),
        partitions.stream().mapToLong(PartitionAudit::missing).sum(),
        partitions.stream().mapToLong(PartitionAudit::doubled).sum(),
        worst(partitions),
        List.copyOf(partitions),
        List.of());
  }

  /** Adds what was found of embedding tables. */
  public Audit with(List<TableAudit> found) {
    boolean wrong = found.stream().anyMatch(table -> table.finding() == Finding.WRONG);
    return new Audit(
        path,
        version,
        learned,
        rejected,
        skipped,
        underWay,
        missing,
        doubled,
        wrong ? Finding.WRONG : finding,
        partitions,
        List.copyOf(found));
  }

  /** Returns the worst of all findings: what is wrong anywhere outweighs what can't be told. */
  private static Finding worst(List<PartitionAudit> partitions) {
    List<Finding> findings = partitions.stream().map(PartitionAudit::finding).toList();
    if (findings.contains(Finding.WRONG)) {
      return Finding.WRONG;
    }
    return findings.contains(Finding.UNKNOWN) ? Finding.UNKNOWN : Finding.COMPLETE;
  }
}
