/** The graph that joins features with labels that come later, and what its operators do. */
package dev.millrace.job.join;
