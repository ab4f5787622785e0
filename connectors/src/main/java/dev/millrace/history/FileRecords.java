package dev.millrace.history;

import dev.millrace.file.RecordSequence;
import java.util.function.LongSupplier;

/**
 * Records of a file.
 *
 * @param line where the present record begins, counted from 1
 */
record FileRecords(RecordSequence records, LongSupplier line) {}
