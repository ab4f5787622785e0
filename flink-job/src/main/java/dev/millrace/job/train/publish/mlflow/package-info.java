/** A registry of MLflow, and a run of it for each job. */
package dev.millrace.job.train.publish.mlflow;
