package dev.millrace.dl4j.spark;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/** Says which port a parameter server listens to. There is none here. */
@PublicEvolving
public interface PortSupplier extends Serializable {

  /** Returns the port. */
  int getPort();
}
