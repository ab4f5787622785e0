package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;
import org.nd4j.common.loader.Loader;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Reads a data set of several inputs or outputs from a file. */
@PublicEvolving
public interface MultiDataSetLoader extends Loader<MultiDataSet> {}
