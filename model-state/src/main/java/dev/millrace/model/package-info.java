/**
 * What a model is to Millrace: a flat vector in blocks, a version, a ledger of what it has learned
 * from, and the {@link dev.millrace.model.ModelReplica} that trains it. Pure Java: no engine, no
 * Flink, no Kafka.
 */
package dev.millrace.model;
