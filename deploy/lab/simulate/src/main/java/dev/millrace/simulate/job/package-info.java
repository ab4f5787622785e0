/** A whole job in virtual time: its graph, its JobManager, its processes and what it reads. */
package dev.millrace.simulate.job;
