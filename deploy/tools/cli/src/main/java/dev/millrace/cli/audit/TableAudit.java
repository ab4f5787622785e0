package dev.millrace.cli.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Locale;

/**
 * One embedding table: how often its rows were used, beside how often the records that were learned
 * have an id of it. Each use is counted once: in the row, or among those without, or those of rows
 * that have expired.
 *
 * @param inRows uses that rows have counted
 * @param withoutRow uses of ids that had no row
 * @param expired uses of rows that were removed
 * @param ofRecords ids of the records; null where that isn't known
 * @param reason what is wrong, or why nothing can be told; null where it is complete
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TableAudit(
    String table,
    long inRows,
    long withoutRow,
    long expired,
    Long ofRecords,
    Finding finding,
    String reason) {

  /** Compares the uses with what records have. */
  public static TableAudit of(
      String table, long inRows, long withoutRow, long expired, long ofRecords) {
    long more = inRows + withoutRow + expired - ofRecords;
    if (more == 0) {
      return new TableAudit(table, inRows, withoutRow, expired, ofRecords, Finding.COMPLETE, null);
    }
    return new TableAudit(
        table,
        inRows,
        withoutRow,
        expired,
        ofRecords,
        Finding.WRONG,
        String.format(
            Locale.ROOT, more < 0 ? "%,d uses missing" : "%,d uses too many", Math.abs(more)));
  }

  /** Says why there is nothing to compare the uses with. */
  public static TableAudit unknown(
      String table, long inRows, long withoutRow, long expired, String reason) {
    return new TableAudit(table, inRows, withoutRow, expired, null, Finding.UNKNOWN, reason);
  }
}
