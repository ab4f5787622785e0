package dev.millrace.sql.predict;

import java.io.Serializable;
import org.apache.flink.table.types.logical.LogicalType;

/** A column of OUTPUT, and what it holds. */
record OutputColumn(String name, LogicalType type, OutputContent content) implements Serializable {}
