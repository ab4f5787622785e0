package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;

/** What carries gradients between machines. Flink does here, so that none of one's own is taken. */
@PublicEvolving
public interface Transport {}
