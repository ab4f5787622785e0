/**
 * The scores that examples of two classes have, as counts by bins: what the area under the ROC
 * curve is made of. Knows neither Flink nor Kafka.
 */
package dev.millrace.model.score;
