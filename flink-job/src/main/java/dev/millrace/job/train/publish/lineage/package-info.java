/** Events of OpenLineage: which records of which topics are in which model. */
package dev.millrace.job.train.publish.lineage;
