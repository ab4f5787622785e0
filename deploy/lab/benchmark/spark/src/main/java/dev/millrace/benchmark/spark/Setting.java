package dev.millrace.benchmark.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.deeplearning4j.spark.api.RDDTrainingApproach;
import org.deeplearning4j.spark.api.Repartition;
import org.deeplearning4j.spark.impl.paramavg.ParameterAveragingTrainingMaster;
import org.nd4j.linalg.dataset.DataSet;

/** How DL4J on Spark is set up: as it is without a setting, or with what makes it faster here. */
enum Setting {

  /** Spark's and DL4J's defaults: minibatches reach the workers as files. */
  AS_IT_COMES("as-it-comes") {
    @Override
    void configure(SparkConf spark) {}

    @Override
    void configure(ParameterAveragingTrainingMaster.Builder master) {}

    @Override
    JavaRDD<DataSet> prepare(JavaRDD<DataSet> minibatches) {
      return minibatches;
    }
  },

  /**
   * Minibatches stay in memory as objects, none moves to another partition, and what still moves is
   * written by Kryo.
   */
  TUNED("tuned") {
    @Override
    void configure(SparkConf spark) {
      spark.set("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
      spark.set("spark.kryo.registrator", "org.nd4j.kryo.Nd4jRegistrator");
    }

    @Override
    void configure(ParameterAveragingTrainingMaster.Builder master) {
      // No storage level: they are cached below already.
      master
          .rddTrainingApproach(RDDTrainingApproach.Direct)
          .storageLevel(null)
          .repartionData(Repartition.Never);
    }

    @Override
    JavaRDD<DataSet> prepare(JavaRDD<DataSet> minibatches) {
      return minibatches.cache();
    }
  };

  private final String word;

  Setting(String word) {
    this.word = word;
  }

  /**
   * The one of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Setting named(String name) {
    for (Setting setting : values()) {
      if (setting.word.equals(name)) {
        return setting;
      }
    }
    throw new IllegalArgumentException(
        "There is no setting '%s'; there are as-it-comes and tuned".formatted(name));
  }

  abstract void configure(SparkConf spark);

  abstract void configure(ParameterAveragingTrainingMaster.Builder master);

  abstract JavaRDD<DataSet> prepare(JavaRDD<DataSet> minibatches);
}
