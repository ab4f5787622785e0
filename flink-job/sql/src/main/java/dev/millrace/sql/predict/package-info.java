/** Published models in queries of Flink SQL: the provider {@code millrace}, for ML_PREDICT. */
package dev.millrace.sql.predict;
