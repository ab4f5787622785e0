package dev.millrace.kafka.record;

import dev.millrace.example.Prerequisites;

/** A deserializer that may have to wait until it can read a record. */
public interface Preparing {

  /** Always the same object, which shares with the deserializer what it has fetched. */
  Prerequisites prerequisites();
}
