package dev.millrace.dl4j.spark;

import org.apache.flink.annotation.PublicEvolving;
import org.nd4j.common.loader.Loader;
import org.nd4j.linalg.dataset.DataSet;

/** Reads a data set from a file. */
@PublicEvolving
public interface DataSetLoader extends Loader<DataSet> {}
