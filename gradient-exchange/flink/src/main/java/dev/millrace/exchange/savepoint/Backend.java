package dev.millrace.exchange.savepoint;

/** What a snapshot's keyed state was written by. */
public enum Backend {
  /** Any: Flink's canonical format is the same for all. */
  ANY,
  HASHMAP,
  ROCKSDB
}
